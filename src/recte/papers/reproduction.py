"""The papers by name, and the run through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from recte.errors import InputError, OptionError
from recte.papers.data import PaperData
from recte.papers.paper import Paper, PaperTable
from recte.papers.result import TableResult

__all__ = ["PAPERS", "chosen_tables", "paper_data", "paper_named", "reproduce"]

PAPERS = ("maxmatch-2012", "imeasure-2015", "conservatism-2017", "reassessment-2018", "chinese-metrics-2022")


def paper_named(name: str) -> Paper:
    """The paper of that name."""
    if name not in PAPERS:
        raise OptionError(f"paper: expected one of {', '.join(PAPERS)}, got {name!r}")
    paper: Paper = import_module(f"recte.papers.{name.replace('-', '_')}").PAPER
    return paper


def chosen_tables(paper: str | None = None, table: str | None = None) -> Iterator[tuple[Paper, PaperTable]]:
    """The tables of all papers, of one, or a single one."""
    for found in [paper_named(name) for name in (PAPERS if paper is None else (paper,))]:
        tables = [one for one in found.tables if table in (None, one.name)]
        if not tables:
            known = ", ".join(one.name for one in found.tables)
            raise OptionError(f"table: expected one of {known} of {found.name}, got {table!r}")
        yield from ((found, one) for one in tables)


def paper_data(folder: str | Path | None, say: Callable[[str], None] | None = None) -> PaperData:
    """The data folder; an error where there is none of that name."""
    if folder is not None and not Path(folder).is_dir():
        raise InputError("expected a folder with the papers' data, got none", str(folder))
    return PaperData(folder, say)


def reproduce(
    paper: str | None = None,
    table: str | None = None,
    *,
    data: str | Path | None = None,
    say: Callable[[str], None] | None = None,
) -> tuple[TableResult, ...]:
    """Recompute what papers report: all of them, one, or one table. Without `data` what needs none.

    `say` is told what is being computed, as it begins.

    >>> (result,) = reproduce("imeasure-2015", "table8")
    >>> result.figures[0].name, result.figures[0].published, result.figures[0].ours, result.figures[0].verdict
    ('Baseline, P', '1.00', 1.0, 'exact')
    """
    folder = paper_data(data, say)
    return tuple(one.reproduce(of.name, folder) for of, one in chosen_tables(paper, table))

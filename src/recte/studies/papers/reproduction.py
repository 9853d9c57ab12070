"""The papers by name, and the run through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from recte.errors import InputError, OptionError
from recte.registry import Registry
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Paper, PaperTable
from recte.studies.papers.result import TableResult

__all__ = ["PAPERS", "chosen_tables", "paper_data", "paper_named", "reproduce"]

_REGISTRY = Registry[Paper](
    "paper",
    {
        "maxmatch-2012": "recte.studies.papers.maxmatch_2012:PAPER",
        "imeasure-2015": "recte.studies.papers.imeasure_2015:PAPER",
        "conservatism-2017": "recte.studies.papers.conservatism_2017:PAPER",
        "reassessment-2018": "recte.studies.papers.reassessment_2018:PAPER",
        "chinese-metrics-2022": "recte.studies.papers.chinese_metrics_2022:PAPER",
    },
)
PAPERS = _REGISTRY.names()


def paper_named(name: str) -> Paper:
    """The paper of that name."""
    return _REGISTRY.load(name)


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

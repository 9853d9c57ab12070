"""`recte reproduce [PAPER [TABLE]]`: what five papers report, recomputed next to the published figures.

The papers by name, and the run through them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recte.cli.arguments import quiet_option
from recte.cli.command import Command
from recte.errors import InputError, OptionError
from recte.files import make_folder
from recte.messages import report
from recte.options import argument, option
from recte.output.charts.writing import CHART_FORMATS, chart_bytes, check_drawable, write_charts
from recte.output.document import document
from recte.output.terminal import print_table
from recte.registry import Registry
from recte.studies.papers.data import SOURCES, PaperData
from recte.studies.papers.paper import Charts, Paper, PaperTable
from recte.studies.papers.paper_tables import (
    contents,
    html_page,
    markdown_page,
    missing_table,
    result_table,
    to_list,
    verdict_table,
)
from recte.studies.papers.result import TableResult

__all__ = ["PAPERS", "choose_tables", "paper_data", "paper_named", "reproduce"]

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


def choose_tables(paper: str | None = None, table: str | None = None) -> Iterator[tuple[Paper, PaperTable]]:
    """The tables of all papers, of one, or a single one."""
    for chosen_paper in [paper_named(name) for name in (PAPERS if paper is None else (paper,))]:
        tables = [paper_table for paper_table in chosen_paper.tables if table in (None, paper_table.name)]
        if not tables:
            known = ", ".join(paper_table.name for paper_table in chosen_paper.tables)
            raise OptionError(f"table: expected one of {known} of {chosen_paper.name}, got {table!r}")
        yield from ((chosen_paper, paper_table) for paper_table in tables)


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
    return tuple(paper_table.reproduce(of.name, folder) for of, paper_table in choose_tables(paper, table))


_FORMATS = ("text", "markdown", "json", "html")


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions:
    paper: str | None = argument(f"{', '.join(PAPERS)} (default all)", metavar="PAPER", values="?")
    table: str | None = argument("one of its tables, as --list names them (default all)", metavar="TABLE", values="?")
    list_tables: bool = option(False, "list the tables and end", flags=("--list",))
    data: str | None = option(
        None,
        "the folder with the papers' data; without it, what needs none is computed",
        kind=str,
        metavar="FOLDER",
    )
    figures: str | None = option(None, "draw the papers' figures into this folder, too", kind=str, metavar="FOLDER")
    figure_formats: tuple[str, ...] = option(
        ("svg",),
        f"{', '.join(CHART_FORMATS)} (default svg)",
        kind=str,
        choices=CHART_FORMATS,
        metavar="FORMAT",
    )
    format: str = option("text", "how to print (default text)", flags=("-f", "--format"), choices=_FORMATS)
    quiet: bool = quiet_option("do not say what is being computed")


def run(options: ReproduceOptions) -> None:
    chosen = list(choose_tables(options.paper, options.table))
    if options.list_tables:
        print(document(papers=to_list(chosen)) if options.format == "json" else contents(chosen))
        return
    data = paper_data(options.data, None if options.quiet else report)
    if options.data and not data.folders():
        report(f"{options.data}: expected at least one of the folders {', '.join(SOURCES)}, got none of them")
    drawing = bool(options.figures) or options.format == "html"
    if drawing:
        check_drawable(options.figure_formats)  # before the work: a missing library or a bad folder is said at once
    if options.figures:
        make_folder(options.figures)
    results: list[TableResult] = []
    charts: dict[tuple[str, str], Charts] = {}
    for paper, table in chosen:
        results.append(table.reproduce(paper.name, data))
        if drawing:
            charts[paper.name, table.name] = table.charts(data)
        if options.format == "text":
            _print(paper, results)
    pictures = _draw(options, charts)
    papers = [paper for paper, _ in chosen]
    if options.format == "json":
        print(document(reproduction=[_to_dict(result, pictures) for result in results]))
    elif options.format == "markdown":
        print(markdown_page(papers, results, pictures))
    elif options.format == "html":
        svgs = {place: [chart_bytes(chart, "svg") for chart in of.values()] for place, of in charts.items()}
        print(html_page(papers, results, svgs))
    else:
        print_table(verdict_table(results))
        missing = missing_table(results)
        if missing is not None:
            print()
            print_table(missing)


def _print(paper: Paper, results: Sequence[TableResult]) -> None:
    """The last result, as soon as it is there; before a paper's first, who wrote it."""
    if sum(result.paper == paper.name for result in results) == 1:
        print(f"{paper.name}: {paper.citation}\n")
    print_table(result_table(results[-1]))
    print(flush=True)


def _to_dict(result: TableResult, pictures: Mapping[tuple[str, str], list[str]]) -> dict[str, Any]:
    """A table as plain data; with the files of its pictures where some were drawn."""
    files = pictures.get((result.paper, result.name))
    return {**result.to_dict(), **({"pictures": files} if files else {})}


def _draw(options: ReproduceOptions, charts: Mapping[tuple[str, str], Charts]) -> dict[tuple[str, str], list[str]]:
    """Draw into the folder that was asked for; the first format's files are what a page shows."""
    if not options.figures:
        return {}
    shown = f".{options.figure_formats[0]}"
    written = {place: write_charts(of, options.figures, options.figure_formats) for place, of in charts.items()}
    return {place: [path.as_posix() for path in paths if path.suffix == shown] for place, paths in written.items()}


COMMAND = Command(
    run=run,
    options=ReproduceOptions,
    forms=("[PAPER [TABLE]]",),
    examples=(
        ("recte reproduce --list", "which papers, and which of their tables"),
        ("recte reproduce maxmatch-2012", "one paper; --data FOLDER has its corpora"),
    ),
)

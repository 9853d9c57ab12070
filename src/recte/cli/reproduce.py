"""`recte reproduce [PAPER [TABLE]]`: what five papers report, recomputed beside the published figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from recte.formats.files import make_folder
from recte.papers.data import SOURCES
from recte.papers.paper import Charts, Paper
from recte.papers.paper_tables import contents, html_page, listed, markdown_page, result_table, verdict_table
from recte.papers.reproduction import PAPERS, chosen_tables, paper_data
from recte.papers.result import TableResult
from recte.rendering.charts.writing import CHART_FORMATS, chart_bytes, check_drawable, write_charts
from recte.rendering.document import document
from recte.rendering.terminal import print_table

_FORMATS = ("text", "markdown", "json", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", nargs="?", metavar="PAPER", help=f"{', '.join(PAPERS)} (default all)")
    parser.add_argument(
        "table", nargs="?", metavar="TABLE", help="one of its tables, as --list names them (default all)"
    )
    parser.add_argument("--list", action="store_true", dest="list_tables", help="list the tables and end")
    parser.add_argument(
        "--data", metavar="FOLDER", help="the folder with the papers' data; without it, what needs none is computed"
    )
    parser.add_argument("--figures", metavar="FOLDER", help="draw the papers' figures into this folder, too")
    parser.add_argument(
        "--figure-formats",
        nargs="+",
        choices=CHART_FORMATS,
        default=["svg"],
        metavar="FORMAT",
        help=f"{', '.join(CHART_FORMATS)} (default svg)",
    )
    parser.add_argument("-f", "--format", choices=_FORMATS, default="text", help="how to print (default text)")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not say what is being computed")


def run(arguments: argparse.Namespace) -> None:
    chosen = list(chosen_tables(arguments.paper, arguments.table))
    if arguments.list_tables:
        print(document(papers=listed(chosen)) if arguments.format == "json" else contents(chosen))
        return
    data = paper_data(arguments.data, None if arguments.quiet else _say)
    if arguments.data and not data.folders():
        _say(f"{arguments.data}: expected at least one of the folders {', '.join(SOURCES)}, got none of them")
    drawing = bool(arguments.figures) or arguments.format == "html"
    if drawing:
        check_drawable(arguments.figure_formats)  # before the work: a missing library or a bad folder is said at once
    if arguments.figures:
        make_folder(arguments.figures)
    results: list[TableResult] = []
    charts: dict[tuple[str, str], Charts] = {}
    for paper, table in chosen:
        results.append(table.reproduce(paper.name, data))
        if drawing:
            charts[paper.name, table.name] = table.charts(data)
        if arguments.format == "text":
            _print(paper, results)
    pictures = _drawn(arguments, charts)
    papers = [paper for paper, _ in chosen]
    if arguments.format == "json":
        print(document(reproduction=[result.to_dict() for result in results]))
    elif arguments.format == "markdown":
        print(markdown_page(papers, results, pictures))
    elif arguments.format == "html":
        svgs = {place: [chart_bytes(chart, "svg") for chart in of.values()] for place, of in charts.items()}
        print(html_page(papers, results, svgs))
    else:
        print_table(verdict_table(results))


def _print(paper: Paper, results: Sequence[TableResult]) -> None:
    """The last result, as soon as it is there; before a paper's first, who wrote it."""
    if sum(result.paper == paper.name for result in results) == 1:
        print(f"{paper.name}: {paper.citation}\n")
    print_table(result_table(results[-1]))
    print(flush=True)


def _say(text: str) -> None:
    print(f"recte: {text}", file=sys.stderr, flush=True)


def _drawn(arguments: argparse.Namespace, charts: Mapping[tuple[str, str], Charts]) -> dict[tuple[str, str], list[str]]:
    """Draw into the folder that was asked for; the first format's files are what a page shows."""
    if not arguments.figures:
        return {}
    shown = f".{arguments.figure_formats[0]}"
    written = {
        place: write_charts(of, arguments.figures, tuple(arguments.figure_formats)) for place, of in charts.items()
    }
    return {place: [path.as_posix() for path in paths if path.suffix == shown] for place, paths in written.items()}

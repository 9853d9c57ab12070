"""`errata reproduce [PAPER [TABLE]]`: what five papers report, recomputed beside the published figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errata.errors import InputError
from errata.papers.reproduction import PAPERS, chosen_tables, paper_data
from errata.papers.result import TableResult
from errata.papers.tables import contents, markdown_page, result_table, verdict_table
from errata.report.charts.writing import CHART_FORMATS, write_charts
from errata.report.document import document
from errata.report.terminal import print_table

_FORMATS = ("text", "markdown", "json")


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
        print(contents(chosen))
        return
    data = paper_data(arguments.data, None if arguments.quiet else _say)
    _make(arguments.figures)
    results: list[TableResult] = []
    pictures: dict[str, list[str]] = {}
    last = ""
    for paper, table in chosen:
        result = table.reproduce(paper.name, data)
        results.append(result)
        if arguments.figures:
            pictures[f"{paper.name} {table.name}"] = _draw(arguments, table.charts(data))
        if arguments.format == "text":
            if paper.name != last:
                print(f"{paper.name}: {paper.citation}\n")
                last = paper.name
            print_table(result_table(result))
            print()
            sys.stdout.flush()
    if arguments.format == "json":
        print(document(reproduction=[result.to_dict() for result in results]))
    elif arguments.format == "markdown":
        print(markdown_page([paper for paper, _ in chosen], results, pictures))
    else:
        print_table(verdict_table(results))


def _say(text: str) -> None:
    print(f"errata: {text}", file=sys.stderr, flush=True)


def _make(folder: str | None) -> None:
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", folder) from None


def _draw(arguments: argparse.Namespace, charts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Draw the charts; the first format's files are what a page shows."""
    written = write_charts(charts, arguments.figures, tuple(arguments.figure_formats))
    return [path.as_posix() for path in written if path.suffix == f".{arguments.figure_formats[0]}"]

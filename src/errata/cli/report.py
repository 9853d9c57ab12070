"""`errata report GOLD SYSTEM... --to FILE`: one self-contained HTML page."""

from __future__ import annotations

import argparse
import sys

from errata.cli.arguments import add_gold, add_metrics
from errata.cli.counting import add_resampling
from errata.cli.gathering import gathered
from errata.formats.files import write_bytes
from errata.report.page.writing import render_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser)
    add_metrics(parser)
    add_resampling(parser)
    output = parser.add_argument_group("output")
    output.add_argument("-o", "--to", default="report.html", metavar="FILE", help="the page (default report.html)")
    output.add_argument("--title", metavar="TEXT", help="its title (default the gold's name)")
    output.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names of the systems, for their files")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no word of what was written")


def run(arguments: argparse.Namespace) -> None:
    data = gathered(arguments, "report", arguments.title)
    page = render_page(data, {}, {})
    write_bytes(arguments.to, page.encode())
    if not arguments.quiet and arguments.to != "-":
        print(f"{arguments.to}: open it in a browser", file=sys.stderr)

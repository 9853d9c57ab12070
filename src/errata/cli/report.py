"""`errata report GOLD SYSTEM... --to FILE`: one self-contained HTML page."""

from __future__ import annotations

import argparse
import sys

from errata.cli.arguments import add_gold, add_metrics, gold_and_systems, metrics_of
from errata.cli.counting import add_resampling, resampling_of
from errata.errors import OptionError
from errata.formats.files import stem, write_bytes
from errata.report.page.gathering import gather
from errata.report.page.writing import render_page
from errata.report.terminal import progress_bar
from errata.scoring import read_corpus_and_systems, system_names


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
    gold, paths = gold_and_systems(arguments)
    if not paths:
        raise OptionError("report: expected at least one system, got none")
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, arguments.names))
    title = arguments.title or stem(gold.name)
    with progress_bar("metrics", quiet=arguments.quiet) as advance:
        data = gather(
            corpus, systems, metrics_of(arguments), gold=title, resampling=resampling_of(arguments), progress=advance
        )
    page = render_page(data, {}, {})
    write_bytes(arguments.to, page.encode())
    if not arguments.quiet and arguments.to != "-":
        print(f"{arguments.to}: open it in a browser", file=sys.stderr)

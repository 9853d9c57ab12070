"""`recte report GOLD SYSTEM... --to FILE`: one self-contained HTML page."""

from __future__ import annotations

import argparse
import sys

from recte.cli.arguments import add_gold, add_names
from recte.cli.chart_files import add_chart_formats, chart_size, told
from recte.cli.counted_systems import add_resampling
from recte.cli.evaluated_systems import add_human, charts_of_humans, evaluated, humans_of
from recte.cli.human_arguments import hinting_at_ids
from recte.cli.input_warnings import add_strict
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.formats.files import check_folder_of, write_bytes
from recte.formats.tracks import read_tracks
from recte.objects_kept import objects_kept
from recte.rendering.charts.overview import overview_charts
from recte.rendering.charts.theme import for_paper
from recte.rendering.charts.writing import check_drawable, write_charts
from recte.rendering.page.leaderboard import render_leaderboard
from recte.rendering.page.template import check_pages
from recte.rendering.page.writing import render_page
from recte.visible_text import visible


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    add_resampling(parser)
    add_human(parser)
    output = parser.add_argument_group("output")
    output.add_argument("-o", "--to", default="report.html", metavar="FILE", help="the page (default report.html)")
    output.add_argument("--figures", metavar="FOLDER", help="also write the charts as files into this folder")
    add_chart_formats(output)
    output.add_argument("--title", metavar="TEXT", help="its title (default the gold's name)")
    output.add_argument(
        "--leaderboard",
        action="store_true",
        help="a page for many systems: ranks and clusters by each metric, and their sentences",
    )
    output.add_argument("--tracks", metavar="TSV", help="of the leaderboard: systems and the tracks they run in")
    output.add_argument(
        "--attribute",
        action="store_true",
        help="show what each edit is worth by each metric: the score less without it",
    )
    add_names(output)
    add_strict(output)
    output.add_argument(
        "-q", "--quiet", action="store_true", help="no progress, no warnings, no word of what was written"
    )
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    with objects_kept():  # until the page is written and nothing of it is left to look through
        _write(arguments)


def _write(arguments: argparse.Namespace) -> None:
    formats = tuple(dict.fromkeys(arguments.formats))
    check_folder_of("--to", arguments.to)  # before the work, as all that follows
    check_pages()
    check_drawable(formats if arguments.figures else ())
    size = chart_size(arguments)
    _check_leaderboard(arguments)
    tracks = None if arguments.tracks is None else read_tracks(arguments.tracks)
    humans = humans_of(arguments)
    with hinting_at_ids(humans):
        data = evaluated(arguments, "report", arguments.title, attribute=arguments.attribute)
    charts = {}
    if arguments.figures is not None or not arguments.leaderboard:
        charts = overview_charts(data, differences=arguments.figures is not None)
    if humans is not None:
        charts |= charts_of_humans(arguments, humans, data)
    page = (render_leaderboard(data, tracks) if arguments.leaderboard else render_page(data, charts)).encode()
    if arguments.figures is not None:
        looks = {stem: for_paper(chart) for stem, chart in charts.items()}
        write_charts(looks, arguments.figures, formats, size, told)
    write_bytes(arguments.to, page)
    if not arguments.quiet and arguments.to != "-":
        print(f"{visible(arguments.to)}: open it in a browser", file=sys.stderr)


def _check_leaderboard(arguments: argparse.Namespace) -> None:
    if arguments.tracks is not None and not arguments.leaderboard:
        raise OptionError("--tracks: expected --leaderboard too, got --tracks alone")
    if arguments.human is not None and arguments.leaderboard:
        raise OptionError("--leaderboard: expected no --human, which the report shows, got both")

"""`recte figures GOLD SYSTEM... --to FOLDER`: the charts of a report as files, for a paper."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_gold, add_names
from recte.cli.chart_files import add_chart_formats, chart_size, told
from recte.cli.counted_systems import add_resampling
from recte.cli.evaluated_systems import evaluated
from recte.cli.input_warnings import add_strict
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.parser import Parser
from recte.formats.judgments import read_judgments
from recte.rendering.charts.human import human_charts
from recte.rendering.charts.overview import overview_charts
from recte.rendering.charts.theme import for_paper
from recte.rendering.charts.writing import check_drawable, write_charts
from recte.visible_text import visible


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    add_resampling(parser)
    parser.add_argument(
        "--human",
        metavar="JUDGMENTS",
        help="human judgments of the systems: also their ranking, and metrics against it",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--to", default="figures", metavar="FOLDER", help="where to write them (default figures)")
    add_chart_formats(output)
    add_names(output)
    add_strict(output)
    output.add_argument(
        "-q", "--quiet", action="store_true", help="no progress, no warnings, no list of what was written"
    )
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    formats = tuple(dict.fromkeys(arguments.formats))
    check_drawable(formats)  # before the work
    size = chart_size(arguments)
    judgments = None if arguments.human is None else read_judgments(arguments.human)
    data = evaluated(arguments, "figures")
    charts = overview_charts(data)
    if judgments is not None:
        charts = {**charts, **human_charts(data, judgments, seed=arguments.seed)}
    looks = {stem: for_paper(chart) for stem, chart in charts.items()}
    for path in write_charts(looks, arguments.to, formats, size, told):
        if not arguments.quiet:
            print(visible(str(path)))

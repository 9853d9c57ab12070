"""`recte figures GOLD SYSTEM... --to FOLDER`: the charts of a report as files, for a paper."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_gold, add_names
from recte.cli.chart_files import add_chart_formats, chart_size, told
from recte.cli.counted_systems import add_resampling
from recte.cli.evaluated_systems import add_human, charts_of_humans, evaluated, humans_of
from recte.cli.human_arguments import hinting_at_ids
from recte.cli.input_warnings import add_strict
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.parser import Parser
from recte.rendering.charts.overview import overview_charts
from recte.rendering.charts.theme import for_paper
from recte.rendering.charts.writing import check_drawable, write_charts
from recte.visible_text import visible


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    add_resampling(parser)
    add_human(parser)
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
    humans = humans_of(arguments)
    with hinting_at_ids(humans):
        data = evaluated(arguments, "figures")
    charts = overview_charts(data)
    if humans is not None:
        charts = {**charts, **charts_of_humans(arguments, humans, data)}
    looks = {stem: for_paper(chart) for stem, chart in charts.items()}
    for path in write_charts(looks, arguments.to, formats, size, told):
        if not arguments.quiet:
            print(visible(str(path)))

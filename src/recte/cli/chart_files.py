"""Charts as files: where a command draws them, as what, and how large."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Any

from recte.rendering.charts.paper_size import PaperSize
from recte.rendering.charts.theme import for_paper
from recte.rendering.charts.writing import CHART_FORMATS, check_drawable, write_charts
from recte.visible_text import visible

__all__ = ["add_chart_formats", "add_charts", "chart_size", "draw_charts", "told"]


def add_charts(parser: argparse._ActionsContainer) -> None:
    """Where a command draws its pictures, and as what."""
    parser.add_argument("--charts", metavar="FOLDER", help="draw the pictures into this folder, too")
    add_chart_formats(parser, "--chart-formats")


def add_chart_formats(parser: argparse._ActionsContainer, flag: str = "--formats") -> None:
    """What files of charts are; json is the Vega-Lite specification."""
    parser.add_argument(
        flag,
        nargs="+",
        choices=CHART_FORMATS,
        default=["svg"],
        metavar="FORMAT",
        help=f"of the charts: {', '.join(CHART_FORMATS)} (default svg)",
    )
    parser.add_argument("--chart-width", metavar="WIDTH", help="of the charts on paper: 240pt, 8.5cm, 3.3in")
    parser.add_argument("--font-size", type=float, metavar="PT", help="of the charts' labels on paper: 8")
    parser.add_argument("--no-title", action="store_true", help="charts without titles, for a caption of your own")


def chart_size(arguments: argparse.Namespace) -> PaperSize:
    """How large charts are on paper, and whether they have titles."""
    return PaperSize.of(arguments.chart_width, arguments.font_size, title=not arguments.no_title)


def told(line: str) -> None:
    """One line on standard error."""
    print(f"recte: {visible(line)}", file=sys.stderr)


def draw_charts(arguments: argparse.Namespace, charts: Callable[[], Mapping[str, Mapping[str, Any]]]) -> None:
    """Draw where it was asked for; says on standard error what was written."""
    if arguments.charts is None:
        return
    check_drawable(arguments.chart_formats)
    size = chart_size(arguments)
    looks = {name: for_paper(chart) for name, chart in charts().items()}
    for path in write_charts(looks, arguments.charts, tuple(arguments.chart_formats), size, told):
        told(f"drew {path}")

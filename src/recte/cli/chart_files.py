"""Charts as files: where a command draws them, as what, and how large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from recte.messages import report
from recte.options import option, part
from recte.output.charts.theme import for_paper
from recte.output.charts.writing import CHART_FORMATS, PaperSize, check_drawable, write_charts

__all__ = ["ChartOptions", "ChartSizeOptions", "chart_formats_option", "draw_charts"]


def chart_formats_option(flag: str = "--formats", group: str = "") -> Any:
    """What files of charts are; json is the Vega-Lite specification."""
    return option(
        ("svg",),
        f"of the charts: {', '.join(CHART_FORMATS)} (default svg)",
        kind=str,
        choices=CHART_FORMATS,
        flags=(flag,),
        metavar="FORMAT",
        group=group,
    )


@dataclass(frozen=True, kw_only=True)
class ChartSizeOptions:
    """How large charts are on paper, and whether they have titles."""

    chart_width: str | None = option(None, "of the charts on paper: 240pt, 8.5cm, 3.3in", kind=str, metavar="WIDTH")
    font_size: float | None = option(None, "of the charts' labels on paper: 8", kind=float, metavar="PT")
    no_title: bool = option(False, "charts without titles, for a caption of your own")

    @property
    def paper_size(self) -> PaperSize:
        return PaperSize.of(self.chart_width, self.font_size, title=not self.no_title)


@dataclass(frozen=True, kw_only=True)
class ChartOptions:
    """Where a command draws its charts, and as what."""

    charts: str | None = option(None, "draw the pictures into this folder, too", kind=str, metavar="FOLDER")
    chart_formats: tuple[str, ...] = chart_formats_option("--chart-formats")
    size: ChartSizeOptions = part(ChartSizeOptions)


def draw_charts(options: ChartOptions, charts: Callable[[], Mapping[str, Mapping[str, Any]]]) -> None:
    """Draw where it was asked for, and report what was written."""
    if options.charts is None:
        return
    check_drawable(options.chart_formats)
    size = options.size.paper_size
    drawn = {name: for_paper(chart) for name, chart in charts().items()}
    for path in write_charts(drawn, options.charts, options.chart_formats, size, report):
        report(f"drew {path}")

"""Charts into files: SVG, PNG or PDF by Vega's own renderer, without a browser; JSON is the specification."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from recte.errors import check_choice
from recte.extras import check_installed, optional
from recte.files import make_folder, write_bytes
from recte.output.charts.paper_size import PaperSize, fit
from recte.output.charts.theme import for_paper
from recte.output.charts.vega_lite import Chart
from recte.text.printable_text import visible

__all__ = ["CHART_FORMATS", "chart_bytes", "check_drawable", "finished", "write_charts"]

CHART_FORMATS = ("svg", "png", "pdf", "json")
AS_IT_COMES = PaperSize()


def check_drawable(formats: Sequence[str]) -> None:
    """Whether charts can be drawn in these formats, or what to install."""
    if any(format != "json" for format in formats):
        check_installed("vl_convert", extra="report", purpose="charts")


def chart_bytes(specification: Mapping[str, Any], format: str, scale: float | None = None) -> bytes:
    """A chart's Vega-Lite specification drawn in one of the formats.

    With a `scale`, one unit of it is as many points on paper: SVG says so, and PNG has 300 pixels an inch.
    """
    check_choice("charts", format, CHART_FORMATS)
    specification = _printable(specification)
    if format == "json":
        return json.dumps(specification, ensure_ascii=False, indent=1).encode()
    draw = optional("vl_convert", extra="report", purpose="charts")
    if format == "svg":
        text = draw.vegalite_to_svg(specification)
        return bytes(text if scale is None else _scaled(text, scale, "pt"), "utf-8")
    if format == "png":
        if scale is None:
            return bytes(draw.vegalite_to_png(specification, scale=2))
        return bytes(draw.vegalite_to_png(specification, scale=scale, ppi=300))
    if scale is None:
        return bytes(draw.vegalite_to_pdf(specification))
    return bytes(draw.svg_to_pdf(_scaled(draw.vegalite_to_svg(specification), scale)))  # a unit is a point there


def _printable(part: Any) -> Any:
    """A specification without the signs that XML has no place for: the renderer would end the program over them."""
    if isinstance(part, str):
        return part if part.isprintable() else "\n".join(map(visible, part.split("\n")))
    if isinstance(part, Mapping):
        return {_printable(key): _printable(value) for key, value in part.items()}
    return [_printable(one) for one in part] if isinstance(part, (list, tuple)) else part


def _drawn_width(specification: Mapping[str, Any]) -> float:
    return _size(chart_bytes(specification, "svg").decode())[0]


def _size(svg: str) -> tuple[float, float]:
    found = re.search(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    assert found is not None
    return float(found[1]), float(found[2])


def _scaled(svg: str, scale: float, unit: str = "") -> str:
    """The same picture in another size; its view box, which has the size it was drawn in, makes it fit."""
    width, height = (f"{scale * length:g}{unit}" for length in _size(svg))
    return re.sub(r' width="[\d.]+" height="[\d.]+"', f' width="{width}" height="{height}"', svg, count=1)


def write_charts(
    charts: Mapping[str, Mapping[str, Any]],
    folder: str | Path,
    formats: tuple[str, ...],
    size: PaperSize = AS_IT_COMES,
    tell: Callable[[str], None] = lambda line: None,
) -> list[Path]:
    """Each chart, by its file's stem, in each of the formats; the paths written.

    `size` is that on paper; `tell` is called with a line for each chart whose letters had to be smaller than asked.
    """
    make_folder(folder)
    written = []
    for name, specification in charts.items():
        sized = fit(specification, size, _drawn_width)
        if sized.font_size < 0.95 * (size.font_size or sized.font_size):
            tell(f"{name}: letters of {sized.font_size:.1f} pt, smaller than asked, so that it fits")
        for format in formats:
            path = Path(folder) / f"{name}.{format}"
            write_bytes(path, chart_bytes(sized.specification, format, sized.scale if size.is_given else None))
            written.append(path)
    return written


def finished(chart: Chart) -> dict[str, Any]:
    """The specification of a chart that is only drawn into files, in the look of all charts."""
    return for_paper(chart.to_dict())

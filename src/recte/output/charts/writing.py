"""Charts into files: SVG, PNG or PDF by Vega's own renderer, without a browser; JSON is the specification.

Charts made to fit a column of a paper: as wide as it, with letters as large as its own.

A chart is laid out with letters of 12 points as wide as the column is in such letters, and then drawn smaller as a
whole: lines, gaps and points keep their proportions to the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from recte.errors import OptionError, check_choice
from recte.extras import check_installed, optional
from recte.files import make_folder, write_bytes
from recte.output.charts.theme import for_paper
from recte.output.charts.vega_lite import Chart
from recte.text.printable_text import visible

__all__ = ["CHART_FORMATS", "PaperSize", "Sized", "chart_bytes", "check_drawable", "finish", "fit", "write_charts"]

_LETTERS = 12.0  # the size of labels in every chart
# Of its own width: a plot is not made narrower, its letters are made smaller instead. A chart whose cells hold text
# says by `usermeta: {narrowest: …}` where that begins.
_NARROWEST = 0.4
_BELOW_EACH_OTHER = 0.75  # plots side by side are not made narrower: they have more space below each other
_TITLE_LETTER, _SUBTITLE_LETTER = 8.4, 6.6  # widths in pixels, on average
_POINTS = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 7.2 / 2.54, "px": 0.75}


@dataclass(frozen=True)
class PaperSize:
    """How wide a chart is, in points; how large its labels are; whether it has a title. None is as it comes."""

    width: float | None = None
    font_size: float | None = None
    title: bool = True

    def __post_init__(self) -> None:
        for name, value, most in (("chart-width", self.width, 5000), ("font-size", self.font_size, 100)):
            if value is not None and not 1 <= value <= most:
                raise OptionError(f"{name}: expected 1 to {most} points, got {value:g}")

    @classmethod
    def of(cls, width: str | None, font_size: float | None, *, title: bool) -> PaperSize:
        """With a width in words: 240pt, 8.5cm, 3.3in, 85mm, 320px, or a number of points."""
        return cls(None if width is None else _points(width), font_size, title)

    @property
    def is_given(self) -> bool:
        return self.width is not None or self.font_size is not None


@dataclass(frozen=True)
class Sized:
    """A chart's specification, and how much it is to be scaled; `font_size` is what its labels then have."""

    specification: Mapping[str, Any]
    scale: float = 1.0
    font_size: float = _LETTERS


def _points(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+) ?(pt|in|cm|mm|px|)", text)
    if match is None:
        raise OptionError(f"chart-width: expected a width such as 240pt, 8.5cm or 3.3in, got {text!r}")
    return float(match[1]) * _POINTS[match[2] or "pt"]


def fit(chart: Mapping[str, Any], size: PaperSize, measure: Callable[[Mapping[str, Any]], float]) -> Sized:
    """The chart as it fits the size; `measure` says how wide a specification is drawn.

    Where a chart cannot be made as narrow, its letters are smaller than they were asked to be.
    """
    fitted = deepcopy(dict(chart))
    title = fitted.get("title") if size.title else fitted.pop("title", None)
    legend = [] if size.title or not isinstance(title, dict) else title.get("subtitle") or []
    scale = (size.font_size or _LETTERS) / _LETTERS
    if size.width is None:
        return Sized(_with_legend(fitted, legend), scale, _LETTERS * scale)
    target = size.width / scale
    if size.title and isinstance(fitted.get("title"), dict):
        fitted["title"] = _break_title(fitted["title"], target)
    fitted, drawn = _narrow(fitted, target, measure)
    letters = int(drawn / _SUBTITLE_LETTER)
    while legend and letters > _FEWEST_LETTERS and measure(_with_legend(fitted, legend, letters)) > drawn + 0.5:
        letters -= 2
    fitted = _with_legend(fitted, legend, letters)
    scale = size.width / drawn
    return Sized(fitted, scale, _LETTERS * scale)


def _with_legend(chart: dict[str, Any], lines: Sequence[str], letters: int | None = None) -> dict[str, Any]:
    """The chart, and below it what its title's second line said of lines and shapes: a caption may not say it."""
    if not lines:
        return chart
    shown = list(lines) if letters is None else [part for line in lines for part in wrap(line, letters)]
    look = {"orient": "bottom", "fontSize": 11, "fontWeight": "normal", "offset": 8, "color": "#5c636b"}
    return {**chart, "title": {"text": shown, "anchor": "start", "frame": "bounds", **look}}


_FEWEST_LETTERS = 16  # of a line of the legend


def _narrow(
    chart: dict[str, Any], target: float, measure: Callable[[Mapping[str, Any]], float]
) -> tuple[dict[str, Any], float]:
    """The chart with its plots made narrower or wider, and how wide it is drawn now.

    What stands around the plots keeps its width, so that two measurements say what the third is to be.
    """
    width = measure(chart)
    narrowest = chart.get("usermeta", {}).get("narrowest", _NARROWEST)
    guess = max(narrowest, target / width)
    second = measure(_stretch(chart, guess))
    if second == width:
        return chart, width
    factor = max(narrowest, 1 + (target - width) * (guess - 1) / (second - width))
    if factor < _BELOW_EACH_OTHER and "hconcat" in chart:
        below = {**chart, "vconcat": chart["hconcat"]}
        del below["hconcat"]
        return _narrow(below, target, measure)
    fitted = _stretch(chart, factor)
    return fitted, measure(fitted)


def _stretch(chart: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """The chart with every plot's width times the factor, and its height too where no row has a name."""
    view = dict(chart)
    for key in ("hconcat", "vconcat", "concat"):
        if key in view:
            view[key] = [_stretch(part, factor) for part in view[key]]
    if "spec" in view:
        view["spec"] = _stretch(view["spec"], factor)
    if isinstance(view.get("width"), (int, float)):
        view["width"] = round(view["width"] * factor)
        if isinstance(view.get("height"), (int, float)) and not _has_named_rows(view):
            view["height"] = round(view["height"] * min(factor, 1.0))
    return view


def _has_named_rows(view: Mapping[str, Any]) -> bool:
    views: Sequence[Mapping[str, Any]] = [view, *view.get("layer", ())]
    return any(part.get("encoding", {}).get("y", {}).get("type") in ("nominal", "ordinal") for part in views)


def _break_title(title: Mapping[str, Any], width: float) -> dict[str, Any]:
    """The title in as many lines as its letters need, from the chart's left edge on."""

    def lines(text: str | Sequence[str], letter: float) -> list[str]:
        parts = [text] if isinstance(text, str) else text
        return [line for part in parts for line in wrap(part, max(10, int(width / letter))) or [""]]

    broken = {**title, "frame": "bounds", "text": lines(title["text"], _TITLE_LETTER)}
    if title.get("subtitle"):
        broken["subtitle"] = lines(title["subtitle"], _SUBTITLE_LETTER)
    return broken


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
        return bytes(text if scale is None else _scale(text, scale, "pt"), "utf-8")
    if format == "png":
        if scale is None:
            return bytes(draw.vegalite_to_png(specification, scale=2))
        return bytes(draw.vegalite_to_png(specification, scale=scale, ppi=300))
    if scale is None:
        return _with_older_version(bytes(draw.vegalite_to_pdf(specification)))
    drawing = draw.svg_to_pdf(_scale(draw.vegalite_to_svg(specification), scale))  # a unit is a point there
    return _with_older_version(bytes(drawing))


def _with_older_version(pdf: bytes) -> bytes:
    """The same file as PDF 1.5, since pdfTeX warns of later ones; nothing in it is newer than transparency (1.4)."""
    return pdf.replace(b"%PDF-1.7", b"%PDF-1.5", 1) if pdf.startswith(b"%PDF-1.7") else pdf


def _printable(part: Any) -> Any:
    """A specification without the signs that XML has no place for: the renderer would end the program over them."""
    if isinstance(part, str):
        return part if part.isprintable() else "\n".join(map(visible, part.split("\n")))
    if isinstance(part, Mapping):
        return {_printable(key): _printable(value) for key, value in part.items()}
    return [_printable(item) for item in part] if isinstance(part, (list, tuple)) else part


def _measure_width(specification: Mapping[str, Any]) -> float:
    return _size(chart_bytes(specification, "svg").decode())[0]


def _size(svg: str) -> tuple[float, float]:
    match = re.search(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    assert match is not None
    return float(match[1]), float(match[2])


def _scale(svg: str, scale: float, unit: str = "") -> str:
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
        sized = fit(specification, size, _measure_width)
        if sized.font_size < 0.95 * (size.font_size or sized.font_size):
            tell(f"{name}: letters of {sized.font_size:.1f} pt, smaller than asked, so that it fits")
        for format in formats:
            path = Path(folder) / f"{name}.{format}"
            write_bytes(path, chart_bytes(sized.specification, format, sized.scale if size.is_given else None))
            written.append(path)
    return written


def finish(chart: Chart) -> dict[str, Any]:
    """The specification of a chart that is only drawn into files, in the look of all charts."""
    return for_paper(chart.to_dict())

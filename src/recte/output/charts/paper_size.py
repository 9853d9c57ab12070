"""Charts made to fit a column of a paper: as wide as it, with letters as large as its own.

A chart is laid out with letters of 12 points as wide as the column is in such letters, and then drawn smaller as a
whole: lines, gaps and points keep their proportions to the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from recte.errors import OptionError

__all__ = ["PaperSize", "Sized", "fit"]

_LETTERS = 12.0  # the size of labels in every chart
# Of its own width: a plot is not made narrower, its letters are made smaller instead. A chart whose cells hold text
# says by `usermeta: {narrowest: …}` where that begins.
_NARROWEST = 0.4
_BELOW_EACH_OTHER = 0.75  # plots side by side are not made narrower: they have more room below each other
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
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+) ?(pt|in|cm|mm|px|)", text)
    if found is None:
        raise OptionError(f"chart-width: expected a width such as 240pt, 8.5cm or 3.3in, got {text!r}")
    return float(found[1]) * _POINTS[found[2] or "pt"]


def fit(chart: Mapping[str, Any], size: PaperSize, measure: Callable[[Mapping[str, Any]], float]) -> Sized:
    """The chart as it fits the size; `measure` says how wide a specification is drawn.

    Where a chart cannot be made as narrow, its letters are smaller than they were asked to be.
    """
    fitted = deepcopy(dict(chart))
    if not size.title:
        fitted.pop("title", None)
    scale = (size.font_size or _LETTERS) / _LETTERS
    if size.width is None:
        return Sized(fitted, scale, _LETTERS * scale)
    wanted = size.width / scale
    if isinstance(fitted.get("title"), dict):
        fitted["title"] = _broken(fitted["title"], wanted)
    fitted, drawn = _narrowed(fitted, wanted, measure)
    scale = size.width / drawn
    return Sized(fitted, scale, _LETTERS * scale)


def _narrowed(
    chart: dict[str, Any], wanted: float, measure: Callable[[Mapping[str, Any]], float]
) -> tuple[dict[str, Any], float]:
    """The chart with its plots made narrower or wider, and how wide it is drawn now.

    What stands around the plots keeps its width, so that two measurements say what the third is to be.
    """
    own = measure(chart)
    narrowest = chart.get("usermeta", {}).get("narrowest", _NARROWEST)
    guess = max(narrowest, wanted / own)
    second = measure(_stretched(chart, guess))
    if second == own:
        return chart, own
    factor = max(narrowest, 1 + (wanted - own) * (guess - 1) / (second - own))
    if factor < _BELOW_EACH_OTHER and "hconcat" in chart:
        below = {**chart, "vconcat": chart["hconcat"]}
        del below["hconcat"]
        return _narrowed(below, wanted, measure)
    fitted = _stretched(chart, factor)
    return fitted, measure(fitted)


def _stretched(chart: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """The chart with every plot's width times the factor, and its height too where no row has a name."""
    view = dict(chart)
    for key in ("hconcat", "vconcat", "concat"):
        if key in view:
            view[key] = [_stretched(part, factor) for part in view[key]]
    if "spec" in view:
        view["spec"] = _stretched(view["spec"], factor)
    if isinstance(view.get("width"), (int, float)):
        view["width"] = round(view["width"] * factor)
        if isinstance(view.get("height"), (int, float)) and not _has_named_rows(view):
            view["height"] = round(view["height"] * min(factor, 1.0))
    return view


def _has_named_rows(view: Mapping[str, Any]) -> bool:
    views: Sequence[Mapping[str, Any]] = [view, *view.get("layer", ())]
    return any(one.get("encoding", {}).get("y", {}).get("type") in ("nominal", "ordinal") for one in views)


def _broken(title: Mapping[str, Any], width: float) -> dict[str, Any]:
    """The title in as many lines as its letters need, from the chart's left edge on."""

    def lines(text: str | Sequence[str], letter: float) -> list[str]:
        parts = [text] if isinstance(text, str) else text
        return [line for part in parts for line in wrap(part, max(10, int(width / letter))) or [""]]

    broken = {**title, "frame": "bounds", "text": lines(title["text"], _TITLE_LETTER)}
    if title.get("subtitle"):
        broken["subtitle"] = lines(title["subtitle"], _SUBTITLE_LETTER)
    return broken

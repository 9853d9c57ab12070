"""Charts into files: SVG, PNG or PDF by Vega's own renderer, without a browser; JSON is the specification."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recte.errors import InputError, OptionError
from recte.extras import optional
from recte.formats.files import write_bytes
from recte.rendering.charts.theme import for_paper

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["CHART_FORMATS", "altair", "chart_bytes", "check_drawable", "finished", "make_folder", "write_charts"]

CHART_FORMATS = ("svg", "png", "pdf", "json")


def altair() -> ModuleType:
    """Altair, or how to install it."""
    return optional("altair", extra="report", purpose="charts")


def check_drawable(formats: Sequence[str]) -> None:
    """Whether charts can be made and drawn in these formats, or what to install."""
    altair()
    if any(format != "json" for format in formats):
        optional("vl_convert", extra="report", purpose="charts")


def chart_bytes(specification: Mapping[str, Any], format: str) -> bytes:
    """A chart's Vega-Lite specification (Altair's `to_dict()`) drawn in one of the formats."""
    if format not in CHART_FORMATS:
        raise OptionError(f"charts: expected one of {', '.join(CHART_FORMATS)}, got {format!r}")
    if format == "json":
        return json.dumps(specification, ensure_ascii=False, indent=1).encode()
    draw = optional("vl_convert", extra="report", purpose="charts")
    if format == "svg":
        return bytes(draw.vegalite_to_svg(specification), "utf-8")
    if format == "png":
        return bytes(draw.vegalite_to_png(specification, scale=2))
    return bytes(draw.vegalite_to_pdf(specification))


def make_folder(folder: str | Path) -> None:
    """The folder charts are written to; an error where there can be none."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", str(folder)) from None


def write_charts(charts: Mapping[str, Mapping[str, Any]], folder: str | Path, formats: tuple[str, ...]) -> list[Path]:
    """Each chart, by its file's stem, in each of the formats; the paths written."""
    make_folder(folder)
    written = []
    for name, specification in charts.items():
        for format in formats:
            path = Path(folder) / f"{name}.{format}"
            write_bytes(path, chart_bytes(specification, format))
            written.append(path)
    return written


def finished(chart: Any) -> dict[str, Any]:
    """The specification of a chart that is only drawn into files, in the look of all charts."""
    return for_paper(chart.to_dict(validate=False))

"""Points with the systems' names beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.output.charts import vega_lite as alt
from recte.output.charts.labels import placed
from recte.output.charts.theme import Rows, drawn_from

__all__ = ["Domain", "named_points", "padded"]

Domain = tuple[float, float]
_WIDTH = 6.9  # of a letter
_LIMIT, _LETTERS = 160, 23  # a name's width in pixels, and about how many letters that is; the rest becomes "…"


def padded(values: Sequence[float], share: float = 0.12) -> Domain:
    """From the least to the most of the values, with room around them."""
    low, high = min(values), max(values)
    margin = share * (high - low) or 5.0
    return low - margin, high + margin


def named_points(
    rows: Sequence[dict[str, Any]],
    encodings: dict[str, Any],
    domains: tuple[Domain, Domain],
    size: tuple[int, int],
) -> tuple[list[Any], Rows]:
    """Layers, and their data, for `rows` with `system`, `x` and `y`: a point each, and its name where it covers least.

    A name keeps its side of the point when the chart is drawn wider or narrower, but where it would reach out of it.
    """
    pixels = [
        tuple(
            length * (row[key] - low) / (high - low)
            for key, (low, high), length in zip("xy", domains, size, strict=True)
        )
        for row in rows
    ]
    labels = placed([row["system"][:_LETTERS] for row in rows], pixels, *size)
    sides: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row, (x, y), label in zip(rows, pixels, labels, strict=True):
        side = (_sign(label.x - x), _sign(label.y - y))
        sides.setdefault(side, []).append({key: row[key] for key in ("system", "x", "y")})
    layers = [drawn_from("systems").mark_circle(size=70, opacity=1).encode(**encodings)]
    data = {"systems": list(rows)}
    for number, ((across, up), of_side) in enumerate(sides.items()):
        name = f"names-{number}"
        text = drawn_from(name).mark_text(
            align=alt.expr(_side(across, "'right'", "'center'", "'left'")),
            baseline=("top", "middle", "bottom")[up + 1],
            dx=alt.expr(_side(across, *((-7, 0, 7) if not up else (-4, 0, 4)))),
            dy=-(4 if across else 6) * up,
            limit=_LIMIT,
        )
        layers.append(text.encode(x=encodings["x"], y=encodings["y"], text=alt.Text("system:N")))
        data[name] = of_side
    return layers, data


def _side(across: int, left: Any, middle: Any, right: Any) -> str:
    """Vega's expression of what a name on this side has, or one on the other, where the plot has no room for it."""
    wide = f"min({_LIMIT}, {_WIDTH} * length(datum.system))"
    at = "scale('x', datum.x)"
    if across > 0:
        return f"{at} + 7 + {wide} > width && {at} > width / 2 ? {left} : {right}"
    if across < 0:
        return f"{at} - 7 < {wide} && {at} < width / 2 ? {right} : {left}"
    return f"{at} < {wide} / 2 ? {right} : {at} > width - {wide} / 2 ? {left} : {middle}"


def _sign(number: float) -> int:
    return (number > 1) - (number < -1)

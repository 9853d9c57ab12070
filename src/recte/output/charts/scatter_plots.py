"""Precision against recall, with lines of equal F.

Points with the systems' names next to them.

One metric against another, over systems.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from recte.metrics.base import Metric, PrecisionRecall, Score
from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import (
    Rows,
    axis_name,
    best_first,
    chart_of,
    figure_name,
    list_names,
    percentage,
    place_labels,
    round_score,
    specification,
)

__all__ = ["Domain", "draw_named_points", "metric_scatter_chart", "pad_domain", "precision_recall_chart"]

Domain = tuple[float, float]
_LETTER_WIDTH = 6.9  # of a letter
_NARROWER = 0.55  # names are placed for a chart in a column or on a page, which is narrower
_LIMIT, _LETTERS = 160, 23  # a name's width in pixels, and about how many letters that is; the rest becomes "…"


def pad_domain(values: Sequence[float], share: float = 0.12) -> Domain:
    """From the least to the most of the values, with a margin around them."""
    low, high = min(values), max(values)
    margin = share * (high - low) or 5.0
    return low - margin, high + margin


def draw_named_points(
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
            _NARROWER * length * (row[key] - low) / (high - low)
            for key, (low, high), length in zip("xy", domains, size, strict=True)
        )
        for row in rows
    ]
    labels = place_labels([row["system"][:_LETTERS] for row in rows], pixels, *(_NARROWER * length for length in size))
    sides: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row, (x, y), label in zip(rows, pixels, labels, strict=True):
        side = (_sign(label.x - x), _sign(label.y - y))
        sides.setdefault(side, []).append({key: row[key] for key in ("system", "x", "y")})
    layers = [chart_of("systems").mark_circle(size=70, opacity=1).encode(**encodings)]
    data = {"systems": list(rows)}
    for number, ((across, up), of_side) in enumerate(sides.items()):
        name = f"names-{number}"
        text = chart_of(name).mark_text(
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
    """Vega's expression of what a name on this side has, or one on the other, where it does not fit into the plot."""
    wide = f"min({_LIMIT}, {_LETTER_WIDTH} * length(datum.system))"
    at = "scale('x', datum.x)"
    if across > 0:
        return f"{at} + 7 + {wide} > width && {at} > width / 2 ? {left} : {right}"
    if across < 0:
        return f"{at} - 7 < {wide} && {at} < width / 2 ? {right} : {left}"
    return f"{at} < {wide} / 2 ? {right} : {at} > width - {wide} / 2 ? {left} : {middle}"


def _sign(number: float) -> int:
    return (number > 1) - (number < -1)


_WIDTH, _HEIGHT = 520, 400
_POINTS = 24  # of a contour


def precision_recall_chart(metric: Metric, scores: Sequence[Score]) -> dict[str, Any] | None:
    """One point per system; None where no system has a precision, since none proposes an edit."""
    score_points = [(score, metric.precision_recall(score)) for score in scores]
    shown = [(score, point) for score, point in score_points if point is not None]
    if not shown:
        return None
    name = figure_name(metric)
    rows: list[dict[str, Any]] = [
        {
            "system": score.system,
            "x": percentage(point.recall),
            "y": percentage(point.precision),
            "score": percentage(score.score),
        }
        for score, point in shown
    ]
    recall, precision = (_within(pad_domain([row[key] for row in rows])) for key in "xy")
    encodings = {
        "x": alt.X("x:Q", title="recall (%)", scale=alt.Scale(domain=recall, nice=False), axis=alt.Axis(grid=False)),
        "y": alt.Y(
            "y:Q", title="precision (%)", scale=alt.Scale(domain=precision, nice=False), axis=alt.Axis(grid=False)
        ),
    }
    tooltip = [
        alt.Tooltip("system:N", title="system"),
        alt.Tooltip("y:Q", title="precision", format=".2f"),
        alt.Tooltip("x:Q", title="recall", format=".2f"),
        alt.Tooltip("score:Q", title=name, format=".2f"),
    ]
    contours = list(_contours(shown[0][1].beta, recall, precision))
    lines = (
        chart_of("contours")
        .mark_line(style="contour", clip=True)
        .encode(**encodings, detail=alt.Detail("f:N"), tooltip=[alt.Tooltip("f:Q", title=name)])
    )
    ends = [contour[-1] for contour in contours if contour[-1]["x"] > recall[1] - 0.1]
    figures = chart_of("ends").mark_text(style="quiet", align="left", dx=4).encode(**encodings, text=alt.Text("f:N"))
    points, data = draw_named_points(rows, {**encodings, "tooltip": tooltip}, (recall, precision), (_WIDTH, _HEIGHT))
    return specification(
        alt.layer(lines, figures, *points),
        {"contours": [point for contour in contours for point in contour], "ends": ends, **data},
        title=f"{metric.title}: precision against recall",
        subtitle=_subtitle(name, [score.system for score, point in score_points if point is None]),
        description=_description(name, shown),
        width=_WIDTH,
        height=_HEIGHT,
    )


def _within(domain: Domain) -> Domain:
    return max(domain[0], 0.0), min(domain[1], 100.0)


def _contours(beta: float, recall: Domain, precision: Domain) -> Iterator[list[dict[str, float]]]:
    """Lines of equal F through the plot, each from its upper to its lower end."""
    span = _f(beta, recall[1], precision[1]) - _f(beta, recall[0], precision[0])
    step = next((step for step in (1, 2, 5) if span <= 12 * step), 10)
    for f in range(step, 100, step):

        def recall_at(p: float, f: int = f) -> float:
            below = (1 + beta**2) * p - f
            return beta**2 * f * p / below if below > 0 else math.inf

        left, right = max(recall_at(precision[1]), recall[0]), min(recall_at(precision[0]), recall[1])
        if 0 < left < right:
            # Equal ratios: close together where the line is steep.
            along = [left * (right / left) ** (place / _POINTS) for place in range(_POINTS + 1)]
            line = ((r, f * r / ((1 + beta**2) * r - beta**2 * f)) for r in along)
            yield [{"f": f, "x": round(r, 2), "y": round(p, 2)} for r, p in line]


def _f(beta: float, recall: float, precision: float) -> float:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def _subtitle(name: str, without: Sequence[str]) -> str:
    text = f"lines: equal {name} (%)"
    return text + (f"\nwithout {list_names(without)}: no edit proposed, so no precision" if without else "")


def _description(name: str, shown: Sequence[tuple[Score, PrecisionRecall]]) -> str:
    best = max((score for score, _ in shown), key=lambda score: score.score)
    precise = max(shown, key=lambda one: one[1].precision)
    thorough = max(shown, key=lambda one: one[1].recall)
    return (
        f"Precision against recall of {len(shown)} system{'s' if len(shown) > 1 else ''} with lines of equal {name}: "
        f"highest precision {100 * precise[1].precision:.2f} ({precise[0].system}), highest recall "
        f"{100 * thorough[1].recall:.2f} ({thorough[0].system}), best {name} {100 * best.score:.2f} ({best.system})."
    )


_SCATTER_WIDTH, _SCATTER_HEIGHT = 520, 400
_FEW = 5  # systems below which a correlation says nothing


def metric_scatter_chart(
    across: Metric, across_scores: Sequence[Score], up: Metric, up_scores: Sequence[Score]
) -> dict[str, Any]:
    """A point a system: its score by the one metric to the right, by the other upwards."""
    of_system = {score.system: score.score for score in up_scores}
    rows: list[dict[str, Any]] = [
        {
            "system": score.system,
            "x": round_score(across, score.score),
            "y": round_score(up, of_system[score.system]),
        }
        for score in across_scores
    ]
    names = [_axis_name(metric) for metric in (across, up)]
    domains = pad_domain([row["x"] for row in rows]), pad_domain([row["y"] for row in rows])
    encodings = {
        "x": alt.X("x:Q", title=axis_name(across, names[0]), scale=alt.Scale(domain=domains[0], nice=False)),
        "y": alt.Y("y:Q", title=axis_name(up, names[1]), scale=alt.Scale(domain=domains[1], nice=False)),
        "tooltip": [
            alt.Tooltip("system:N", title="system"),
            alt.Tooltip("x:Q", title=names[0], format=".2f"),
            alt.Tooltip("y:Q", title=names[1], format=".2f"),
        ],
    }
    r = _pearson([row["x"] for row in rows], [row["y"] for row in rows])
    correlation = "" if r is None else f"Pearson's r = {r:.3f} over {len(rows)} systems".replace("-", "−")
    firsts = [best_first(scores)[0].system for scores in (across_scores, up_scores)]
    agreement = (
        f"both put {firsts[0]} first"
        if firsts[0] == firsts[1]
        else f"{firsts[0]} is first by {across.title}, {firsts[1]} by {up.title}"
    )
    layers, data = draw_named_points(rows, encodings, domains, (_SCATTER_WIDTH, _SCATTER_HEIGHT))
    return specification(
        alt.layer(*layers),
        data,
        title=f"{up.title} against {across.title}",
        subtitle=correlation,
        description=f"Systems by {across.title} (across) and {up.title} (up): {agreement}"
        + (f"; {correlation}." if correlation else "."),
        width=_SCATTER_WIDTH,
        height=_SCATTER_HEIGHT,
    )


def _axis_name(metric: Metric) -> str:
    name = figure_name(metric)
    return name if name in metric.title else f"{metric.title}, {name}"


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    if len(xs) < _FEW or len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return float(np.corrcoef(xs, ys)[0, 1])

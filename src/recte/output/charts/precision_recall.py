"""Precision against recall, with lines of equal F."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from recte.metrics.base import Metric, PrecisionRecall, Score
from recte.output.charts import vega_lite as alt
from recte.output.charts.named_points import Domain, named_points, padded
from recte.output.charts.naming import figure_name, listed, percentage
from recte.output.charts.theme import drawn_from, specification

__all__ = ["precision_recall_chart"]

_WIDTH, _HEIGHT = 520, 400
_POINTS = 24  # of a contour


def precision_recall_chart(metric: Metric, scores: Sequence[Score]) -> dict[str, Any] | None:
    """One point per system; None where no system has a precision, since none proposes an edit."""
    found = [(score, metric.precision_recall(score)) for score in scores]
    shown = [(score, point) for score, point in found if point is not None]
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
    recall, precision = (_within(padded([row[key] for row in rows])) for key in "xy")
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
        drawn_from("contours")
        .mark_line(style="contour", clip=True)
        .encode(**encodings, detail=alt.Detail("f:N"), tooltip=[alt.Tooltip("f:Q", title=name)])
    )
    ends = [contour[-1] for contour in contours if contour[-1]["x"] > recall[1] - 0.1]
    figures = drawn_from("ends").mark_text(style="quiet", align="left", dx=4).encode(**encodings, text=alt.Text("f:N"))
    points, data = named_points(rows, {**encodings, "tooltip": tooltip}, (recall, precision), (_WIDTH, _HEIGHT))
    return specification(
        alt.layer(lines, figures, *points),
        {"contours": [point for contour in contours for point in contour], "ends": ends, **data},
        title=f"{metric.title}: precision against recall",
        subtitle=_subtitle(name, [score.system for score, point in found if point is None]),
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
    return text + (f"\nwithout {listed(without)}: no edit proposed, so no precision" if without else "")


def _description(name: str, shown: Sequence[tuple[Score, PrecisionRecall]]) -> str:
    best = max((score for score, _ in shown), key=lambda score: score.score)
    precise = max(shown, key=lambda one: one[1].precision)
    thorough = max(shown, key=lambda one: one[1].recall)
    return (
        f"Precision against recall of {len(shown)} system{'s' if len(shown) > 1 else ''} with lines of equal {name}: "
        f"highest precision {100 * precise[1].precision:.2f} ({precise[0].system}), highest recall "
        f"{100 * thorough[1].recall:.2f} ({thorough[0].system}), best {name} {100 * best.score:.2f} ({best.system})."
    )

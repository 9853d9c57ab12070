"""One metric against another, over systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from recte.metrics.base import Metric, Score
from recte.output.charts import vega_lite as alt
from recte.output.charts.named_points import named_points, padded
from recte.output.charts.naming import axis_name, best_first, figure_name, printed_score
from recte.output.charts.theme import specification

__all__ = ["metric_scatter_chart"]

_WIDTH, _HEIGHT = 520, 400
_FEW = 5  # systems below which a correlation says nothing


def metric_scatter_chart(
    across: Metric, across_scores: Sequence[Score], up: Metric, up_scores: Sequence[Score]
) -> dict[str, Any]:
    """A point a system: its score by the one metric to the right, by the other upwards."""
    of_system = {score.system: score.score for score in up_scores}
    rows: list[dict[str, Any]] = [
        {
            "system": score.system,
            "x": printed_score(across, score.score),
            "y": printed_score(up, of_system[score.system]),
        }
        for score in across_scores
    ]
    names = [_axis_name(metric) for metric in (across, up)]
    domains = padded([row["x"] for row in rows]), padded([row["y"] for row in rows])
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
    layers, data = named_points(rows, encodings, domains, (_WIDTH, _HEIGHT))
    return specification(
        alt.layer(*layers),
        data,
        title=f"{up.title} against {across.title}",
        subtitle=correlation,
        description=f"Systems by {across.title} (across) and {up.title} (up): {agreement}"
        + (f"; {correlation}." if correlation else "."),
        width=_WIDTH,
        height=_HEIGHT,
    )


def _axis_name(metric: Metric) -> str:
    name = figure_name(metric)
    return name if name in metric.title else f"{metric.title}, {name}"


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    if len(xs) < _FEW or len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return float(np.corrcoef(xs, ys)[0, 1])

"""How the scores of single sentences are spread, system by system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recte.metrics.base import Metric
from recte.output.charts import vega_lite as alt
from recte.output.charts.axes import names_down
from recte.output.charts.naming import axis_name, figure_name, printed_score
from recte.output.charts.theme import drawn_from, specification

__all__ = ["sentence_score_chart"]

_ROW = 36
_THINNEST = 1.5  # so that a single sentence can be seen, and pointed at
_BINS = 20


def sentence_score_chart(
    metric: Metric, sentence_scores: Mapping[str, Sequence[float]], order: Sequence[str]
) -> dict[str, Any]:
    """A row a system; the thicker it is at a score, the more sentences have it. A tick stands at their mean."""
    lowest = min(min(scores) for scores in sentence_scores.values())
    highest = max(max(scores) for scores in sentence_scores.values())
    share = metric.score_factor == 100  # else nothing says how far scores reach
    low = min(-1.0, lowest) if share and lowest < 0 else min(0.0, lowest)
    edges = np.linspace(low, max(1.0, highest) if share else max(0.0, highest), _BINS + 1)
    bins: list[dict[str, Any]] = []
    means: list[dict[str, Any]] = []
    for system in order:
        scores = np.asarray(sentence_scores[system])
        counts = np.histogram(scores, edges)[0].tolist()
        bins += [
            {
                "system": system,
                "low": printed_score(metric, low),
                "high": printed_score(metric, high),
                "sentences": count,
                "share": round(count / len(scores), 4),
            }
            for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts, strict=True)
            if count
        ]
        means.append({"system": system, "mean": printed_score(metric, float(scores.mean()))})
    name = figure_name(metric)
    y = names_down("system", order)
    widest = max(row["share"] for row in bins)
    bars = (
        drawn_from("bins")
        .mark_bar(opacity=0.75)
        .encode(
            x=alt.X(
                "low:Q",
                title=axis_name(metric, f"{name} of a sentence"),
                scale=alt.Scale(domain=[printed_score(metric, edges[0]), printed_score(metric, edges[-1])]),
            ),
            x2=alt.X2("high:Q"),
            y=y,
            size=alt.Size("share:Q", scale=alt.Scale(domain=[0, widest], range=[_THINNEST, _ROW - 4]), legend=None),
            tooltip=[
                alt.Tooltip("system:N", title="system"),
                alt.Tooltip("low:Q", title="from", format=".0f"),
                alt.Tooltip("high:Q", title="to", format=".0f"),
                alt.Tooltip("sentences:Q", title="sentences"),
                alt.Tooltip("share:Q", title="share", format=".1%"),
            ],
        )
    )
    ticks = (
        drawn_from("means")
        .mark_tick(style="mean", thickness=2.5, size=_ROW - 10)
        .encode(
            x=alt.X("mean:Q"),
            y=y,
            tooltip=[alt.Tooltip("system:N", title="system"), alt.Tooltip("mean:Q", title="mean", format=".2f")],
        )
    )
    ordered = sorted(means, key=lambda row: row["mean"], reverse=metric.higher_is_better)
    best, worst = ordered[0], ordered[-1]
    return specification(
        alt.layer(bars, ticks),
        {"bins": bins, "means": means},
        title=f"{metric.title}: sentence by sentence",
        subtitle="thickness: share of sentences; line: mean of sentences; order: corpus score",
        description=f"Distribution of sentence scores by {metric.title}: the mean of sentences is "
        + (
            f"best for {best['system']} ({best['mean']:.2f}) and worst for {worst['system']} ({worst['mean']:.2f})."
            if len(means) > 1
            else f"{best['mean']:.2f} for {best['system']}."
        ),
        width=520,
        height=_ROW * len(order),
    )

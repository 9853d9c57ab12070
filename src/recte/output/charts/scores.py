"""Scores with their intervals, best first, and what doing nothing scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.corpus.corpus import DO_NOTHING
from recte.metrics.base import Metric, Score
from recte.output.charts import vega_lite as alt
from recte.output.charts.axes import names_down
from recte.output.charts.naming import axis_name, best_first, figure_name, printed_score
from recte.output.charts.theme import drawn_from, specification

__all__ = ["score_chart"]

_ROW = 26


def score_chart(metric: Metric, scores: Sequence[Score], idle_name: str = DO_NOTHING) -> dict[str, Any]:
    """One row per system: its score, and a line from the low to the high end of its interval.

    `idle_name` is what the source left alone is called.
    """
    ordered = best_first(scores)
    rows = [_row(metric, score) for score in ordered]
    name = figure_name(metric)
    x = alt.X("score:Q", title=axis_name(metric, name), scale=alt.Scale(zero=False, nice=True, padding=12))
    tooltip = [
        alt.Tooltip("system:N", title="system"),
        alt.Tooltip("score:Q", title=name, format=".2f"),
        alt.Tooltip("low:Q", title="low", format=".2f"),
        alt.Tooltip("high:Q", title="high", format=".2f"),
    ]
    layers = []
    data = {
        "systems": [row for row in rows if row["system"] != idle_name],
        "idle": [row for row in rows if row["system"] == idle_name],
    }
    for kind in (kind for kind in data if data[kind]):
        idle = kind == "idle"
        base = drawn_from(kind).encode(tooltip=tooltip)
        row = base.encode(y=names_down("system", [score.system for score in ordered]))
        # Doing nothing has a shape of its own beside its colour, and a line through all rows.
        point = row.mark_point(shape="diamond", filled=True, style="idle", size=90, opacity=1)
        layers += [
            *([base.mark_rule(style="idle-line").encode(x=x)] if idle else []),
            row.mark_rule(style="idle-whisker" if idle else "whisker").encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
            (point if idle else row.mark_circle(size=90, opacity=1)).encode(x=x),
            row.mark_text(align="right", dx=52, style="quiet").encode(
                x=alt.XValue("width"), text=alt.Text("score:Q", format=".2f")
            ),
        ]
    return specification(
        alt.layer(*layers),
        data,
        title=f"{metric.title}: scores",
        subtitle=_subtitle(metric, ordered, idle_name),
        description=_description(metric, ordered, idle_name),
        width=520,
        height=_ROW * len(rows) + 10,
    )


def _row(metric: Metric, score: Score) -> dict[str, Any]:
    interval = score.interval or {"low": score.score, "high": score.score}
    return {
        "system": score.system,
        "score": printed_score(metric, score.score),
        "low": printed_score(metric, interval["low"]),
        "high": printed_score(metric, interval["high"]),
    }


def _subtitle(metric: Metric, ordered: Sequence[Score], idle_name: str) -> str:
    parts = ["" if metric.higher_is_better else "lower is better"]
    interval = ordered[0].interval
    if interval:
        parts.append(
            f"lines: {100 * interval['level']:g}% intervals over {interval['resamples']:,} resamples of "
            f"{interval['unit']}s"
        )
    if any(score.system == idle_name for score in ordered):
        parts.append("diamond: the source left alone")
    return "; ".join(filter(None, parts))


def _description(metric: Metric, ordered: Sequence[Score], idle_name: str) -> str:
    systems = [score for score in ordered if score.system != idle_name] or list(ordered)
    best, worst = systems[0], systems[-1]
    name, factor = figure_name(metric), metric.score_factor
    if len(systems) == 1:
        text = f"{metric.title} of one system: {best.system} has {name} {factor * best.score:.2f}"
    else:
        text = (
            f"{metric.title} of {len(systems)} systems: {best.system} is best with {name} {factor * best.score:.2f}, "
            f"{worst.system} last with {factor * worst.score:.2f}"
        )
    idle = next((score for score in ordered if score.system == idle_name), None)
    if idle is not None and idle not in systems:
        ahead = sum(_is_ahead(score, idle) for score in systems)
        than = f"better than doing nothing ({factor * idle.score:.2f})"
        text += f"; {ahead} of {len(systems)} score{'s' if ahead == 1 else ''} {than}"
    return text + "."


def _is_ahead(score: Score, other: Score) -> bool:
    return score.score > other.score if score.higher_is_better else score.score < other.score

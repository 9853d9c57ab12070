"""Scores with their intervals, best first, and what doing nothing scores.

How the scores of single sentences are spread, system by system.

Who beats whom: differences of every pair of systems, those beyond chance filled and starred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recte.corpus.corpus import DO_NOTHING
from recte.metrics.base import Metric, Score
from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import (
    axis_name,
    best_first,
    chart_of,
    figure_name,
    names_across,
    names_down,
    round_score,
    specification,
)
from recte.output.comparison import test_name
from recte.statistics.comparison import ComparedPair, Comparison

__all__ = ["score_chart", "sentence_score_chart", "significance_chart"]

_ROW = 26


def score_chart(metric: Metric, scores: Sequence[Score], idle_name: str = DO_NOTHING) -> dict[str, Any]:
    """One row per system: its score, and a line from the low to the high end of its interval.

    `idle_name` is what the source left alone is called.
    """
    ordered = best_first(scores)
    rows = [_row(metric, score) for score in ordered]
    name = figure_name(metric)
    low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
    cut = min(abs(low), abs(high)) > (high - low) / 2 and low * high > 0  # else the axis holds 0
    title = f"{axis_name(metric, name)}{', axis does not begin at 0' if cut else ''}"
    x = alt.X("score:Q", title=title, scale=alt.Scale(zero=not cut, nice=True, padding=12))
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
        base = chart_of(kind).encode(tooltip=tooltip)
        row = base.encode(y=names_down("system", [score.system for score in ordered]))
        # Doing nothing has a shape of its own in addition to its colour, and a line through all rows.
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
        "score": round_score(metric, score.score),
        "low": round_score(metric, interval["low"]),
        "high": round_score(metric, interval["high"]),
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


_ROW_HEIGHT = 36
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
                "low": round_score(metric, low),
                "high": round_score(metric, high),
                "sentences": count,
                "share": round(count / len(scores), 4),
            }
            for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts, strict=True)
            if count
        ]
        means.append({"system": system, "mean": round_score(metric, float(scores.mean()))})
    name = figure_name(metric)
    y = names_down("system", order)
    widest = max(row["share"] for row in bins)
    bars = (
        chart_of("bins")
        .mark_bar(opacity=0.75)
        .encode(
            x=alt.X(
                "low:Q",
                title=axis_name(metric, f"{name} of a sentence"),
                scale=alt.Scale(domain=[round_score(metric, edges[0]), round_score(metric, edges[-1])]),
            ),
            x2=alt.X2("high:Q"),
            y=y,
            size=alt.Size(
                "share:Q", scale=alt.Scale(domain=[0, widest], range=[_THINNEST, _ROW_HEIGHT - 4]), legend=None
            ),
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
        chart_of("means")
        .mark_tick(style="mean", thickness=2.5, size=_ROW_HEIGHT - 10)
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
        height=_ROW_HEIGHT * len(order),
    )


_CELL_WIDTH, _CELL_HEIGHT = 52, 28


def significance_chart(metric: Metric, comparison: Comparison) -> dict[str, Any]:
    """The better system of a pair is the row, the other the column."""
    order = list(comparison.systems)
    cells = [_cell(comparison, pair) for pair in comparison.pairs]
    above, below = order[:-1], order[1:]
    tooltip = [
        alt.Tooltip("row:N", title="better"),
        alt.Tooltip("column:N", title="worse"),
        alt.Tooltip("difference:Q", title="difference", format="+.2f"),
        alt.Tooltip("interval:N", title=f"{100 * comparison.pairs[0].interval.level:g}% interval"),
        alt.Tooltip("p:N", title="p (Holm)" if comparison.corrected else "p"),
        alt.Tooltip("verdict:N", title="so"),
    ]
    layers = []
    data = {
        "chance": [cell for cell in cells if not cell["sure"]],
        "sure": [cell for cell in cells if cell["sure"]],
    }
    for kind in (kind for kind in data if data[kind]):
        sure = kind == "sure"
        base = chart_of(kind).encode(
            x=names_across("column", below),
            y=names_down("row", above),
            tooltip=tooltip,
        )
        colour = alt.Color("difference:Q", scale=alt.Scale(zero=True), legend=None)
        rectangle = (
            base.mark_rect(style="full-cell").encode(color=colour) if sure else base.mark_rect(style="empty-cell")
        )
        layers += [rectangle, base.mark_text(style="sure" if sure else "quiet").encode(text=alt.Text("label:N"))]
    significant = len(data["sure"])
    best, second = order[0], order[1]
    differs = comparison.is_significant(comparison.pairs[0])
    drawn = specification(
        alt.layer(*layers),
        data,
        title=f"{metric.title}: who beats whom",
        subtitle=_tests_subtitle(metric, comparison),
        description=f"Differences of {figure_name(metric)} between {len(order)} systems: {significant} of {len(cells)} "
        f"pairs differ significantly; the best, {best}, "
        f"{'beats' if differs else 'does not differ significantly from'} the second, {second} "
        f"({comparison.score_factor * abs(comparison.pairs[0].difference):.2f} points).",
        width=max(_CELL_WIDTH * len(below), 160),
        height=_CELL_HEIGHT * len(above),
        columns=len(below),
    )
    return {**drawn, "usermeta": {"narrowest": 0.85}}  # a cell is as wide as its figure


def _tests_subtitle(metric: Metric, comparison: Comparison) -> str:
    first = f"row minus column, in points of {figure_name(metric)}; filled with *: p < {comparison.alpha:g}"
    return f"{first}\n{test_name(comparison)}"


def _cell(comparison: Comparison, pair: ComparedPair) -> dict[str, Any]:
    sure = comparison.is_significant(pair)
    p, factor = comparison.p(pair), comparison.score_factor
    return {
        "row": pair.first,
        "column": pair.second,
        "difference": round(factor * pair.difference, 6),
        "interval": f"{factor * pair.interval.low:+.2f} to {factor * pair.interval.high:+.2f}",
        "p": "< 0.0001" if p < 0.00005 else f"{p:.4f}",
        "sure": sure,
        "verdict": "significant" if sure else "could be chance",
        "label": f"{factor * pair.difference:+.1f}{'*' if sure else ''}".replace("-", "−"),
    }

"""Metrics against humans drawn: scatter plots with system names, and Williams' tests as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.metaeval.system_correlation import MetricCorrelation, SystemLevel
from recte.rendering.charts import vega_lite as alt
from recte.rendering.charts.labels import placed
from recte.rendering.charts.theme import panels
from recte.rendering.human_tables import CORRELATION_TITLES, METHOD_TITLES

__all__ = ["metaeval_charts", "scatter_chart", "williams_chart"]

_SIZE = 250
_MARGIN = 0.12  # of the range, so that points do not sit on the frame
_CELL = 72


def metaeval_charts(results: Sequence[SystemLevel]) -> dict[str, dict[str, Any]]:
    """Specifications by file name: a scatter plot a human ranking, and Williams' tests where there are any."""
    charts = {f"scatter-{result.human}": scatter_chart(result) for result in results}
    if any(test.p is not None for result in results for test in result.williams):
        charts["williams"] = williams_chart(results)
    return charts


def scatter_chart(result: SystemLevel) -> dict[str, Any]:
    """One plot a metric: human scores to the right, the metric's up (Figure 1 of Chollampatt and Ng 2018)."""
    plots = [_scatter(result, metric) for metric in result.metrics]
    said = [f"{m.metric} {m.pearson:.3f}".replace("-", "−") for m in result.metrics if m.pearson is not None]
    humans = _title(result)
    return panels(
        alt.hconcat(*plots, spacing=30),
        title=f"Metrics against humans: {humans}",
        description=f"Scores of {len(result.systems)} systems against {humans}; Pearson's r: {', '.join(said)}.",
    )


def _title(result: SystemLevel) -> str:
    return METHOD_TITLES.get(result.human, result.human)


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = _MARGIN * (high - low) or abs(high) or 1.0
    return low - margin, high + margin


def _scatter(result: SystemLevel, metric: MetricCorrelation) -> Any:
    humans, scores = [result.human_scores[s] for s in result.systems], [metric.scores[s] for s in result.systems]
    (left, right), (low, high) = _range(humans), _range(scores)
    pixels = [
        (_SIZE * (x - left) / (right - left), _SIZE * (y - low) / (high - low))
        for x, y in zip(humans, scores, strict=True)
    ]
    labels = placed(result.systems, pixels, _SIZE, _SIZE)
    rows = [
        {
            "system": system,
            "human": human,
            "score": score,
            "label_x": left + label.x / _SIZE * (right - left),
            "label_y": low + label.y / _SIZE * (high - low),
        }
        for system, human, score, label in zip(result.systems, humans, scores, labels, strict=True)
    ]
    base = alt.Chart(alt.InlineData(values=rows))
    x = alt.X("human:Q", title=_title(result), scale=alt.Scale(domain=[left, right], nice=False))
    y = alt.Y("score:Q", title=metric.metric, scale=alt.Scale(domain=[low, high], nice=False))
    line = (
        base.transform_regression("human", "score", extent=[left, right])
        .mark_line(style="contour", strokeDash=[4, 3], clip=True)
        .encode(x=x, y=y)
    )
    points = base.mark_circle(size=45, opacity=0.9).encode(
        x=x, y=y, tooltip=["system:N", alt.Tooltip("human:Q", format=".3f"), alt.Tooltip("score:Q", format=".4f")]
    )
    names = base.mark_text(fontSize=10).encode(x="label_x:Q", y="label_y:Q", text="system:N")
    figures = " · ".join(
        f"{symbol} {value:.3f}".replace("-", "−")
        for symbol, value in (("r", metric.pearson), ("ρ", metric.spearman))
        if value is not None
    )
    title = alt.Title(metric.metric, subtitle=figures, anchor="middle", fontSize=12)
    return alt.layer(line, points, names).properties(width=_SIZE, height=_SIZE, title=title)


def williams_chart(results: Sequence[SystemLevel]) -> dict[str, Any]:
    """A grid of human rankings by correlation: p where the row's metric correlates better (the paper's Figure 2)."""
    rows = [alt.hconcat(*(_heat_map(result, kind) for kind in ("pearson", "spearman"))) for result in results]
    return panels(
        alt.vconcat(*rows, spacing=24).resolve_scale(color="shared"),
        title="Williams' tests between metrics",
        subtitle="p where the row's metric correlates better with humans than the column's",
        description="Williams' tests of each two metrics: p that the lead of the one is chance.",
    )


def _heat_map(result: SystemLevel, kind: str) -> Any:
    names = [metric.metric for metric in result.metrics]
    p_values = {
        (test.higher, test.lower): test.p
        for test in result.williams
        if test.correlation == kind and test.difference > 0
    }
    cells = [
        {"row": a, "column": b, "p": p_values.get((a, b)), "text": _text(p_values.get((a, b)))}
        for a in names
        for b in names
    ]
    base = alt.Chart(alt.InlineData(values=cells)).encode(
        x=alt.X("column:N", sort=names, title=None, axis=alt.Axis(labelAngle=0, domain=False, ticks=False)),
        y=alt.Y("row:N", sort=names, title=None, axis=alt.Axis(domain=False, ticks=False)),
    )
    # The darker the cell, the surer the difference; half at the usual .05.
    shade = alt.Color(
        "p:Q",
        scale=alt.Scale(type="threshold", domain=[0.01, 0.05, 0.1], range=["#1a7f4b", "#58b17e", "#a5d6b7", "#e1f2e7"]),
        title="p",
        legend=alt.Legend(orient="right"),
    )
    filled = base.transform_filter("datum.p !== null").mark_rect(stroke="white", strokeWidth=2).encode(color=shade)
    empty = base.transform_filter("datum.p === null").mark_rect(stroke="white", strokeWidth=2, color="#ededed")
    text = base.mark_text(fontSize=12).encode(
        text="text:N",
        color=alt.condition("datum.p !== null && datum.p < 0.05", alt.value("white"), alt.value("#222")),
    )
    title = alt.Title(f"{_title(result)}, {CORRELATION_TITLES[kind]}", anchor="middle", fontSize=12)
    side = _CELL * len(names)
    return alt.layer(empty, filled, text).properties(width=side, height=0.6 * side, title=title)


def _text(p: float | None) -> str:
    if p is None:
        return ""
    return "<.0001" if p < 0.0001 else f"{p:.4f}".removeprefix("0")

"""Charts of what people say: rankings with clusters, metrics against them, windows, rank gaps, clusters of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import chart_of, list_names, names_down, panels, place_labels, specification
from recte.studies.human.charts import ranking_chart
from recte.studies.human.ranking import HumanRanking
from recte.studies.human.tables import method_title
from recte.studies.metaeval.metric_comparison import MetricClusters
from recte.studies.metaeval.sentence_correlation import RankGroups
from recte.studies.metaeval.study import Study
from recte.studies.metaeval.system_correlation import MetricCorrelation, SystemLevel
from recte.studies.metaeval.tables import CORRELATION_TITLES, STATISTIC_TITLES
from recte.studies.metaeval.windows import WindowStudy

__all__ = [
    "cluster_charts",
    "human_charts",
    "metaeval_charts",
    "rank_gap_chart",
    "scatter_chart",
    "study_charts",
    "williams_chart",
    "window_charts",
]


def human_charts(rankings: Sequence[HumanRanking], study: Study | None) -> dict[str, dict[str, Any]]:
    """Charts by name: the rankings of systems, the first of them called `ranking`, and those of a study."""
    names = ["ranking", *(f"ranking-{ranking.method}" for ranking in rankings[1:])]
    charts = {name: ranking_chart(ranking) for name, ranking in zip(names, rankings, strict=False)}
    return charts if study is None else {**charts, **study_charts(study)}


def study_charts(study: Study) -> dict[str, dict[str, Any]]:
    """Charts of a study by name."""
    charts = {**metaeval_charts(study.systems), **window_charts(study.windows)}
    if study.rank_groups is not None and study.rank_groups.by_gap:
        charts["rank-gaps"] = rank_gap_chart(study.rank_groups)
    return {**charts, **cluster_charts(study.clusters)}


_ROW = 26


def cluster_charts(clusters: Sequence[MetricClusters]) -> dict[str, dict[str, Any]]:
    """One chart for each level, by name."""
    return {f"metric-clusters-{clusters_of_level.level}": _chart(clusters_of_level) for clusters_of_level in clusters}


def _chart(clusters: MetricClusters) -> dict[str, Any]:
    rows: list[dict[str, Any]] = [
        {
            "metric": metric.metric,
            "value": metric.value,
            "cluster": metric.cluster,
            "beats": ", ".join(metric.beats) or "none",
        }
        for metric in clusters.metrics
    ]
    y = names_down("metric", [metric.metric for metric in clusters.metrics], gap=0)
    x = alt.X(
        "value:Q",
        title=STATISTIC_TITLES[clusters.statistic],
        scale=alt.Scale(zero=False, padding=12),
        axis=alt.Axis(tickCount=5, labelOverlap=True),
    )
    tooltip = ["metric:N", alt.Tooltip("value:Q", format=".3f"), "cluster:N", "beats:N"]
    base = chart_of("metrics")
    layers = [
        chart_of("bands").mark_rect(style="band").encode(y=y),
        base.mark_circle(size=70, opacity=1).encode(y=y, x=x, tooltip=tooltip),
        base.mark_text(align="right", dx=44, style="quiet").encode(
            y=y, x=alt.value("width"), text=alt.Text("value:Q", format=".3f")
        ),
    ]
    ratings = clusters.level == "ratings"
    return specification(
        alt.layer(*layers),
        {"metrics": rows, "bands": [row for row in rows if row["cluster"] % 2]},
        title="Metrics and ratings" if ratings else f"Metrics as they agree with humans, {clusters.level} level",
        subtitle=f"bands: clusters that tests of each two metrics tell apart (p ≤ {clusters.alpha:g})",
        description=_describe_clusters(clusters),
        width=390,
        height=_ROW * len(rows),
    )


def _describe_clusters(clusters: MetricClusters) -> str:
    first = [metric.metric for metric in clusters.metrics if metric.cluster == 1]
    statistic = STATISTIC_TITLES[clusters.statistic]
    return f"In the first cluster of {len(clusters.metrics)} metrics by {statistic}: {list_names(first)}."


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
    figures = [f"{m.metric} {m.pearson:.3f}".replace("-", "−") for m in result.metrics if m.pearson is not None]
    humans = _title(result)
    return panels(
        alt.hconcat(*plots, spacing=30),
        title=f"Metrics against humans: {humans}",
        description=f"Scores of {len(result.systems)} systems against {humans}; Pearson's r: {', '.join(figures)}.",
    )


def _title(result: SystemLevel) -> str:
    return method_title(result.human)


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
    labels = place_labels(result.systems, pixels, _SIZE, _SIZE)
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


_KINDS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}
_SPREAD = 0.3  # of a step between two windows


def window_charts(studies: Sequence[WindowStudy]) -> dict[str, dict[str, Any]]:
    """Two curves for each human ranking: r and ρ over the windows, from the best systems down."""
    return {f"windows-{study.human}": _windows(study) for study in studies}


def _windows(study: WindowStudy) -> dict[str, Any]:
    metrics = list(dict.fromkeys(window.metric for window in study.windows))
    return panels(
        alt.hconcat(*(_curve(study, metrics, kind) for kind in _KINDS)),
        title=f"Windows of {study.size} systems, {method_title(study.human)}",
        subtitle="correlation among neighbours in the human ranking, best first"
        + ("; bars: resampled sentences" if any(window.intervals for window in study.windows) else ""),
        description=_describe_windows(study, metrics),
    )


def _curve(study: WindowStudy, metrics: list[str], kind: str) -> Any:
    """One line per metric over the windows; metrics stand side by side, so that their bars do not overlap."""
    apart = _SPREAD / max(1, len(metrics) - 1)
    rows = [
        {
            "place": w.first_rank + (metrics.index(w.metric) - (len(metrics) - 1) / 2) * apart,
            "ranks": f"{w.first_rank}–{w.last_rank}",
            "metric": w.metric,
            "value": getattr(w, kind),  # None breaks the line
            "low": w.intervals[kind].low if kind in w.intervals else None,
            "high": w.intervals[kind].high if kind in w.intervals else None,
            "systems": ", ".join(w.systems),
        }
        for w in study.windows
    ]
    starts = sorted({w.first_rank for w in study.windows})
    axis = alt.Axis(
        values=starts,
        labelExpr=f"datum.value + '–' + (datum.value + {study.size - 1})",
        labelAngle=0,
        labelOverlap=True,
        grid=False,
    )
    x = alt.X(
        "place:Q",
        title="human ranks",
        axis=axis,
        scale=alt.Scale(domain=[starts[0] - 0.5, starts[-1] + 0.5], nice=False),
    )
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=x, color=alt.Color("metric:N", scale=alt.Scale(domain=metrics), legend=alt.Legend(title=None, orient="top"))
    )
    scale = alt.Scale(domain=[-1, 1])
    y = alt.Y("value:Q", title=_KINDS[kind], scale=scale)
    bars = base.transform_filter("datum.low !== null").mark_rule(opacity=0.35, strokeWidth=2)
    known = base.transform_filter("datum.value !== null")
    tooltip = ["metric:N", alt.Tooltip("value:Q", format=".3f"), "ranks:N", "systems:N"]
    return alt.layer(
        bars.encode(y=alt.Y("low:Q", scale=scale), y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(y=y),
        known.mark_point(filled=True, size=60, opacity=1).encode(y=y, tooltip=tooltip),
    ).properties(width=max(240, 36 * len(starts)), height=260)


def _describe_windows(study: WindowStudy, metrics: Sequence[str]) -> str:
    values_of = {
        metric: [w.pearson for w in study.windows if w.metric == metric and w.pearson is not None] for metric in metrics
    }
    figures = [f"{metric} from {min(r):.2f} to {max(r):.2f}" for metric, r in values_of.items() if r]
    return f"Pearson's r among every {study.size} neighbours of the human ranking: {'; '.join(figures)}."


def rank_gap_chart(groups: RankGroups) -> dict[str, Any]:
    """Accuracy of each metric by how far apart judges ranked two outputs."""
    metrics = list(dict.fromkeys(group.metric for group in groups.by_gap))
    rows = [
        {"gap": group.gap, "metric": group.metric, "accuracy": group.accuracy, "pairs": group.pairs}
        for group in groups.by_gap
    ]
    chart = (
        chart_of("gaps")
        .mark_line(point=alt.OverlayMarkDef(size=60, filled=True), strokeWidth=2)
        .encode(
            x=alt.X("gap:O", title="difference of ranks", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("accuracy:Q", title="accuracy, a metric's tie counted half", scale=alt.Scale(zero=False)),
            color=alt.Color("metric:N", scale=alt.Scale(domain=metrics), legend=alt.Legend(title=None, orient="top")),
            tooltip=["metric:N", "gap:O", alt.Tooltip("accuracy:Q", format=".3f"), "pairs:Q"],
        )
    )
    widest = max(group.gap for group in groups.by_gap)
    texts = [f"{g.metric} {100 * g.accuracy:.0f}%" for g in groups.by_gap if g.gap == widest and g.accuracy is not None]
    return specification(
        chart,
        {"gaps": rows},
        title="Pairs by rank gap",
        subtitle="how often a metric prefers the output that a judge preferred",
        description=f"Accuracy by how far apart a judge ranked two outputs; {widest} ranks apart: {', '.join(texts)}.",
        width=320,
        height=260,
    )

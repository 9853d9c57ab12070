"""Metrics in rank clusters, drawn: values as points, clusters as bands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.metaeval.metric_clusters import MetricClusters
from recte.rendering.charts.theme import PALETTE
from recte.rendering.charts.writing import altair, finished
from recte.rendering.metaeval_tables import STATISTIC_TITLES

__all__ = ["cluster_charts"]

_BANDS = ["#f2f2f2", "#ffffff"]
_ROW = 22


def cluster_charts(clusters: Sequence[MetricClusters]) -> dict[str, dict[str, Any]]:
    """One chart for each level, by name."""
    return {f"metric-clusters-{one.level}": _chart(one) for one in clusters}


def _chart(clusters: MetricClusters) -> dict[str, Any]:
    alt = altair()
    names = [metric.metric for metric in clusters.metrics]
    rows = [
        {
            "metric": metric.metric,
            "value": metric.value,
            "cluster": metric.cluster,
            "band": metric.cluster % 2,
            "beats": ", ".join(metric.beats) or "none",
        }
        for metric in clusters.metrics
    ]
    y = alt.Y(
        "metric:N",
        sort=names,
        title=None,
        scale=alt.Scale(paddingInner=0, paddingOuter=0),
        axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
    )
    base = alt.Chart(alt.InlineData(values=rows))
    bands = base.mark_rect().encode(
        y=y, color=alt.Color("band:N", scale=alt.Scale(domain=[1, 0], range=_BANDS), legend=None)
    )
    points = base.mark_circle(size=70, color=PALETTE[0], opacity=1).encode(
        y=y,
        x=alt.X("value:Q", title=STATISTIC_TITLES[clusters.statistic], scale=alt.Scale(zero=False)),
        tooltip=["metric:N", alt.Tooltip("value:Q", format=".3f"), "cluster:N", "beats:N"],
    )
    title = alt.Title(
        f"Metrics as they agree with humans, {clusters.level} level"
        if clusters.level != "ratings"
        else "Metrics and ratings",
        subtitle=f"bands: clusters that tests of each two metrics tell apart (p ≤ {clusters.alpha:g})",
        anchor="start",
        subtitleColor="#666",
        offset=14,
    )
    chart = alt.layer(bands, points).properties(width=390, height=_ROW * len(names), title=title)
    return finished(chart)

"""Metrics in rank clusters, drawn: values as points, clusters as bands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.metaeval.metric_clusters import MetricClusters
from recte.rendering.charts import vega_lite as alt
from recte.rendering.charts.axes import names_down
from recte.rendering.charts.naming import listed
from recte.rendering.charts.theme import drawn_from, specification
from recte.rendering.metaeval_tables import STATISTIC_TITLES

__all__ = ["cluster_charts"]

_ROW = 26


def cluster_charts(clusters: Sequence[MetricClusters]) -> dict[str, dict[str, Any]]:
    """One chart for each level, by name."""
    return {f"metric-clusters-{one.level}": _chart(one) for one in clusters}


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
    base = drawn_from("metrics")
    layers = [
        drawn_from("bands").mark_rect(style="band").encode(y=y),
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
        description=_description(clusters),
        width=390,
        height=_ROW * len(rows),
    )


def _description(clusters: MetricClusters) -> str:
    first = [metric.metric for metric in clusters.metrics if metric.cluster == 1]
    statistic = STATISTIC_TITLES[clusters.statistic]
    return f"In the first cluster of {len(clusters.metrics)} metrics by {statistic}: {listed(first)}."

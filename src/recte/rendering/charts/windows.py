"""Window analysis and pairs by rank gap, drawn as curves: one line per metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.metaeval.rank_gaps import RankGroups
from recte.metaeval.windows import WindowStudy
from recte.rendering.charts.theme import PALETTE
from recte.rendering.charts.writing import altair, finished
from recte.rendering.human_tables import METHOD_TITLES

__all__ = ["rank_gap_chart", "window_charts"]

_KINDS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}


def window_charts(studies: Sequence[WindowStudy]) -> dict[str, dict[str, Any]]:
    """Two curves for each human ranking: r and ρ over the windows, from the best systems down."""
    return {f"windows-{study.human}": _windows(study) for study in studies}


def _windows(study: WindowStudy) -> dict[str, Any]:
    alt = altair()
    metrics = list(dict.fromkeys(window.metric for window in study.windows))
    panels = []
    for kind, title in _KINDS.items():
        rows = [
            {
                "ranks": f"{w.first_rank}–{w.last_rank}",
                "metric": w.metric,
                "value": getattr(w, kind),
                "low": w.intervals[kind].low if kind in w.intervals else None,
                "high": w.intervals[kind].high if kind in w.intervals else None,
                "systems": ", ".join(w.systems),
            }
            for w in study.windows
            if getattr(w, kind) is not None
        ]
        panels.append(_curve(alt, rows, metrics, title))
    heading = alt.Title(
        f"Windows of {study.size} systems, {METHOD_TITLES.get(study.human, study.human)}",
        subtitle="correlation among neighbours in the human ranking, best first; bars: sentences drawn anew",
        anchor="start",
        subtitleColor="#666",
        offset=12,
    )
    return finished(alt.hconcat(*panels).properties(title=heading))


def _curve(alt: Any, rows: list[dict[str, Any]], metrics: list[str], title: str) -> Any:
    order = list(dict.fromkeys(row["ranks"] for row in rows))
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(metrics))]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("ranks:N", sort=order, title="human ranks", axis=alt.Axis(labelAngle=0)),
        color=alt.Color("metric:N", scale=alt.Scale(domain=metrics, range=colours), title=None),
    )
    y = alt.Y("value:Q", title=title, scale=alt.Scale(domain=[-1, 1]))
    shift = alt.XOffset("metric:N", sort=metrics)
    bars = base.transform_filter("datum.low !== null").mark_rule(opacity=0.4, strokeWidth=2)
    tooltip = ["metric:N", alt.Tooltip("value:Q", format=".3f"), "ranks:N", "systems:N"]
    return alt.layer(
        bars.encode(y=alt.Y("low:Q", scale=alt.Scale(domain=[-1, 1])), y2="high:Q", xOffset=shift),
        base.mark_point(filled=True, size=60, opacity=1).encode(y=y, xOffset=shift, tooltip=tooltip),
    ).properties(width=max(240, 30 * len(order) * max(1, len(metrics) // 2)), height=260)


def rank_gap_chart(groups: RankGroups) -> dict[str, Any]:
    """Accuracy of each metric by how far apart judges ranked two outputs."""
    alt = altair()
    metrics = list(dict.fromkeys(group.metric for group in groups.by_gap))
    rows = [
        {"gap": group.gap, "metric": group.metric, "accuracy": group.accuracy, "pairs": group.pairs}
        for group in groups.by_gap
    ]
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(metrics))]
    chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(point=alt.OverlayMarkDef(size=60, filled=True), strokeWidth=2)
        .encode(
            x=alt.X("gap:O", title="difference of ranks", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("accuracy:Q", title="accuracy, a metric's tie counted half", scale=alt.Scale(zero=False)),
            color=alt.Color("metric:N", scale=alt.Scale(domain=metrics, range=colours), title=None),
            tooltip=["metric:N", "gap:O", alt.Tooltip("accuracy:Q", format=".3f"), "pairs:Q"],
        )
        .properties(
            width=320,
            height=260,
            title=alt.Title(
                "Pairs by rank gap",
                subtitle="how often a metric prefers the output that a judge preferred",
                anchor="start",
                subtitleColor="#666",
                offset=12,
            ),
        )
    )
    return finished(chart)

"""Window analysis and pairs by rank gap, drawn as curves: one line per metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.metaeval.rank_gaps import RankGroups
from recte.metaeval.windows import WindowStudy
from recte.rendering.charts.theme import drawn_from, panels, specification
from recte.rendering.charts.writing import altair
from recte.rendering.human_tables import METHOD_TITLES

__all__ = ["rank_gap_chart", "window_charts"]

_KINDS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}


def window_charts(studies: Sequence[WindowStudy]) -> dict[str, dict[str, Any]]:
    """Two curves for each human ranking: r and ρ over the windows, from the best systems down."""
    return {f"windows-{study.human}": _windows(study) for study in studies}


def _windows(study: WindowStudy) -> dict[str, Any]:
    alt = altair()
    metrics = list(dict.fromkeys(window.metric for window in study.windows))
    curves = []
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
        curves.append(_curve(alt, rows, metrics, title))
    return panels(
        alt.hconcat(*curves),
        title=f"Windows of {study.size} systems, {METHOD_TITLES.get(study.human, study.human)}",
        subtitle="correlation among neighbours in the human ranking, best first"
        + ("; bars: sentences drawn anew" if any(window.intervals for window in study.windows) else ""),
        description=_description(study, metrics),
    )


def _curve(alt: Any, rows: list[dict[str, Any]], metrics: list[str], title: str) -> Any:
    order = list(dict.fromkeys(row["ranks"] for row in rows))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("ranks:N", sort=order, title="human ranks", axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        color=alt.Color("metric:N", scale=alt.Scale(domain=metrics), legend=alt.Legend(title=None, orient="top")),
    )
    y = alt.Y("value:Q", title=title, scale=alt.Scale(domain=[-1, 1]))
    shift = alt.XOffset("metric:N", sort=metrics)
    bars = base.transform_filter("datum.low !== null").mark_rule(opacity=0.4, strokeWidth=2)
    tooltip = ["metric:N", alt.Tooltip("value:Q", format=".3f"), "ranks:N", "systems:N"]
    return alt.layer(
        bars.encode(y=alt.Y("low:Q", scale=alt.Scale(domain=[-1, 1])), y2="high:Q", xOffset=shift),
        base.mark_point(filled=True, size=60, opacity=1).encode(y=y, xOffset=shift, tooltip=tooltip),
    ).properties(width=max(240, 30 * len(order) * max(1, len(metrics) // 2)), height=260)


def _description(study: WindowStudy, metrics: Sequence[str]) -> str:
    found = {
        metric: [w.pearson for w in study.windows if w.metric == metric and w.pearson is not None] for metric in metrics
    }
    said = [f"{metric} from {min(r):.2f} to {max(r):.2f}" for metric, r in found.items() if r]
    return f"Pearson's r among every {study.size} neighbours of the human ranking: {'; '.join(said)}."


def rank_gap_chart(groups: RankGroups) -> dict[str, Any]:
    """Accuracy of each metric by how far apart judges ranked two outputs."""
    alt = altair()
    metrics = list(dict.fromkeys(group.metric for group in groups.by_gap))
    rows = [
        {"gap": group.gap, "metric": group.metric, "accuracy": group.accuracy, "pairs": group.pairs}
        for group in groups.by_gap
    ]
    chart = (
        drawn_from(alt, "gaps")
        .mark_line(point=alt.OverlayMarkDef(size=60, filled=True), strokeWidth=2)
        .encode(
            x=alt.X("gap:O", title="difference of ranks", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("accuracy:Q", title="accuracy, a metric's tie counted half", scale=alt.Scale(zero=False)),
            color=alt.Color("metric:N", scale=alt.Scale(domain=metrics), legend=alt.Legend(title=None, orient="top")),
            tooltip=["metric:N", "gap:O", alt.Tooltip("accuracy:Q", format=".3f"), "pairs:Q"],
        )
    )
    widest = max(group.gap for group in groups.by_gap)
    said = [f"{g.metric} {100 * g.accuracy:.0f}%" for g in groups.by_gap if g.gap == widest and g.accuracy is not None]
    return specification(
        chart,
        {"gaps": rows},
        title="Pairs by rank gap",
        subtitle="how often a metric prefers the output that a judge preferred",
        description=f"Accuracy by how far apart a judge ranked two outputs; {widest} ranks apart: {', '.join(said)}.",
        width=320,
        height=260,
    )

"""Window analysis and pairs by rank gap, drawn as curves: one line per metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.metaeval.rank_gaps import RankGroups
from recte.metaeval.windows import WindowStudy
from recte.rendering.charts import vega_lite as alt
from recte.rendering.charts.theme import drawn_from, panels, specification
from recte.rendering.human_tables import METHOD_TITLES

__all__ = ["rank_gap_chart", "window_charts"]

_KINDS = {"pearson": "Pearson r", "spearman": "Spearman ρ"}
_SPREAD = 0.3  # of a step between two windows


def window_charts(studies: Sequence[WindowStudy]) -> dict[str, dict[str, Any]]:
    """Two curves for each human ranking: r and ρ over the windows, from the best systems down."""
    return {f"windows-{study.human}": _windows(study) for study in studies}


def _windows(study: WindowStudy) -> dict[str, Any]:
    metrics = list(dict.fromkeys(window.metric for window in study.windows))
    return panels(
        alt.hconcat(*(_curve(study, metrics, kind) for kind in _KINDS)),
        title=f"Windows of {study.size} systems, {METHOD_TITLES.get(study.human, study.human)}",
        subtitle="correlation among neighbours in the human ranking, best first"
        + ("; bars: sentences drawn anew" if any(window.intervals for window in study.windows) else ""),
        description=_description(study, metrics),
    )


def _curve(study: WindowStudy, metrics: list[str], kind: str) -> Any:
    """One line per metric over the windows; metrics stand side by side, so that their bars can be told apart."""
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


def _description(study: WindowStudy, metrics: Sequence[str]) -> str:
    found = {
        metric: [w.pearson for w in study.windows if w.metric == metric and w.pearson is not None] for metric in metrics
    }
    said = [f"{metric} from {min(r):.2f} to {max(r):.2f}" for metric, r in found.items() if r]
    return f"Pearson's r among every {study.size} neighbours of the human ranking: {'; '.join(said)}."


def rank_gap_chart(groups: RankGroups) -> dict[str, Any]:
    """Accuracy of each metric by how far apart judges ranked two outputs."""
    metrics = list(dict.fromkeys(group.metric for group in groups.by_gap))
    rows = [
        {"gap": group.gap, "metric": group.metric, "accuracy": group.accuracy, "pairs": group.pairs}
        for group in groups.by_gap
    ]
    chart = (
        drawn_from("gaps")
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

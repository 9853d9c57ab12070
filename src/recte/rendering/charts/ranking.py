"""The human ranking drawn: scores with their intervals, clusters as bands, rank ranges beside them."""

from __future__ import annotations

from typing import Any

from recte.human.ranking import HumanRanking
from recte.rendering.charts.theme import PALETTE
from recte.rendering.charts.writing import altair, finished
from recte.rendering.human_tables import METHOD_TITLES

__all__ = ["ranking_chart"]

_BAND_COLOURS = ["#f2f2f2", "#ffffff"]
_POINT = PALETTE[0]
_ROW = 22


def ranking_chart(ranking: HumanRanking) -> dict[str, Any]:
    """A row a system, best first, as a Vega-Lite specification."""
    alt = altair()
    names = [system.system for system in ranking.systems]
    rows = [
        {
            "system": s.system,
            "score": s.score,
            "low": s.interval.low,
            "high": s.interval.high,
            "ranks": str(s.best_rank) if s.best_rank == s.worst_rank else f"{s.best_rank}–{s.worst_rank}",
            "cluster": s.cluster,
            "band": s.cluster % 2,
        }
        for s in ranking.systems
    ]
    y = alt.Y(
        "system:N",
        sort=names,
        title=None,
        scale=alt.Scale(paddingInner=0, paddingOuter=0),
        axis=alt.Axis(domain=False, ticks=False, labelPadding=6),
    )
    base = alt.Chart(alt.InlineData(values=rows))
    bands = base.mark_rect().encode(
        y=y, color=alt.Color("band:N", scale=alt.Scale(domain=[1, 0], range=_BAND_COLOURS), legend=None)
    )
    x = alt.X("score:Q", title=METHOD_TITLES[ranking.method], scale=alt.Scale(zero=False))
    lines = base.mark_rule(strokeWidth=2, color=_POINT, opacity=0.55).encode(y=y, x=alt.X("low:Q"), x2="high:Q")
    points = base.mark_circle(size=70, color=_POINT, opacity=1).encode(
        y=y, x=x, tooltip=["system:N", alt.Tooltip("score:Q", format=".3f"), "ranks:N", "cluster:N"]
    )
    ranks = base.mark_text(align="left", dx=6, fontSize=11, color="#444").encode(
        y=y, x=alt.value("width"), text="ranks:N"
    )
    heading = (
        alt.Chart(alt.InlineData(values=[{"text": "ranks"}]))
        .mark_text(align="left", dx=6, dy=-10, fontSize=11, color="#888")
        .encode(x=alt.value("width"), y=alt.value(0), text="text:N")
    )
    drawn_anew = "runs" if ranking.resample == "runs" else f"resamples of {ranking.resample}"
    chart = alt.layer(bands, lines, points, ranks, heading).properties(
        width=390,
        height=_ROW * len(names),
        title=alt.Title(
            "Systems as judges rank them",
            subtitle=f"lines, ranks: {100 * ranking.level:g}% over {ranking.resamples} {drawn_anew}; bands: clusters",
            anchor="start",
            subtitleColor="#666",
            offset=14,
        ),
    )
    return finished(chart)

"""The human ranking drawn: scores with their intervals, clusters as bands, rank ranges next to them."""

from __future__ import annotations

from typing import Any

from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import chart_of, list_names, names_down, specification
from recte.studies.human.ranking import HumanRanking
from recte.studies.human.tables import method_title

__all__ = ["ranking_chart"]

_ROW = 22


def ranking_chart(ranking: HumanRanking) -> dict[str, Any]:
    """One row per system, best first, as a Vega-Lite specification."""
    rows: list[dict[str, Any]] = [
        {
            "system": s.system,
            "score": s.score,
            "low": s.interval.low,
            "high": s.interval.high,
            "ranks": str(s.best_rank) if s.best_rank == s.worst_rank else f"{s.best_rank}–{s.worst_rank}",
            "cluster": s.cluster,
        }
        for s in ranking.systems
    ]
    y = names_down("system", [system.system for system in ranking.systems], gap=0)
    x = alt.X("score:Q", title=method_title(ranking.method), scale=alt.Scale(zero=False))
    tooltip = ["system:N", alt.Tooltip("score:Q", format=".3f"), "ranks:N", "cluster:N"]
    base = chart_of("systems")
    layers = [
        chart_of("bands").mark_rect(style="band").encode(y=y),
        base.mark_rule(style="whisker").encode(y=y, x=alt.X("low:Q"), x2="high:Q"),
        base.mark_circle(size=70, opacity=1).encode(y=y, x=x, tooltip=tooltip),
        base.mark_text(align="right", dx=40, style="quiet").encode(y=y, x=alt.value("width"), text="ranks:N"),
        chart_of("heading")
        .mark_text(align="right", dx=40, dy=-10, style="quiet")
        .encode(x=alt.value("width"), y=alt.value(0), text="text:N"),
    ]
    resampled_unit = "runs" if ranking.resample == "runs" else f"resamples of {ranking.resample}"
    return specification(
        alt.layer(*layers),
        {"systems": rows, "bands": [row for row in rows if row["cluster"] % 2], "heading": [{"text": "ranks"}]},
        title="Systems as judges rank them",
        subtitle=f"lines, ranks: {100 * ranking.level:g}% over {ranking.resamples} {resampled_unit}; bands: clusters",
        description=_description(ranking),
        width=390,
        height=_ROW * len(rows),
    )


def _description(ranking: HumanRanking) -> str:
    first = [s.system for s in ranking.systems if s.cluster == ranking.systems[0].cluster]
    clusters = len({s.cluster for s in ranking.systems})
    if clusters == 1:
        return f"Judges rank {len(ranking.systems)} systems in one cluster; {ranking.systems[0].system} is first."
    return f"Judges rank {len(ranking.systems)} systems in {clusters} clusters; in the first: {list_names(first)}."

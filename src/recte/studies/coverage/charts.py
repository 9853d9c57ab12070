"""The pictures of a coverage study (Figures 2 and 3 of Choshen and Abend), and of human ceilings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import PALETTE
from recte.output.charts.writing import finish
from recte.studies.coverage.human_ceilings import CeilingStudy
from recte.studies.coverage.perfect_scores import PerfectScore
from recte.studies.coverage.reference_coverage import CoverageStudy

__all__ = ["accuracy_chart", "ceiling_charts", "coverage_charts", "f_score_chart"]

_WIDTH, _HEIGHT = 440, 280


def coverage_charts(
    studies: Sequence[CoverageStudy], perfect: Sequence[PerfectScore] = ()
) -> dict[str, dict[str, Any]]:
    """Vega-Lite specifications by file name: accuracy and, where it was computed, F by number of references."""
    rows = [
        {"references": point.references, "accuracy": value, "match": f"{study.match} match", "drawn": drawn}
        for study in studies
        for point in study.curve
        for drawn, value in (("independent", point.coverage), ("all different", point.without_replacement))
    ]
    charts = {"accuracy": accuracy_chart(rows)}
    if perfect:
        charts["f-score"] = f_score_chart(perfect)
    return charts


def _references(values: Sequence[int]) -> Any:
    ticks = sorted(set(values))
    return alt.X(
        "references:Q",
        title="references a sentence (M)",
        scale=alt.Scale(zero=False, nice=False, padding=20),
        axis=alt.Axis(values=ticks, format="d", labelFlush=False),
    )


def _share(field: str, title: str) -> Any:
    return alt.Y(f"{field}:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".1f"))


def accuracy_chart(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Accuracy by number of references, a line for each match and way to draw them (Figure 2)."""
    base = alt.Chart(alt.InlineData(values=list(rows))).encode(
        x=_references([row["references"] for row in rows]),
        y=_share("accuracy", "expected accuracy"),
        color=alt.Color("match:N", title=None, scale=alt.Scale(range=list(PALETTE[:2]))),
        detail="drawn:N",
    )
    # Points apart from the lines: with them, the legend of dashes would be drawn as empty points.
    lines = base.mark_line().encode(
        strokeDash=alt.StrokeDash(
            "drawn:N",
            title="references",
            sort=["independent", "all different"],
            legend=alt.Legend(symbolType="stroke", symbolSize=400, symbolStrokeWidth=2, symbolStrokeColor="#333"),
        )
    )
    chart = alt.layer(lines, base.mark_circle(size=28, opacity=1)).properties(
        title="A perfect corrector's accuracy", width=_WIDTH, height=_HEIGHT
    )
    return finish(chart)


def f_score_chart(perfect: Sequence[PerfectScore]) -> dict[str, Any]:
    """F by number of references, with intervals (Figure 3)."""
    rows = [
        {"references": p.references, "score": p.score, "low": p.interval.low, "high": p.interval.high} for p in perfect
    ]
    name = f"F{perfect[0].beta:g}"
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=_references([p.references for p in perfect]))
    whiskers = base.mark_errorbar(ticks=True).encode(
        y=alt.Y("low:Q", title=name, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".1f")), y2="high:Q"
    )
    line = base.mark_line(point=alt.OverlayMarkDef(size=28)).encode(y=_share("score", name))
    chart = (whiskers + line).properties(
        title=f"A perfect corrector's {name} (its true F is 1)", width=_WIDTH, height=_HEIGHT
    )
    return finish(chart)


def ceiling_charts(study: CeilingStudy) -> dict[str, dict[str, Any]]:
    """People's mean score by number of references with their range, and the systems below."""
    people: list[dict[str, Any]] = [
        {"who": "people", "references": c.references, "score": c.score, "low": c.low, "high": c.high}
        for c in study.ceilings
    ]
    systems: list[dict[str, Any]] = [
        {"who": system.system, "references": m, "score": score}
        for system in study.systems
        for m, score in enumerate(system.scores, 1)
    ]
    # In the order in which the lines end: with many systems colours come twice.
    names = ["people", *(s.system for s in sorted(study.systems, key=lambda s: -s.scores[-1]))]
    x = _references([row["references"] for row in (*people, *systems)])
    band = (
        alt.Chart(alt.InlineData(values=people))
        .mark_area(opacity=0.18, color=PALETTE[1])
        .encode(x=x, y="low:Q", y2="high:Q")
    )
    lines = (
        alt.Chart(alt.InlineData(values=[*people, *systems]))
        .mark_line(point=alt.OverlayMarkDef(size=24))
        .encode(
            x=x,
            y=alt.Y("score:Q", title=f"F{study.beta:g}", scale=alt.Scale(zero=True), axis=alt.Axis(format=".1f")),
            color=alt.Color(
                "who:N",
                title=None,
                sort=names,
                scale=alt.Scale(domain=names, range=[PALETTE[1], *_shades(len(study.systems))]),
            ),
        )
    )
    chart = (band + lines).properties(title="Human ceiling by number of references", width=_WIDTH, height=_HEIGHT)
    return {"ceilings": finish(chart)}


def _shades(number: int) -> list[str]:
    """Colours of systems: all but the people's."""
    shades = (PALETTE[0], *PALETTE[2:])
    return [shades[i % len(shades)] for i in range(number)]

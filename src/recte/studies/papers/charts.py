"""Pictures that papers draw and no command does: the weight of the I-measure, improvement, systems with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.output.charts import vega_lite as alt
from recte.output.charts.writing import finish

__all__ = ["improvement_chart", "interval_chart", "weight_chart"]

_WIDTH, _HEIGHT = 440, 280
_POINT, _GOOD, _BAD = "#1b6ca8", "#e1f2e7", "#fbe9e1"


def weight_chart(rows: Sequence[tuple[str, int, float]]) -> dict[str, Any]:
    """WAcc by the weight w, one line per system (Figure 2 of Felice and Briscoe 2015)."""
    values = [{"system": system, "w": w, "wacc": wacc} for system, w, wacc in rows]
    names = list(dict.fromkeys(system for system, _, _ in rows))
    last = max(w for _, w, _ in rows)
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("w:Q", title="w", axis=alt.Axis(values=list(range(1, last + 1)), format="d", labelFlush=False)),
        y=alt.Y("wacc:Q", title="WAcc", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".1f")),
        color=alt.Color("system:N", sort=names, legend=None, scale=alt.Scale(scheme="tableau10")),
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=24))
    ends = (
        base.transform_filter(f"datum.w == {last}").mark_text(align="left", dx=8, fontSize=11).encode(text="system:N")
    )
    return finish((lines + ends).properties(title="Effect of w on weighted accuracy", width=_WIDTH, height=_HEIGHT))


def improvement_chart(systems: Sequence[tuple[str, float, float]], base: float) -> dict[str, Any]:
    """I by WAcc: how improvement stretches what is above and below the baseline to 1 and -1 (their Figure 3)."""
    x = alt.X("wacc:Q", title="WAcc", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".1f", labelFlush=False))
    y = alt.Y("i:Q", title="I", scale=alt.Scale(domain=[-1, 1]), axis=alt.Axis(format="+.1f", titleAngle=0))
    areas = [
        {"left": 0.0, "right": base, "middle": base / 2, "name": "degradation", "colour": _BAD},
        {"left": base, "right": 1.0, "middle": (1 + base) / 2, "name": "improvement", "colour": _GOOD},
    ]
    halves = alt.Chart(alt.InlineData(values=areas))
    shading = halves.mark_rect().encode(
        x=alt.X("left:Q", title="WAcc"), x2="right:Q", color=alt.Color("colour:N", scale=None)
    )
    names = halves.mark_text(fontSize=12, color="#777").encode(x="middle:Q", y=alt.value(_HEIGHT - 14), text="name:N")
    corners = [{"wacc": 0.0, "i": -1.0}, {"wacc": base, "i": 0.0}, {"wacc": 1.0, "i": 1.0}]
    line = alt.Chart(alt.InlineData(values=corners)).mark_line(color="#888", strokeDash=[4, 3]).encode(x=x, y=y)
    values = [{"system": system, "wacc": wacc, "i": i} for system, wacc, i in systems]
    points = alt.Chart(alt.InlineData(values=values)).encode(x=x, y=y)
    marks = points.mark_circle(size=60, color=_POINT, opacity=1)
    above = points.transform_filter("datum.i >= 0").mark_text(align="right", dx=-8, dy=-6, fontSize=11)
    below = points.transform_filter("datum.i < 0").mark_text(align="left", dx=8, dy=8, fontSize=11)
    chart = alt.layer(shading, names, line, marks, *(labels.encode(text="system:N") for labels in (above, below)))
    return finish(chart.properties(title="From weighted accuracy to improvement", width=_WIDTH, height=_HEIGHT))


def interval_chart(rows: Sequence[tuple[str, float, float, float]], title: str, figure: str) -> dict[str, Any]:
    """A score with its interval for each system: name, score, low and high."""
    values = [{"system": system, "score": score, "low": low, "high": high} for system, score, low, high in rows]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("system:N", sort=[system for system, *_ in rows], title=None, axis=alt.Axis(labelAngle=-40))
    )
    bars = base.mark_bar(color="#9db9dd", width=20).encode(
        y=alt.Y("score:Q", title=figure, scale=alt.Scale(zero=True), axis=alt.Axis(format=".2f"))
    )
    whiskers = base.mark_rule(strokeWidth=1.6).encode(y="low:Q", y2="high:Q")
    ticks = [base.mark_tick(width=9, thickness=1.6, color="black").encode(y=f"{end}:Q") for end in ("low", "high")]
    chart = alt.layer(bars, whiskers, *ticks).properties(title=title, width=_WIDTH, height=_HEIGHT)
    return finish(chart)

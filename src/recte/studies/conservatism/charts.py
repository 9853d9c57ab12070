"""The pictures of a conservatism study, as in Figure 1 of Choshen and Abend."""

from __future__ import annotations

from typing import Any

from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import PALETTE
from recte.output.charts.writing import finish
from recte.studies.conservatism.change_profiles import ConservatismStudy, Profile
from recte.studies.conservatism.tables import histogram_bins, profile_label

__all__ = ["conservatism_charts"]

_LOWEST_RHO = 0.7  # the published picture begins there
_SYSTEMS, _ANNOTATORS = PALETTE[:2]


def conservatism_charts(study: ConservatismStudy) -> dict[str, dict[str, Any]]:
    """Vega-Lite specifications by file name: word changes, word order, sentences split and concatenated."""
    ordered = sorted(study.profiles, key=lambda p: (p.kind != "annotator", -p.word_change, p.name))
    return {
        "word-changes": _word_changes(ordered),
        "word-order": _word_order(ordered, study.sentence_count),
        "sentences-split": _split(ordered),
    }


def _word_changes(profiles: list[Profile]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = [
        {"who": profile_label(p), "changed words": label, "sentences": count}
        for p in profiles
        for label, count in histogram_bins(p.word_change_histogram).items()
    ]
    names = [profile_label(p) for p in profiles]
    labels = list(histogram_bins(()))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("changed words:O", sort=labels, title="changed words in a sentence", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("who:N", sort=names, title=None),
    )
    heat = base.mark_rect().encode(
        color=alt.Color(
            "sentences:Q", scale=alt.Scale(type="sqrt", scheme="blues"), legend=alt.Legend(title="sentences")
        )
    )
    most = max((row["sentences"] for row in rows), default=0)
    numbers = base.transform_filter("datum.sentences > 0")
    numbers = numbers.mark_text(fontSize=10).encode(
        text="sentences:Q",
        color=alt.condition(f"datum.sentences > {most / 3}", alt.value("white"), alt.value("#334")),
    )
    chart = (heat + numbers).properties(
        title="Sentences by number of changed words", width=46 * len(labels), height=20 * len(names)
    )
    return finish(chart)


def _word_order(profiles: list[Profile], sentences: int) -> dict[str, Any]:
    rows = []
    for p in profiles:
        defined = max(sentences - p.rho_undefined, 1)
        inside = [value for value in p.rho_values if value >= _LOWEST_RHO]
        below = len(p.rho_values) - len(inside)
        steps = [(_LOWEST_RHO, below), *((v, below + i) for i, v in enumerate(inside, 1)), (1.0, len(p.rho_values))]
        rows += [
            {"who": profile_label(p), "kind": p.kind, "rho": rho, "share": count / defined} for rho, count in steps
        ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X(
            "rho:Q",
            title="Spearman's ρ at most",
            scale=alt.Scale(domain=[_LOWEST_RHO, 1], nice=False),
            axis=alt.Axis(values=[0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1], labelFlush=False, format=".2f"),
        ),
        y=alt.Y("share:Q", title="share of sentences", axis=alt.Axis(format="%")),
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=["system", "annotator"], range=[_SYSTEMS, _ANNOTATORS]),
            legend=alt.Legend(orient="top-left"),
        ),
        detail="who:N",
    )
    lines = base.mark_line(interpolate="step-after", strokeWidth=1.6, opacity=0.85)
    ends = (
        base.mark_text(align="left", dx=5, fontSize=9)
        .encode(text="who:N")
        .transform_filter("datum.rho == 1")
        .transform_filter(alt.FieldOneOfPredicate("who", _spread(rows)))
    )
    chart = (lines + ends).properties(title="Word order: sentences below a correlation", width=460, height=300)
    return finish(chart)


def _spread(rows: list[dict[str, Any]], apart: float = 0.035) -> list[str]:
    """Whose lines can be named at their ends without one name covering another, the highest first."""
    ends = {row["who"]: row["share"] for row in rows if row["rho"] == 1.0}
    highest = max(ends.values(), default=0.0) or 1.0
    named: list[str] = []
    last = float("inf")
    for who, share in sorted(ends.items(), key=lambda item: -item[1]):
        if last - share >= apart * highest:
            named.append(who)
            last = share
    return named


def _split(profiles: list[Profile]) -> dict[str, Any]:
    rows = [
        {"who": profile_label(p), "kind": p.kind, "what": what, "sentences": count}
        for p in profiles
        for what, count in (("concatenated", p.concatenated), ("split", p.split))
    ]
    names = [profile_label(p) for p in profiles]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("who:N", sort=names, title=None),
        yOffset=alt.YOffset("what:N", sort=["split", "concatenated"]),
        x=alt.X("sentences:Q", title="source sentences", axis=alt.Axis(tickMinStep=1)),
    )
    bars = base.mark_bar().encode(
        color=alt.Color(
            "what:N",
            title=None,
            scale=alt.Scale(domain=["split", "concatenated"], range=[_SYSTEMS, _ANNOTATORS]),
            legend=alt.Legend(orient="right"),
        )
    )
    numbers = base.transform_filter("datum.sentences > 0")
    numbers = numbers.mark_text(align="left", dx=3, fontSize=9).encode(text="sentences:Q")
    chart = (bars + numbers).properties(title="Sentences split and concatenated", width=380, height=alt.Step(9))
    return finish(chart)

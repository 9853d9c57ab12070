"""What is found of each type of error; and, where systems name the types of their edits, how much of each is right.

How many sentences systems change, beside how many annotators do (Choshen and Abend, section 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from recte.corpus.corpus import Corpus, System
from recte.corpus.edit_table import EditTable
from recte.edits.matching import IN_GOLD, match
from recte.edits.references import annotators_of
from recte.evaluation.evaluation import Evaluation
from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import drawn_from, names_across, names_down, specification
from recte.text.changed_texts import changed_sentences

__all__ = ["changed_sentence_chart", "error_type_charts"]

_MOST = 14  # types shown by name
_FEW = 2  # systems whose bars stand side by side; more are a heat map
_OTHERS, _NAMELESS = "all other types", "(no type)"
# The types of edits that were made from references, which have no others.
_OPERATIONS = {"M": "words missing", "R": "words replaced", "U": "words unneeded"}


class _Rate(NamedTuple):
    """Of how many edits of one type how many are right."""

    right: int
    of: int


_Rates = Mapping[str, Mapping[str, _Rate]]  # by system and type


def error_type_charts(data: Evaluation, order: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Recall by the gold's types, and precision by the systems' own, each where there are any; `order` of systems."""
    charts = {}
    made = not any(sentence.annotations for sentence in data.corpus)
    recall = {name: _found(data, name, _OPERATIONS if made else {}) for name in order}
    if any(type_ for rates in recall.values() for type_ in rates):
        charts["error-types"] = _chart(recall, "recall", "edits wanted", "found")
    by_name = {system.name: system for system in data.systems}
    precision = {name: _right(data, by_name[name]) for name in order if by_name[name].edits is not None}
    if any(type_ for rates in precision.values() for type_ in rates):
        charts["error-types-precision"] = _chart(precision, "precision", "edits proposed", "right")
    return charts


def _found(data: Evaluation, system: str, names: Mapping[str, str]) -> dict[str, _Rate]:
    found: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    for sentence in data.judged[system]:
        for edit in sentence.edits:
            if edit.verdict != "spurious":
                type_ = names.get(edit.type, edit.type)
                wanted[type_] += 1
                found[type_] += edit.verdict == "correct"
    return {type_: _Rate(found[type_], wanted[type_]) for type_ in wanted}


def _right(data: Evaluation, system: System) -> dict[str, _Rate]:
    """A system's own edits that the chosen annotator has too, by the system's own types."""
    right: Counter[str] = Counter()
    proposed: Counter[str] = Counter()
    gold = [
        sentence.annotation(judged.annotator)
        for sentence, judged in zip(data.sentences, data.judged[system.name], strict=True)
    ]
    own = EditTable.of_one_annotator(system.edits or ())
    matches = match(EditTable.of([[] if annotation is None else [annotation] for annotation in gold]), own, IN_GOLD)
    edits = matches.judged
    for edit, is_right in zip(edits.own_edits.tolist(), edits.right.tolist(), strict=True):
        type_ = own.types[edit]
        proposed[type_] += 1
        right[type_] += is_right
    return {type_: _Rate(right[type_], proposed[type_]) for type_ in proposed}


def _chart(rates: _Rates, figure: str, edits: str, right: str) -> dict[str, Any]:
    types = _frequent(rates)
    rows = [row for system, of_system in rates.items() for row in _rows(system, of_system, types)]
    labels = list(dict.fromkeys(label for label in (*types.values(), _OTHERS) if any(r["type"] == label for r in rows)))
    tooltip = [
        alt.Tooltip("system:N", title="system"),
        alt.Tooltip("type:N", title="type"),
        alt.Tooltip("rate:Q", title=f"{figure} (%)", format=".1f"),
        alt.Tooltip("right:Q", title=right),
        alt.Tooltip("of:Q", title=edits),
    ]
    base = drawn_from("rates").encode(tooltip=tooltip)
    systems = list(rates)
    if len(systems) <= _FEW:
        chart = _bars(base.encode(y=names_down("type", labels, 0.25)), systems, figure)
        width, height, columns = 420, len(labels) * (12 * len(systems) + 8), 0
    else:
        chart = _heat_map(base.encode(y=names_down("type", labels)), systems)
        width, height, columns = 44 * len(systems), 24 * len(labels), len(systems)
    return specification(
        chart,
        {"rates": rows},
        title=f"{figure.capitalize()} by error type",
        subtitle=f"share {right} of the {edits}, in %; the most frequent types first",
        description=_description(rates, types, figure),
        width=width,
        height=height,
        columns=columns,
    )


def _frequent(rates: _Rates) -> dict[str, str]:
    """The most frequent types over all systems, and how they are called."""
    totals: Counter[str] = Counter()
    for of_system in rates.values():
        totals.update({type_: rate.of for type_, rate in of_system.items()})
    ordered = sorted(totals, key=lambda type_: (-totals[type_], type_))
    kept = ordered if len(ordered) <= _MOST + 1 else ordered[:_MOST]
    return {type_: type_ or _NAMELESS for type_ in kept}


def _rows(system: str, of_system: Mapping[str, _Rate], types: Mapping[str, str]) -> list[dict[str, Any]]:
    totals: dict[str, _Rate] = {}
    for type_, rate in of_system.items():
        label = types.get(type_, _OTHERS)
        before = totals.get(label, _Rate(0, 0))
        totals[label] = _Rate(before.right + rate.right, before.of + rate.of)
    return [
        {
            "system": system,
            "type": label,
            "rate": round(100 * rate.right / rate.of, 1),
            "right": rate.right,
            "of": rate.of,
        }
        for label, rate in totals.items()
    ]


def _bars(base: Any, systems: Sequence[str], figure: str) -> Any:
    offset = alt.YOffset("system:N", sort=None, scale=alt.Scale(domain=list(systems)))
    # Room for a figure behind the longest bar.
    scale = alt.Scale(domain=[0, 108], nice=False)
    x = alt.X("rate:Q", title=f"{figure} (%)", scale=scale, axis=alt.Axis(values=list(range(0, 101, 20))))
    legend = alt.Legend(title=None, orient="top") if len(systems) > 1 else None
    colour = alt.Color("system:N", sort=None, scale=alt.Scale(domain=list(systems)), legend=legend)
    bars = base.mark_bar().encode(x=x, yOffset=offset, color=colour)
    figures = base.mark_text(align="left", dx=4, style="quiet").encode(
        x=x, yOffset=offset, text=alt.Text("rate:Q", format=".0f")
    )
    return alt.layer(bars, figures)


def _heat_map(base: Any, systems: Sequence[str]) -> Any:
    x = names_across("system", systems)
    cells = base.mark_rect(style="full-cell").encode(
        x=x, color=alt.Color("rate:Q", scale=alt.Scale(zero=True), legend=None)
    )
    return alt.layer(cells, base.mark_text(fontSize=11).encode(x=x, text=alt.Text("rate:Q", format=".0f")))


def _description(rates: _Rates, types: Mapping[str, str], figure: str) -> str:
    best = []
    for type_, label in list(types.items())[:3]:
        known = {system: of.right / of.of for system, of_system in rates.items() if (of := of_system.get(type_))}
        top = max(known, key=lambda system: known[system])
        best.append(
            f"{label} {100 * known[top]:.1f}% ({top})" if len(rates) > 1 else f"{label} {100 * known[top]:.1f}%"
        )
    one = "Highest" if len(rates) > 1 else "The"
    return f"{one} {figure} of the most frequent error types: {'; '.join(best)}."


_ROW = 26
_SYSTEM, _ANNOTATOR = "system", "annotator"


def changed_sentence_chart(corpus: Corpus, systems: Sequence[System]) -> dict[str, Any] | None:
    """A row for each system and annotator, those who change most first; a band from the shyest annotator to the
    boldest. None where nobody annotated.
    """
    rows = _changed_rows(corpus, systems)
    rows.sort(key=lambda row: (-row["changed"], row["who"]))
    people = [row["rate"] for row in rows if row["kind"] == _ANNOTATOR]
    if not people:
        return None
    low, high = min(people), max(people)
    x = alt.X("rate:Q", title="sentences changed (%)", scale=alt.Scale(domain=[0, 100]))
    tooltip = [
        alt.Tooltip("who:N", title="who"),
        alt.Tooltip("rate:Q", title="sentences changed (%)", format=".1f"),
        alt.Tooltip("changed:Q", title="sentences changed"),
    ]
    band = (
        drawn_from("range")
        .mark_rect(style="range-of-people")
        .encode(
            x=alt.X("low:Q"),
            x2=alt.X2("high:Q"),
            tooltip=[
                alt.Tooltip("low:Q", title="annotators, from (%)", format=".1f"),
                alt.Tooltip("high:Q", title="to (%)", format=".1f"),
            ],
        )
    )
    layers = [band]
    for kind in (_SYSTEM, _ANNOTATOR):
        base = drawn_from(kind).encode(x=x, y=names_down("who", [row["who"] for row in rows]), tooltip=tooltip)
        person = base.mark_point(shape="diamond", filled=True, style="people", size=90, opacity=1)
        figures = base.mark_text(align="right", dx=40, style="quiet")
        layers += [
            person if kind == _ANNOTATOR else base.mark_circle(size=90, opacity=1),
            figures.encode(x=alt.XValue("width"), text=alt.Text("rate:Q", format=".1f")),
        ]
    return specification(
        alt.layer(*layers),
        {
            "range": [{"low": low, "high": high}],
            **{kind: [row for row in rows if row["kind"] == kind] for kind in (_SYSTEM, _ANNOTATOR)},
        },
        title="Conservatism: how many sentences are changed",
        subtitle="diamonds: annotators; band: from the annotator who changes least to the one who changes most",
        description=_changed_description(rows, low, high),
        width=520,
        height=_ROW * len(rows) + 10,
    )


def _changed_rows(corpus: Corpus, systems: Sequence[System]) -> list[dict[str, Any]]:
    plain = _comparable(corpus)
    sources = [plain(" ".join(sentence.tokens)) for sentence in corpus]
    rows = []
    for kind, group in ((_SYSTEM, systems), (_ANNOTATOR, annotators_of(corpus))):
        for one in group:
            changed = int(changed_sentences(sources, [plain(output) for output in one.outputs]).sum())
            rate = round(100 * changed / len(sources), 4)
            who = one.name if kind == _SYSTEM else f"annotator {one.name}"
            rows.append({"who": who, "kind": kind, "changed": changed, "rate": rate})
    return rows


def _comparable(corpus: Corpus) -> Callable[[str], str]:
    """Texts as they can be compared: where tokens were cut anew, normalised alike and without any white space."""
    segmenter = corpus.segmenter
    return (lambda text: text) if segmenter is None else (lambda text: "".join("".join(segmenter(text)).split()))


def _changed_description(rows: Sequence[dict[str, Any]], low: float, high: float) -> str:
    systems = [row for row in rows if row["kind"] == _SYSTEM]
    annotators = len(rows) - len(systems)
    human = f"{low:.1f}% to {high:.1f}%" if high > low else f"{low:.1f}%"
    below = sum(row["rate"] < low for row in systems)
    most, least = systems[0], systems[-1]
    changing = (
        f"systems change from {least['rate']:.1f}% ({least['who']}) to {most['rate']:.1f}% ({most['who']})"
        if len(systems) > 1
        else f"{most['who']} changes {most['rate']:.1f}%"
    )
    return (
        f"Share of sentences changed: {changing}, the {annotators} annotator{'s' if annotators > 1 else ''} {human}; "
        f"{below} of {len(systems)} {'change' if below != 1 else 'changes'} fewer than any annotator."
    )

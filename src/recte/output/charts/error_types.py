"""What is found of each type of error; and, where systems name the types of their edits, how much of each is right.

How many sentences systems change, compared with how many annotators do (Choshen and Abend, section 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from recte.corpus.corpus import Corpus, System
from recte.corpus.edit_table import EditTable
from recte.corpus.text_columns import find_changed_sentences
from recte.edits.matching import IN_GOLD, match
from recte.edits.references import annotators_of
from recte.edits.verdicts import JudgedSentence, Verdict
from recte.evaluation.evaluation import Evaluation
from recte.output.charts import vega_lite as alt
from recte.output.charts.theme import chart_of, names_across, names_down, specification

__all__ = ["chart_changed_sentences", "error_type_charts"]

_MOST = 14  # types shown by name
_FEW = 2  # systems whose bars stand side by side; more are a heat map
_OTHERS, _NAMELESS = "all other types", "(no type)"
# The types of edits that were made from references, which have no others.
_OPERATIONS = {"M": "words missing", "R": "words replaced", "U": "words unneeded"}


class _Rate(NamedTuple):
    """Of how many edits of one type how many are right; for F, weighted sums of both."""

    right: float
    of: float


_Rates = Mapping[str, Mapping[str, _Rate]]  # by system and type


def error_type_charts(data: Evaluation, orders: Mapping[str, Sequence[str]]) -> dict[str, dict[str, Any]]:
    """For each metric that judges edits: recall by the gold's types, and precision and F where the systems' edits have
    types of the same list. Precision by the systems' own types where these were given. `orders` are systems by metric.

    The first metric's charts have plain names, the others end with their metric's.
    """
    charts: dict[str, dict[str, Any]] = {}
    made = not any(sentence.annotations for sentence in data.corpus)
    names = _OPERATIONS if made else {}
    metrics = [metric for metric in data.metrics if metric.name in data.judged_by]
    judged_by = {metric.name: data.judged_by[metric.name] for metric in metrics} or {"": data.judged}
    for number, (metric, judged) in enumerate(judged_by.items()):
        title = next((f"{m.title}: " for m in metrics if m.name == metric), "")
        end = f"-{metric}" if number else ""
        order = orders.get(metric) or next(iter(orders.values()))
        recall = {name: _count_recall(judged[name], names) for name in order}
        if any(type_ for rates in recall.values() for type_ in rates):
            charts[f"error-types{end}"] = _chart(recall, "recall", "gold edits", "matched", title)
        precision = {name: _correct(judged[name], names) for name in order}
        if f"error-types{end}" in charts and _has_one_list(judged.values()):
            charts[f"error-types-precision{end}"] = _chart(precision, "precision", "edits proposed", "right", title)
            beta = next((float(getattr(m, "beta", 1.0)) for m in metrics if m.name == metric), 1.0)
            both = {name: _f_rates(precision[name], recall[name], beta) for name in order}
            charts[f"error-types-f{end}"] = _chart(both, f"F{beta:g}", "edits", "right", title)
    by_name = {system.name: system for system in data.systems}
    order = next(iter(orders.values()))
    of_files = {name: _right(data, by_name[name]) for name in order if by_name[name].edits is not None}
    if "error-types-precision" not in charts and any(type_ for rates in of_files.values() for type_ in rates):
        charts["error-types-precision"] = _chart(of_files, "precision", "edits proposed", "right")
    return charts


def _has_one_list(judged: Iterable[Sequence[JudgedSentence]]) -> bool:
    """Whether wrong edits have types, and these are nearly all types of the gold, too."""
    edits = [edit for of_system in judged for sentence in of_system for edit in sentence.edits if edit.type]
    gold = {edit.type for edit in edits if edit.verdict != "spurious"}
    wrong = [edit.type in gold for edit in edits if edit.verdict == "spurious"]
    return bool(wrong) and sum(wrong) >= _ONE_LIST * len(wrong)


_ONE_LIST = 0.8  # the share of wrong edits whose types the gold has: fewer are of another list


def _count_recall(judged: Sequence[JudgedSentence], names: Mapping[str, str]) -> dict[str, _Rate]:
    return _rates_of(judged, names, "spurious")


def _correct(judged: Sequence[JudgedSentence], names: Mapping[str, str]) -> dict[str, _Rate]:
    return _rates_of(judged, names, "missed")


def _rates_of(judged: Sequence[JudgedSentence], names: Mapping[str, str], without: Verdict) -> dict[str, _Rate]:
    """How many edits of each type are correct, of all but those with one verdict."""
    right: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for sentence in judged:
        for edit in sentence.edits:
            if edit.verdict != without:
                type_ = names.get(edit.type, edit.type)
                of[type_] += 1
                right[type_] += edit.verdict == "correct"
    return {type_: _Rate(right[type_], of[type_]) for type_ in of}


def _f_rates(precision: Mapping[str, _Rate], recall: Mapping[str, _Rate], beta: float) -> dict[str, _Rate]:
    """F as a share: (1 + β²) tp of β² gold + proposed edits."""
    rates = {}
    for type_ in {**recall, **precision}:
        proposed, of_gold = precision.get(type_, _Rate(0, 0)), recall.get(type_, _Rate(0, 0))
        rates[type_] = _Rate((1 + beta**2) * of_gold.right, beta**2 * of_gold.of + proposed.of)
    return rates


def _right(data: Evaluation, system: System) -> dict[str, _Rate]:
    """A system's own edits that the chosen annotator has too, by the system's own types."""
    right: Counter[str] = Counter()
    proposed: Counter[str] = Counter()
    gold = [
        sentence.annotation(judged.annotator)
        for sentence, judged in zip(data.sentences, data.judged[system.name], strict=True)
    ]
    of_system = EditTable.of_one_annotator(system.edits or ())
    matches = match(
        EditTable.of([[] if annotation is None else [annotation] for annotation in gold]), of_system, IN_GOLD
    )
    edits = matches.judged
    for edit, is_right in zip(edits.own_edits.tolist(), edits.right.tolist(), strict=True):
        type_ = of_system.types[edit]
        proposed[type_] += 1
        right[type_] += is_right
    return {type_: _Rate(right[type_], proposed[type_]) for type_ in proposed}


def _chart(rates: _Rates, figure: str, edits: str, right: str, metric: str = "") -> dict[str, Any]:
    is_share = not figure.startswith("F")
    types = _frequent(rates)
    rows = [row for system, of_system in rates.items() for row in _rows(system, of_system, types)]
    labels = list(dict.fromkeys(label for label in (*types.values(), _OTHERS) if any(r["type"] == label for r in rows)))
    tooltip = [
        alt.Tooltip("system:N", title="system"),
        alt.Tooltip("type:N", title="type"),
        alt.Tooltip("rate:Q", title=f"{figure} (%)", format=".1f"),
        *([alt.Tooltip("right:Q", title=right), alt.Tooltip("of:Q", title=edits)] if is_share else []),
    ]
    base = chart_of("rates").encode(tooltip=tooltip)
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
        title=f"{metric}{figure} by error type" if metric else f"{figure.capitalize()} by error type",
        subtitle=f"share {right} of the {edits}, in %; the most frequent types first"
        if is_share
        else "of precision and recall, in %; the most frequent types first",
        description=_description(rates, types, figure, metric),
        width=width,
        height=height,
        columns=columns,
    )


def _frequent(rates: _Rates) -> dict[str, str]:
    """The most frequent types over all systems, and how they are called."""
    totals: dict[str, float] = {}
    for of_system in rates.values():
        for type_, rate in of_system.items():
            totals[type_] = totals.get(type_, 0) + rate.of
    ordered = sorted(totals, key=lambda type_: (-totals[type_], type_))
    shown = ordered if len(ordered) <= _MOST + 1 else ordered[:_MOST]
    return {type_: type_ or _NAMELESS for type_ in shown}


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
    # Space for a figure behind the longest bar.
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


def _description(rates: _Rates, types: Mapping[str, str], figure: str, metric: str = "") -> str:
    best = []
    for type_, label in list(types.items())[:3]:
        known = {system: of.right / of.of for system, of_system in rates.items() if (of := of_system.get(type_))}
        top = max(known, key=lambda system: known[system])
        best.append(
            f"{label} {100 * known[top]:.1f}% ({top})" if len(rates) > 1 else f"{label} {100 * known[top]:.1f}%"
        )
    beginning = "Highest" if len(rates) > 1 else "The"
    beginning = f"{metric}{beginning.lower()}" if metric else beginning
    return f"{beginning} {figure} of the most frequent error types: {'; '.join(best)}."


_ROW = 26
_SYSTEM, _ANNOTATOR = "system", "annotator"


def chart_changed_sentences(corpus: Corpus, systems: Sequence[System]) -> dict[str, Any] | None:
    """A row for each system and annotator, those who change most first; a band from the shyest annotator to the
    boldest. None where nobody annotated.
    """
    rows = _rows_of_changes(corpus, systems)
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
        chart_of("range")
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
        base = chart_of(kind).encode(x=x, y=names_down("who", [row["who"] for row in rows]), tooltip=tooltip)
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
        description=_describe_changes(rows, low, high),
        width=520,
        height=_ROW * len(rows) + 10,
    )


def _rows_of_changes(corpus: Corpus, systems: Sequence[System]) -> list[dict[str, Any]]:
    plain = _comparable(corpus)
    sources = [plain(" ".join(sentence.tokens)) for sentence in corpus]
    rows = []
    for kind, group in ((_SYSTEM, systems), (_ANNOTATOR, annotators_of(corpus))):
        for side in group:
            changed = int(find_changed_sentences(sources, [plain(output) for output in side.outputs]).sum())
            rate = round(100 * changed / len(sources), 4)
            who = side.name if kind == _SYSTEM else f"annotator {side.name}"
            rows.append({"who": who, "kind": kind, "changed": changed, "rate": rate})
    return rows


def _comparable(corpus: Corpus) -> Callable[[str], str]:
    """Texts as they can be compared: where tokens were cut again, normalised alike and without any white space."""
    segmenter = corpus.segmenter
    return (lambda text: text) if segmenter is None else (lambda text: "".join("".join(segmenter(text)).split()))


def _describe_changes(rows: Sequence[dict[str, Any]], low: float, high: float) -> str:
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

"""How many sentences systems change, beside how many annotators do (Choshen and Abend, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from recte.corpus.corpus import Corpus, System
from recte.edits.references import annotators_of
from recte.output.charts import vega_lite as alt
from recte.output.charts.axes import names_down
from recte.output.charts.theme import drawn_from, specification
from recte.text.changed_texts import changed_sentences

__all__ = ["changed_sentence_chart"]

_ROW = 26
_SYSTEM, _ANNOTATOR = "system", "annotator"


def changed_sentence_chart(corpus: Corpus, systems: Sequence[System]) -> dict[str, Any] | None:
    """A row for each system and annotator, those who change most first; a band from the shyest annotator to the
    boldest. None where nobody annotated.
    """
    rows = _rows(corpus, systems)
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
        description=_description(rows, low, high),
        width=520,
        height=_ROW * len(rows) + 10,
    )


def _rows(corpus: Corpus, systems: Sequence[System]) -> list[dict[str, Any]]:
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


def _description(rows: Sequence[dict[str, Any]], low: float, high: float) -> str:
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

"""Edits of golden files and of random sentences, as corpora and systems."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from recte import Annotation, Corpus, Edit, Sentence, System
from shared_data import golden, opened, shared


def edits(rows):
    """[start, end, correction, type] as edits."""
    return tuple(Edit(start, end, (text,), *type_) for start, end, text, *type_ in rows)


def corpus(cases):
    """Sentences given as `tokens` and `references`, each a list of edits."""
    return Corpus(
        tuple(
            Sentence(
                " ".join(case["tokens"]),
                tuple(case["tokens"]),
                annotations=tuple(Annotation(str(r), edits(rows)) for r, rows in enumerate(case["references"])),
                id=str(number),
            )
            for number, case in enumerate(cases, 1)
        )
    )


def system(cases, name="system"):
    """Their hypotheses; the texts are left out, since the edits are given."""
    return System(name, ("",) * len(cases), tuple(edits(case["hypothesis"]) for case in cases))


@cache
def conll_edits():
    """ERRANT's edits of CoNLL-14: by name and annotator, then by sentence."""
    actual = {}
    with opened(golden("cleme/edits.tsv")) as stream:
        for row in list(stream)[1:]:
            name, annotator, sentence, start, end, type_, text = row.rstrip("\n").split("\t")
            of_name = actual.setdefault((name, annotator), {})
            of_name.setdefault(int(sentence), []).append([int(start), int(end), text, type_])
    return actual


def conll_cases(name):
    """CoNLL-14's sentences with both references and a system's edits."""
    actual = conll_edits()
    ours = actual.get((name, "0"), {})
    source = shared("data", "conll14", "source.txt").read_text(encoding="utf-8").splitlines()
    return [
        {
            "tokens": line.split(),
            "references": [actual["gold", annotator].get(i, []) for annotator in "01"],
            "hypothesis": ours.get(i, []),
        }
        for i, line in enumerate(source)
    ]


@st.composite
def versions(draw, tokens):
    """Edits of one version, apart from each other: [start, end, correction, type]."""
    actual, place = [], 0
    while place <= len(tokens) and draw(st.booleans()):
        start = draw(st.integers(place, len(tokens)))
        end = draw(st.integers(start, min(start + 2, len(tokens))))
        text = " ".join(draw(st.lists(st.sampled_from("xyz"), min_size=int(start == end), max_size=2)))
        actual.append([start, end, text, draw(st.sampled_from(["M", "R"]))])
        place = end + 1
    return actual


@st.composite
def cases(draw, most=4):
    """A few sentences with one to three references and a hypothesis."""
    actual = []
    for _ in range(draw(st.integers(1, most))):
        tokens = draw(st.lists(st.sampled_from("pqrxy"), max_size=7))
        references = draw(st.lists(versions(tokens), min_size=1, max_size=3))
        ours = draw(st.one_of(versions(tokens), st.sampled_from(references)))
        actual.append({"tokens": tokens, "references": references, "hypothesis": ours})
    return actual

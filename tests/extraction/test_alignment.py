"""Alignment and merging: 3,000 golden pairs, and a literal twin on random ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated_cases import annotated, changed_sentences, random_sentences
from oracles import errant as twin
from recte.annotation import Annotated
from recte.errors import TooLongError
from recte.extraction.alignment import COSTS, MERGING, align, edit_spans
from shared_data import golden_lines

GOLDEN_MERGING = {"rules": "rules", "split": "all-split", "merge": "all-merge", "equal": "all-equal"}


@pytest.fixture(scope="module")
def cases():
    return list(golden_lines("errant/random-cases.jsonl.gz"))


@pytest.fixture(scope="module")
def pairs(cases):
    return [(annotated(case["orig"]), annotated(case["cor"])) for case in cases]


@pytest.mark.parametrize("costs", COSTS)
def test_golden_costs_and_steps(cases, pairs, costs):
    for case, alignment in zip(cases, align(pairs, costs=costs), strict=True):
        assert alignment.cost == case[costs]["cost"]
        assert [[step, *span] for step, span in alignment.steps] == case[costs]["ops"]


@pytest.mark.parametrize(("costs", "merging"), [*(("linguistic", m) for m in MERGING), ("levenshtein", "rules")])
def test_golden_edits(cases, pairs, costs, merging):
    for case, spans in zip(cases, edit_spans(pairs, costs=costs, merging=merging), strict=True):
        assert [list(span) for span in spans] == [edit[:4] for edit in case[costs][GOLDEN_MERGING[merging]]]


def tokens(sentence: Annotated) -> list[twin.Token]:
    return [
        twin.Token(*fields) for fields in zip(sentence.text, sentence.pos, sentence.lemma, sentence.tag, strict=True)
    ]


# Few words come often: the beginning that both sentences have in common may be matched in several ways.
FEW = ("a", "A", "b", "B")


@given(
    st.lists(
        st.one_of(st.tuples(random_sentences(), random_sentences()), changed_sentences(), changed_sentences(words=FEW)),
        max_size=3,
    ),
    st.sampled_from(COSTS),
)
def test_every_strategy_agrees_with_the_literal_twin(pairs, costs):
    aligned = align(pairs, costs=costs)
    merged = {merging: edit_spans(pairs, costs=costs, merging=merging) for merging in MERGING}
    for place, (source, corrected) in enumerate(pairs):
        o, c = tokens(source), tokens(corrected)
        cost, items = twin.align(o, c, costs)
        assert aligned[place].cost == cost
        assert [(step, *span) for step, span in aligned[place].steps] == items
        for merging in MERGING:
            edits = twin.merge(o, c, items, merging)
            assert [tuple(span) for span in merged[merging][place]] == [edit[1:] for edit in edits]


def test_long_words_are_compared_letter_by_letter():
    a, b = (annotated([(word, "NOUN", "NN", word, "dep", 0)]) for word in ("x" * 70 + "ab" * 40, "y" * 70 + "ba" * 40))
    cost, _ = twin.align(tokens(a), tokens(b))
    assert align([(a, b)])[0].cost == cost


def test_threads_change_nothing(pairs, monkeypatch):
    alone = edit_spans(pairs[:300])
    monkeypatch.setenv("RECTE_THREADS", "3")
    assert edit_spans(pairs[:300]) == alone


def test_pairs_beyond_all_measure_are_refused():
    long = annotated([(f"w{place}", "NOUN", "NN", "w", "dep", 0) for place in range(8000)])
    short = annotated([(f"v{place}", "NOUN", "NN", "v", "dep", 0) for place in range(8000)])
    with pytest.raises(TooLongError, match="hypothesis 2: source and correction are too long to align"):
        edit_spans([(long, long), (long, short)])

"""The one matcher against its literal twin, rule by rule, on random edits and on CoNLL-2014."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edit_cases import conll_cases
from edit_cases import edits as edits_of
from oracles.matching import ComparedEdit, Comparison, credited
from recte import Edit
from recte.corpus.edit_table import EditTable
from recte.corpus.sentence import Annotation
from recte.edits.matching import AGREEMENTS, MatchRule, match, types_of_outcomes

DUPLICATES = ("published", "one-to-one", "once", "each")
MAXMATCH = {"official": "in-order", "paper": "any", "optimal": "one-to-one"}
PLACES = st.integers(0, 3).flatmap(lambda start: st.tuples(st.just(start), st.integers(start, 4)))
TEXTS = st.sampled_from(["", "a", "b", "a b", "ab"])
TYPES = st.sampled_from(["R:X", "M:Y", "noop", "NA"])
EDITS = st.lists(
    st.builds(lambda place, text, type_: Edit(*place, (text,), type_), PLACES | st.just((-1, -1)), TEXTS, TYPES),
    max_size=6,
)
TOKENS = ("p", "q", "r", "s")


def tables(*sides):
    """A table for each side, whose sentences have a list of edits for each annotator."""
    return [
        EditTable.of([[Annotation(str(a), tuple(edits)) for a, edits in enumerate(item)] for item in side])
        for side in sides
    ]


def compared(edits):
    return [ComparedEdit(e.start, e.end, e.type, "||".join(e.corrections)) for e in edits]


@pytest.mark.parametrize("spaces", [True, False])
@pytest.mark.parametrize("duplicates", DUPLICATES)
@pytest.mark.parametrize("agreement", AGREEMENTS)
@given(
    own=st.lists(st.lists(EDITS, min_size=1, max_size=2), min_size=2, max_size=2),
    theirs=st.lists(st.lists(EDITS, min_size=1, max_size=2), min_size=2, max_size=2),
)
def test_counts_and_types_are_the_twins(agreement, duplicates, spaces, own, theirs):
    if duplicates == "one-to-one":  # only ChERRANT compares no-ops, and it has other rules
        own, theirs = (
            [[[e for e in edits if e.type != "noop"] for edits in item] for item in side] for side in (own, theirs)
        )
    twin = Comparison(agreement, duplicates=duplicates, spaces=spaces)
    proposed, gold = tables(own, theirs)
    matches = match(gold, proposed, MatchRule(agreement, duplicates, spaces=spaces))
    names, columns = matches.columns
    table = types_of_outcomes(matches, 0, names)
    types = {(entry.sentence, entry.column, entry.type): entry[3:] for entry in table.entries(names)}
    pair = 0
    for sentence, (mine, gold_edits) in enumerate(zip(own, theirs, strict=True)):
        for a, ours in enumerate(mine):
            for b, wanted in enumerate(gold_edits):
                sides = [twin.keyed(compared(edits)) for edits in (ours, wanted)]
                tp, fp, fn = twin.count(*sides)
                assert matches.counts[pair].tolist() == [tp, tp + fp, tp + fn]
                name = str(b) if len(mine) == 1 else f"{a}:{b}"
                assert names[columns[pair]] == name
                for type_, (tp, fp, fn) in twin.count_by_type(*sides).items():
                    assert types.pop((sentence, name, type_)) == (tp + fn, tp, tp + fp, tp)
                pair += 1
    assert pair == len(matches)
    assert not types


@pytest.mark.parametrize("behaviour", MAXMATCH)
@given(st.data())
def test_credit_is_the_twins(behaviour, data):
    gold = data.draw(
        st.lists(
            st.builds(lambda place, texts: Edit(*place, tuple(texts)), PLACES, st.lists(TEXTS, min_size=1, max_size=2)),
            max_size=6,
        )
    )
    proposed = data.draw(st.lists(st.builds(lambda place, text: Edit(*place, (text,)), PLACES, TEXTS), max_size=6))
    moved = data.draw(st.sets(st.sampled_from(range(len(proposed))), max_size=2)) if proposed else set()
    own, theirs = tables([[proposed]], [[gold]])
    own = EditTable(**{**vars(own), "misplaced": dict.fromkeys(moved, "elsewhere")})
    rule = MatchRule("correction", MAXMATCH[behaviour], alternatives=True, by_annotator=True)
    matches = match(theirs, own, rule)
    originals = [
        "elsewhere" if e in moved else " ".join(TOKENS[edit.start : edit.end]) for e, edit in enumerate(proposed)
    ]
    listed = [(e.start, e.end, original, e.corrections[0]) for e, original in zip(proposed, originals, strict=True)]
    expected = credited(TOKENS, listed, gold, behaviour)
    if behaviour != "optimal":
        assert matches.links.tolist() == [[e, g] for e, partners in enumerate(expected) for g in partners]
    assert matches.judged.right.sum() == sum(map(bool, expected))  # of the largest matchings any will do
    assert len(matches.links) == sum(map(len, expected))


@pytest.mark.parametrize("agreement", AGREEMENTS)
def test_conll14_is_the_twins(agreement):
    cases = conll_cases("AMU")
    proposed = EditTable.of_one_annotator([edits_of(case["hypothesis"]) for case in cases])
    gold = EditTable.of(
        [[Annotation(str(a), edits_of(rows)) for a, rows in enumerate(case["references"])] for case in cases]
    )
    counts = match(gold, proposed, MatchRule(agreement)).counts
    twin = Comparison(agreement)
    expected = [
        (tp, tp + fp, tp + fn)
        for case in cases
        for rows in case["references"]
        for tp, fp, fn in [twin.count(*(twin.keyed(compared(edits_of(side))) for side in (case["hypothesis"], rows)))]
    ]
    assert counts.tolist() == list(map(list, expected))
    assert counts[:, 0].sum() > 400


def test_large_numbers_are_compared_too():
    """Keys are one number made of several, which must not run over."""
    far = (1 << 31) - 2
    tables_ = [EditTable.of_one_annotator([[Edit(far, far, ("x",))], [Edit(far - 1, far, ("x",))]]) for _ in range(2)]
    places = np.arange(2)
    assert match(*tables_, MatchRule("correction-and-type"), places).counts[:, 0].tolist() == [1, 1]


def test_sentences_of_the_gold_may_come_in_any_order():
    gold = EditTable.of_one_annotator([[Edit(0, 1, ("x",))], [Edit(1, 2, ("y",))]])
    own = EditTable.of_one_annotator([[Edit(1, 2, ("y",))], [Edit(1, 2, ("y",))], [Edit(0, 1, ("x",))]])
    assert match(gold, own, MatchRule(), [1, 0, 0]).counts.tolist() == [[1, 1, 1], [0, 1, 1], [1, 1, 1]]


def test_no_edit_is_made_before_it_is_looked_at(monkeypatch):
    gold = EditTable.of_one_annotator([[Edit(0, 1, ("x",))]])
    own = EditTable.of_one_annotator([[Edit(0, 1, ("x",))]])
    monkeypatch.setattr("recte.corpus.edit_table.Edit", None)
    matches = match(gold, own, MatchRule())
    assert matches.counts.tolist() == [[1, 1, 1]]
    with pytest.raises(TypeError):
        own[0]

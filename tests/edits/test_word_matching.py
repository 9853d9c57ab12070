"""Word matching against all matchings, and against SciPy's assignment where there are too many to try."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.munkres import published_partners
from oracles.word_matching import cost, edit_distance, least_cost
from recte.edits import word_matching
from recte.edits.word_matching import MATCHING_POSITIONS, UNALIGNED, match_words
from recte.errors import InputError, OptionError, TooLongError

WORDS = st.lists(st.sampled_from(["a", "an", "and", "he", "the", "then", "goes", "go", "gone", "é"]), max_size=6)
LONG = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=30)


def pairs_of(partners):
    return [(i, j) for i, j in enumerate(partners.tolist()) if j != UNALIGNED]


@pytest.mark.parametrize("position", MATCHING_POSITIONS)
@given(source=WORDS, target=WORDS)
def test_no_matching_is_cheaper(position, source, target):
    (partners,) = match_words([source], [target], position=position)
    pairs = pairs_of(partners)
    assert len(pairs) == min(len(source), len(target)) == len({j for _, j in pairs})
    if position == "published":  # which leaves ties as they come
        assert cost(source, target, pairs, "weighed")[0] == least_cost(source, target, "weighed")[0]
    else:
        assert cost(source, target, pairs, position) == least_cost(source, target, position)


@pytest.mark.parametrize("position", MATCHING_POSITIONS)
@given(source=LONG, target=LONG)
def test_costs_as_much_as_scipys_assignment(position, source, target):
    from scipy.optimize import linear_sum_assignment

    distances = np.array([[edit_distance(a, b) for b in target] for a in source], dtype=float)
    apart = np.abs(np.subtract.outer(np.arange(len(source)), np.arange(len(target))))
    longer = max(len(source), len(target))
    costs = distances * longer**2 + apart if position == "tie-break" else distances * longer + apart
    (partners,) = match_words([source], [target], position=position)
    ours = sum(costs[i, j] for i, j in pairs_of(partners))
    assert ours == costs[linear_sum_assignment(costs)].sum()


@given(source=LONG, target=LONG)
def test_ties_are_left_as_munkres_method_leaves_them(source, target):
    (partners,) = match_words([source], [target], position="published")
    assert partners.tolist() == published_partners(source, target)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=70))
def test_sentences_do_not_touch_each_other(pairs):
    together = match_words([a for a, _ in pairs], [b for _, b in pairs])
    alone = [match_words([a], [b])[0] for a, b in pairs]
    assert [p.tolist() for p in together] == [p.tolist() for p in alone]


def test_position_as_a_weight_may_outdo_spelling():
    source, target = ["x", "b", "c", "ab"], ["ab", "b", "c", "x"]
    assert match_words([source], [target])[0].tolist() == [3, 1, 2, 0]
    assert match_words([["ab", "c", "d", "ac"]], [["ac", "c", "d", "ab"]], position="weighed")[0].tolist() == [
        3,
        1,
        2,
        0,
    ]


def test_refusals(monkeypatch):
    with pytest.raises(OptionError, match="position"):
        match_words([], [], position="near")
    with pytest.raises(InputError, match="as many targets as the 1 sources, got 0"):
        match_words([["a"]], [])
    assert (match_words([["a"] * 5000], [["a"] * 5000])[0] == range(5000)).all()
    monkeypatch.setattr(word_matching, "_MOST_WORK", 10_000)
    unlike = [f"x{i}" for i in range(50)], [f"y{i}" for i in range(50)]
    for position in MATCHING_POSITIONS:
        with pytest.raises(TooLongError, match="hypothesis 2: 50 by 50 words are too unlike to match in 10,000 steps"):
            match_words([["a"], unlike[0]], [["a"], unlike[1]], position=position)

"""The sequential choice of annotators for many weightings at once, compared with the published rule done one by one."""

from __future__ import annotations

import numpy as np
import pytest

from oracles.annotator_choice import running_totals
from recte import _kernels
from recte.corpus.counts import ABSENT


def table(seed, sentences, largest, annotators=3):
    """Counts of annotators who disagree, some of them absent, and sentences that nobody would change."""
    draw = np.random.default_rng(seed)
    tp = draw.integers(0, largest + 1, (sentences, annotators))
    rows = np.stack([tp, tp + draw.integers(0, 3, tp.shape), tp + draw.integers(0, 4, tp.shape)], axis=-1)
    rows[draw.random(tp.shape) < 0.2] = ABSENT
    rows[draw.random(sentences) < 0.2] = 0
    return rows.astype(np.int32)


def as_tuples(rows):
    return [[None if ours[0] == ABSENT else tuple(ours) for ours in sentence] for sentence in rows.tolist()]


@pytest.mark.parametrize("beta", [0.5, 1.0, 0.37])
@pytest.mark.parametrize(("sentences", "largest"), [(1, 2), (33, 1), (400, 2), (900, 1), (150, 3000)])
def test_sums_are_those_of_a_choice_one_by_one(sentences, largest, beta):
    rows = table(sentences, sentences, largest)
    draw = np.random.default_rng(1)
    for most in (1, 4):
        weights = draw.integers(0, most + 1, (70, sentences)).astype(np.int32)
        sums = _kernels.sum_choices(rows, weights, beta, 0, 2)
        floats = np.where(rows == ABSENT, np.nan, rows / 2)
        halves = _kernels.sum_choices(floats, weights, beta, 0, 1)
        for place in (0, 1, 63, 64, 69):
            wanted = running_totals(as_tuples(rows), weights[place].tolist(), beta)
            assert sums[place].tolist() == list(wanted)
            assert beta == 0.37 or (2 * halves[place]).tolist() == list(wanted)


def test_large_weights_are_no_other_rule():
    rows, weights = table(5, 40, 2), np.ones((3, 40), np.int32)
    weights[:, 7], weights[1, 33] = 70_000, 66_000
    sums = _kernels.sum_choices(rows, weights, 0.5, 0, 1)
    assert [row.tolist() for row in sums] == [list(running_totals(as_tuples(rows), w.tolist(), 0.5)) for w in weights]


@pytest.mark.parametrize("resamples", [1, 64, 130])
def test_drawing_choosing_and_summing_at_once_is_one_after_the_other(resamples):
    rows = table(9, 2000, 2)
    keys = np.arange(500, 2500, dtype=np.uint64)
    weights = _kernels.poisson_weights(keys, 7, 0, resamples, 1)
    together = _kernels.sum_drawn_choices(rows, keys, 7, 0, np.zeros((resamples, 3)), 0.5, 2)
    assert np.array_equal(together, _kernels.sum_choices(rows, weights, 0.5, 0, 1))


def test_parts_that_go_on_where_others_ended_are_the_whole():
    rows, keys = table(11, 3000, 3), np.arange(3000, dtype=np.uint64)
    whole = _kernels.sum_drawn_choices(rows, keys, 7, 0, np.zeros((200, 3)), 0.5, 1)
    sums = {0: np.zeros((68, 3)), 68: np.zeros((132, 3))}
    for part in (slice(0, 1), slice(1, 1234), slice(1234, 3000)):
        for first, before in sums.items():
            sums[first] = _kernels.sum_drawn_choices(rows[part], keys[part], 7, first, before, 0.5, 1)
    assert np.array_equal(np.concatenate(list(sums.values())), whole)
    with pytest.raises(ValueError, match="before: expected whole numbers"):
        _kernels.sum_drawn_choices(rows, keys, 7, 0, np.full((1, 3), 0.5), 0.5, 1)
    with pytest.raises(ValueError, match="divided by 4"):
        _kernels.sum_drawn_choices(rows, keys, 7, 2, np.zeros((1, 3)), 0.5, 1)


@pytest.mark.parametrize(("sentences", "largest"), [(1, 2), (70, 1), (600, 2), (90, 3000)])
def test_swapped_sums_are_those_of_weightings(sentences, largest):
    both = table(4, 2 * sentences, largest)
    swap = np.random.default_rng(3).integers(2, size=(75, sentences), dtype=np.int8)
    bits = np.packbits(np.ascontiguousarray(swap.T), axis=1, bitorder="little")
    weights = np.empty((75, 2 * sentences), np.int32)
    weights[:, 0::2], weights[:, 1::2] = 1 - swap, swap
    wanted = [_kernels.sum_choices(both, w, 0.5, 0, 1) for w in (weights, 1 - weights)]
    assert np.array_equal(_kernels.sum_swapped(both, bits, 75, 0.5, 2), np.concatenate(wanted))
    one_by_one = running_totals(as_tuples(both), weights[7].tolist(), 0.5)
    assert wanted[0][7].tolist() == list(one_by_one)

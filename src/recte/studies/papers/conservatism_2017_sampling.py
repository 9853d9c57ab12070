"""Figure 2 of Choshen and Abend (2017) as their program sampled it, with the chance of its random numbers.

A bin of 2.5 corrections is two whole ones and a half one, which is as likely to be drawn as a whole one, yet counts as
half a reference: more are drawn than M. And 1,000 repetitions are shared by four processes that begin with the same
random numbers, for every sentence and every M anew. So a figure is the mean of some 250 repetitions, and one stream of
numbers moves all sentences together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recte.studies.coverage.distribution import Distribution

__all__ = ["all_different_coverage", "independent_coverage"]

REPETITIONS = 250
_NOTHING = 1e-3  # what is left of a bin, below which drawing it changes nothing, and the next draw decides

Numbers = NDArray[np.float64]


def independent_coverage(distributions: Sequence[Distribution], references: Sequence[int], seeds: int) -> Numbers:
    """Mean coverage of the sentences by references drawn independently: one row per seed, one column per number.

    A correction that is drawn again covers nothing more, but is a reference, too. The numbers are taken from the stream
    as the program takes them, one after another.
    """
    covered = np.zeros((seeds, len(references)))
    corrections = [_corrections(distribution) for distribution in distributions]
    for seed in range(seeds):
        stream = np.random.default_rng(seed).random(REPETITIONS * max(references) * 8)
        for frequencies, shares in corrections:
            ends = np.cumsum(frequencies)
            drawn = np.minimum(np.searchsorted(ends, stream * ends[-1], side="right"), len(ends) - 1)
            drawn = drawn[shares[drawn] > _NOTHING]
            covered[seed] += [_repeated(drawn, frequencies, shares, number) for number in references]
    return covered / len(distributions)


def _repeated(drawn: NDArray[np.int64], frequencies: Numbers, shares: Numbers, references: int) -> float:
    """What repetitions one after another cover in the mean, each of them so many references long."""
    counted = shares[drawn]
    until = np.concatenate([[0.0], np.cumsum(counted)])
    starts = [0]
    while len(starts) <= REPETITIONS and starts[-1] < len(drawn):
        starts.append(int(np.searchsorted(until, until[starts[-1]] + references - 1e-9)))
    lengths = np.diff(np.minimum(starts, len(drawn)))
    repetition = np.repeat(np.arange(len(lengths)), lengths)
    size = len(repetition)
    wanted = references - (until[:size] - until[np.repeat(starts[:-1], lengths)])
    _, first = np.unique(repetition * len(frequencies) + drawn[:size], return_index=True)
    gained = np.minimum(counted[first], wanted[first]) * frequencies[drawn[first]]
    return float(gained.sum()) / len(lengths)


def all_different_coverage(distributions: Sequence[Distribution], references: Sequence[int], seed: int) -> Numbers:
    """Mean coverage of the sentences by references that are all different, for each number of them."""
    generator = np.random.default_rng(seed)
    total = np.zeros(len(references))
    for distribution in distributions:
        stream = generator.random((4 * REPETITIONS, 4 * max(references)))
        frequencies, shares = _corrections(distribution)
        kept = shares > _NOTHING
        total += _different(frequencies[kept], shares[kept], stream, references)
    return total / len(distributions)


def _different(frequencies: Numbers, shares: Numbers, stream: Numbers, references: Sequence[int]) -> Numbers:
    """Each draw leaves out all that were drawn before the last one; the last one drawn again is nothing new."""
    ends = np.cumsum(frequencies)
    nothing = len(frequencies)
    starts, masses = np.append(ends - frequencies, np.inf), np.append(frequencies, 0.0)
    rows, draws = stream.shape
    counted, found = np.zeros((2, rows, draws))
    active, out, last = np.arange(rows), np.full((rows, 0), nothing), np.full(rows, nothing)
    wanted = np.full(rows, float(max(references)))
    for draw in range(draws):
        left_out = masses[out]
        before = np.cumsum(left_out, axis=1)
        place = stream[active, draw] * (ends[-1] - left_out.sum(axis=1))
        place += np.where(place[:, None] >= starts[out] - before + left_out, left_out, 0).sum(axis=1)
        chosen = np.minimum(np.searchsorted(ends, place, side="right"), nothing - 1)
        new = chosen != last
        counted[active, draw], found[active, draw] = np.where(new, (shares[chosen], frequencies[chosen]), 0)
        wanted -= counted[active, draw]
        going = wanted > 0
        out = np.sort(np.column_stack([out, np.where(new, last, nothing)])[going], axis=1)
        active, last, wanted = active[going], chosen[going], wanted[going]
        if not active.size:
            break
    before = np.cumsum(counted, axis=1) - counted
    return np.array(
        [(np.clip(np.minimum(counted, number - before), 0, None) * found).sum(axis=1).mean() for number in references]
    )


def _corrections(distribution: Distribution) -> tuple[Numbers, Numbers]:
    """Frequency and share of every correction: whole ones, and what is left of a bin; one of each bin first."""
    frequencies, numbers = distribution.arrays()
    whole = np.maximum(np.ceil(numbers).astype(np.int64) - 1, 0)
    bins = np.concatenate([np.arange(len(whole)), np.repeat(np.arange(len(whole)), whole)])
    layers = np.concatenate([np.zeros(len(whole), dtype=np.int64), *(np.arange(1, n + 1) for n in whole)])
    order = np.lexsort((bins, layers))
    bins, layers = bins[order], layers[order]
    return frequencies[bins], np.where(layers < whole[bins], 1.0, numbers[bins] - whole[bins])

"""Is one metric closer to humans than another? Permutation tests that swap what the two metrics say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte.statistics.correlation import correlation
from recte.statistics.permutation import estimate_p, standardise
from recte.studies.metaeval.soft_accuracy import limit_p_values

__all__ = ["MetricTest", "mean_correlation", "soft_accuracy", "swap_cells", "swap_outcomes"]

_BLOCK = 100
_AT_ONCE = 50  # tables that stay in a processor's cache
_SURELY_NOT = 0.5
_MARGIN = 1e-12
_STEPS = 3  # decimals
Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True)
class MetricTest:
    """Two metrics' difference, and how often swapping what they say at random makes it at least as large.

    `p` is one-sided, for `higher` being better than `lower`; the observed scores count as one of the trials.
    """

    statistic: str
    higher: str
    lower: str
    difference: float
    p: float
    swapped: str
    trials: int


def swap_outcomes(
    credits: Floats, groups: NDArray[np.int64], trials: int, seed: int, *, others: NDArray[np.int64] | None = None
) -> Floats:
    """One-sided p-values of differences between metrics whose statistic is a sum of credits.

    `credits` has one row per metric and one column per comparison with humans. Comparisons of one group are swapped
    together: a group each is mt-metrics-eval's "pairs" test; sentences as groups respect that comparisons of one
    sentence hang together. Result: row above column, p that the row's lead is chance.

    `others` are the groups of the second side, where comparisons are across groups. What is swapped with a group is
    then all that hangs on it: each comparison with one of its sides there. A comparison across groups so counts with
    both, which is the spread of a mean over pairs (Hoeffding 1948): twice that of a mean over as many groups.

    >>> bool(swap_outcomes(np.array([[1.0] * 8, [0.0] * 8]), np.arange(8), 2000, 1)[0, 1] < 0.02)
    True
    """
    others = groups if others is None else others
    count = int(max(groups.max(initial=-1), others.max(initial=-1))) + 1
    across = groups != others
    by_group = np.stack(
        [
            np.bincount(groups, weights=row, minlength=count)
            + np.bincount(others[across], weights=row[across], minlength=count)
            for row in credits
        ]
    )
    first, second = (index.reshape(-1) for index in np.indices((len(credits), len(credits))))
    totals = credits.sum(axis=1)
    observed = totals[first] - totals[second]
    generator = np.random.default_rng(seed)
    larger = np.zeros(len(first))
    for begin in range(0, trials, _BLOCK):
        size = min(_BLOCK, trials - begin)
        signs = 2.0 * generator.integers(2, size=(size, count)) - 1
        moved = signs @ by_group.T
        larger += (moved[:, first] - moved[:, second] >= observed - _MARGIN * max(1.0, count)).sum(axis=0)
    return estimate_p(larger, trials).reshape(len(credits), len(credits))


def swap_cells(statistic: Statistic, first: Floats, second: Floats, trials: int, seed: int) -> tuple[float, float]:
    """The difference of a statistic, and the one-sided p that the first's lead is chance (mt-metrics-eval's "scores").

    Both tables are brought to mean 0 and deviation 1, then every cell is swapped or not. `statistic` takes a stack of
    tables. It stops early where p is far above anything one would believe (0.5), as the published test does.

    >>> table = np.arange(12.0).reshape(3, 4)
    >>> swap_cells(lambda tables: tables[:, 0, 0], table, table, 100, 1)
    (0.0, 1.0)
    """
    a, b = (standardise(side) for side in (first, second))
    both = a.view(np.int64) ^ b.view(np.int64)  # what of two is not the one is the other, to the last bit
    observed = float((statistic(a[None]) - statistic(b[None]))[0])
    generator = np.random.default_rng(seed)
    larger = done = 0
    while done < trials and not (done and larger > _SURELY_NOT * done):
        size = min(_BLOCK, trials - done)
        bits = np.frombuffer(generator.bytes(size * a.size // 8 + 1), dtype=np.uint8)
        swapped = np.unpackbits(bits, count=size * a.size).reshape(size, *a.shape).view(np.bool_)
        for part in range(0, size, _AT_ONCE):
            tables = np.where(swapped[part : part + _AT_ONCE], b, a)
            differences = statistic(tables) - statistic((tables.view(np.int64) ^ both).view(np.float64))
            larger += int((differences >= observed - _MARGIN).sum())
        done += size
    return observed, estimate_p(larger, done)


def mean_correlation(kind: str, gold: Floats, average: str) -> Statistic:
    """The mean over rows of `pearson` or `kendall` of a stack of tables; an undefined row is left out, none is 0."""
    humans = {"item": gold.T, "system": gold, "none": gold.reshape(1, -1)}[average]
    rated = ~np.isnan(humans)
    long_enough = rated.sum(axis=1) > 1
    humans, rated = np.nan_to_num(humans[long_enough]), rated[long_enough]

    def statistic(tables: Floats) -> Floats:
        rows = tables.transpose(0, 2, 1) if average == "item" else tables
        if average == "none":
            rows = tables.reshape(len(tables), 1, -1)
        scores = rows[:, long_enough]
        values = correlation(kind, humans, scores, where=rated)
        defined = ~np.isnan(values)
        means: Floats = np.nan_to_num(values).sum(axis=1) / np.maximum(defined.sum(axis=1), 1)
        return means

    return statistic


def soft_accuracy(wanted: Floats, rated: NDArray[np.bool_]) -> Statistic:
    """Soft pairwise accuracy of a stack of tables, its p-values by the normal limit of swapping outputs at random.

    The limit is within a hundredth of drawn p-values for a hundred sentences, and thousands of tables take a second.
    It is rounded to the steps that a thousand drawn swaps have: nobody believes in less, nor shall the test.
    """

    def statistic(tables: Floats) -> Floats:
        accuracy: Floats = 1 - np.abs(limit_p_values(tables, rated).round(_STEPS) - wanted.round(_STEPS)).mean(axis=1)
        return accuracy

    return statistic

"""Soft pairwise accuracy (Thompson et al. 2024): how near a metric's certainty about two systems comes to humans'."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recte.human.expected_wins import wins_of
from recte.human.judgments import Judgments

__all__ = ["human_p_values", "metric_p_values", "soft_pairwise_accuracy"]

_BLOCK = 500


def soft_pairwise_accuracy(human: NDArray[np.float64], metric: NDArray[np.float64]) -> float:
    """One less the mean distance of the p-values, one for each pair of systems."""
    return float(1 - np.abs(human - metric).mean())


def human_p_values(judgments: Judgments) -> NDArray[np.float64]:
    """For each pair of systems, how likely the first would have won so often if both were as good, ties left out.

    One-sided, and counting what is just as likely half, so that the order of the two does not matter.
    """
    from scipy.stats import binom

    wins = wins_of(judgments.table())
    first, second = np.triu_indices(len(judgments.systems), 1)
    won, decided = wins[first, second], (wins + wins.T)[first, second]
    p: NDArray[np.float64] = binom.sf(won, decided, 0.5) + binom.pmf(won, decided, 0.5) / 2
    return p


def metric_p_values(sentences: NDArray[np.float64], trials: int, seed: int) -> NDArray[np.float64]:
    """The same of a metric: how often swapping the two systems' outputs at random makes the first's lead as large."""
    first, second = np.triu_indices(len(sentences), 1)
    sums = sentences.sum(axis=1)
    observed = sums[first] - sums[second]
    margin = 1e-9 * np.abs(sentences).sum()  # sums in another order differ by their rounding
    generator = np.random.default_rng(seed)
    larger = np.zeros(len(first))
    for begin in range(0, trials, _BLOCK):
        size = min(_BLOCK, trials - begin)
        signs = 2.0 * generator.integers(2, size=(size, sentences.shape[1])) - 1
        swapped = signs @ sentences.T
        leads = swapped[:, first] - swapped[:, second] - observed
        larger += (leads > margin).sum(axis=0) + 0.5 * (np.abs(leads) <= margin).sum(axis=0)
    return larger / trials

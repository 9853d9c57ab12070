"""Soft pairwise accuracy (Thompson et al. 2024): how near a metric's certainty about two systems comes to humans'."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.studies.human.judgments import Judgments
from recte.studies.human.ranking import wins_of

__all__ = [
    "PermutedShares",
    "human_p_values",
    "limit_p_values",
    "permute_p_values",
    "permute_shares",
    "soft_pairwise_accuracy",
]

_BLOCK = 500
Floats = NDArray[np.float64]


def soft_pairwise_accuracy(human: NDArray[np.float64], metric: NDArray[np.float64]) -> float:
    """One less the mean distance of the p-values, one for each pair of systems."""
    return float(1 - np.abs(human - metric).mean())


def human_p_values(judgments: Judgments) -> NDArray[np.float64]:
    """For each pair of systems, how likely the first would have won so often if both were as good, ties left out.

    One-sided, and counting what is just as likely half, so that the order of the two does not matter.
    """
    from scipy.special import bdtrc

    wins = wins_of(judgments.table())
    first, second = np.triu_indices(len(judgments.systems), 1)
    won, decided = wins[first, second], (wins + wins.T)[first, second]
    # The tail from `won` on and the tail beyond it; their mean counts `won` itself half.
    from_won = np.where(won > 0, bdtrc(won - 1, decided, 0.5), 1.0)
    beyond: Floats = bdtrc(won, decided, 0.5)
    return np.where(decided > 0, (from_won + beyond) / 2, 0.5)


def permute_p_values(
    table: Floats, trials: int, seed: int, *, rated: NDArray[np.bool_] | None = None, signs: Floats | None = None
) -> Floats:
    """The same of ratings or scores, one for each system and sentence; NaN, or not `rated`, where there is none.

    Two systems are compared on the sentences that both have. What is just as large counts half, so that the order of
    systems does not matter. `signs` gives the swaps (1 or -1, one row per trial) instead of drawing them.
    """
    return permute_shares(table, trials, seed, rated=rated, signs=signs).p_values()


class PermutedShares(NamedTuple):
    """Of each two systems, the share of swaps that make the first's lead larger, and of those that leave it as it is.

    >>> PermutedShares(np.array([0.25]), np.array([0.5])).p_values().tolist()
    [0.5]
    """

    larger: Floats
    tied: Floats

    def p_values(self, tie: float = 0.5) -> Floats:
        """A tie counts half; as published 1, or 0 with the systems in reverse order."""
        p: Floats = self.larger + tie * self.tied
        return p


def permute_shares(
    table: Floats, trials: int, seed: int, *, rated: NDArray[np.bool_] | None = None, signs: Floats | None = None
) -> PermutedShares:
    """What the p-values of `permute_p_values` are made of."""
    known = ~np.isnan(table) if rated is None else rated
    first, second = np.triu_indices(len(table), 1)
    values = np.where(known, table, 0.0)
    complete = bool(known.all())
    apart = None if complete else (values[first] - values[second]) * (known[first] & known[second])
    observed = values.sum(axis=1)[first] - values.sum(axis=1)[second] if apart is None else apart.sum(axis=1)
    margin = 1e-9 * np.abs(values).sum()  # sums in another order differ by their rounding
    generator = np.random.default_rng(seed)
    larger, tied = np.zeros(len(first)), np.zeros(len(first))
    total = trials if signs is None else len(signs)
    for begin in range(0, total, _BLOCK):
        size = min(_BLOCK, total - begin)
        if signs is None:
            drawn = 2.0 * generator.integers(2, size=(size, table.shape[1])) - 1
        else:
            drawn = signs[begin : begin + size]
        if apart is None:
            swapped = drawn @ values.T
            leads = swapped[:, first] - swapped[:, second] - observed
        else:
            leads = drawn @ apart.T - observed
        larger += (leads > margin).sum(axis=0)
        tied += (np.abs(leads) <= margin).sum(axis=0)
    return PermutedShares(larger / total, tied / total)


def limit_p_values(tables: Floats, rated: NDArray[np.bool_]) -> Floats:
    """The same for a stack of tables, as for ever more sentences: a lead is as likely as under a normal distribution
    with the variance of random swaps, the sum of squared differences.

    >>> limit_p_values(np.zeros((1, 2, 3)), np.ones((2, 3), dtype=bool)).tolist()
    [[0.5]]
    """
    from scipy.special import ndtr

    first, second = np.triu_indices(tables.shape[1], 1)
    if rated.all():  # everything is in the sums of systems and the products of two
        products = tables @ tables.transpose(0, 2, 1)
        sums, squares = tables.sum(axis=2), np.diagonal(products, axis1=1, axis2=2)
        lead, scale = sums[:, first] - sums[:, second], squares[:, first] + squares[:, second]
    else:
        known = rated.astype(np.float64)
        values = tables * known
        products = values @ values.transpose(0, 2, 1)
        both_sums, both_squares = values @ known.T, values**2 @ known.T
        lead = (both_sums - both_sums.transpose(0, 2, 1))[:, first, second]
        scale = (both_squares + both_squares.transpose(0, 2, 1))[:, first, second]
    variance = scale - 2 * products[:, first, second]
    told = variance > 1e-12 * scale
    p: Floats = ndtr(np.divide(-lead, np.sqrt(np.where(told, variance, 1.0)), out=np.zeros_like(lead), where=told))
    return p

"""Expected Wins (Bojar et al. 2013): how often a system wins against another one chosen at random, ties left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recte.studies.human.judgments import system_count

__all__ = ["expected_wins", "wins_of"]


def wins_of(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tables of pairs by outcome as square ones: how often the system of a row was better than that of a column.

    >>> wins_of(np.array([[2, 5, 3]])).tolist()
    [[0, 3], [2, 0]]
    """
    systems = system_count(tables.shape[-2])
    first, second = np.triu_indices(systems, 1)
    wins = np.zeros((*tables.shape[:-2], systems, systems), dtype=np.int64)
    wins[..., first, second] = tables[..., 2]
    wins[..., second, first] = tables[..., 0]
    return wins


def expected_wins(tables: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each system's mean share of wins over its opponents; opponents never told apart from it are left out.

    >>> expected_wins(np.array([[2, 5, 3]])).tolist()
    [0.6, 0.4]
    """
    wins = wins_of(tables).astype(np.float64)
    decided = wins + np.swapaxes(wins, -1, -2)
    met = decided > 0
    shares = np.divide(wins, decided, out=np.zeros_like(wins), where=met)
    opponents = met.sum(axis=-1)
    mean: NDArray[np.float64] = np.divide(
        shares.sum(axis=-1), opponents, out=np.full(opponents.shape, 0.5), where=opponents > 0
    )
    return mean

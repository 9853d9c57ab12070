"""Rank ranges of systems over resampled scores, and clusters of systems that these do not tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recte.errors import check_choice

__all__ = ["CLUSTER_RULES", "clusters", "rank_ranges"]

CLUSTER_RULES = ("strict", "published")


def rank_ranges(scores: NDArray[np.float64], level: float = 0.95) -> list[tuple[int, int]]:
    """The best and the worst rank of each system (a column), the same number of resamples (rows) cut at each end.

    Systems with equal scores share the best of their ranks.

    >>> rank_ranges(np.array([[0.9, 0.5, 0.1], [0.9, 0.1, 0.5]]))
    [(1, 1), (2, 3), (2, 3)]
    """
    from scipy.stats import rankdata

    resamples = len(scores)
    cut = min(round(resamples * (1 - level) / 2), (resamples - 1) // 2)
    ordered = np.sort(rankdata(-scores, method="min", axis=1).astype(np.int64), axis=0)
    return list(zip(ordered[cut].tolist(), ordered[resamples - 1 - cut].tolist(), strict=True))


def clusters(ranges: Sequence[tuple[int, int]], rule: str = "strict") -> list[int]:
    """The cluster (from 1) of each system, given in order of score.

    By the `strict` rule one ends where every range so far is better than every later one: ranges of different clusters
    never overlap. The `published` rule (Bojar et al. 2013) looks at the last system's range alone, and parts systems
    whose ranges overlap where a worse system's range is narrower.

    >>> clusters([(1, 1), (2, 3), (2, 4), (3, 4), (5, 5)])
    [1, 2, 2, 2, 3]
    >>> clusters([(1, 3), (2, 2), (3, 3)]), clusters([(1, 3), (2, 2), (3, 3)], "published")
    ([1, 1, 1], [1, 1, 2])
    """
    check_choice("cluster_rule", rule, CLUSTER_RULES)
    numbers, current = [], 1
    for place in range(1, len(ranges) + 1):
        numbers.append(current)
        ended = ranges[place - 1 : place] if rule == "published" else ranges[:place]
        if place < len(ranges) and max(worst for _, worst in ended) < min(best for best, _ in ranges[place:]):
            current += 1
    return numbers

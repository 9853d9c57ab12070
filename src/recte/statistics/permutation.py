"""Permutation tests of two metrics' correlations (Deutsch et al. 2021): could the scores as well be each other's?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recte.errors import check_choice
from recte.statistics.correlation import correlation

__all__ = ["PERMUTED", "PermutationTest", "estimate_p", "permutation_test", "standardise", "two_sided_p"]

_Count = TypeVar("_Count", float, NDArray[np.float64])

PERMUTED = ("systems", "inputs", "both")
_BLOCK = 500


@dataclass(frozen=True)
class PermutationTest:
    """Two metrics' difference in correlation, and how often swapping their scores at random makes it as large.

    `p` is two-sided, `p_one_sided` for the first being better; both count the observed scores as one of the trials.
    """

    correlation: str
    first: str
    second: str
    difference: float
    p: float
    p_one_sided: float
    permuted: str
    trials: int
    seed: int


def permutation_test(
    kind: str,
    human: NDArray[np.float64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    *,
    permuted: str,
    trials: int,
    seed: int,
) -> tuple[float, float, float]:
    """The difference and its p-values, two-sided and one-sided.

    Scores are one a system, or sentence scores, whose mean is the system's. With `systems` a system's are swapped
    whole, with `inputs` a sentence's of all systems; `both` does one after the other. Each side is brought to mean 0
    and deviation 1 first, since metrics differ in scale.
    """
    check_choice("permute", permuted, PERMUTED)
    a, b = (standardise(side.reshape(len(human), -1)) for side in (first, second))
    observed = float(_difference(kind, human, a.mean(axis=1), b.mean(axis=1)))
    generator = np.random.default_rng(seed)
    apart = b - a
    extreme = one_sided = 0
    for begin in range(0, trials, _BLOCK):
        size = min(_BLOCK, trials - begin)
        moved = _draw_sums(permuted, apart, size, generator) / a.shape[1]
        differences = _difference(kind, human, a.mean(axis=1) + moved, b.mean(axis=1) - moved)
        extreme += int((np.abs(differences) >= abs(observed) - 1e-12).sum())
        one_sided += int((differences >= observed - 1e-12).sum())
    return observed, estimate_p(extreme, trials), estimate_p(one_sided, trials)


def _draw_sums(
    permuted: str, apart: NDArray[np.float64], size: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """What random swaps add to the sum of the first metric's scores of each system, a row a trial."""
    systems, inputs = apart.shape
    whole = generator.integers(2, size=(size, systems)) if permuted != "inputs" else np.zeros((size, systems), np.int64)
    if permuted == "systems":
        by_input = np.zeros((size, systems))
    else:
        by_input = generator.integers(2, size=(size, inputs)).astype(np.float64) @ apart.T
    # A score is swapped where its system or its input is; where both are, it is swapped back.
    return np.where(whole == 1, apart.sum(axis=1) - by_input, by_input)


def estimate_p(extreme: _Count, draws: int) -> _Count:
    """The p-value of an observation: the share of draws at least as extreme, itself counted among them.

    >>> estimate_p(4, 99)
    0.05
    """
    return (extreme + 1) / (draws + 1)


def two_sided_p(drawn: NDArray[np.float64]) -> float:
    """The two-sided p-value of a difference from its resamples: twice the share beyond 0, at most 1.

    >>> two_sided_p(np.array([-1.0, 1.0, 2.0]))
    1.0
    """
    at_least = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return min(1.0, 2 * (at_least + 1) / (len(drawn) + 1))


def standardise(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores with mean 0 and, unless all are equal, deviation 1.

    >>> standardise(np.array([1.0, 3.0])).tolist()
    [-1.0, 1.0]
    """
    spread = scores.std()
    centred: NDArray[np.float64] = scores - scores.mean()
    return centred / spread if spread > 0 else centred


def _difference(
    kind: str, human: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    # A metric that tells nothing apart does not correlate.
    return np.nan_to_num(correlation(kind, human, a)) - np.nan_to_num(correlation(kind, human, b))

"""UNSEENEST: the distribution of corrections, unseen ones included, from how often answers repeat (Zou et al. 2015).

A fingerprint says how many distinct answers were given once, twice, …; the estimate is the distribution on a grid of
frequencies whose expected fingerprint is nearest to it, found by a linear program.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from recte.coverage.distribution import Distribution
from recte.errors import InputError

__all__ = ["Unseen", "chao1", "fingerprint", "good_turing", "unseen"]

_GRID_FACTOR = 1.05  # steps of the grid, as published
_SMALLEST = 1 / 100  # the rarest correction that is thought of, in answers
_MOST_VARIANTS = 6.5e7  # more corrections than this are not believed, as published


@dataclass(frozen=True)
class Unseen:
    """The estimated distribution, and how far its expected fingerprint is from the one seen."""

    distribution: Distribution
    objective: float


def fingerprint(answers: Iterable[Hashable]) -> tuple[int, ...]:
    """How many distinct answers were given once, twice, ….

    >>> fingerprint(["a", "b", "a", "c"])
    (2, 1)
    """
    counted: dict[Hashable, int] = {}
    for answer in answers:
        counted[answer] = counted.get(answer, 0) + 1
    times = list(counted.values())
    return tuple(times.count(i) for i in range(1, max(times, default=0) + 1))


def unseen(seen: Sequence[int]) -> Unseen:
    """UNSEENEST (section 3.2), from a fingerprint.

    >>> round(unseen((15, 2, 1, 0, 1, 1, 1, 0, 0, 1)).objective, 4)
    2.6589
    """
    from scipy.optimize import linprog
    from scipy.stats import binom

    f = _checked(seen)
    n, answers = len(f), sum(i * count for i, count in enumerate(f, 1))
    smallest, largest = _SMALLEST / answers, n / answers
    points = math.ceil(math.log(largest / smallest) / math.log(_GRID_FACTOR)) + 1
    x = np.minimum(smallest * _GRID_FACTOR ** np.arange(points), 1)  # the last step may lie above what can be
    padded = np.concatenate([f, np.zeros(math.ceil(math.sqrt(n)))])
    expected = binom.pmf(np.arange(1, len(padded) + 1)[:, None], answers, x)
    # Unknown are the masses x·h (which keeps the program's numbers near 1) and the distances up and down.
    weights = 1 / np.sqrt(padded + 1)
    identity = np.eye(len(padded))
    found = linprog(
        c=np.concatenate([np.zeros(points), weights, weights]),
        A_eq=np.vstack(
            [
                np.hstack([expected / x, identity, -identity]),
                np.concatenate([np.ones(points), np.zeros(2 * len(padded))]),
            ]
        ),
        b_eq=np.concatenate([padded, [1.0]]),
        A_ub=np.concatenate([1 / x, np.zeros(2 * len(padded))])[None, :],
        b_ub=[_MOST_VARIANTS],
        bounds=(0, None),
        method="highs",
    )
    if found.x is None:
        raise InputError(
            f"UNSEENEST: the linear program of the fingerprint {tuple(seen)} was not solved: {found.message}"
        )
    masses = found.x[:points]
    return Unseen(Distribution.of(x, masses / x), float(found.fun))


def good_turing(seen: Sequence[int]) -> float:
    """The probability that the next answer is none of those seen (Good 1953): answers given once over all answers.

    >>> good_turing((2, 1))
    0.5
    """
    f = _checked(seen)
    return float(f[0] / sum(i * count for i, count in enumerate(f, 1)))


def chao1(seen: Sequence[int]) -> float:
    """A lower bound of the number of distinct corrections, bias-corrected (Chao 1984).

    >>> chao1((2, 1))
    3.375
    """
    f = _checked(seen)
    answers = sum(i * count for i, count in enumerate(f, 1))
    twice = f[1] if len(f) > 1 else 0
    return float(sum(f) + (answers - 1) / answers * f[0] * (f[0] - 1) / (2 * (twice + 1)))


def _checked(seen: Sequence[int]) -> list[int]:
    if not any(seen) or any(count < 0 for count in seen):
        raise InputError(f"fingerprint: expected how many answers were given once, twice, …, got {tuple(seen)}")
    return list(seen)

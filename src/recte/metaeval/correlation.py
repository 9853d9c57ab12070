"""How far two rankings of the same systems go together, for one or for many resamples at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError
from recte.human.average_ranks import average_ranks

__all__ = ["CORRELATIONS", "Williams", "correlation", "williams"]

CORRELATIONS = ("pearson", "spearman", "kendall", "pairwise_accuracy")


def correlation(kind: str, human: NDArray[np.float64], metric: NDArray[np.float64]) -> NDArray[np.float64]:
    """The statistic along the last axis; NaN where one side is constant.

    `kendall` is τ-b. `pairwise_accuracy` is the share of the pairs that humans tell apart which the metric puts in the
    same order; a metric's tie is no agreement.

    >>> float(correlation("pairwise_accuracy", np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])))
    0.6666666666666666
    """
    if kind == "pearson":
        return _pearson(human, metric)
    if kind == "spearman":
        return _pearson(average_ranks(human), average_ranks(metric))
    if kind not in CORRELATIONS:
        raise OptionError(f"correlation: expected one of {', '.join(CORRELATIONS)}, got {kind!r}")
    first, second = np.triu_indices(human.shape[-1], 1)
    a, b = (np.sign(side[..., first] - side[..., second]) for side in (human, metric))
    if kind == "kendall":
        return _ratio((a * b).sum(axis=-1), np.sqrt(np.abs(a).sum(axis=-1) * np.abs(b).sum(axis=-1)))
    return _ratio(((a == b) & (a != 0)).sum(axis=-1), (a != 0).sum(axis=-1))


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    # A constant side leaves rounding errors behind, which must not count as spread.
    scales = [np.abs(side).max(axis=-1) for side in (x, y)]
    squares = [(side**2).sum(axis=-1) for side in (a, b)]
    constant = np.logical_or(*(q <= 1e-24 * s**2 for q, s in zip(squares, scales, strict=True)))
    ratio = _ratio((a * b).sum(axis=-1), np.where(constant, 0.0, np.sqrt(squares[0] * squares[1])))
    return np.clip(ratio, -1.0, 1.0)


def _ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    top, bottom = np.broadcast_arrays(np.asarray(numerator, dtype=np.float64), denominator)
    ratio: NDArray[np.float64] = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return ratio


@dataclass(frozen=True)
class Williams:
    """Williams' test: t with n - 3 degrees of freedom, and the probability of a difference as large by chance.

    Both are None where the correlations leave no room for the statistic.
    """

    t: float | None
    p: float | None


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Whether one of two metrics correlates better with humans, one-tailed (Williams 1959; Graham and Baldwin 2014).

    r12 and r13 are the metrics' correlations with humans, signed; r23 that of the metrics with each other.

    >>> round(williams(0.691, -0.250, 0.166, 13).t, 3) > 0
    True
    """
    from scipy.special import stdtr  # scipy.stats takes longer to load than most studies to run

    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if n <= 3 or not (abs(r12) <= 1 and abs(r13) <= 1 and abs(r23) <= 1):
        return Williams(None, None)
    spread = 2 * max(k, 0.0) * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if spread <= 0:
        return Williams(None, None)
    value = (r12 - r13) * sqrt((n - 1) * (1 + r23)) / sqrt(spread)
    return Williams(value, float(stdtr(n - 3, -abs(value))))

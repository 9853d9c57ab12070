"""Ranks and correlations, for one pair of score lists or for many resamples at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import check_choice

__all__ = ["CORRELATIONS", "Williams", "average_ranks", "correlation", "correlation_p", "ratio_or_nan"]
__all__ += ["spearman_of_places", "tau_b", "williams"]

Floats = NDArray[np.float64]

CORRELATIONS = ("pearson", "spearman", "kendall", "pairwise_accuracy")


def correlation(kind: str, human: Floats, metric: Floats, *, where: NDArray[np.bool_] | None = None) -> Floats:
    """The statistic along the last axis, of the cells that `where` says or of all; NaN where one side is constant.

    `kendall` is τ-b. `pairwise_accuracy` is the share of the pairs with different human scores which the metric puts in
    the same order; a metric's tie is no agreement.

    >>> float(correlation("pairwise_accuracy", np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])))
    0.6666666666666666
    """
    check_choice("correlation", kind, CORRELATIONS)
    if kind == "pearson":
        return _pearson(human, metric, np.ones(human.shape[-1], np.bool_) if where is None else where)
    if kind == "spearman":
        return correlation("pearson", average_ranks(human), average_ranks(metric))
    first, second = np.triu_indices(human.shape[-1], 1)
    a, b = (np.sign(side[..., first] - side[..., second]) for side in (human, metric))
    if where is not None:
        both = where[..., first] & where[..., second]
        a, b = a * both, b * both
    if kind == "kendall":
        return tau_b((a * b).sum(axis=-1), np.abs(a).sum(axis=-1), np.abs(b).sum(axis=-1))
    return ratio_or_nan(((a == b) & (a != 0)).sum(axis=-1), (a != 0).sum(axis=-1))


def correlation_p(r: float, n: int) -> float | None:
    """Two-sided p of Pearson's r or Spearman's ρ of n pairs, by Student's t with n - 2 degrees of freedom.

    0 where the correlation is perfect; None where n is below 3 or r is not a number.

    >>> round(correlation_p(0.5, 16), 4)
    0.0486
    """
    from scipy.special import stdtr  # scipy.stats takes longer to load than most studies to run

    if n < 3 or not abs(r) <= 1:
        return None
    if abs(r) == 1:
        return 0.0
    return 2 * float(stdtr(n - 2, -abs(r) * sqrt((n - 2) / (1 - r * r))))


def tau_b(surplus: Floats, untied: Floats, metric_untied: Floats) -> Floats:
    """Kendall's τ-b: pairs in the same order less those in opposite order, over the mean of the pairs without a tie.

    The mean is the geometric one of both sides' numbers.

    >>> float(tau_b(np.array(1.0), np.array(4.0), np.array(1.0)))
    0.5
    """
    return ratio_or_nan(surplus, np.sqrt(untied * metric_untied))


def spearman_of_places(places: NDArray[np.int32]) -> float:
    """Spearman's ρ between the positions of some words and their distinct places elsewhere.

    >>> spearman_of_places(np.array([0, 1, 2])), spearman_of_places(np.array([5, 3, 1]))
    (1.0, -1.0)
    """
    n = len(places)
    ranks = np.empty(n, dtype=np.int64)
    ranks[np.argsort(places)] = np.arange(n)
    squares = int(((ranks - np.arange(n)) ** 2).sum())
    return 1 - 6 * squares / (n * (n * n - 1))


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ranks along the last axis; NaN throughout a row that holds one.

    >>> average_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    size = values.shape[-1]
    places = np.arange(size)
    new = np.ones(values.shape, dtype=np.bool_)  # where a run of equal values begins
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    begin = np.maximum.accumulate(np.where(new, places, 0), axis=-1)
    last = np.ones(values.shape, dtype=np.bool_)
    last[..., :-1] = new[..., 1:]
    end = np.minimum.accumulate(np.where(last, places, size)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape, dtype=np.float64)
    np.put_along_axis(ranks, order, (begin + end) / 2 + 1, axis=-1)
    return np.where(np.isnan(values).any(axis=-1, keepdims=True), np.nan, ranks)


def _pearson(x: Floats, y: Floats, where: NDArray[np.bool_]) -> Floats:
    cells = where.sum(axis=-1, keepdims=True)
    a, b = (np.where(where, side - (side * where).sum(axis=-1, keepdims=True) / cells, 0.0) for side in (x, y))
    # A constant side leaves rounding errors behind, which must not count as spread.
    scales = [np.abs(side * where).max(axis=-1) for side in (x, y)]
    squares = [(side**2).sum(axis=-1) for side in (a, b)]
    constant = np.logical_or(*(q <= 1e-24 * s**2 for q, s in zip(squares, scales, strict=True)))
    ratio = ratio_or_nan((a * b).sum(axis=-1), np.where(constant, 0.0, np.sqrt(squares[0] * squares[1])))
    return np.clip(ratio, -1.0, 1.0)


def ratio_or_nan(numerator: NDArray[Any], denominator: NDArray[Any]) -> Floats:
    """The ratio, NaN where the denominator is not above 0.

    >>> ratio_or_nan(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    top, bottom = np.broadcast_arrays(np.asarray(numerator, dtype=np.float64), denominator)
    ratio: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return ratio


@dataclass(frozen=True)
class Williams:
    """Williams' test: t with n - 3 degrees of freedom, and the probability of a difference as large by chance.

    Both are None where the correlations do not allow the statistic.
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

"""How far raters agree on ratings: Krippendorff's α, Cohen's κ with weights, intraclass correlations.

A table of ratings has one row per rater and one column per unit (one output of one system); NaN where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, check_choice

__all__ = ["ICC_KINDS", "KAPPA_WEIGHTS", "LEVELS", "icc", "krippendorff_alpha", "weighted_kappa"]

LEVELS = ("nominal", "ordinal", "interval", "ratio")
KAPPA_WEIGHTS = ("none", "linear", "quadratic")
ICC_KINDS = ("1,1", "A,1", "C,1", "1,k", "A,k", "C,k")
_FEWEST = 2
Floats = NDArray[np.float64]


def krippendorff_alpha(ratings: Floats, level: str = "interval") -> float | None:
    """Krippendorff's α: 1 is full agreement, 0 is chance; None where only one value occurs, or no unit has two ratings.

    `level` says how far apart two values are: `nominal` (different or not), `ordinal` (by how many ratings lie between
    them), `interval` (by their squared difference), `ratio` (relative to their sum).

    >>> krippendorff_alpha(np.array([[1.0, 2.0, 3.0, 1.0], [1.0, 2.0, 3.0, 1.0]]))
    1.0
    """
    check_choice("level", level, LEVELS)
    rated = ~np.isnan(ratings)
    is_used = rated.sum(axis=0) >= _FEWEST
    values, codes = np.unique(ratings[:, is_used][rated[:, is_used]], return_inverse=True)
    if len(values) < _FEWEST:
        return None
    units = np.broadcast_to(np.arange(int(is_used.sum())), rated[:, is_used].shape)[rated[:, is_used]]
    counts = np.zeros((int(is_used.sum()), len(values)))  # how often each unit has each value
    np.add.at(counts, (units, codes.reshape(-1)), 1.0)
    in_unit = counts.sum(axis=1)
    weighted = counts / (in_unit - 1)[:, None]
    coincidences = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    totals = counts.sum(axis=0)
    distances = _distances(level, values, totals)
    expected = float(totals @ distances @ totals)
    return 1.0 - (float(totals.sum()) - 1) * float((coincidences * distances).sum()) / expected


def _distances(level: str, values: Floats, totals: Floats) -> Floats:
    """How far apart each two values are, squared."""
    apart: Floats = np.abs(values[:, None] - values[None, :])
    if level == "nominal":
        return (apart > 0).astype(np.float64)
    if level == "interval":
        return apart**2
    if level == "ratio":
        sums = np.abs(values[:, None] + values[None, :])
        return np.divide(apart, sums, out=np.zeros_like(apart), where=sums > 0) ** 2
    middles = np.cumsum(totals) - totals / 2
    between: Floats = (middles[:, None] - middles[None, :]) ** 2
    return between


def weighted_kappa(
    first: Floats, second: Floats, *, weights: str = "quadratic", scale: Sequence[float] | None = None
) -> float | None:
    """Cohen's κ of two raters over the units that both rated; None where chance leaves nothing to agree on.

    Disagreements weigh by how many places two categories are apart (`linear`) or the square of that (`quadratic`).
    Categories are the values that occur. `scale` names all values a rater could give: without it, a value that nobody
    used narrows the gap between its neighbours.

    >>> weighted_kappa(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]), weights="linear")
    0.5714285714285714
    """
    check_choice("weights", weights, KAPPA_WEIGHTS)
    both = ~np.isnan(first) & ~np.isnan(second)
    if not both.any():
        return None
    pair = np.stack([first[both], second[both]])
    values = np.unique(pair) if scale is None else np.unique(np.asarray(scale, dtype=np.float64))
    places = np.searchsorted(values, pair).clip(max=len(values) - 1)
    if not np.array_equal(values[places], pair):
        outside = pair[values[places] != pair][0]
        raise InputError(f"scale: expected every rating to be one of its values, got {outside:g}")
    observed = np.zeros((len(values), len(values)))
    np.add.at(observed, (places[0], places[1]), 1.0)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    apart = np.abs(np.subtract.outer(np.arange(len(values)), np.arange(len(values)))).astype(np.float64)
    cost = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    by_chance = float((cost * expected).sum())
    return 1.0 - float((cost * observed).sum()) / by_chance if by_chance > 0 else None


def icc(ratings: Floats, kind: str = "A,1") -> float | None:
    """Intraclass correlation of the units that all raters rated (McGraw and Wong 1996); None where it is undefined.

    `kind` is "1" (raters differ from unit to unit), "A" (absolute agreement) or "C" (consistency), for one rater ("1")
    or the mean of all ("k"). Shrout and Fleiss call A "2" and C "3".

    >>> round(icc(np.array([[1.0, 2.0, 4.0], [2.0, 2.0, 5.0]])), 3)
    0.882
    """
    check_choice("kind", kind, ICC_KINDS)
    table = ratings[:, ~np.isnan(ratings).any(axis=0)].T
    units, raters = table.shape
    if units < _FEWEST or raters < _FEWEST:
        return None
    mean = table.mean()
    of_units, of_raters = table.mean(axis=1), table.mean(axis=0)
    between = raters * float(((of_units - mean) ** 2).sum()) / (units - 1)
    columns = units * float(((of_raters - mean) ** 2).sum()) / (raters - 1)
    within = float(((table - of_units[:, None]) ** 2).sum()) / (units * (raters - 1))
    residual = table - of_units[:, None] - of_raters[None, :] + mean
    error = float((residual**2).sum()) / ((units - 1) * (raters - 1))
    is_single, more = kind.endswith("1"), raters - 1
    below, beyond = {
        "1": (within, 0.0),
        "A": (error, (columns - error) / units),
        "C": (error, 0.0),
    }[kind[0]]
    bottom = between + more * below + raters * beyond if is_single else between + beyond
    return (between - below) / bottom if bottom > 0 else None

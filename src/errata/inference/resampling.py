"""Bootstrap resamples as weights, and intervals from the values that they give."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errata.errors import OptionError

__all__ = ["Interval", "IntervalMethod", "bca_interval", "bootstrap_weights", "percentile_interval"]

IntervalMethod = Literal["percentile", "bca"]


@dataclass(frozen=True)
class Interval:
    """A confidence interval: its ends, how sure, and how it was made."""

    low: float
    high: float
    level: float
    method: str
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def bootstrap_weights(
    size: int, resamples: int, seed: int, *, groups: NDArray[np.int64] | None = None
) -> NDArray[np.int32]:
    """How often each of `size` items is drawn, a row a resample; items of one group (0, 1, …) are drawn together.

    >>> bootstrap_weights(3, 2, seed=1).sum(axis=1).tolist()
    [3, 3]
    """
    if resamples < 1:
        raise OptionError(f"resamples: expected at least 1, got {resamples}")
    generator = np.random.default_rng(seed)
    drawn_from = size if groups is None else int(groups.max(initial=-1)) + 1
    weights = np.zeros((resamples, drawn_from), dtype=np.int32)
    for row in weights:  # row by row, so that memory stays at the size of the result
        row += np.bincount(generator.integers(drawn_from, size=drawn_from), minlength=drawn_from).astype(np.int32)
    return weights if groups is None else weights[:, groups]


def percentile_interval(values: ArrayLike, level: float = 0.95, *, seed: int | None = None) -> Interval:
    """The middle `level` of resampled values.

    >>> round(percentile_interval(range(101), 0.9).low, 6)
    5.0
    """
    low, high = np.quantile(np.asarray(values, dtype=np.float64), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "percentile", seed)


def bca_interval(
    values: ArrayLike, observed: float, left_out: ArrayLike, level: float = 0.95, *, seed: int | None = None
) -> Interval:
    """Bias-corrected and accelerated (Efron 1987): `left_out` holds the values with one item left out each.

    Values equal to the observed one count half for the bias, as SciPy does.
    """
    from scipy.special import ndtr, ndtri

    resampled = np.asarray(values, dtype=np.float64)
    below = ((resampled < observed).sum() + (resampled <= observed).sum()) / (2 * resampled.size)
    jackknife = np.asarray(left_out, dtype=np.float64)
    influence = jackknife.mean() - jackknife
    spread = float((influence**2).sum())
    acceleration = float((influence**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    if not 0 < below < 1:  # every resample on one side: nothing to correct by
        return Interval(float(resampled.min()), float(resampled.max()), level, "bca", seed)
    bias = ndtri(below)
    z = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    low, high = np.quantile(resampled, ndtr(bias + z / (1 - acceleration * z)))
    return Interval(float(low), float(high), level, "bca", seed)

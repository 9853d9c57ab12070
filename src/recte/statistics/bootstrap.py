"""Bootstrap resamples as weights, and intervals from the values that they give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from recte.errors import OptionError

__all__ = [
    "INTERVAL_METHODS",
    "Interval",
    "IntervalMethod",
    "bca_interval",
    "bootstrap_weights",
    "leave_one_out_blocks",
    "percentile_interval",
    "weight_blocks",
]

IntervalMethod = Literal["percentile", "bca"]
INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
_BLOCK_CELLS = 8_000_000


@dataclass(frozen=True)
class Interval:
    """A confidence interval: its ends, how sure, and how it was made.

    >>> Interval(0.3, 0.4, 0.95, "percentile").low
    0.3
    """

    low: float
    high: float
    level: float
    method: str
    resamples: int | None = None
    seed: int | None = None
    unit: str | None = None  # what was drawn: sentences, documents, …
    weights: str | None = None  # how, where it is not the usual way: poisson
    runs: int | None = None  # of the system, where it has several

    def to_dict(self) -> dict[str, Any]:
        row = asdict(self)
        return {key: value for key, value in row.items() if value is not None or key not in ("weights", "runs")}


def weight_blocks(
    size: int, resamples: int, seed: int, *, groups: NDArray[np.int64] | None = None
) -> Iterator[NDArray[np.int32]]:
    """Bootstrap weights in blocks of bounded memory: how often each of `size` items is drawn, a row a resample.

    Items of one group (0, 1, …) are drawn together. The same arguments give the same weights, whatever is weighed.
    """
    if resamples < 1:
        raise OptionError(f"resamples: expected at least 1, got {resamples}")
    generator = np.random.default_rng(seed)
    drawn_from = size if groups is None else int(groups.max(initial=-1)) + 1
    rows_a_block = max(1, _BLOCK_CELLS // max(size, 1))
    for first in range(0, resamples, rows_a_block):
        rows = min(rows_a_block, resamples - first)
        weights = _first_block(drawn_from, rows, seed) if rows == resamples else _draw(drawn_from, rows, generator)
        yield weights if groups is None else weights[:, groups]


@lru_cache(maxsize=2)
def _first_block(size: int, resamples: int, seed: int) -> NDArray[np.int32]:
    """Weights that fit in one block: every system and metric shares them."""
    weights = _draw(size, resamples, np.random.default_rng(seed))
    weights.flags.writeable = False
    return weights


def _draw(size: int, resamples: int, generator: np.random.Generator) -> NDArray[np.int32]:
    weights = np.zeros((resamples, size), dtype=np.int32)
    for row in weights:
        row += np.bincount(generator.integers(size, size=size), minlength=size).astype(np.int32)
    return weights


def leave_one_out_blocks(size: int, *, groups: NDArray[np.int64] | None = None) -> Iterator[NDArray[np.int32]]:
    """Weights of 1 but for one item, or one group of items, in blocks of bounded memory."""
    left_out = size if groups is None else int(groups.max(initial=-1)) + 1
    rows_a_block = max(1, _BLOCK_CELLS // max(size, 1))
    of_item = np.arange(size) if groups is None else groups
    for first in range(0, left_out, rows_a_block):
        last = min(first + rows_a_block, left_out)
        yield (of_item[None, :] != np.arange(first, last)[:, None]).astype(np.int32)


def bootstrap_weights(
    size: int, resamples: int, seed: int, *, groups: NDArray[np.int64] | None = None
) -> NDArray[np.int32]:
    """All blocks of weights together.

    >>> bootstrap_weights(3, 2, seed=1).sum(axis=1).tolist()
    [3, 3]
    """
    return np.concatenate(list(weight_blocks(size, resamples, seed, groups=groups)))


def percentile_interval(values: ArrayLike, level: float = 0.95, *, seed: int | None = None) -> Interval:
    """The middle `level` of resampled values.

    >>> round(percentile_interval(range(101), 0.9).low, 6)
    5.0
    """
    low, high = np.quantile(np.asarray(values, dtype=np.float64), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "percentile", seed=seed)


def bca_interval(
    values: ArrayLike, observed: float, left_out: ArrayLike, level: float = 0.95, *, seed: int | None = None
) -> Interval:
    """Bias-corrected and accelerated (Efron 1987): `left_out` holds the values with one item left out each.

    Values equal to the observed one count half for the bias, as SciPy does.
    """
    from scipy.special import ndtr, ndtri

    resampled = np.asarray(values, dtype=np.float64)
    below = ((resampled < observed).sum() + (resampled <= observed).sum()) / (2 * resampled.size)
    below = min(max(below, 0.5 / resampled.size), 1 - 0.5 / resampled.size)  # as if one more lay on the other side
    jackknife = np.asarray(left_out, dtype=np.float64)
    influence = jackknife.mean() - jackknife
    spread = float((influence**2).sum())
    acceleration = float((influence**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    bias = ndtri(below)
    z = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    low, high = np.quantile(resampled, ndtr(bias + z / (1 - acceleration * z)))
    return Interval(float(low), float(high), level, "bca", seed=seed)

"""Weights of sentences: how often each stands in a corpus, checked; and what a metric needs of those of a bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts
from recte.errors import InputError

__all__ = ["Resamples", "check_weights", "sum_of_stretches"]

_LARGEST = 2**31 - 1
# Weights that were checked, and that nobody can change: all systems and metrics are scored on the same resamples.
_CHECKED: WeakValueDictionary[int, NDArray[np.int32]] = WeakValueDictionary()


class Resamples(Protocol):
    """Weights of resamples: all sentences of some resamples, or all resamples of some sentences where that can be.

    `sentence_keys` are what kernels make the weights from, by sentence, with the seed; None where weights are drawn in
    turn. `swaps` are trials of a randomisation, where resamples are those: see `recte.statistics.paired`.
    """

    @property
    def resamples(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def sentence_keys(self) -> NDArray[np.uint64] | None: ...
    def blocks(self) -> Iterator[NDArray[np.int32]]: ...
    def stretches(self) -> Iterator[tuple[slice, NDArray[np.int32]]] | None: ...
    def swaps(self) -> Iterator[tuple[int, NDArray[np.uint8]]] | None: ...


def sum_of_stretches(
    summands: Callable[[Counts], NDArray[np.float64]],
    counts: Counts,
    stretches: Iterable[tuple[slice, NDArray[Any]]],
) -> NDArray[np.float64]:
    """The weighted sums of all sentences' summands, a stretch of sentences at a time."""
    return np.asarray(
        sum(weights.astype(np.float64, copy=False) @ summands(counts.part(part)) for part, weights in stretches)
    )


def _remember(weights: NDArray[np.int32]) -> NDArray[np.int32]:
    if not weights.flags.writeable and weights.base is None:
        _CHECKED[id(weights)] = weights
    return weights


def check_weights(counts: Counts, weights: Any, *, fractions: bool) -> NDArray[Any]:
    """One row of weights for each corpus, one weight for each sentence: int32, or float64 where there are `fractions`
    and these are welcome.
    """
    counts.check_some()
    checked = _CHECKED.get(id(weights))
    if checked is not None and checked is weights and checked.shape[1] == len(counts) and not checked.flags.writeable:
        return checked
    try:
        array = np.asarray(weights)
    except ValueError:  # rows of different lengths
        raise InputError("weights: expected rows of equal length, got rows of different lengths") from None
    if array.ndim != 2 or array.shape[1] != len(counts):
        raise InputError(
            f"weights: expected rows of {len(counts)}, one weight for each sentence, got shape {array.shape}"
        )
    if array.dtype.kind not in "biuf":
        raise InputError(f"weights: expected numbers, got {array.dtype}")
    if array.size and not (array.min() >= 0 and array.max() <= _LARGEST):
        raise InputError(f"weights: expected numbers from 0 to {_LARGEST}, got others")
    if not array.any(axis=1).all():
        raise InputError("weights: expected a sentence that counts in each row, got a row of zeros")
    if array.dtype.kind != "f":
        return _remember(array.astype(np.int32, copy=False))
    if (array == np.floor(array)).all():
        return array.astype(np.int32)
    if not fractions:
        raise InputError(
            f"weights: expected whole numbers, since {counts.metric} chooses again for each repetition, got fractions"
        )
    return array.astype(np.float64, copy=False)

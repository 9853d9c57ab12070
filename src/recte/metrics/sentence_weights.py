"""How often each sentence stands in a corpus: weights, checked before a metric scores many corpora at once."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from recte.counts import Counts
from recte.errors import InputError

__all__ = ["checked_weights"]

_LARGEST = 2**31 - 1
# Weights that were checked, and that nobody can change: all systems and metrics are scored on the same resamples.
_KEPT: WeakValueDictionary[int, NDArray[np.int32]] = WeakValueDictionary()


def _keep(weights: NDArray[np.int32]) -> NDArray[np.int32]:
    if not weights.flags.writeable and weights.base is None:
        _KEPT[id(weights)] = weights
    return weights


def checked_weights(counts: Counts, weights: Any, *, fractions: bool) -> NDArray[Any]:
    """One row of weights for each corpus, one weight for each sentence: int32, or float64 where there are `fractions`
    and these are welcome.
    """
    counts.check_some()
    kept = _KEPT.get(id(weights))
    if kept is not None and kept is weights and kept.shape[1] == len(counts) and not kept.flags.writeable:
        return kept
    try:
        found = np.asarray(weights)
    except ValueError:  # rows of different lengths
        raise InputError("weights: expected rows of equal length, got others") from None
    if found.ndim != 2 or found.shape[1] != len(counts):
        raise InputError(
            f"weights: expected rows of {len(counts)}, one weight for each sentence, got shape {found.shape}"
        )
    if found.dtype.kind not in "biuf":
        raise InputError(f"weights: expected numbers, got {found.dtype}")
    if found.size and not (found.min() >= 0 and found.max() <= _LARGEST):
        raise InputError(f"weights: expected numbers from 0 to {_LARGEST}, got others")
    if not found.any(axis=1).all():
        raise InputError("weights: expected a sentence that counts in each row, got a row of zeros")
    if found.dtype.kind != "f":
        return _keep(found.astype(np.int32, copy=False))
    if (found == np.floor(found)).all():
        return found.astype(np.int32)
    if not fractions:
        raise InputError(
            f"weights: expected whole numbers, since {counts.metric} chooses anew for each repetition, got fractions"
        )
    return found.astype(np.float64, copy=False)

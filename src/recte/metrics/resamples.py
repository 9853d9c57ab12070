"""What a metric needs of a bootstrap's weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.counts import Counts

__all__ = ["Resamples", "sum_of_stretches"]


class Resamples(Protocol):
    """Weights of resamples: all sentences of some resamples, or all resamples of some sentences where that can be.

    `sentence_keys` are what kernels make the weights from, by sentence, with the seed; None where weights are drawn in
    turn. `swaps` are trials of a randomisation, where resamples are those: see `recte.inference.swaps`.
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
    stretches: Iterator[tuple[slice, NDArray[np.int32]]],
) -> NDArray[np.float64]:
    """The weighted sums of all sentences' summands, a stretch of sentences at a time."""
    return np.asarray(sum(weights.astype(np.float64) @ summands(counts.part(part)) for part, weights in stretches))

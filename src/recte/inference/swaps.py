"""Randomisation: which sentences each trial swaps between two systems, and the sums' weights that this makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["Swaps"]

_TRIALS_A_BLOCK, _BLOCK_CELLS = 1_000, 4_000_000


@dataclass(frozen=True)
class Swaps:
    """Trials over the rows of two systems that stand side by side, sentence by sentence.

    As resamples of these rows they are twice as many as trials: what the first system has after the swaps of each
    trial, then what the second has. Every pair of systems shares them. `groups` numbers documents that are swapped as
    wholes.
    """

    size: int
    trials: int
    seed: int
    groups: NDArray[np.int64] | None = None

    @property
    def resamples(self) -> int:
        return 2 * self.trials

    @property
    def sentence_keys(self) -> None:
        return None

    def stretches(self) -> None:
        return None

    def blocks(self) -> Iterator[NDArray[np.int32]]:
        """How often each row stands in what the first system has, then in what the second has; in blocks."""
        for other in (0, 1):
            for part in self._parts():
                swap = _swapped(*part) if self.groups is None else _swapped(*part)[:, self.groups]
                weights = np.empty((len(swap), 2 * self.size), dtype=np.int32)
                weights[:, other::2], weights[:, 1 - other :: 2] = 1 - swap, swap
                yield weights

    def swaps(self) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """Some trials at a time: how many, and eight trials a byte for each sentence, set where they swap it."""
        for part in self._parts():
            packed = _packed(*part)
            yield part[1], packed if self.groups is None else packed[self.groups]

    def _parts(self) -> Iterator[tuple[int, int, int, int]]:
        """What a block of trials is made from: units, how many trials, the seed, the first trial."""
        rows = max(1, min(_TRIALS_A_BLOCK, _BLOCK_CELLS // max(self.size, 1)))
        units = self.size if self.groups is None else int(self.groups.max()) + 1
        for first in range(0, self.trials, rows):
            yield units, min(rows, self.trials - first), self.seed, first


@lru_cache(maxsize=10)
def _swapped(size: int, trials: int, seed: int, first: int) -> NDArray[np.int8]:
    """One row per trial."""
    return np.random.default_rng([seed, first]).integers(2, size=(trials, size), dtype=np.int8)


@lru_cache(maxsize=10)
def _packed(size: int, trials: int, seed: int, first: int) -> NDArray[np.uint8]:
    """One row per unit."""
    by_unit = np.ascontiguousarray(_swapped(size, trials, seed, first).T)
    return np.packbits(by_unit, axis=1, bitorder="little")

"""Bootstrap weights of any block of sentences and resamples.

Up to a stated number of units, each resample draws as many as there are. Above it, how often a unit stands in a
resample is a Poisson number of mean 1 (Chamandy et al. 2012), made from the unit's own key, the resample's number and
the seed alone: whoever has a part of the sentences, on whatever machine, has their weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.counts import Counts
from recte.statistics.bootstrap import weight_blocks
from recte.threads import thread_count

__all__ = ["POISSON_FROM", "Drawing", "document_keys"]

POISSON_FROM = 100_000  # units from which weights are Poisson numbers
_BLOCK_CELLS = 4_000_000  # weights that are there at once


def document_keys(names: NDArray[np.str_]) -> NDArray[np.uint64]:
    """A number for each document that depends on its name alone.

    >>> len(set(document_keys(np.array(["a", "b", "a"])).tolist()))
    2
    """
    from hashlib import blake2b  # loads a large library

    hashes = [int.from_bytes(blake2b(str(name).encode(), digest_size=8).digest(), "little") for name in names]
    return np.array(hashes, dtype=np.uint64)


@dataclass(frozen=True)
class Drawing:
    """How often each sentence of some counts stands in each resample.

    `groups` numbers the documents where they are drawn as wholes; `keys` are what weights are made from, one for each
    unit, where there are so many that weights are Poisson numbers.
    """

    size: int
    resamples: int
    seed: int
    groups: NDArray[np.int64] | None = None
    keys: NDArray[np.uint64] | None = None

    @classmethod
    def of(cls, counts: Counts, resamples: int, seed: int, groups: NDArray[np.int64] | None) -> Drawing:
        units = len(counts) if groups is None else int(groups.max(initial=-1)) + 1
        if units < POISSON_FROM:
            return cls(len(counts), resamples, seed, groups)
        if groups is None:
            return cls(len(counts), resamples, seed, None, counts.index.astype(np.uint64))
        return cls(len(counts), resamples, seed, groups, document_keys(np.unique(counts.labels["document"])))

    @property
    def generator(self) -> str | None:
        """What the signature calls the weights, where they are not the usual ones."""
        return None if self.keys is None else "poisson"

    @property
    def sentence_keys(self) -> NDArray[np.uint64] | None:
        """What the weights of each sentence are made from, where they are Poisson numbers."""
        return self.keys if self.keys is None or self.groups is None else self.keys[self.groups]

    def swaps(self) -> None:
        return None

    def blocks(self) -> Iterator[NDArray[np.int32]]:
        """Weights of all sentences, some resamples at a time, in bounded memory."""
        if self.keys is None:
            yield from weight_blocks(self.size, self.resamples, self.seed, groups=self.groups)
            return
        rows = max(4, _BLOCK_CELLS // self.size // 4 * 4)
        for first in range(0, self.resamples, rows):
            yield self._weights(self.keys, first, min(rows, self.resamples - first), self.groups)

    def stretches(self) -> Iterator[tuple[slice, NDArray[np.int32]]] | None:
        """Weights of all resamples, some sentences at a time; None where they cannot be made so."""
        return None if self.keys is None else self._stretches(self.keys)

    def _stretches(self, keys: NDArray[np.uint64]) -> Iterator[tuple[slice, NDArray[np.int32]]]:
        length = max(1, _BLOCK_CELLS // self.resamples)
        for begin in range(0, self.size, length):
            part = slice(begin, min(begin + length, self.size))
            numbers = keys[part] if self.groups is None else keys[self.groups[part]]
            yield part, self._weights(numbers, 0, self.resamples, None)

    def _weights(
        self, keys: NDArray[np.uint64], first: int, resamples: int, groups: NDArray[np.int64] | None
    ) -> NDArray[np.int32]:
        weights = _kernels.poisson_weights(
            np.ascontiguousarray(keys), self.seed % 2**64, first, resamples, thread_count(resamples)
        )
        return weights if groups is None else weights[:, groups]

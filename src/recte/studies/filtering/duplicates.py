"""Which pairs came before: eight bytes for each pair seen."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from recte.corpus.text_columns import TextColumn

__all__ = ["SeenPairs", "hash_pairs"]

Hashes = NDArray[np.uint64]


def hash_pairs(sources: TextColumn, corrected: TextColumn) -> Hashes:
    """A number for each pair; two different pairs share one by a chance of 1 in 2⁶⁴."""
    sides = []
    for column in (sources, corrected):
        narrow = column.narrow()
        whole = narrow.buffer.tobytes()
        sides.append([whole[a:b] for a, b in zip(narrow.begins.tolist(), narrow.ends.tolist(), strict=True)])
    digests = [blake2b(b"%d\n%b%b" % (len(a), a, b), digest_size=8).digest() for a, b in zip(*sides, strict=True)]
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


class SeenPairs:
    """The hashes of all pairs so far, in sorted runs whose sizes at least double: adding costs little, and so does
    looking up.

    >>> seen = SeenPairs()
    >>> seen.add(np.array([7, 5, 7], dtype=np.uint64)).tolist(), seen.add(np.array([5, 6], dtype=np.uint64)).tolist()
    ([True, True, False], [False, True])
    """

    def __init__(self) -> None:
        self._runs: list[Hashes] = []

    def add(self, hashes: Hashes) -> NDArray[np.bool_]:
        """Which of the hashes come for the first time; all of them are seen from now on."""
        distinct, first = np.unique(hashes, return_index=True)
        is_new = np.ones(len(distinct), dtype=np.bool_)
        for run in self._runs:
            places = np.minimum(np.searchsorted(run, distinct), len(run) - 1)
            is_new &= run[places] != distinct
        new = distinct[is_new]
        while new.size and self._runs and len(self._runs[-1]) < 2 * len(new):
            new = np.sort(np.concatenate([self._runs.pop(), new]))
        if new.size:
            self._runs.append(new)
        is_first = np.zeros(len(hashes), dtype=np.bool_)
        is_first[first[is_new]] = True
        return is_first

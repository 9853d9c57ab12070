"""Texts of many lengths into batches of few shapes, so that a text's result never depends on its neighbours.

Sums inside a model are added in an order that may depend on the shape of the batch, and the order shows in the last
bit. So a text is padded to a length that follows from its own length alone, and a batch of that length always has the
same number of rows: what is missing at the end is filled with copies. Then the same text has the same result, bit by
bit, whatever else is scored, in whatever order, for however many systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Batching", "Rows", "pad_lengths"]

# Fine steps for short texts, coarse ones for long: few shapes, and about a twentieth of the positions are padding.
_STEPS = np.array((4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128))
_BEYOND = 64


def pad_lengths(lengths: NDArray[np.int64], longest: int = 0) -> NDArray[np.int64]:
    """The lengths that texts of so many pieces are padded to; `longest` is what the model takes, 0 for any.

    >>> pad_lengths(np.array([5, 33, 130])).tolist(), pad_lengths(np.array([130]), 160).tolist()
    ([8, 40, 192], [160])
    """
    steps = _STEPS[np.minimum(np.searchsorted(_STEPS, lengths), len(_STEPS) - 1)]
    padded = np.where(lengths <= _STEPS[-1], steps, -(-lengths // _BEYOND) * _BEYOND)
    return np.where(lengths <= longest, np.minimum(padded, longest), padded) if longest else padded


class Rows(NamedTuple):
    """Which texts make a batch of one padded length. Only the first `filled` are wanted; the others fill the shape."""

    length: int
    texts: NDArray[np.int64]
    filled: int


@dataclass(frozen=True)
class Batching:
    """How many pieces a batch has, padding included, and how long a text may be.

    >>> batching, lengths = Batching(pieces=16), np.array([3, 7, 4, 8, 2])
    >>> [(rows.length, rows.texts.tolist(), rows.filled) for rows in batching.batches(lengths)]
    [(4, [0, 2, 4, 4], 3), (8, [1, 3], 2)]
    """

    pieces: int
    longest: int = 0

    def rows(self, length: int) -> int:
        """How many texts a batch of this padded length has."""
        return max(1, self.pieces // length)

    def batches(self, lengths: NDArray[np.int64]) -> Iterator[Rows]:
        """Texts by their lengths, shortest first; the last batch of a length is filled with copies of its last text."""
        padded = pad_lengths(lengths, self.longest)
        order = np.argsort(padded, kind="stable")
        distinct_lengths, begins = np.unique(padded[order], return_index=True)
        for length, members in zip(distinct_lengths.tolist(), np.split(order, begins)[1:], strict=True):
            count = self.rows(length)
            for begin in range(0, len(members), count):
                part = members[begin : begin + count]
                yield Rows(length, np.pad(part, (0, count - len(part)), mode="edge"), len(part))

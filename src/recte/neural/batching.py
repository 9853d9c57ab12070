"""Texts of many lengths into batches of few shapes, so that a text's result never depends on its neighbours.

Sums inside a model are added in an order that may depend on the shape of the batch, and the order shows in the last
bit. So a text is padded to a length that follows from its own length alone, and a batch of that length always has the
same number of rows: what is missing at the end is filled with copies. Then the same text has the same result, bit by
bit, whatever else is scored, in whatever order, for however many systems.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

__all__ = ["Batch", "Batching", "padded_length"]

T = TypeVar("T")

# Fine steps for short texts, coarse ones for long: few shapes, and about a twentieth of the positions are padding.
_STEPS = (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128)
_BEYOND = 64


def padded_length(length: int, longest: int = 0) -> int:
    """The length that a text of so many pieces is padded to; `longest` is what the model takes, 0 for any.

    >>> padded_length(5), padded_length(33), padded_length(130), padded_length(130, 160)
    (8, 40, 192, 160)
    """
    padded = _STEPS[bisect_left(_STEPS, length)] if length <= _STEPS[-1] else -(-length // _BEYOND) * _BEYOND
    return min(padded, longest) if longest >= length else padded


class Batch(NamedTuple, Generic[T]):
    """Inputs that are padded to one length. Only the first `filled` are wanted; the others fill the shape."""

    length: int
    inputs: list[T]
    filled: int


@dataclass(frozen=True)
class Batching:
    """How many pieces a batch has, padding included, and how long a text may be.

    >>> batching = Batching(pieces=16)
    >>> [(b.length, b.inputs, b.filled) for b in batching.batches([(3, "a"), (7, "b"), (4, "c"), (8, "d"), (2, "e")])]
    [(8, ['b', 'd'], 2), (4, ['a', 'c', 'e', 'e'], 3)]
    """

    pieces: int
    longest: int = 0

    def rows(self, length: int) -> int:
        """How many texts a batch of this padded length has."""
        return max(1, self.pieces // length)

    def batches(self, inputs: Iterable[tuple[int, T]]) -> Iterator[Batch[T]]:
        """Inputs with their lengths, each as soon as its batch is full; at the end those that are not."""
        waiting: dict[int, list[T]] = {}
        for length, one in inputs:
            padded = padded_length(length, self.longest)
            row = waiting.setdefault(padded, [])
            row.append(one)
            if len(row) == self.rows(padded):
                yield Batch(padded, waiting.pop(padded), len(row))
        for padded, row in sorted(waiting.items()):
            filled = len(row)
            yield Batch(padded, row + row[-1:] * (self.rows(padded) - filled), filled)

"""Sentences as sets of hashed byte trigrams, by which many pairs are compared at once.

White space does not count, so that neither tokenisation nor a language without spaces makes a difference.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.threads import thread_count

__all__ = ["Signatures", "count_bits"]

_PREFIX = 120  # bytes of a sentence that are looked at: enough to know it by, and a bound for long ones


@dataclass(frozen=True)
class Signatures:
    """A set of bits for each text, and its size."""

    bits: NDArray[np.uint64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(cls, texts: TextColumn, prefix: int = _PREFIX) -> Signatures:
        """Of each text's beginning, so many bytes."""
        bits = _kernels.line_signatures(texts.spans, prefix, thread_count(len(texts)))
        return cls(bits, count_bits(bits))

    def likeness(
        self, rows: NDArray[np.int64] | slice, other: Signatures, other_rows: NDArray[np.int64] | slice
    ) -> NDArray[np.float64]:
        """From 0 to 1, how much of both texts is in common (Dice), pair by pair."""
        shared = count_bits(self.bits[rows] & other.bits[other_rows])
        total = self.sizes[rows] + other.sizes[other_rows]
        likeness = np.zeros(len(total))
        np.divide(2.0 * shared, total, out=likeness, where=total > 0)
        return likeness


_BYTE_COUNTS = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
_PAIR_COUNTS = np.add.outer(_BYTE_COUNTS, _BYTE_COUNTS).reshape(-1)  # of two bytes


def count_bits(bits: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits are set in each row."""
    if hasattr(np, "bitwise_count"):  # from NumPy 2 on
        return np.asarray(np.bitwise_count(bits) @ np.ones(bits.shape[1], dtype=np.int64))  # faster than a sum
    counts: NDArray[np.int64] = _PAIR_COUNTS[bits.view(np.uint16)].sum(axis=1, dtype=np.int64)
    return counts

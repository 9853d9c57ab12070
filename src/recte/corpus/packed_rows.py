"""Rows of numbers in little memory: blocks of rows, compressed."""

from __future__ import annotations

import math
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["PackedRows"]

_BLOCK = 10_000  # rows that are compressed together
_LEVEL = 1  # of zlib: most bytes are 0, which the fastest level finds, too


class PackedRows:
    """Rows of a corpus, compressed: most of their cells are small numbers, and many are 0.

    Indexing by a slice, a mask or places gives an array of these rows; only the blocks that have some are unpacked.

    >>> rows = PackedRows(np.arange(6, dtype=np.int32).reshape(3, 1, 2))
    >>> rows.append(np.array([[[6, 7]]], dtype=np.int32))
    >>> rows[2:].tolist(), rows.shape
    ([[[4, 5]], [[6, 7]]], (4, 1, 2))
    """

    def __init__(self, rows: NDArray[Any]) -> None:
        self.dtype = rows.dtype
        self._row_shape = rows.shape[1:]
        self._blocks: list[list[bytes]] = []  # of each block its cells' first bytes, second bytes, …
        self._ends = [0]  # how many rows there are before each block, and in all
        self._unpacked: tuple[int, NDArray[Any]] | None = None  # the last: neighbours are read one after the other
        self.append(rows)

    @property
    def shape(self) -> tuple[int, ...]:
        return (self._ends[-1], *self._row_shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self._ends[-1]

    def append(self, rows: NDArray[Any]) -> None:
        """Add rows of the same shape and type at the end."""
        for begin in range(0, len(rows), _BLOCK):
            block = np.ascontiguousarray(rows[begin : begin + _BLOCK])
            self._blocks.append(_pack(block.reshape(-1)))
            self._ends.append(self._ends[-1] + len(block))

    def blocks(self) -> Iterator[NDArray[Any]]:
        """All rows, a block at a time."""
        for number in range(len(self._blocks)):
            yield self._unpack(number)

    def __getitem__(self, which: slice | NDArray[Any]) -> NDArray[Any]:
        if isinstance(which, slice) and which.step in (None, 1):
            return self._read_run(*which.indices(len(self))[:2])
        places = np.arange(len(self))[which]
        block_of = np.searchsorted(self._ends, places, side="right") - 1
        order = np.argsort(block_of, kind="stable")
        limits = np.searchsorted(block_of, np.arange(len(self._blocks) + 1), sorter=order)
        rows = np.empty((len(places), *self._row_shape), dtype=self.dtype)
        for number, (begin, end) in enumerate(pairwise(limits.tolist())):
            if begin < end:
                of_block = order[begin:end]
                rows[of_block] = self._unpack(number)[places[of_block] - self._ends[number]]
        return rows

    def _read_run(self, begin: int, end: int) -> NDArray[Any]:
        rows = np.empty((max(0, end - begin), *self._row_shape), dtype=self.dtype)
        number = bisect_right(self._ends, begin) - 1
        while number < len(self._blocks) and self._ends[number] < end:
            first, last = max(begin, self._ends[number]), min(end, self._ends[number + 1])
            block = self._unpack(number)
            rows[first - begin : last - begin] = block[first - self._ends[number] : last - self._ends[number]]
            number += 1
        return rows

    def _unpack(self, number: int) -> NDArray[Any]:
        """The rows of a block, to be read only."""
        last = self._unpacked
        if last is not None and last[0] == number:
            return last[1]
        shape = (self._ends[number + 1] - self._ends[number], *self._row_shape)
        rows = _unpack(self._blocks[number], math.prod(shape), self.dtype).reshape(shape)
        self._unpacked = (number, rows)
        return rows

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_unpacked": None}


def _pack(cells: NDArray[Any]) -> list[bytes]:
    """The lowest bytes of all cells, then the second ones, …; nothing for bytes that are all 0, as most but the
    lowest are.
    """
    numbers = cells.view(_unsigned(cells.dtype))
    planes = ((numbers >> numbers.dtype.type(8 * place)).astype(np.uint8) for place in range(cells.dtype.itemsize))
    return [zlib.compress(plane.data, _LEVEL) if plane.any() else b"" for plane in planes]


def _unpack(planes: list[bytes], cells: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    numbers = np.zeros(cells, _unsigned(dtype))
    for place, plane in enumerate(planes):
        if plane:
            of_place = np.frombuffer(zlib.decompress(plane), np.uint8).astype(numbers.dtype)
            numbers |= of_place << numbers.dtype.type(8 * place)
    return numbers.view(dtype)


def _unsigned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Whole numbers of as many bytes."""
    return np.dtype(f"u{dtype.itemsize}")

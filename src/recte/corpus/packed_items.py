"""Objects of many sentences in little memory: blocks of them, compressed."""

from __future__ import annotations

import pickle
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeVar, overload

__all__ = ["PackedItems"]

Item = TypeVar("Item")

_BLOCK = 1000  # items that are compressed together
_LEVEL = 1  # of zlib, the fastest


class PackedItems(Sequence[Item]):
    """A sequence that keeps its items compressed; those of one block are there while one of them is read.

    >>> items = PackedItems(["a", "b"])
    >>> items.extend(["c"])
    >>> items[2], list(items), len(items)
    ('c', ['a', 'b', 'c'], 3)
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._blocks: list[bytes] = []
        self._ends = [0]  # how many items there are before each block, and in all
        self._unpacked: tuple[int, list[Item]] | None = None  # the last: neighbours are read one after the other
        self.extend(items)

    def extend(self, items: Iterable[Item]) -> None:
        """Add items at the end."""
        rest = iter(items)
        while block := [*islice(rest, _BLOCK)]:
            self._blocks.append(zlib.compress(pickle.dumps(block, pickle.HIGHEST_PROTOCOL), _LEVEL))
            self._ends.append(self._ends[-1] + len(block))

    def __len__(self) -> int:
        return self._ends[-1]

    def __iter__(self) -> Iterator[Item]:
        return chain.from_iterable(map(self._unpack, range(len(self._blocks))))

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        number = bisect_right(self._ends, place) - 1
        if self._unpacked is None or self._unpacked[0] != number:
            self._unpacked = (number, self._unpack(number))
        return self._unpacked[1][place - self._ends[number]]

    def _unpack(self, number: int) -> list[Item]:
        items: list[Item] = pickle.loads(zlib.decompress(self._blocks[number]))
        return items

"""Sequences whose items are made when they are read, for what would not fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

__all__ = ["Streamed"]

Item = TypeVar("Item", covariant=True)


class Streamed(Sequence[Item], Generic[Item]):
    """A sequence of `size` items; each loop over it calls `make`, and none of them is kept.

    An item by its place is made with all others, which are kept from then on. Equal to a tuple of the same items; a
    copy and a pickle are tuples.

    >>> squares = Streamed(3, lambda: (number**2 for number in range(3)))
    >>> list(squares), squares[-1], squares == (0, 1, 4)
    ([0, 1, 4], 4, True)
    """

    def __init__(self, size: int, make: Callable[[], Iterable[Item]]) -> None:
        self._size, self._make = size, make
        self._items: tuple[Item, ...] | None = None

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Item]:
        return iter(self._make() if self._items is None else self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        if self._items is None:
            self._items = tuple(self._make())
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (tuple, Streamed)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

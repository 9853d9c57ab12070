"""Rows of numbers that a model gave, kept in the user's cache folder: one database per model, options and machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.kept_values import KeptValues
from recte.neural.cache_files import cache_file

__all__ = ["Input", "KeptRows", "kept_bytes", "key_of"]

Input = str | tuple[str, ...]  # a text, or some that belong together


class KeptRows:
    """The rows kept for a model of this key; `paid` says that they cost money."""

    def __init__(self, key: str, width: int, dtype: type[np.floating], *, paid: bool = False) -> None:
        self.width, self.dtype = width, np.dtype(dtype)
        self.kept = _database(key, paid=paid)

    def check(self) -> None:
        """Whether results can be kept, before anybody works for them."""
        if self.kept is not None:
            self.kept.check()

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.floating]]:
        known = {} if self.kept is None else self.kept.recall(keys)
        size = self.width * self.dtype.itemsize
        return {key: np.frombuffer(row, dtype=self.dtype) for key, row in known.items() if len(row) == size}

    def remember(self, rows: Iterable[tuple[bytes, NDArray[np.floating]]]) -> None:
        if self.kept is not None:
            self.kept.remember((key, np.ascontiguousarray(row, dtype=self.dtype).tobytes()) for key, row in rows)


def _database(key: str, *, paid: bool = False) -> KeptValues | None:
    return cache_file(blake2b(key.encode(), digest_size=12).hexdigest(), paid=paid)


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


def kept_bytes(model: _Keyed, texts: Sequence[str], make: Callable[[], bytes]) -> bytes:
    """What `make` makes of a model and all of some texts together, or what it made of them before."""
    before = model.key
    kept, key = _database(before), blake2b(b"all" + key_of(tuple(texts)), digest_size=16).digest()
    known = {} if kept is None else kept.recall([key])
    if key in known:
        return known[key]
    made = make()
    if kept is not None and model.key == before:  # it is loaded now, and is what it was taken for
        kept.remember([(key, made)])
    return made


def key_of(one: Input) -> bytes:
    """A short name for an input."""
    texts = (one,) if isinstance(one, str) else one
    lengths = "".join(f"{len(text)}\0" for text in texts[:-1])
    marked = f"{len(texts) if isinstance(one, tuple) else 1}{lengths}{''.join(texts)}"
    return blake2b(marked.encode("utf-8", "surrogatepass"), digest_size=16).digest()

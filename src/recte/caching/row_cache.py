"""Caches of what models computed: one database per model, options and machine, in the user's cache folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.caching.disk_cache import DiskCache
from recte.caching.user_folder import cache_folder

__all__ = ["Input", "RowCache", "cache_bytes", "input_key", "open_cache"]

_VARIABLE = "RECTE_NEURAL_CACHE"
Input = str | tuple[str, ...]  # a text, or some that belong together


def open_cache(name: str, *, paid: bool = False) -> DiskCache | None:
    """The cache of this name, in the folder that RECTE_NEURAL_CACHE names or the user's; None where caching is off.

    Values that were `paid` for are never discarded: a damaged file of them is left to the user.
    """
    chosen = os.environ.get(_VARIABLE)
    if chosen == "off":
        return None
    folder = Path(chosen) if chosen else cache_folder("neural")
    return DiskCache(folder / f"{name}.sqlite", _VARIABLE if chosen else "", paid=paid)


class RowCache:
    """The rows of numbers stored for a model of this key; `paid` says that they cost money.

    `cache` is None where caching is off: then nothing is stored.
    """

    def __init__(self, key: str, width: int, dtype: type[np.floating], *, paid: bool = False) -> None:
        self.width, self.dtype = width, np.dtype(dtype)
        self.cache = _open_model_cache(key, paid=paid)

    def check(self) -> None:
        """Test that rows can be stored, before they are computed."""
        if self.cache is not None:
            self.cache.check()

    def read(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.floating]]:
        """The rows of those keys that have one."""
        known = {} if self.cache is None else self.cache.read(keys)
        size = self.width * self.dtype.itemsize
        return {key: np.frombuffer(row, dtype=self.dtype) for key, row in known.items() if len(row) == size}

    def write(self, rows: Iterable[tuple[bytes, NDArray[np.floating]]]) -> None:
        """Store rows by key."""
        if self.cache is not None:
            self.cache.write((key, np.ascontiguousarray(row, dtype=self.dtype).tobytes()) for key, row in rows)


def _open_model_cache(key: str, *, paid: bool = False) -> DiskCache | None:
    return open_cache(blake2b(key.encode(), digest_size=12).hexdigest(), paid=paid)


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


def cache_bytes(model: _Keyed, texts: Sequence[str], make: Callable[[], bytes]) -> bytes:
    """What `make` computes from a model and all of some texts together, computed once and stored."""
    before = model.key
    cache, key = _open_model_cache(before), blake2b(b"all" + input_key(tuple(texts)), digest_size=16).digest()
    known = {} if cache is None else cache.read([key])
    if key in known:
        return known[key]
    made = make()
    if cache is not None and model.key == before:  # loading it may have changed its key
        cache.write([(key, made)])
    return made


def input_key(texts: Input) -> bytes:
    """The key of an input: a hash of its texts and of their lengths."""
    parts = (texts,) if isinstance(texts, str) else texts
    lengths = "".join(f"{len(text)}\0" for text in parts[:-1])
    marked = f"{len(parts) if isinstance(texts, tuple) else 1}{lengths}{''.join(parts)}"
    return blake2b(marked.encode("utf-8", "surrogatepass"), digest_size=16).digest()

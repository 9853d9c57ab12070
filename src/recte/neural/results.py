"""Results of a model that are known already: in memory, and in the user's cache folder between runs."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.progress import Progress

__all__ = ["Input", "TextModel", "results_of", "unknown_inputs"]

Input = str | tuple[str, str]  # a text, or two
_AT_ONCE = 500  # keys in one query
_KEPT_BYTES = 1 << 29  # of one model's results in memory
_WRITE_EVERY = 2_000


class TextModel(Protocol):
    """Whatever turns texts, or pairs of texts, into rows of numbers; all that the cache needs to know of it.

    `key` names everything that a result depends on, beside the texts.
    """

    @property
    def title(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def rows_dtype(self) -> type[np.float32] | type[np.float64]: ...

    def scored(self, inputs: Sequence[Input], /) -> Iterator[tuple[Sequence[int], NDArray[np.floating]]]:
        """Places of inputs and their rows, some at a time, in any order."""
        ...


_known: dict[str, dict[bytes, NDArray[np.floating]]] = {}


def results_of(model: TextModel, inputs: Sequence[Input]) -> NDArray[np.floating]:
    """A row for each input. Each distinct input is scored once, and never again while its result is known."""
    keys = [_key(one) for one in inputs]
    known = _known.setdefault(model.key, {})
    distinct = {key: one for key, one in zip(keys, inputs, strict=True) if key not in known}
    fresh: dict[bytes, NDArray[np.floating]] = {}
    if distinct:
        disk = _Disk(model)
        fresh.update(disk.recall(distinct))
        missing = [key for key in distinct if key not in fresh]
        if missing:
            fresh.update(_scored(model, missing, [distinct[key] for key in missing], disk))
    rows = np.empty((len(inputs), model.width), dtype=model.rows_dtype)
    for place, key in enumerate(keys):
        rows[place] = fresh[key] if key in fresh else known[key]
    _keep(known, fresh, model.width * np.dtype(model.rows_dtype).itemsize)
    return rows


def unknown_inputs(model: TextModel, inputs: Sequence[Input]) -> list[Input]:
    """The distinct inputs that the model would have to be asked about."""
    known = _known.get(model.key, {})
    distinct = {_key(one): one for one in inputs}
    there = _Disk(model).recall(key for key in distinct if key not in known)
    return [one for key, one in distinct.items() if key not in known and key not in there]


def _scored(
    model: TextModel, keys: Sequence[bytes], inputs: Sequence[Input], disk: _Disk
) -> dict[bytes, NDArray[np.floating]]:
    found: dict[bytes, NDArray[np.floating]] = {}
    unwritten: list[bytes] = []
    progress = Progress(model.title, len(inputs))
    try:
        for places, rows in model.scored(inputs):
            for place, row in zip(places, rows, strict=True):
                found[keys[place]] = row
                unwritten.append(keys[place])
            progress.advance(len(places))
            if len(unwritten) >= _WRITE_EVERY:
                disk.remember((key, found[key]) for key in unwritten)
                unwritten = []
    finally:  # what was scored before a stop is not lost
        disk.remember((key, found[key]) for key in unwritten)
    return found


def _keep(known: dict[bytes, NDArray[np.floating]], fresh: dict[bytes, NDArray[np.floating]], row_bytes: int) -> None:
    """Keep fresh results in memory; the oldest go first."""
    known.update({key: np.array(row) for key, row in fresh.items()})
    for key in list(known)[: max(0, len(known) - _KEPT_BYTES // (row_bytes + 200))]:
        del known[key]


class _Disk:
    """One database per model, options and machine; a cache that cannot be read or written is done without."""

    def __init__(self, model: TextModel) -> None:
        self.width, self.dtype = model.width, np.dtype(model.rows_dtype)
        chosen = os.environ.get("RECTE_NEURAL_CACHE")
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "recte" / "neural"
        name = blake2b(model.key.encode(), digest_size=12).hexdigest()
        self.path = None if chosen == "off" else Path(chosen or cache) / f"{name}.sqlite"

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.floating]]:
        found: dict[bytes, NDArray[np.floating]] = {}
        if self.path is None or not self.path.exists():
            return found
        wanted = list(keys)
        try:
            with closing(sqlite3.connect(self.path)) as database:
                for begin in range(0, len(wanted), _AT_ONCE):
                    part = wanted[begin : begin + _AT_ONCE]
                    query = f"SELECT key, row FROM results WHERE key IN ({','.join('?' * len(part))})"
                    for key, row in database.execute(query, part):
                        values = np.frombuffer(row, dtype=self.dtype)
                        if len(values) == self.width:
                            found[key] = values
        except (sqlite3.Error, OSError, ValueError, TypeError):
            return {}
        return found

    def remember(self, rows: Iterable[tuple[bytes, NDArray[np.floating]]]) -> None:
        listed = [(key, np.ascontiguousarray(row, dtype=self.dtype).tobytes()) for key, row in rows]
        if self.path is None or not listed:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path)) as database, database:
                database.execute("CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, row BLOB)")
                database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", listed)
        except (sqlite3.Error, OSError):
            return


def _key(one: Input) -> bytes:
    text = one if isinstance(one, str) else f"{len(one[0])}\0{one[0]}{one[1]}"
    marked = f"{'1' if isinstance(one, str) else '2'}{text}"
    return blake2b(marked.encode("utf-8", "surrogatepass"), digest_size=16).digest()

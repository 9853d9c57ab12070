"""Results of a model that are known already: in memory, and in the user's cache folder between runs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.progress import Progress
from recte.user_cache import KeptValues, cache_folder

__all__ = ["Input", "TextModel", "results_of", "unknown_inputs"]

Input = str | tuple[str, str]  # a text, or two
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
    """One database per model, options and machine."""

    def __init__(self, model: TextModel) -> None:
        self.width, self.dtype = model.width, np.dtype(model.rows_dtype)
        chosen = os.environ.get("RECTE_NEURAL_CACHE")
        name = blake2b(model.key.encode(), digest_size=12).hexdigest()
        folder = Path(chosen) if chosen else cache_folder("neural")
        self.kept = None if chosen == "off" else KeptValues(folder / f"{name}.sqlite")

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.floating]]:
        known = {} if self.kept is None else self.kept.recall(keys)
        size = self.width * self.dtype.itemsize
        return {key: np.frombuffer(row, dtype=self.dtype) for key, row in known.items() if len(row) == size}

    def remember(self, rows: Iterable[tuple[bytes, NDArray[np.floating]]]) -> None:
        if self.kept is not None:
            self.kept.remember((key, np.ascontiguousarray(row, dtype=self.dtype).tobytes()) for key, row in rows)


def _key(one: Input) -> bytes:
    text = one if isinstance(one, str) else f"{len(one[0])}\0{one[0]}{one[1]}"
    marked = f"{'1' if isinstance(one, str) else '2'}{text}"
    return blake2b(marked.encode("utf-8", "surrogatepass"), digest_size=16).digest()

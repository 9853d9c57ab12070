"""Results of a model that are known already: in memory, and in the user's cache folder between runs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.progress import Progress
from recte.user_cache import KeptValues, cache_folder

__all__ = ["Input", "TextModel", "results_of", "unknown_inputs"]

Input = str | tuple[str, ...]  # a text, or some that belong together
_KEPT_BYTES = 1 << 29  # of one model's results in memory
_WRITE_EVERY = 2_000  # results, or
_WRITE_AFTER = 1.0  # seconds: some results are paid for, and a killed run should lose few


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

    def scored(
        self, inputs: Sequence[Input], /
    ) -> Iterator[tuple[Sequence[int] | NDArray[np.int64], NDArray[np.floating]]]:
        """Places of inputs and their rows, some at a time, in any order."""
        ...


class _Known:
    """The rows of one model's inputs, in the order in which they were first asked for."""

    def __init__(self, width: int, dtype: type[np.floating]) -> None:
        self.places: dict[Input, int] = {}
        self._rows = np.empty((0, width), dtype=dtype)

    def add(self, inputs: Sequence[Input], rows: NDArray[np.floating]) -> None:
        begin, end = len(self.places), len(self.places) + len(inputs)
        if not begin:
            self._rows = rows
        else:
            if end > len(self._rows):  # room for as many again, so that many small additions stay cheap
                self._rows = np.concatenate([self._rows[:begin], np.empty((end, rows.shape[1]), dtype=rows.dtype)])
            self._rows[begin:end] = rows
        self.places.update(zip(inputs, range(begin, end), strict=True))

    def rows(self, inputs: Sequence[Input]) -> NDArray[np.floating]:
        return self._rows[np.fromiter(map(self.places.__getitem__, inputs), np.int64, len(inputs))]

    def forget_oldest(self) -> None:
        """Keep what there is room for."""
        most = _KEPT_BYTES // (self._rows.itemsize * self._rows.shape[1] + 200)
        if len(self.places) > most:
            kept = list(self.places)[-most:]
            self._rows = self.rows(kept)
            self.places = {one: place for place, one in enumerate(kept)}


_known: dict[str, _Known] = {}


def results_of(model: TextModel, inputs: Sequence[Input]) -> NDArray[np.floating]:
    """A row for each input. Each distinct input is scored once, and never again while its result is known."""
    known = _known.setdefault(model.key, _Known(model.width, model.rows_dtype))
    missing = [one for one in dict.fromkeys(inputs) if one not in known.places]
    if missing:
        known.add(missing, _rows_of(model, missing))
    rows = known.rows(inputs)
    known.forget_oldest()
    return rows


def unknown_inputs(model: TextModel, inputs: Sequence[Input]) -> list[Input]:
    """The distinct inputs that the model would have to be asked about."""
    known = _known.get(model.key)
    missing = [one for one in dict.fromkeys(inputs) if known is None or one not in known.places]
    keys = [_key(one) for one in missing]
    there = _Disk(model).recall(keys)
    return [one for one, key in zip(missing, keys, strict=True) if key not in there]


def _rows_of(model: TextModel, inputs: Sequence[Input]) -> NDArray[np.floating]:
    """A row for each of some distinct inputs, from the disk or from the model."""
    rows = np.empty((len(inputs), model.width), dtype=model.rows_dtype)
    disk = _Disk(model)
    keys = [] if disk.kept is None else [_key(one) for one in inputs]
    there = disk.recall(keys)
    for place, key in enumerate(keys if there else ()):
        if key in there:
            rows[place] = there[key]
    left = np.array([place for place, key in enumerate(keys) if key not in there] if there else range(len(inputs)))
    if not len(left):
        return rows
    unwritten: list[int] = []
    progress, written = Progress(model.title, len(left)), time.monotonic()
    try:
        for places, given in model.scored([inputs[place] for place in left.tolist()] if there else inputs):
            own = left[places]
            rows[own] = given
            progress.advance(len(own))
            if keys:
                unwritten += own.tolist()
            if len(unwritten) >= _WRITE_EVERY or time.monotonic() > written + _WRITE_AFTER:
                disk.remember((keys[place], rows[place]) for place in unwritten)
                unwritten, written = [], time.monotonic()
    finally:  # what was scored before a stop is not lost
        disk.remember((keys[place], rows[place]) for place in unwritten)
    return rows


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
    texts = (one,) if isinstance(one, str) else one
    lengths = "".join(f"{len(text)}\0" for text in texts[:-1])
    marked = f"{len(texts) if isinstance(one, tuple) else 1}{lengths}{''.join(texts)}"
    return blake2b(marked.encode("utf-8", "surrogatepass"), digest_size=16).digest()

"""Results of models for texts, each computed once: cached in memory, and on disk between runs."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.caching.disk_cache import KeyLocks
from recte.caching.row_cache import Input, RowCache, input_key
from recte.errors import InputError
from recte.messages import Progress
from recte.text.printable_text import quote

__all__ = [
    "Input",
    "PairModel",
    "PendingRows",
    "TextModel",
    "results_of",
    "results_of_blocks",
    "results_of_each",
    "rows_and_places",
    "unknown_inputs",
]

_MEMORY_BYTES = 1 << 29  # of one model's results in memory
_WRITE_EVERY = 2_000  # results, or
_WRITE_AFTER = 1.0  # seconds
_POLL_SECONDS = 0.3  # between two looks at what other processes have stored
_MOST_PENDING = 16  # batches that a device may have to compute before their results are waited for


class PendingRows(Protocol):
    """Rows that a device computes; `ready` says whether they are computed."""

    @property
    def ready(self) -> bool: ...
    def rows(self) -> NDArray[np.floating]: ...


_Places = Sequence[int] | NDArray[np.int64]
_Rows = NDArray[np.floating] | PendingRows


class TextModel(Protocol):
    """Turns texts, or pairs of texts, into rows of numbers.

    `key` names everything that a result depends on, the texts aside. A model may have `load`, which is called before it
    is used and may change its key. A model may have `paid`: then each result is stored at once, and a process waits for
    what another one asks at the moment.
    """

    @property
    def title(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def rows_dtype(self) -> type[np.float32] | type[np.float64]: ...

    def score_inputs(self, inputs: Sequence[Input], /) -> Iterator[tuple[_Places, _Rows]]:
        """Yield places of inputs with their rows, some at a time, in any order; rows may be pending."""
        ...


class PairModel(TextModel, Protocol):
    """A model that also takes inputs block by block, while later blocks are made."""

    def score_blocks(self, blocks: Iterable[Sequence[Input]], /) -> Iterator[tuple[_Places, _Rows]]:
        """As `score_inputs`; places count through all blocks."""
        ...


class _MemoryCache:
    """The rows of one model's inputs, in the order in which they were first asked for."""

    def __init__(self, width: int, dtype: type[np.floating]) -> None:
        self.places: dict[Input, int] = {}
        self.rows: NDArray[np.floating] = np.empty((0, width), dtype=dtype)

    def add(self, inputs: Sequence[Input], rows: NDArray[np.floating]) -> None:
        begin, end = len(self.places), len(self.places) + len(inputs)
        if not begin:
            self.rows = rows
        else:
            if end > len(self.rows):  # twice as many, so that many small additions stay cheap
                self.rows = np.concatenate([self.rows[:begin], np.empty((end, rows.shape[1]), dtype=rows.dtype)])
            self.rows[begin:end] = rows
        self.places.update(zip(inputs, range(begin, end), strict=True))

    def places_of(self, inputs: Sequence[Input]) -> NDArray[np.int64]:
        return np.fromiter(map(self.places.__getitem__, inputs), np.int64, len(inputs))

    def forget_oldest(self) -> None:
        """Remove the oldest rows that are more than memory may hold."""
        most = _MEMORY_BYTES // (self.rows.itemsize * self.rows.shape[1] + 200)
        if len(self.places) > most:
            newest = list(self.places)[-most:]
            self.rows = self.rows[self.places_of(newest)]
            self.places = {texts: place for place, texts in enumerate(newest)}


_memory: dict[str, _MemoryCache] = {}


def results_of(model: TextModel, inputs: Sequence[Input], meanwhile: Iterable[object] = ()) -> NDArray[np.floating]:
    """A row for each input. Each distinct input is scored once, and never again while its result is known.

    `meanwhile` is other work: a step of it is done after each batch, while a device computes the next ones.
    """
    return results_of_each([(model, inputs)], meanwhile)[0]


def results_of_each(
    asked: Sequence[tuple[TextModel, Sequence[Input]]], meanwhile: Iterable[object] = ()
) -> list[NDArray[np.floating]]:
    """The same of several models: a device that still works for one is given what another has for it."""
    return [rows[places] for rows, places in rows_and_places(asked, meanwhile)]


def results_of_blocks(
    model: PairModel, blocks: Iterable[tuple[Sequence[str], NDArray[np.int64]]]
) -> NDArray[np.floating]:
    """A row for each pair of texts of each block; pairs are places among the block's texts.

    A model that takes its inputs in blocks (`score_blocks`) works on the first block while the next is made.
    """
    asked: list[tuple[list[Input], NDArray[np.int64]]] = []

    def inputs() -> Iterator[list[Input]]:
        for texts, pairs in blocks:
            keys, inverse = np.unique(pairs @ (len(texts) + 1, 1), return_inverse=True)
            first, second = (side.tolist() for side in np.divmod(keys, len(texts) + 1))
            distinct: list[Input] = [(texts[a], texts[b]) for a, b in zip(first, second, strict=True)]
            asked.append((distinct, inverse.reshape(-1)))
            yield distinct

    made = inputs()
    if isinstance(blocks, Sequence):
        deque(made, maxlen=0)
        results = rows_and_places([(model, distinct) for distinct, _ in asked])
    else:
        results = _rows_of_blocks(model, made, asked)
    return np.concatenate([rows[places[of]] for (rows, places), (_, of) in zip(results, asked, strict=True)])


def _rows_of_blocks(
    model: PairModel, made: Iterator[list[Input]], blocks: Sequence[tuple[list[Input], NDArray[np.int64]]]
) -> list[tuple[NDArray[np.floating], NDArray[np.int64]]]:
    """As `rows_and_places` of blocks that are `made` while a model works; they are `wanted` once they are made."""
    while True:
        request = _BlockRequest(model, chain([distinct for distinct, _ in blocks], made))
        try:
            _run([request], ())
            break
        except _OtherKeyError:
            continue
    results = [request.rows_and_places(distinct) for distinct, _ in blocks]
    request.known.forget_oldest()
    return results


def rows_and_places(
    asked: Sequence[tuple[TextModel, Sequence[Input]]], meanwhile: Iterable[object] = ()
) -> list[tuple[NDArray[np.floating], NDArray[np.int64]]]:
    """The same, as rows of distinct inputs and the place of each input's row among them."""
    requests: dict[str, _Request] = {}
    keys = [model.key for model, _ in asked]
    for key, (model, inputs) in zip(keys, asked, strict=True):
        requests.setdefault(key, _Request(model)).add(inputs)
    steps = iter(meanwhile)
    try:
        _run(list(requests.values()), steps)
    except _OtherKeyError:
        return rows_and_places(asked, steps)
    results = [requests[key].rows_and_places(inputs) for key, (_, inputs) in zip(keys, asked, strict=True)]
    for request in requests.values():
        request.known.forget_oldest()
    return results


def _run(requests: Sequence[_Request], meanwhile: Iterable[object]) -> None:
    """Compute everything that is requested and not cached."""
    steps = iter(meanwhile)
    try:
        for request, places, rows in _iterate_rows(requests):
            request.take(places, rows)
            next(steps, None)
    finally:  # what was scored before a stop is not lost
        for request in requests:
            request.write()
    deque(steps, maxlen=0)


def _iterate_rows(requests: Iterable[_Request]) -> Iterator[tuple[_Request, _Places, NDArray[np.floating]]]:
    """Yield computed rows; a device has the next batches before the rows of the first are waited for."""
    waiting: deque[tuple[_Request, _Places, PendingRows]] = deque()
    for request in requests:
        for places, rows in request.score_inputs():
            if isinstance(rows, np.ndarray):
                yield request, places, rows
                continue
            waiting.append((request, places, rows))
            while waiting and (waiting[0][2].ready or len(waiting) > _MOST_PENDING):
                whose, where, awaited = waiting.popleft()
                yield whose, where, awaited.rows()
    for whose, where, awaited in waiting:
        yield whose, where, awaited.rows()


def _open_row_cache(model: TextModel) -> RowCache:
    return RowCache(model.key, model.width, model.rows_dtype, paid=bool(getattr(model, "paid", False)))


def unknown_inputs(model: TextModel, inputs: Sequence[Input]) -> list[Input]:
    """The distinct inputs that the model would have to be asked about."""
    known = _memory.get(model.key)
    missing = [texts for texts in dict.fromkeys(inputs) if known is None or texts not in known.places]
    keys = [input_key(texts) for texts in missing]
    there = _open_row_cache(model).read(keys)
    return [texts for texts, key in zip(missing, keys, strict=True) if key not in there]


class _OtherKeyError(Exception):
    """A model has another key since it was loaded: results under the old key are not its own."""


class _Request:
    """One model with its inputs whose rows are not in memory; they are on the disk, or the model is asked."""

    def __init__(self, model: TextModel) -> None:
        self._model, self._key = model, model.key
        self._paid = bool(getattr(model, "paid", False))
        self.known = _memory.setdefault(self._key, _MemoryCache(model.width, model.rows_dtype))
        self._missing: dict[Input, None] = {}
        self._rows = np.empty((0, model.width), dtype=model.rows_dtype)
        self._unwritten: list[int] = []

    def add(self, inputs: Sequence[Input]) -> list[Input]:
        """More inputs; those of them that are new."""
        known, missing = self.known.places, self._missing
        added = [texts for texts in dict.fromkeys(inputs) if texts not in known and texts not in missing]
        missing.update(dict.fromkeys(added))
        return added

    def score_inputs(self) -> Iterator[tuple[_Places, _Rows]]:
        """Places among the missing inputs, and what the model gives for them."""
        inputs = list(self._missing)
        if not inputs:
            return
        self._extend_rows()
        self._disk = _open_row_cache(self._model)
        self._keys = [] if self._disk.cache is None else [input_key(texts) for texts in inputs]
        left = self._find_missing(np.arange(len(inputs)))
        self._progress, self._written = Progress(self._model.title, len(left)), time.monotonic()
        if not len(left):
            return
        self._disk.check()
        yield from self._ask_with_locks(inputs, left) if self._paid and self._keys else self._ask(inputs, left)

    def _ask(self, inputs: list[Input], left: NDArray[np.int64]) -> Iterator[tuple[_Places, _Rows]]:
        if not len(left):
            return
        self._load()
        if len(left) == len(inputs):
            yield from self._model.score_inputs(inputs)
        else:
            for places, rows in self._model.score_inputs([inputs[place] for place in left.tolist()]):
                yield left[places], rows

    def _load(self) -> None:
        """Load the model; raises `_OtherKeyError` where that changes its key."""
        load = getattr(self._model, "load", None)
        if load is not None:
            load()
        if self._model.key != self._key:
            raise _OtherKeyError

    def _ask_with_locks(self, inputs: list[Input], left: NDArray[np.int64]) -> Iterator[tuple[_Places, _Rows]]:
        """Ask what no other process asks at the moment, then wait for the results of the others."""
        assert self._disk.cache is not None
        with KeyLocks.of(self._disk.cache) as locks:
            while len(left):
                taken = locks.acquire(self._keys[place] for place in left.tolist())
                mine = np.array([place for place in left.tolist() if self._keys[place] in taken], dtype=np.int64)
                asked = self._find_missing(mine)  # another process may have stored it just now
                self._progress.advance(len(mine) - len(asked))
                try:
                    yield from self._ask(inputs, asked)
                finally:
                    self.write()
                    locks.release()
                others = np.setdiff1d(left, mine)
                if len(others) == len(left):
                    time.sleep(_POLL_SECONDS)
                left = self._find_missing(others)
                self._progress.advance(len(others) - len(left))

    def _find_missing(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the places whose inputs are not on the disk; rows of the others are filled in."""
        there = self._disk.read([self._keys[place] for place in places.tolist()] if self._keys else ())
        if not there:
            return places
        known = [place for place in places.tolist() if self._keys[place] in there]
        for place in known:
            self._rows[place] = there[self._keys[place]]
        return np.setdiff1d(places, known)

    def take(self, places: _Places, rows: NDArray[np.floating]) -> None:
        numbers = np.asarray(places)
        wrong = np.isnan(rows).any(axis=1)
        if wrong.any():
            unscored = list(self._missing)[numbers[wrong][0]]
            text = unscored if isinstance(unscored, str) else unscored[-1]
            raise InputError(f"{self._model.title}: expected a number for each text, got none for {quote(text)}")
        self._extend_rows()
        self._rows[numbers] = rows
        self._progress.advance(len(numbers))
        if self._keys:
            self._unwritten += numbers.tolist()
            late = self._paid or time.monotonic() > self._written + _WRITE_AFTER
            if late or len(self._unwritten) >= _WRITE_EVERY:
                self.write()

    def _extend_rows(self) -> None:
        if len(self._rows) < len(self._missing):
            more = np.empty((len(self._missing) - len(self._rows), self._rows.shape[1]), dtype=self._rows.dtype)
            self._rows = np.concatenate([self._rows, more]) if len(self._rows) else more

    def write(self) -> None:
        """Store on disk what is not stored yet."""
        if self._unwritten:
            self._disk.write((self._keys[place], self._rows[place]) for place in self._unwritten)
            self._unwritten, self._written = [], time.monotonic()

    def rows_and_places(self, inputs: Sequence[Input]) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
        """Rows, and the place of each input's among them."""
        if self._missing:
            self._extend_rows()
            self.known.add(list(self._missing), self._rows)
            self._missing = {}
        return self.known.rows, self.known.places_of(inputs)


class _BlockRequest(_Request):
    """Inputs come in blocks, the next of which is made while the model works on the last, in another thread."""

    def __init__(self, model: PairModel, blocks: Iterable[Sequence[Input]]) -> None:
        super().__init__(model)
        self._pairs, self._blocks = model, blocks
        self._asked_places: list[int] = []
        self._recalled: dict[int, NDArray[np.floating]] = {}

    def score_inputs(self) -> Iterator[tuple[_Places, _Rows]]:
        self._disk = _open_row_cache(self._model)
        self._disk.check()
        self._keys: list[bytes] = []
        self._progress, self._written = Progress(self._model.title, 0), time.monotonic()
        coming = self._iterate_missing()
        first = next(coming, None)
        if first is not None:
            self._load()
            for places, rows in self._pairs.score_blocks(chain([first], coming)):
                if self._recalled:
                    places = np.array([self._asked_places[place] for place in np.asarray(places).tolist()])
                yield places, rows
        self._extend_rows()
        for place, row in self._recalled.items():
            self._rows[place] = row

    def _iterate_missing(self) -> Iterator[Sequence[Input]]:
        """Yield the blocks without the inputs whose rows are in memory or on disk."""
        for block in self._blocks:
            begin = len(self._missing)
            inputs = self.add(block)
            keys = [] if self._disk.cache is None else [input_key(texts) for texts in inputs]
            there = self._disk.read(keys)
            self._keys += keys
            self._recalled.update((place, there[key]) for place, key in enumerate(keys, begin) if key in there)
            asked = [n for n, key in enumerate(keys) if key not in there] if there else range(len(inputs))
            self._asked_places += [begin + n for n in asked]
            self._progress.total = len(self._asked_places)
            if asked:
                yield [inputs[n] for n in asked] if there else inputs

"""Results of a model that are known already: in memory, and in the user's cache folder between runs."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError
from recte.kept_values import Claims
from recte.neural.kept_rows import Input, KeptRows, key_of
from recte.progress import Progress
from recte.visible_text import quoted

__all__ = [
    "Awaited",
    "Input",
    "PairModel",
    "TextModel",
    "results_of",
    "results_of_blocks",
    "results_of_each",
    "rows_and_places",
    "unknown_inputs",
]

_KEPT_BYTES = 1 << 29  # of one model's results in memory
_WRITE_EVERY = 2_000  # results, or
_WRITE_AFTER = 1.0  # seconds
_LOOK_AFTER = 0.3  # seconds between two looks at what other processes found
_MOST_AWAITED = 16  # batches that a device may have to do before its results are waited for


class Awaited(Protocol):
    """Rows that a device was asked for; `here` says whether nobody has to wait for them."""

    @property
    def here(self) -> bool: ...
    def rows(self) -> NDArray[np.floating]: ...


_Places = Sequence[int] | NDArray[np.int64]
_Given = NDArray[np.floating] | Awaited


class TextModel(Protocol):
    """Whatever turns texts, or pairs of texts, into rows of numbers; all that the cache needs to know of it.

    `key` names everything that a result depends on, beside the texts. A model may have `load`, which is called before
    it is asked; then its key may be another. A model may say that it is `paid`: then each result is kept at once, and
    what one process asks, others wait for instead of asking it, too.
    """

    @property
    def title(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def rows_dtype(self) -> type[np.float32] | type[np.float64]: ...

    def scored(self, inputs: Sequence[Input], /) -> Iterator[tuple[_Places, _Given]]:
        """Places of inputs and their rows, some at a time, in any order; rows may still be on their way."""
        ...


class PairModel(TextModel, Protocol):
    """A model that takes inputs block by block, too, as they come."""

    def scored_blocks(self, blocks: Iterable[Sequence[Input]], /) -> Iterator[tuple[_Places, _Given]]:
        """As `scored`; places count through all blocks."""
        ...


class _Known:
    """The rows of one model's inputs, in the order in which they were first asked for."""

    def __init__(self, width: int, dtype: type[np.floating]) -> None:
        self.places: dict[Input, int] = {}
        self.rows: NDArray[np.floating] = np.empty((0, width), dtype=dtype)

    def add(self, inputs: Sequence[Input], rows: NDArray[np.floating]) -> None:
        begin, end = len(self.places), len(self.places) + len(inputs)
        if not begin:
            self.rows = rows
        else:
            if end > len(self.rows):  # room for as many again, so that many small additions stay cheap
                self.rows = np.concatenate([self.rows[:begin], np.empty((end, rows.shape[1]), dtype=rows.dtype)])
            self.rows[begin:end] = rows
        self.places.update(zip(inputs, range(begin, end), strict=True))

    def places_of(self, inputs: Sequence[Input]) -> NDArray[np.int64]:
        return np.fromiter(map(self.places.__getitem__, inputs), np.int64, len(inputs))

    def forget_oldest(self) -> None:
        """Keep what there is room for."""
        most = _KEPT_BYTES // (self.rows.itemsize * self.rows.shape[1] + 200)
        if len(self.places) > most:
            kept = list(self.places)[-most:]
            self.rows = self.rows[self.places_of(kept)]
            self.places = {one: place for place, one in enumerate(kept)}


_known: dict[str, _Known] = {}


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

    A model that takes its inputs in blocks (`scored_blocks`) works on the first block while the next is made.
    """
    wanted: list[tuple[list[Input], NDArray[np.int64]]] = []

    def inputs() -> Iterator[list[Input]]:
        for texts, pairs in blocks:
            keys, inverse = np.unique(pairs @ (len(texts) + 1, 1), return_inverse=True)
            first, second = (side.tolist() for side in np.divmod(keys, len(texts) + 1))
            distinct: list[Input] = [(texts[a], texts[b]) for a, b in zip(first, second, strict=True)]
            wanted.append((distinct, inverse.reshape(-1)))
            yield distinct

    made = inputs()
    if isinstance(blocks, Sequence):
        deque(made, maxlen=0)
        found = rows_and_places([(model, distinct) for distinct, _ in wanted])
    else:
        found = _found_in_blocks(model, made, wanted)
    return np.concatenate([rows[places[of]] for (rows, places), (_, of) in zip(found, wanted, strict=True)])


def _found_in_blocks(
    model: PairModel, made: Iterator[list[Input]], wanted: Sequence[tuple[list[Input], NDArray[np.int64]]]
) -> list[tuple[NDArray[np.floating], NDArray[np.int64]]]:
    """As `rows_and_places` of blocks that are `made` while a model works; they are `wanted` once they are made."""
    while True:
        asking = _AskingInBlocks(model, chain([distinct for distinct, _ in wanted], made))
        try:
            _answered([asking], ())
            break
        except _OtherKeyError:
            continue
    found = [asking.found(distinct) for distinct, _ in wanted]
    asking.known.forget_oldest()
    return found


def rows_and_places(
    asked: Sequence[tuple[TextModel, Sequence[Input]]], meanwhile: Iterable[object] = ()
) -> list[tuple[NDArray[np.floating], NDArray[np.int64]]]:
    """The same, as rows of distinct inputs and the place of each input's row among them."""
    askings: dict[str, _Asking] = {}
    keys = [model.key for model, _ in asked]
    for key, (model, inputs) in zip(keys, asked, strict=True):
        askings.setdefault(key, _Asking(model)).add(inputs)
    steps = iter(meanwhile)
    try:
        _answered(list(askings.values()), steps)
    except _OtherKeyError:
        return rows_and_places(asked, steps)
    found = [askings[key].found(inputs) for key, (_, inputs) in zip(keys, asked, strict=True)]
    for asking in askings.values():
        asking.known.forget_oldest()
    return found


def _answered(askings: Sequence[_Asking], meanwhile: Iterable[object]) -> None:
    """Have all that models are asked."""
    steps = iter(meanwhile)
    try:
        for asking, places, given in _in_time(askings):
            asking.take(places, given)
            next(steps, None)
    finally:  # what was scored before a stop is not lost
        for asking in askings:
            asking.write()
    deque(steps, maxlen=0)


def _in_time(askings: Iterable[_Asking]) -> Iterator[tuple[_Asking, _Places, NDArray[np.floating]]]:
    """What models give, when it is here; the next is asked for before it is waited for."""
    waiting: deque[tuple[_Asking, _Places, Awaited]] = deque()
    for asking in askings:
        for places, given in asking.scored():
            if isinstance(given, np.ndarray):
                yield asking, places, given
                continue
            waiting.append((asking, places, given))
            while waiting and (waiting[0][2].here or len(waiting) > _MOST_AWAITED):
                whose, where, awaited = waiting.popleft()
                yield whose, where, awaited.rows()
    for whose, where, awaited in waiting:
        yield whose, where, awaited.rows()


def _kept_rows(model: TextModel) -> KeptRows:
    return KeptRows(model.key, model.width, model.rows_dtype, paid=bool(getattr(model, "paid", False)))


def unknown_inputs(model: TextModel, inputs: Sequence[Input]) -> list[Input]:
    """The distinct inputs that the model would have to be asked about."""
    known = _known.get(model.key)
    missing = [one for one in dict.fromkeys(inputs) if known is None or one not in known.places]
    keys = [key_of(one) for one in missing]
    there = _kept_rows(model).recall(keys)
    return [one for one, key in zip(missing, keys, strict=True) if key not in there]


class _OtherKeyError(Exception):
    """A model has another key than before it was loaded: what is known by the old one does not hold."""


class _Asking:
    """One model with its inputs whose rows are not in memory; they are on the disk, or the model is asked."""

    def __init__(self, model: TextModel) -> None:
        self._model, self._key = model, model.key
        self._paid = bool(getattr(model, "paid", False))
        self.known = _known.setdefault(self._key, _Known(model.width, model.rows_dtype))
        self._missing: dict[Input, None] = {}
        self._rows = np.empty((0, model.width), dtype=model.rows_dtype)
        self._unwritten: list[int] = []

    def add(self, inputs: Sequence[Input]) -> list[Input]:
        """More inputs; those of them that are new."""
        known, missing = self.known.places, self._missing
        added = [one for one in dict.fromkeys(inputs) if one not in known and one not in missing]
        missing.update(dict.fromkeys(added))
        return added

    def scored(self) -> Iterator[tuple[_Places, _Given]]:
        """Places among the missing inputs, and what the model gives for them."""
        inputs = list(self._missing)
        if not inputs:
            return
        self._make_room()
        self._disk = _kept_rows(self._model)
        self._keys = [] if self._disk.kept is None else [key_of(one) for one in inputs]
        left = self._left(np.arange(len(inputs)))
        self._progress, self._written = Progress(self._model.title, len(left)), time.monotonic()
        if not len(left):
            return
        self._disk.check()
        yield from self._shared_out(inputs, left) if self._paid and self._keys else self._asked(inputs, left)

    def _asked(self, inputs: list[Input], left: NDArray[np.int64]) -> Iterator[tuple[_Places, _Given]]:
        if not len(left):
            return
        self._load()
        if len(left) == len(inputs):
            yield from self._model.scored(inputs)
        else:
            for places, given in self._model.scored([inputs[place] for place in left.tolist()]):
                yield left[places], given

    def _load(self) -> None:
        """Have the model ready, and know whether it is the one whose results were looked for."""
        load = getattr(self._model, "load", None)
        if load is not None:
            load()
        if self._model.key != self._key:
            raise _OtherKeyError

    def _shared_out(self, inputs: list[Input], left: NDArray[np.int64]) -> Iterator[tuple[_Places, _Given]]:
        """Ask what no other process asks at the moment, then wait for what others found."""
        assert self._disk.kept is not None
        with Claims.on(self._disk.kept) as claims:
            while len(left):
                taken = claims.take(self._keys[place] for place in left.tolist())
                mine = np.array([place for place in left.tolist() if self._keys[place] in taken], dtype=np.int64)
                asked = self._left(mine)  # somebody may have found it just now
                self._progress.advance(len(mine) - len(asked))
                try:
                    yield from self._asked(inputs, asked)
                finally:
                    self.write()
                    claims.give_up()
                others = np.setdiff1d(left, mine)
                if len(others) == len(left):
                    time.sleep(_LOOK_AFTER)
                left = self._left(others)
                self._progress.advance(len(others) - len(left))

    def _left(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the places whose inputs are not on the disk; rows of the others are filled in."""
        there = self._disk.recall([self._keys[place] for place in places.tolist()] if self._keys else ())
        if not there:
            return places
        known = [place for place in places.tolist() if self._keys[place] in there]
        for place in known:
            self._rows[place] = there[self._keys[place]]
        return np.setdiff1d(places, known)

    def take(self, places: _Places, given: NDArray[np.floating]) -> None:
        own = np.asarray(places)
        wrong = np.isnan(given).any(axis=1)
        if wrong.any():
            one = list(self._missing)[own[wrong][0]]
            text = one if isinstance(one, str) else one[-1]
            raise InputError(f"{self._model.title}: expected a number for each text, got none for {quoted(text)}")
        self._make_room()
        self._rows[own] = given
        self._progress.advance(len(own))
        if self._keys:
            self._unwritten += own.tolist()
            late = self._paid or time.monotonic() > self._written + _WRITE_AFTER
            if late or len(self._unwritten) >= _WRITE_EVERY:
                self.write()

    def _make_room(self) -> None:
        if len(self._rows) < len(self._missing):
            more = np.empty((len(self._missing) - len(self._rows), self._rows.shape[1]), dtype=self._rows.dtype)
            self._rows = np.concatenate([self._rows, more]) if len(self._rows) else more

    def write(self) -> None:
        """Keep on the disk what is not there yet."""
        if self._unwritten:
            self._disk.remember((self._keys[place], self._rows[place]) for place in self._unwritten)
            self._unwritten, self._written = [], time.monotonic()

    def found(self, inputs: Sequence[Input]) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
        """Rows, and the place of each input's among them."""
        if self._missing:
            self._make_room()
            self.known.add(list(self._missing), self._rows)
            self._missing = {}
        return self.known.rows, self.known.places_of(inputs)


class _AskingInBlocks(_Asking):
    """Inputs come in blocks, the next of which is made while the model works on the last, in another thread."""

    def __init__(self, model: PairModel, blocks: Iterable[Sequence[Input]]) -> None:
        super().__init__(model)
        self._pairs, self._blocks = model, blocks
        self._asked_places: list[int] = []
        self._recalled: dict[int, NDArray[np.floating]] = {}

    def scored(self) -> Iterator[tuple[_Places, _Given]]:
        self._disk = _kept_rows(self._model)
        self._disk.check()
        self._keys: list[bytes] = []
        self._progress, self._written = Progress(self._model.title, 0), time.monotonic()
        coming = self._as_they_come()
        first = next(coming, None)
        if first is not None:
            self._load()
            for places, given in self._pairs.scored_blocks(chain([first], coming)):
                if self._recalled:
                    places = np.array([self._asked_places[place] for place in np.asarray(places).tolist()])
                yield places, given
        self._make_room()
        for place, row in self._recalled.items():
            self._rows[place] = row

    def _as_they_come(self) -> Iterator[Sequence[Input]]:
        """Those that are neither known nor on the disk."""
        for block in self._blocks:
            begin = len(self._missing)
            inputs = self.add(block)
            keys = [] if self._disk.kept is None else [key_of(one) for one in inputs]
            there = self._disk.recall(keys)
            self._keys += keys
            self._recalled.update((place, there[key]) for place, key in enumerate(keys, begin) if key in there)
            asked = [n for n, key in enumerate(keys) if key not in there] if there else range(len(inputs))
            self._asked_places += [begin + n for n in asked]
            self._progress.total = len(self._asked_places)
            if asked:
                yield [inputs[n] for n in asked] if there else inputs

"""Counts: what a metric saw of a system, one row per sentence, enough for every score without the texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.packed_rows import PackedRows
from recte.errors import InputError

__all__ = [
    "ABSENT",
    "Counts",
    "TieTable",
    "TypeCount",
    "TypeTable",
    "absent_rows",
    "is_present",
    "plain_rows",
    "stretches",
]

ABSENT = -1  # in rows of integers; in rows of floats it is NaN
_STRETCH = 10_000
_DTYPES = (np.dtype(np.int32), np.dtype(np.float64))
_TEXT = np.dtype(np.str_)
_ROW_ARRAYS = {  # arrays with one entry for each row
    "index": np.dtype(np.int64),
    "fallbacks": np.dtype(np.bool_),
    "fingerprints": np.dtype(np.uint32),
}


def absent_rows(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Rows in which no sentence has any column yet.

    >>> absent_rows((1, 1, 2), np.int32).tolist()
    [[[-1, -1]]]
    """
    return np.full(shape, ABSENT if np.dtype(dtype).kind == "i" else np.nan, dtype=dtype)


def is_present(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Which columns each sentence has, by its first cell.

    >>> is_present(np.array([[[1.0, 2.0], [np.nan, np.nan]]])).tolist()
    [[True, False]]
    """
    first = rows.reshape(*rows.shape[:2], -1)[:, :, 0] if rows.size else np.zeros(rows.shape[:2])
    return np.asarray(first != ABSENT if rows.dtype.kind == "i" else ~np.isnan(first))


def stretches(size: int) -> Iterator[slice]:
    """Runs of sentences, for what would need much memory of all at once.

    >>> list(stretches(14_000))
    [slice(0, 10000, None), slice(10000, 14000, None)]
    """
    for begin in range(0, size, _STRETCH):
        yield slice(begin, min(begin + _STRETCH, size))


def plain_rows(*columns: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """What arrays of one length hold at each place, as plain numbers and lists; some thousand at a time are made.

    >>> list(plain_rows(np.array([1, 2]), np.array([[0.5, 1.0], [0.0, 0.25]])))
    [(1, [0.5, 1.0]), (2, [0.0, 0.25])]
    """
    for part in stretches(len(columns[0])):
        yield from zip(*(column[part].tolist() for column in columns), strict=True)


def _describe(value: Any) -> str:
    """What came instead of an array that fits, in words."""
    return f"shape {value.shape} of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__


_ENTRIES_TOGETHER = 100_000  # of a table by type


def narrow_integers(values: NDArray[np.integer[Any]]) -> NDArray[np.signedinteger[Any]]:
    """The values in a small signed type that holds them.

    >>> narrow_integers(np.array([0, 300])).dtype.name
    'int16'
    """
    largest = max(int(values.max()), -int(values.min())) if values.size else 0
    narrowed: NDArray[np.signedinteger[Any]] = values.astype(np.min_scalar_type(-largest - 1))
    return narrowed


class TypeCount(NamedTuple):
    """One error type in one sentence against one annotator: gold edits and how many were found, and the system's
    own edits of that type and how many were correct.
    """

    sentence: int
    column: str
    type: str
    gold: int
    found: int
    proposed: int
    correct: int


@dataclass(frozen=True, eq=False)
class _Arrays:
    """A dataclass with arrays among its fields: equal where all fields are."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    __hash__ = None  # type: ignore[assignment]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype.kind == b.dtype.kind and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return bool(a == b)


@dataclass(frozen=True, eq=False)
class TypeTable(_Arrays):
    """Counts by error type, as columns with one entry for each sentence, column of the counts, and type that occurs.

    `sentence` is the place in the corpus, `column` the place among the counts' columns, `type` that among `names`;
    `cells` are gold, found, proposed and correct. Integers are as small as their values allow: of a large corpus there
    are millions.
    """

    names: tuple[str, ...]
    sentence: NDArray[np.signedinteger[Any]]
    column: NDArray[np.signedinteger[Any]]
    type: NDArray[np.signedinteger[Any]]
    cells: NDArray[np.signedinteger[Any]]

    @classmethod
    def sum_up(
        cls,
        names: Sequence[str],
        sentence: NDArray[np.integer[Any]],
        column: NDArray[np.integer[Any]],
        type_: NDArray[np.integer[Any]],
        cells: NDArray[np.integer[Any]],
    ) -> TypeTable:
        """Cells added up where sentence, column and type are the same, in the order of their first occurrence."""
        known = np.unique(type_)
        listed = sorted(known.tolist(), key=lambda number: names[number])
        place = np.zeros(len(names), dtype=np.int64)
        place[listed] = np.arange(len(listed))
        rows = np.stack([sentence, column, place[type_]], axis=1).astype(np.int64)
        distinct, first, entry = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        sums = np.zeros((len(distinct), 4), dtype=np.int32)
        np.add.at(sums, entry.reshape(-1), cells)
        order = np.argsort(first)
        sentences, columns, types = distinct[order].T
        kinds = tuple(names[number] for number in listed)
        return cls(kinds, *map(narrow_integers, (sentences, columns, types, sums[order])))

    def entries(self, columns: Sequence[str]) -> Iterator[TypeCount]:
        """The entries one by one; `columns` are those of the counts."""
        numbers = (self.sentence.tolist(), self.column.tolist(), self.type.tolist(), self.cells.tolist())
        for sentence, column, type_, cells in zip(*numbers, strict=True):
            yield TypeCount(sentence, columns[column], self.names[type_], *cells)

    def fits(self, columns: int) -> bool:
        """Whether the table's own columns fit together, and its places are among those of so many columns."""
        size = len(self.sentence)
        numbers = ((self.column, columns), (self.type, len(self.names)))
        return (
            self.cells.shape == (size, 4)
            and self.sentence.shape == (size,)
            and all(a.shape == (size,) and a.dtype.kind == "i" for a, _ in numbers)
            and all(bool(((a >= 0) & (a < limit)).all()) for a, limit in numbers)
        )

    def select(self, mask: NDArray[np.bool_]) -> TypeTable:
        """The entries where `mask` is true."""
        return replace(
            self, sentence=self.sentence[mask], column=self.column[mask], type=self.type[mask], cells=self.cells[mask]
        )

    def chosen_entries(
        self, sentences: NDArray[np.int64], chosen: NDArray[np.int32]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The places of entries of the column chosen for their sentence, and those of their sentences among
        `sentences`, some at a time.
        """
        order = np.argsort(sentences, kind="stable")
        in_order = sentences[order]
        for begin in range(0, len(self.sentence), _ENTRIES_TOGETHER):
            of_block = slice(begin, begin + _ENTRIES_TOGETHER)
            sentence = self.sentence[of_block].astype(np.int64)
            places = np.searchsorted(in_order, sentence)
            known = np.flatnonzero(places < len(order))
            rows = order[places[known]]
            fits = (sentences[rows] == sentence[known]) & (chosen[rows] == self.column[of_block][known])
            yield begin + known[fits], rows[fits]

    def totals(self, sentences: NDArray[np.int64], chosen: NDArray[np.int32]) -> dict[str, list[int]]:
        """Gold, found, proposed and correct of each type, over the column chosen for each of the sentences."""
        sums = np.zeros((len(self.names), 4), dtype=np.int64)
        occurs = np.zeros(len(self.names), dtype=np.bool_)
        for entries, _ in self.chosen_entries(sentences, chosen):
            np.add.at(sums, self.type[entries], self.cells[entries])
            occurs[self.type[entries]] = True
        return {self.names[t]: sums[t].tolist() for t in np.flatnonzero(occurs).tolist()}

    def names_where(self, mask: NDArray[np.bool_]) -> set[str]:
        """The types of the entries where `mask` is true."""
        return {self.names[t] for t in np.unique(self.type[mask]).tolist()}


@dataclass(frozen=True, eq=False)
class TieTable(_Arrays):
    """Other outcomes of equally good alignments: one row of cells for each, and the place of its sentence."""

    sentence: NDArray[np.int64]
    outcomes: NDArray[np.int32]

    def fits(self) -> bool:
        """Whether its columns fit together."""
        whole = self.sentence.dtype.kind == self.outcomes.dtype.kind == "i"
        return whole and self.outcomes.ndim == 2 and self.sentence.shape == self.outcomes.shape[:1]

    def select(self, mask: NDArray[np.bool_]) -> TieTable:
        return TieTable(self.sentence[mask], self.outcomes[mask])


@dataclass(frozen=True, eq=False)
class Counts(_Arrays):
    """Rows of int32 or float64 by sentence and column (annotator or reference). Where a sentence lacks a column, its
    cells are `ABSENT`, or NaN in rows of floats.

    `index` is each row's place in the corpus, `fingerprints` a hash of its source and gold; `fallbacks` marks rows that
    were not counted exactly; `labels` holds what is known of the sentences, one array for each label; `types` is a
    table by error type, and `system_types` says that the system gave its edits with types; `ties` are other outcomes
    of equally good alignments. `tokens` says how texts were cut, `reading` how a file was read that can be read in
    several ways. `made_with` names whatever else had a say
    (taggers, models, lists), and goes into the signature. Counts are equal if everything in them is.

    Rows may be given as `PackedRows`. `rows` is an array of all of them each time it is read: of a large corpus read
    `part(…).rows`, and change other fields by `with_fields`, which unpacks nothing.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go ."], [["He goes ."]])
    >>> recte.MaxMatch().prepare(gold).count(["He went ."]).rows.tolist()  # tp, proposed, gold
    [[[0, 1, 1]]]
    """

    metric: str
    options: Mapping[str, Any]
    system: str
    columns: tuple[str, ...]
    rows: NDArray[Any]
    index: NDArray[np.int64]
    fallbacks: NDArray[np.bool_]
    fingerprints: NDArray[np.uint32]
    tokens: str = "given"
    reading: str = ""
    outputs: str = ""  # how outputs were changed before they were counted; empty: not at all
    made_with: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, NDArray[np.str_]] = field(default_factory=dict)
    types: TypeTable | None = None
    system_types: bool = False
    ties: TieTable | None = None

    def __post_init__(self) -> None:
        """Whatever does not fit together would be found later, or never."""
        rows = self._stored_rows
        if (
            not isinstance(rows, np.ndarray | PackedRows)
            or rows.ndim < 3
            or 0 in rows.shape[2:]
            or rows.dtype not in _DTYPES
        ):
            expected = "rows as an array of int32 or float64, sentences by columns by cells"
            raise InputError(f"counts: expected {expected}, got {_describe(rows)}")
        if rows.shape[1] != len(self.columns) or (len(rows) and not self.columns):
            raise InputError(f"counts: expected a column of rows for each name, got {rows.shape[1]} and {self.columns}")
        for name, dtype in _ROW_ARRAYS.items():
            self._check_row_array(name, getattr(self, name), dtype)
        for name, values in self.labels.items():
            self._check_row_array(f"label {name}", values, _TEXT)
        if self.types is not None and not self.types.fits(len(self.columns)):
            raise InputError("counts: expected a table by error type whose columns fit together, got another")
        if self.ties is not None and not self.ties.fits():
            raise InputError("counts: expected a table of ties whose columns fit together, got another")

    def _check_row_array(self, name: str, values: Any, dtype: np.dtype[Any]) -> None:
        size = len(self)
        fits = isinstance(values, np.ndarray) and values.shape == (size,)
        if not fits or (values.dtype != dtype if dtype is not _TEXT else values.dtype.kind != dtype.kind):
            kind = "text" if dtype is _TEXT else dtype
            expected = f"{name} as an array of {kind}, one for each of {size} sentences"
            raise InputError(f"counts: expected {expected}, got {_describe(values)}")

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone: another process validates again."""
        return {f.name: vars(self)[f.name] for f in fields(self)}

    @property
    def _stored_rows(self) -> NDArray[Any] | PackedRows:
        rows: NDArray[Any] | PackedRows = vars(self)["rows"]
        return rows

    @property
    def row_shape(self) -> tuple[int, ...]:
        """The shape of a sentence's row: columns by cells."""
        return self._stored_rows.shape[1:]

    @property
    def size(self) -> int:
        """How many cells all rows have."""
        return len(self) * math.prod(self.row_shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """What rows hold."""
        return self._stored_rows.dtype

    def row_blocks(self) -> Iterator[NDArray[Any]]:
        """All rows in order, some at a time, in bounded memory where they are packed."""
        rows = self._stored_rows
        yield from rows.blocks() if isinstance(rows, PackedRows) else [rows]

    def present(self) -> NDArray[np.bool_]:
        """Which columns each sentence has, as `is_present` of all rows."""
        blocks = [is_present(block) for block in self.row_blocks()]
        return np.concatenate(blocks) if blocks else np.zeros((0, len(self.columns)), dtype=np.bool_)

    def with_fields(self, **changes: Any) -> Counts:
        """The counts with these fields, and all others as they are."""
        return type(self)(**{**self.__getstate__(), **changes})

    @property
    def validated_by(self) -> object:
        """The metric that has validated these counts and need not do so again; None where none has."""
        return vars(self).get("_validated_by")

    def mark_validated(self, metric: object) -> None:
        """Record that the metric has validated these counts."""
        vars(self)["_validated_by"] = metric

    def __len__(self) -> int:
        return len(self._stored_rows)

    def missing_sentences(self) -> list[tuple[int, int]]:
        """The ranges of sentences, numbered from 1, that come before or between those that were counted.

        >>> import recte
        >>> gold = recte.Corpus.from_references(["a", "b", "c"], [["A", "B", "C"]])
        >>> recte.MaxMatch().prepare(gold[2:]).count(["c"]).missing_sentences()
        [(1, 2)]
        """
        before = np.concatenate(([-1], self.index[:-1]))
        gaps = np.flatnonzero(self.index > before + 1)
        return [(int(before[gap]) + 2, int(self.index[gap])) for gap in gaps]

    @property
    def data(self) -> int:
        """A hash of the sentences that were counted: those of parts add up (modulo 2**32) to that of the whole."""
        return int(self.fingerprints.sum(dtype=np.uint64)) % 2**32

    @property
    def read_as(self) -> dict[str, str]:
        """How texts were read and cut, for the signature."""
        entries = {"reading": self.reading, "tokens": self.tokens, "outputs": self.outputs}
        return {key: value for key, value in entries.items() if value}

    @property
    def fallback_sentences(self) -> tuple[int, ...]:
        """The numbers of sentences that were not counted exactly."""
        return tuple((self.index[self.fallbacks] + 1).tolist())

    def check_some(self) -> None:
        """Refuse counts of no sentence: whatever score they had would be invented."""
        if not len(self):
            raise InputError(f"counts: expected at least one sentence to score by {self.metric}, got none")

    def select(self, kept: NDArray[np.bool_]) -> Counts:
        """The rows where `kept` is true, as a corpus of their own."""
        kept = np.asarray(kept)
        if kept.dtype != np.bool_ or kept.shape != (len(self),):
            raise InputError(f"kept: expected true or false for each of {len(self)} sentences, got {_describe(kept)}")
        remaining = self.index[kept]
        return self._take(kept).with_fields(
            types=None if self.types is None else self.types.select(np.isin(self.types.sentence, remaining)),
            ties=None if self.ties is None else self.ties.select(np.isin(self.ties.sentence, remaining)),
        )

    def repeat(self, weights: NDArray[np.integer[Any]]) -> Counts:
        """Each row as often as its weight says, in order; tables of the rows are left out."""
        weights = np.asarray(weights)
        if weights.dtype.kind not in "iu" or weights.shape != (len(self),) or (weights < 0).any():
            expected = f"a whole number from 0 for each of {len(self)} sentences"
            raise InputError(f"weights: expected {expected}, got {_describe(weights)}")
        return self.take(np.repeat(np.arange(len(self)), weights))

    def take(self, places: NDArray[np.integer[Any]]) -> Counts:
        """The rows at these places, in this order, as a corpus of their own; tables of the rows are left out."""
        return self._take(places)

    def part(self, sentences: slice) -> Counts:
        """A run of rows; tables of the rows are left out."""
        return self._take(sentences)

    def _take(self, which: NDArray[Any] | slice) -> Counts:
        """The rows that an index, a mask or a slice takes, without the tables; valid where these counts are."""
        taken = self.with_fields(
            rows=self._stored_rows[which],
            index=self.index[which],
            fallbacks=self.fallbacks[which],
            fingerprints=self.fingerprints[which],
            labels={key: values[which] for key, values in self.labels.items()},
            types=None,
            ties=None,
        )
        taken.mark_validated(self.validated_by)
        return taken


def _read_rows(counts: Counts) -> NDArray[Any]:
    rows = vars(counts)["rows"]
    return rows[:] if isinstance(rows, PackedRows) else rows


def _store_rows(counts: Counts, rows: NDArray[Any] | PackedRows) -> None:
    vars(counts)["rows"] = rows


# After the class is made: a dataclass takes a property for the default of its field.
Counts.rows = property(_read_rows, _store_rows)  # type: ignore[assignment]

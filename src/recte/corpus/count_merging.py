"""Counts of parts of a corpus become those of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import annotator_order
from recte.corpus.counts import Counts, TieTable, TypeTable, absent_rows, narrow_integers
from recte.corpus.packed_rows import PackedRows
from recte.errors import InputError

__all__ = ["GrowingCounts", "merge"]


def merge(parts: Sequence[Counts]) -> Counts:
    """Counts of several parts of one corpus by one metric and system, rows put back in their order.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["a", "b"], [["A", "B"]])
    >>> parts = [recte.MaxMatch().prepare(gold[i : i + 1]).count(["A"]) for i in (1, 0)]
    >>> merge(parts).index.tolist()
    [0, 1]
    """
    whole = GrowingCounts()
    for part in parts:
        whole.add(part)
    return whole.finish()


class _PartTables(NamedTuple):
    """What a part has besides the arrays that grow."""

    size: int
    columns: tuple[str, ...]
    system_types: bool
    labels: Mapping[str, NDArray[np.str_]]
    types: TypeTable | None
    ties: TieTable | None


class GrowingCounts:
    """Counts of one corpus by one metric and system, part by part.

    A part is copied behind those before it and need not be kept, so that the whole is never there twice. Rows are
    packed, since they are most of what counts hold.
    """

    def __init__(self) -> None:
        self._header: Counts | None = None  # of no sentence: how all of them were made
        self._columns: tuple[str, ...] = ()
        self._rows: PackedRows | None = None
        self._validated_by: object = None  # the metric that has validated all parts
        self._arrays: dict[str, _GrowingArray] = {}
        self._part_tables: list[_PartTables] = []

    def add(self, part: Counts) -> None:
        """Add the counts of other sentences. Those that come in the order of the corpus need no sorting."""
        if self._header is None or self._rows is None:
            self._header, self._columns = part.part(slice(0)), part.columns
            self._rows, self._validated_by = PackedRows(self._header.rows), part.validated_by
            self._arrays = {name: _GrowingArray(getattr(self._header, name)) for name in _ARRAYS}
        _check_same(self._header, part)
        if part.validated_by is not self._validated_by:
            self._validated_by = None
        if not set(part.columns) <= set(self._columns):
            wider = self._columns + tuple(column for column in part.columns if column not in self._columns)
            self._rows = _spread_all(self._rows, self._columns, wider)
            self._columns = wider
        for block in part.row_blocks():
            self._rows.append(_spread(block, part.columns, self._columns))
        for name in _ARRAYS:
            self._arrays[name].extend(getattr(part, name))
        self._part_tables.append(
            _PartTables(len(part), part.columns, part.system_types, part.labels, part.types, part.ties)
        )

    def finish(self) -> Counts:
        """The counts of all parts, rows in the order of the corpus. Nothing can be added after that."""
        if self._header is None or self._rows is None:
            raise InputError("expected counts to merge, got none")
        columns = _all_columns([part.columns for part in self._part_tables])
        rows: NDArray[Any] | PackedRows = _spread_all(self._rows, self._columns, columns)
        arrays: dict[str, NDArray[Any]] = {name: array.finish() for name, array in self._arrays.items()}
        labels = _join_labels(self._part_tables)
        if not (arrays["index"][1:] > arrays["index"][:-1]).all():
            order = np.argsort(arrays["index"], kind="stable")
            rows = rows[order]
            arrays = {name: array[order] for name, array in arrays.items()}
            labels = {key: values[order] for key, values in labels.items()}
            repeated = np.flatnonzero(arrays["index"][1:] == arrays["index"][:-1])
            if repeated.size:
                sentence = arrays["index"][repeated[0]] + 1
                raise InputError(f"expected parts of different sentences, got sentence {sentence} twice")
        whole = self._header.with_fields(
            columns=columns,
            rows=rows,
            **arrays,
            labels=labels,
            system_types=all(part.system_types for part in self._part_tables),
            types=_join_types(self._part_tables, columns),
            ties=_join_ties(self._part_tables),
        )
        whole.mark_validated(self._validated_by)
        return whole


_ARRAYS = ("index", "fallbacks", "fingerprints")  # with one entry for each row


class _GrowingArray:
    """An array that grows along its first axis where it is, if the allocator can: pages move, not what they hold."""

    def __init__(self, first: NDArray[Any]) -> None:
        self._array = first.copy()
        self._length = len(first)

    def extend(self, more: NDArray[Any]) -> None:
        length = self._length + len(more)
        if length > len(self._array):
            # By a little more than is needed: an allocator that copies does so for few of the parts.
            self._array.resize((length + length // 32, *self._array.shape[1:]), refcheck=False)
        self._array[self._length : length] = more
        self._length = length

    def finish(self) -> NDArray[Any]:
        """What the array holds now, without free space."""
        self._array.resize((self._length, *self._array.shape[1:]), refcheck=False)
        return self._array


def _check_same(first: Counts, part: Counts) -> None:
    for what in ("metric", "system", "options", "tokens", "reading", "outputs", "made_with"):
        if getattr(part, what) != getattr(first, what):
            raise InputError(f"expected parts with the same {what}, got {_difference(first, part, what)}")
    if part.dtype != first.dtype or part.row_shape[1:] != first.row_shape[1:]:
        raise InputError("expected parts with rows of the same shape and type, got others")


def _difference(first: Counts, part: Counts, what: str) -> str:
    a, b = getattr(first, what), getattr(part, what)
    if isinstance(a, Mapping):
        key = next(key for key in {**a, **b} if a.get(key) != b.get(key))
        return f"{key} {a.get(key)!r} and {b.get(key)!r}"
    return f"{a!r} and {b!r}"


def _all_columns(parts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The columns of all parts: in the order of the one that has them all, since a place can mean something."""
    everything = {column for columns in parts for column in columns}
    most = max(parts, key=len)
    return most if len(most) == len(everything) else tuple(sorted(everything, key=annotator_order))


def _spread(rows: NDArray[Any], row_columns: tuple[str, ...], columns: tuple[str, ...]) -> NDArray[Any]:
    """The rows with a place for every column."""
    if row_columns == columns:
        return rows
    spread = absent_rows((len(rows), len(columns), *rows.shape[2:]), rows.dtype)
    spread[:, [columns.index(column) for column in row_columns]] = rows
    return spread


def _spread_all(rows: PackedRows, row_columns: tuple[str, ...], columns: tuple[str, ...]) -> PackedRows:
    """The same with packed rows."""
    if row_columns == columns:
        return rows
    spread = PackedRows(_spread(rows[:0], row_columns, columns))
    for block in rows.blocks():
        spread.append(_spread(block, row_columns, columns))
    return spread


def _join_labels(parts: Sequence[_PartTables]) -> dict[str, NDArray[np.str_]]:
    """Each label of any part, empty where a part lacks it."""
    return {
        key: np.concatenate([part.labels.get(key, np.full(part.size, "", dtype=np.str_)) for part in parts])
        for key in sorted({key for part in parts for key in part.labels})
    }


def _join_types(parts: Sequence[_PartTables], columns: tuple[str, ...]) -> TypeTable | None:
    """The tables as one, columns and types by their places in the whole; None where a part has none."""
    tables = [part.types for part in parts if part.types is not None]
    if len(tables) < len(parts):
        return None
    names = tuple(sorted({name for table in tables for name in table.names}))
    new_columns = [narrow_integers(np.array([columns.index(c) for c in part.columns], dtype=int)) for part in parts]
    new_types = [narrow_integers(np.array([names.index(n) for n in table.names], dtype=int)) for table in tables]
    return TypeTable(
        names,
        np.concatenate([table.sentence for table in tables]),
        np.concatenate([new[table.column] for new, table in zip(new_columns, tables, strict=True)]),
        np.concatenate([new[table.type] for new, table in zip(new_types, tables, strict=True)]),
        np.concatenate([table.cells for table in tables]),
    )


def _join_ties(parts: Sequence[_PartTables]) -> TieTable | None:
    ties = [part.ties for part in parts if part.ties is not None]
    if len(ties) < len(parts):
        return None
    return TieTable(np.concatenate([t.sentence for t in ties]), np.concatenate([t.outcomes for t in ties]))

"""Counts: what a metric saw of a system, one row a sentence, enough for every score without the texts."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus import Edit, annotator_order
from recte.errors import InputError

__all__ = ["ABSENT", "Counts", "TypeCount", "absent_rows", "is_present", "merge"]

ABSENT = -1  # in rows of integers; in rows of floats it is NaN


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

    @classmethod
    def of_sentence(
        cls, sentence: int, column: str, gold: Sequence[Edit], found: Container[int], own: Sequence[Edit]
    ) -> Iterator[TypeCount]:
        """Only types that occur. `found` are the gold edits credited; an edit of the system's own is correct where a
        gold edit has its span and correction.
        """
        cells: dict[str, list[int]] = {}
        for g, edit in enumerate(gold):
            cell = cells.setdefault(edit.type, [0, 0, 0, 0])
            cell[0] += 1
            cell[1] += g in found
        for edit in own:
            cell = cells.setdefault(edit.type, [0, 0, 0, 0])
            cell[2] += 1
            cell[3] += any(
                (g.start, g.end) == (edit.start, edit.end) and edit.corrections[0] in g.corrections for g in gold
            )
        for type_, values in cells.items():
            yield cls(sentence, column, type_, *values)


@dataclass(frozen=True)
class Counts:
    """Rows of int32 or float64 by sentence and column (annotator or reference). Where a sentence lacks a column, its
    cells are `ABSENT`, or NaN in rows of floats.

    `index` is each row's place in the corpus; `fallbacks` marks rows that were not counted exactly; `labels` holds
    what is known of the sentences, column by column; `data` is the corpus' fingerprint. `made_with` names whatever else
    had a say (taggers, models, lists), and goes into the signature.

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
    data: int
    tokens: str = "given"
    made_with: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: tuple[TypeCount, ...] | None = None
    system_types: bool = False  # the system gave its edits, with types
    ties: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...] | None = None  # other outcomes of equally good alignments

    def __len__(self) -> int:
        return len(self.rows)

    def select(self, kept: NDArray[np.bool_]) -> Counts:
        """The rows where `kept` is true, as a corpus of their own."""
        remaining = set(self.index[kept].tolist())
        return replace(
            self,
            rows=self.rows[kept],
            index=self.index[kept],
            fallbacks=self.fallbacks[kept],
            labels={key: tuple(np.asarray(values, dtype=object)[kept]) for key, values in self.labels.items()},
            types=None if self.types is None else tuple(t for t in self.types if t.sentence in remaining),
            ties=None if self.ties is None else tuple(t for t in self.ties if t[0] in remaining),
        )

    def repeat(self, weights: NDArray[np.integer[Any]]) -> Counts:
        """Each row as often as its weight says, in order; tables beside the rows are left out."""
        kept = np.repeat(np.arange(len(self)), weights)
        labels = {key: tuple(values[i] for i in kept) for key, values in self.labels.items()}
        return replace(
            self,
            rows=self.rows[kept],
            index=self.index[kept],
            fallbacks=self.fallbacks[kept],
            labels=labels,
            types=None,
            ties=None,
        )


def merge(parts: Sequence[Counts]) -> Counts:
    """Counts of several parts of one corpus by one metric and system, rows put back in their order.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["a", "b"], [["A", "B"]])
    >>> parts = [recte.MaxMatch().prepare(gold[i : i + 1]).count(["A"]) for i in (1, 0)]
    >>> merge(parts).index.tolist()
    [0, 1]
    """
    if not parts:
        raise InputError("expected counts to merge, got none")
    first = parts[0]
    for part in parts[1:]:
        for what in ("metric", "system", "options", "tokens", "made_with"):
            if getattr(part, what) != getattr(first, what):
                raise InputError(f"expected parts with the same {what}, got {_difference(first, part, what)}")
    if len(parts) == 1:
        return first
    columns = tuple(sorted({c for part in parts for c in part.columns}, key=annotator_order))
    rows = np.concatenate([_spread(part, columns) for part in parts])
    index = np.concatenate([part.index for part in parts])
    order = np.argsort(index, kind="stable")
    ordered = index[order]
    repeated = np.flatnonzero(ordered[1:] == ordered[:-1])
    if repeated.size:
        raise InputError(f"expected parts of different sentences, got sentence {ordered[repeated[0]] + 1} twice")
    keys = {key for part in parts for key in part.labels}
    labels = {
        key: [value for part in parts for value in part.labels.get(key, ("",) * len(part))] for key in sorted(keys)
    }
    return replace(
        first,
        columns=columns,
        system_types=all(part.system_types for part in parts),
        rows=rows[order],
        index=ordered,
        fallbacks=np.concatenate([part.fallbacks for part in parts])[order],
        data=sum(part.data for part in parts) % 2**32,
        labels={key: tuple(values[i] for i in order) for key, values in labels.items()},
        types=None if any(part.types is None for part in parts) else tuple(t for p in parts for t in p.types or ()),
        ties=None if any(part.ties is None for part in parts) else tuple(t for p in parts for t in p.ties or ()),
    )


def _difference(first: Counts, part: Counts, what: str) -> str:
    a, b = getattr(first, what), getattr(part, what)
    if isinstance(a, Mapping):
        key = next(key for key in {**a, **b} if a.get(key) != b.get(key))
        return f"{key} {a.get(key)!r} and {b.get(key)!r}"
    return f"{a!r} and {b!r}"


def _spread(part: Counts, columns: tuple[str, ...]) -> NDArray[Any]:
    """The part's rows with a place for every column."""
    if part.columns == columns:
        return part.rows
    rows = absent_rows((len(part), len(columns), *part.rows.shape[2:]), part.rows.dtype)
    rows[:, [columns.index(c) for c in part.columns]] = part.rows
    return rows

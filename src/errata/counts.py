"""Counts: what a metric saw of a system, one row a sentence, enough for every score without the texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errata.alignment.edit_search import ProposedEdit
from errata.corpus import Edit, annotator_order
from errata.errors import InputError

__all__ = ["ABSENT", "Counts", "TypeCount", "merge"]

ABSENT = -1


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
        cls,
        sentence: int,
        column: str,
        proposed: Sequence[ProposedEdit],
        partners: Sequence[Sequence[int]],
        gold: Sequence[Edit],
        own: Sequence[Edit],
    ) -> Iterator[TypeCount]:
        """Only types that occur. A proposed edit has the types of those of the system's own edits that it covers."""
        cells: dict[str, list[int]] = {}

        def add(type_: str, *values: int) -> None:
            cell = cells.setdefault(type_, [0, 0, 0, 0])
            cells[type_] = [a + b for a, b in zip(cell, values, strict=True)]

        found = {g for mine in partners for g in mine}
        for g, edit in enumerate(gold):
            add(edit.type, 1, g in found, 0, 0)
        for mine, proposal in zip(partners, proposed, strict=True):
            types = {o.type for o in own if proposal.start <= o.start and o.end <= proposal.end}
            if types:
                add("/".join(sorted(types)), 0, 0, 1, bool(mine))
        for type_, values in cells.items():
            yield cls(sentence, column, type_, *values)


@dataclass(frozen=True)
class Counts:
    """Integer rows by sentence and column (annotator or reference); `ABSENT` where a sentence lacks a column.

    `index` is each row's place in the corpus; `fallbacks` marks rows that were not counted exactly; `labels` holds
    what is known of the sentences, column by column; `data` is the corpus' fingerprint.
    """

    metric: str
    options: Mapping[str, Any]
    system: str
    columns: tuple[str, ...]
    rows: NDArray[np.int32]
    index: NDArray[np.int64]
    fallbacks: NDArray[np.bool_]
    data: int
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: tuple[TypeCount, ...] | None = None
    system_types: bool = False  # the system gave its edits, with types

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
        )


def merge(parts: Sequence[Counts]) -> Counts:
    """Counts of several parts of one corpus, rows put back in their order.

    Options that only matter when scoring may differ between the parts; the first part's are kept.
    """
    first = parts[0]
    for part in parts[1:]:
        if part.metric != first.metric:
            raise InputError(f"expected counts of {first.metric}, got {part.metric}")
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
        rows=rows[order],
        index=ordered,
        fallbacks=np.concatenate([part.fallbacks for part in parts])[order],
        data=sum(part.data for part in parts) % 2**32,
        labels={key: tuple(values[i] for i in order) for key, values in labels.items()},
        types=None if any(part.types is None for part in parts) else tuple(t for p in parts for t in p.types or ()),
    )


def _spread(part: Counts, columns: tuple[str, ...]) -> NDArray[np.int32]:
    """The part's rows with a place for every column."""
    if part.columns == columns:
        return part.rows
    rows = np.full((len(part), len(columns), *part.rows.shape[2:]), ABSENT, dtype=np.int32)
    rows[:, [columns.index(c) for c in part.columns]] = part.rows
    return rows

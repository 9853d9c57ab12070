"""Counts of every pair of a hypothesis' and a reference's annotators: tp, proposed, gold, and the pair's place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus import Edit, annotator_order
from recte.counts import absent_rows, is_present
from recte.metrics.edit_comparison import Comparison, Keyed

__all__ = ["PairCounts", "Side", "pairs_of"]

_CELLS = 4
_Table = tuple[tuple[str, ...], NDArray[np.int32]]


class Side(NamedTuple):
    """What one annotator did to one sentence, with the edits that count and their keys; not `exact` where some of what
    he did was too much to keep.
    """

    annotator: str
    edits: tuple[Edit, ...]
    keyed: Keyed
    exact: bool = True


def pairs_of(ours: Sequence[Side], references: Sequence[Side]) -> Iterator[tuple[str, Side, Side]]:
    """Every pair of annotators, as published the hypothesis' outside, under the name of its column."""
    for mine in ours:
        for theirs in references:
            yield theirs.annotator if len(ours) == 1 else f"{mine.annotator}:{theirs.annotator}", mine, theirs


class PairCounts:
    """Sides of hypotheses beside those of the references: the columns' names, and one row per hypothesis."""

    def __init__(self, comparison: Comparison, references: Sequence[Sequence[Side]]) -> None:
        self._comparison = comparison
        self._references = references

    def __call__(self, hypotheses: Sequence[Sequence[Side]], source_of: Sequence[int]) -> _Table:
        """`source_of` is the place of each hypothesis' sentence."""
        alone = all(len(ours) == 1 for ours in hypotheses)
        columns, rows = self._unchanged_of(source_of) if alone else self._absent(hypotheses, source_of)
        number = {column: c for c, column in enumerate(columns)}
        places, cells = [], []
        for i, (ours, s) in enumerate(zip(hypotheses, source_of, strict=True)):
            if alone and not ours[0].keyed:  # most sentences are left as they are
                continue
            for place, (column, mine, theirs) in enumerate(pairs_of(ours, self._references[s])):
                tp, fp, fn = self._comparison.count(mine.keyed, theirs.keyed)
                places.append((i, number[column]))
                cells.append((tp, tp + fp, tp + fn, place))
        if places:
            rows[tuple(np.array(places).T)] = cells
        return columns, rows

    def _unchanged_of(self, source_of: Sequence[int]) -> _Table:
        """For one annotator who changed nothing."""
        names, all_rows = self._unchanged
        rows = all_rows[np.asarray(source_of, dtype=np.int64)]
        there: NDArray[np.bool_] = np.any(is_present(rows), axis=0)
        return tuple(name for name, here in zip(names, there.tolist(), strict=True) if here), rows[:, there]

    @cached_property
    def _unchanged(self) -> _Table:
        size = len(self._references)
        names, rows = self._absent([[Side("0", (), {})]] * size, range(size))
        number = {name: c for c, name in enumerate(names)}
        for s, references in enumerate(self._references):
            for place, theirs in enumerate(references):
                rows[s, number[theirs.annotator]] = (0, 0, self._comparison.count({}, theirs.keyed).fn, place)
        return names, rows

    def _absent(self, hypotheses: Sequence[Sequence[Side]], source_of: Sequence[int]) -> _Table:
        """The columns that pairs of annotators have, and rows without counts."""
        pairs = (pairs_of(ours, self._references[s]) for ours, s in zip(hypotheses, source_of, strict=True))
        names = {column for of_sentence in pairs for column, _, _ in of_sentence}
        columns = tuple(sorted(names, key=annotator_order))
        return columns, absent_rows((len(hypotheses), len(columns), _CELLS), np.int32)

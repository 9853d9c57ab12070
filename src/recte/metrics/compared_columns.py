"""Edits of a whole corpus compared at once, from columns: what `Comparison.count` says pair by pair.

An edit's key is one number: its sentence, span, correction and type, as far as two edits must share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.columns.gold import Columns
from recte.columns.text import TextColumn
from recte.counts import absent_rows
from recte.metrics.edit_comparison import DETECTION, NO_OP, UNCORRECTED, Comparison

__all__ = ["ColumnComparison"]

_CELLS = 4
_Integers = NDArray[np.int64]


class _Side(NamedTuple):
    """The edits that count, one number each: sentence, which of its annotators, and what else makes the key."""

    sentence: _Integers
    annotator: _Integers
    parts: Sequence[_Integers]


class ColumnComparison:
    """References in columns, ready to be compared with hypotheses in columns.

    Hypotheses have one annotator per sentence. `can_compare` says which comparisons are made here.
    """

    def __init__(self, comparison: Comparison, references: Columns) -> None:
        self._comparison = comparison
        self._interner = _kernels.Interner()
        self._columns = references
        self._side = self._side_of(references, self._interner)

    @staticmethod
    def can_compare(comparison: Comparison, *sides: Columns) -> bool:
        """Whether nothing asks for a look at the edits one by one."""
        return (
            comparison.width == "all"
            and comparison.spaces
            and not any(_kernels.are_equal_to(side.types.spans, NO_OP).any() for side in sides)
        )

    def __call__(self, hypotheses: Columns) -> tuple[tuple[str, ...], NDArray[np.int32]] | None:
        """The annotators of the references, and for each sentence and annotator tp, proposed, gold, and the pair's
        place among those of the sentence; None where keys would be too large for a number.
        """
        own = self._side_of(hypotheses, self._interner.copy())
        annotators = np.diff(self._columns.annotation_offsets)
        widest = max(int(annotators.max(initial=0)), 1)
        bases = [
            1 + max(int(a.max(initial=0)), int(b.max(initial=0)))
            for a, b in zip((own.sentence, *own.parts), (self._side.sentence, *self._side.parts), strict=True)
        ]
        if prod(bases) * widest >= 1 << 62:
            return None
        mine, my_counts = self._counted(_keys(own, bases))
        theirs, their_counts = self._counted(_keys(self._side, bases) * widest + self._side.annotator)
        below = prod(bases[1:])
        size = len(annotators)
        my_total = _summed(mine // below, my_counts, size)
        names = self._columns.annotator_names
        number = {name: column for column, name in enumerate(names)}
        columns = np.array([number.get(name, 0) for name in self._columns.annotators], dtype=np.int64)
        rows: NDArray[np.int32] = absent_rows((size, len(names), _CELLS), np.int32)
        for place in range(widest):
            here = np.flatnonzero(annotators > place)
            at = np.searchsorted(theirs, mine * widest + place)
            both = (
                theirs[np.minimum(at, len(theirs) - 1)] == mine * widest + place
                if len(theirs)
                else np.zeros(len(mine), np.bool_)
            )
            sentence, a, b = mine[both] // below, my_counts[both], their_counts[at[both]]
            of_place = theirs % widest == place
            their_total = _summed(theirs[of_place] // widest // below, their_counts[of_place], size)
            tp, right, found = (_summed(sentence, counts, size) for counts in self._matched(a, b))
            cells = np.column_stack([tp, tp + my_total - right, tp + their_total - found, np.full(size, place)])
            column = columns[self._columns.annotator_columns[self._columns.annotation_offsets[here] + place]]
            rows[here, column] = cells[here]
        return names, rows

    def _counted(self, keys: _Integers) -> tuple[_Integers, _Integers]:
        """Distinct keys in order, and how many edits have each."""
        distinct, counts = np.unique(keys, return_counts=True)
        return distinct, np.ones_like(counts) if self._comparison.duplicates == "once" else counts

    def _matched(self, a: _Integers, b: _Integers) -> tuple[_Integers, _Integers, _Integers]:
        """Of keys that both sides have: true positives, edits of the hypothesis that are right, and of the reference
        that are found. `a` and `b` are how many edits each side has of a key.
        """
        match self._comparison.duplicates:
            case "one-to-one":
                pairs = np.minimum(a, b)
                return pairs, pairs, pairs
            case "each":
                return a, a, b
        return b, a, b

    def _side_of(self, columns: Columns, interner: _kernels.Interner) -> _Side:
        comparison = self._comparison
        of_sentence = np.diff(columns.annotation_offsets)
        annotations = np.arange(len(columns.annotator_columns))
        of_annotation = np.diff(columns.edit_offsets)
        sentence = np.repeat(np.repeat(np.arange(len(of_sentence)), of_sentence), of_annotation)
        annotator = np.repeat(annotations - np.repeat(columns.annotation_offsets[:-1], of_sentence), of_annotation)
        start, end = columns.starts.astype(np.int64), columns.ends.astype(np.int64)
        left_out = [*comparison.left_out, *(() if comparison.matching in DETECTION else (UNCORRECTED,))]
        kept = np.ones(len(start), dtype=np.bool_)
        for name in left_out:
            kept &= _kernels.are_equal_to(columns.types.spans, name) == 0
        sentence, annotator, start, end = (part[kept] for part in (sentence, annotator, start, end))
        if comparison.matching == "token":  # a key for each token; an insertion is the token to its right
            width = np.maximum(end - start, 1)
            first = np.repeat(np.cumsum(width) - width, width)
            token = np.repeat(start, width) + np.arange(int(width.sum())) - first
            return _Side(np.repeat(sentence, width), np.repeat(annotator, width), [token])
        parts = [start, end]
        if comparison.matching != "span":
            parts.append(_corrections(columns, interner)[kept])
        if comparison.matching == "correction-and-type":
            parts.append(interner.number(columns.types.spans).astype(np.int64)[kept])
        return _Side(sentence, annotator, parts)


def _corrections(columns: Columns, interner: _kernels.Interner) -> _Integers:
    """A number for each edit's correction; alternatives together are one text, as a line has them."""
    numbers = interner.number(columns.corrections.spans)[columns.correction_offsets[:-1]].astype(np.int64)
    several = np.flatnonzero(np.diff(columns.correction_offsets) > 1)
    if several.size:
        begins, ends = columns.correction_offsets[several].tolist(), columns.correction_offsets[several + 1].tolist()
        joined = ["||".join(columns.corrections[begin:end]) for begin, end in zip(begins, ends, strict=True)]
        numbers[several] = interner.number(TextColumn.of(joined).spans)
    return numbers


def _keys(side: _Side, bases: Sequence[int]) -> _Integers:
    keys = side.sentence
    for part, base in zip(side.parts, bases[1:], strict=True):
        keys = keys * base + part
    return keys


def _summed(sentence: _Integers, counts: _Integers, size: int) -> _Integers:
    return np.bincount(sentence, weights=counts, minlength=size).astype(np.int64)

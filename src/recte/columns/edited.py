"""A system's own edits in columns, and the texts that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from recte import _kernels
from recte.columns.gold import Columns
from recte.columns.sentences import ColumnSentences
from recte.columns.text import TextColumn
from recte.sentence import Annotation, Edit

__all__ = ["ColumnAnnotations", "ColumnEdits", "corrected_texts"]


@dataclass(frozen=True, eq=False)
class ColumnAnnotations(Sequence[tuple[Annotation, ...]]):
    """What each annotator of a system did to each sentence; objects are made when one is looked at."""

    sentences: ColumnSentences

    @property
    def columns(self) -> Columns:
        """The same as arrays."""
        return self.sentences.columns

    @cached_property
    def _made(self) -> tuple[tuple[Annotation, ...], ...]:
        return tuple(sentence.annotations for sentence in self.sentences)

    def __len__(self) -> int:
        return len(self.sentences)

    @overload
    def __getitem__(self, index: int) -> tuple[Annotation, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> ColumnAnnotations: ...
    def __getitem__(self, index: int | slice) -> tuple[Annotation, ...] | ColumnAnnotations:
        return ColumnAnnotations(self.sentences[index]) if isinstance(index, slice) else self._made[index]

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, ColumnAnnotations) else other)

    def __hash__(self) -> int:
        return hash(self._made)


@dataclass(frozen=True, eq=False)
class ColumnEdits(Sequence[tuple[Edit, ...]]):
    """The edits of each sentence's first annotator."""

    annotations: ColumnAnnotations

    @cached_property
    def _made(self) -> tuple[tuple[Edit, ...], ...]:
        return tuple(of_sentence[0].edits for of_sentence in self.annotations)

    def __len__(self) -> int:
        return len(self.annotations)

    @overload
    def __getitem__(self, index: int) -> tuple[Edit, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> ColumnEdits: ...
    def __getitem__(self, index: int | slice) -> tuple[Edit, ...] | ColumnEdits:
        return ColumnEdits(self.annotations[index]) if isinstance(index, slice) else self._made[index]

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, ColumnEdits) else other)

    def __hash__(self) -> int:
        return hash(self._made)


def corrected_texts(columns: Columns) -> TextColumn:
    """Each sentence with its first annotator's edits applied, as `apply_edits` does it; all have an annotator."""
    offsets, (words, ends) = _kernels.annotator_texts(
        columns.tokens,
        columns.gold(),
        np.zeros(len(columns.starts), dtype=np.uint8),
        len(columns.annotators),
        False,
        columns.reference_offsets,
        columns.reference_words,
    )
    texts = TextColumn.joined(columns.vocabulary.interner, (words, ends))
    first = columns.annotator_columns[columns.annotation_offsets[:-1]]
    places = offsets[:-1] + first
    return TextColumn(texts.buffer, texts.begins[places], texts.ends[places])

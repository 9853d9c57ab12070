"""A system's own edits in columns, and the texts that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np

from recte import _kernels
from recte.corpus.gold_columns import Columns
from recte.corpus.sentence import Annotation, Edit
from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.text_columns import TextColumn

__all__ = ["ColumnAnnotations", "ColumnEdits", "apply_annotator", "edits_of"]


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
    """The edits of one annotator, who changed nothing in a sentence without lines."""

    annotations: ColumnAnnotations
    annotator: str

    @cached_property
    def _made(self) -> tuple[tuple[Edit, ...], ...]:
        return tuple(edits_of(of_sentence, self.annotator) for of_sentence in self.annotations)

    def __len__(self) -> int:
        return len(self.annotations)

    @overload
    def __getitem__(self, index: int) -> tuple[Edit, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> ColumnEdits: ...
    def __getitem__(self, index: int | slice) -> tuple[Edit, ...] | ColumnEdits:
        return replace(self, annotations=self.annotations[index]) if isinstance(index, slice) else self._made[index]

    def __eq__(self, other: object) -> bool:
        return self._made == (other._made if isinstance(other, ColumnEdits) else other)

    def __hash__(self) -> int:
        return hash(self._made)


def edits_of(annotations: Sequence[Annotation], annotator: str) -> tuple[Edit, ...]:
    """The annotator's edits of a sentence, if any."""
    return next((a.edits for a in annotations if a.annotator == annotator), ())


def apply_annotator(columns: Columns, annotator: str, *, without: str = "") -> TextColumn:
    """Each sentence with the annotator's edits made, as `apply_edits` makes them, but those of the type `without`; a
    sentence without lines of this annotator has none of others.
    """
    none = np.zeros(len(columns.starts), dtype=np.uint8)
    offsets, (words, ends) = _kernels.annotator_texts(
        columns.tokens,
        columns.gold(),
        _kernels.are_equal_to(columns.types.spans, without) if without else none,
        len(columns.annotators),
        False,
        columns.reference_offsets,
        columns.reference_words,
    )
    texts = TextColumn.join(columns.vocabulary.interner, (words, ends))
    column = columns.annotators.index(annotator) if annotator in columns.annotators else 0
    places = offsets[:-1] + column
    return TextColumn(texts.buffer, texts.begins[places], texts.ends[places])

"""Edits of many sentences as columns, whoever made them: annotators, a search, an extraction, or a system itself.

One annotator's edits of one sentence are an annotation; a table holds annotations in the order of their sentences, and
those of a sentence in the order in which its annotators were first named. An annotation without edits is a row of the
table too: it says that nothing is to be changed. An `Edit` is made of a row only when it is looked at.

    by annotation   sentences, columns (places in `annotators`), offsets (where its edits begin)
    by edit         starts, ends, types, correction_offsets
    by correction   corrections

Most edits have one correction; gold edits may have alternatives. An edit of type `noop` or `NA` at -1 -1 is no change:
published tools compare such lines as they compare edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from recte.corpus.sentence import Annotation, Edit, annotator_order
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import Integers, offsets_of, places_in_runs, runs

if TYPE_CHECKING:
    from recte.corpus.gold_columns import Columns

__all__ = ["NO_OP", "EditTable"]

NO_OP = "noop"


@dataclass(frozen=True, eq=False, repr=False)
class EditTable(Sequence[Edit]):
    """Edits by sentence and annotator.

    `misplaced` has the words that an edit replaces, where these are not the words at its offsets: MaxMatch's published
    search gives such offsets to words inserted before the first one. Such an edit matches no other.

    >>> table = EditTable.of([[Annotation("0", (Edit(1, 2, ("goes",), "SVA"),)), Annotation("1")]])
    >>> table.annotators, table.offsets.tolist(), table[0].corrections
    (('0', '1'), [0, 1, 1], ('goes',))
    """

    annotators: tuple[str, ...]
    sentences: Integers
    columns: Integers
    offsets: Integers
    starts: Integers
    ends: Integers
    correction_offsets: Integers
    corrections: TextColumn
    types: TextColumn
    misplaced: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, annotations: Sequence[Sequence[Annotation]]) -> EditTable:
        """The edits of annotations that are objects, sentence by sentence."""
        flat = list(chain.from_iterable(annotations))
        names = tuple(sorted({a.annotator for a in flat}, key=annotator_order))
        column = {name: c for c, name in enumerate(names)}
        edits = [edit for a in flat for edit in a.edits]
        return cls(
            annotators=names,
            sentences=np.repeat(np.arange(len(annotations)), [len(of_sentence) for of_sentence in annotations]),
            columns=np.array([column[a.annotator] for a in flat], dtype=np.int64),
            offsets=offsets_of((len(a.edits) for a in flat), len(flat)),
            starts=np.array([edit.start for edit in edits], dtype=np.int64),
            ends=np.array([edit.end for edit in edits], dtype=np.int64),
            correction_offsets=offsets_of((len(edit.corrections) for edit in edits), len(edits)),
            corrections=TextColumn.of([text for edit in edits for text in edit.corrections]),
            types=TextColumn.of([edit.type for edit in edits]),
        )

    @classmethod
    def of_one_annotator(cls, edits: Iterable[Iterable[Edit]], annotator: str = "0") -> EditTable:
        """One list of edits for each sentence."""
        return cls.of([[Annotation(annotator, tuple(of_sentence))] for of_sentence in edits])

    @classmethod
    def of_spans(
        cls,
        lengths: Sequence[int],
        spans: Sequence[tuple[int, int]],
        corrections: Sequence[str],
        types: Sequence[str],
        annotator: str = "0",
    ) -> EditTable:
        """One annotation for each sentence, with so many of the edits; each edit has one correction."""
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        return cls(
            annotators=(annotator,) if lengths else (),
            sentences=np.arange(len(lengths)),
            columns=np.zeros(len(lengths), np.int64),
            offsets=offsets_of(lengths, len(lengths)),
            starts=np.ascontiguousarray(starts),
            ends=np.ascontiguousarray(ends),
            correction_offsets=np.arange(len(spans) + 1),
            corrections=TextColumn.of(corrections),
            types=TextColumn.of(types),
        )

    @classmethod
    def of_columns(cls, columns: Columns) -> EditTable:
        """The annotations of a corpus or of a system's M2 file."""
        return cls(
            annotators=columns.annotators,
            sentences=np.repeat(np.arange(len(columns)), np.diff(columns.annotation_offsets)),
            columns=columns.annotator_columns.astype(np.int64),
            offsets=columns.edit_offsets,
            starts=columns.starts.astype(np.int64),
            ends=columns.ends.astype(np.int64),
            correction_offsets=columns.correction_offsets,
            corrections=columns.corrections,
            types=columns.types,
        )

    @property
    def annotations(self) -> Integers:
        """The annotation of each edit."""
        return np.repeat(np.arange(len(self.columns)), np.diff(self.offsets))

    @property
    def places(self) -> Integers:
        """The place of each annotation among those of its sentence."""
        return places_in_runs(self.sentences)

    @property
    def first_corrections(self) -> TextColumn:
        """Each edit's first correction, the one that is applied."""
        return self.corrections.take(self.correction_offsets[:-1])

    @cached_property
    def joined_corrections(self) -> TextColumn:
        """Each edit's corrections as one text, alternatives joined by bars as in an M2 line."""
        several = np.flatnonzero(np.diff(self.correction_offsets) != 1)
        if not several.size:
            return self.corrections
        texts = list(self.first_corrections)
        for edit in several.tolist():
            texts[edit] = "||".join(self.corrections_of(edit))
        return TextColumn.of(texts)

    def corrections_of(self, edit: int) -> tuple[str, ...]:
        return tuple(self.corrections[int(self.correction_offsets[edit]) : int(self.correction_offsets[edit + 1])])

    def select(self, edits: NDArray[np.bool_]) -> EditTable:
        """The table with these edits alone; annotations stay, with edits or without."""
        if edits.all():
            return self
        which = np.flatnonzero(edits)
        begins, ends = self.correction_offsets[which], self.correction_offsets[which + 1]
        corrections, correction_offsets = runs(begins, ends)
        return replace(
            self,
            offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(edits)])[self.offsets],
            starts=self.starts[which],
            ends=self.ends[which],
            correction_offsets=correction_offsets,
            corrections=self.corrections.take(corrections),
            types=self.types.take(which),
            misplaced={int(np.searchsorted(which, e)): text for e, text in self.misplaced.items() if edits[e]},
        )

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Edit: ...
    @overload
    def __getitem__(self, index: slice) -> list[Edit]: ...
    def __getitem__(self, index: int | slice) -> Edit | list[Edit]:
        if isinstance(index, slice):
            return [self[edit] for edit in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(f"expected an edit from 0 to {len(self) - 1}, got {index}")
        return Edit(int(self.starts[index]), int(self.ends[index]), self.corrections_of(index), self.types[index])

    def __iter__(self) -> Iterator[Edit]:
        return (self[edit] for edit in range(len(self)))

"""Sentences that were read as columns: an object is made of one only when it is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

from recte.corpus.gold_columns import Columns
from recte.corpus.sentence import Annotation, Edit, Sentence
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import Vocabulary

__all__ = ["ColumnSentences", "M2Details", "parallel_sentences"]

_MADE_AT_ONCE = 1000  # objects of so many sentences are in memory with the columns


@dataclass(frozen=True, eq=False, repr=False)
class M2Details:
    """What an M2 file says besides the gold: the sentences' own lines, comments, and what was not said."""

    blocks: TextColumn  # by sentence: its lines, ends included
    dropped: NDArray[np.uint8]  # by sentence: an edit was left out, so its lines say something else
    implied: NDArray[np.uint8]  # by annotation: the file had no line for any annotator
    not_annotatable: NDArray[np.uint8]  # by annotation: its line says so
    comments: TextColumn  # by edit

    def run(self, sentences: slice, annotations: slice, edits: slice) -> M2Details:
        """What it says of a run of sentences."""
        return M2Details(
            self.blocks[sentences],
            self.dropped[sentences],
            self.implied[annotations],
            self.not_annotatable[annotations],
            self.comments[edits],
        )


@dataclass(frozen=True, eq=False)
class ColumnSentences(Sequence[Sentence]):
    """Sentences in columns, each token a word of its text; `number` is that of the first, which ids count from."""

    texts: TextColumn
    columns: Columns
    number: int = 1
    m2: M2Details | None = None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by name (`id`, `document` too), by sentence

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> ColumnSentences: ...
    def __getitem__(self, index: int | slice) -> Sentence | ColumnSentences:
        if isinstance(index, slice):
            begin, end, step = index.indices(len(self))
            if step != 1:
                raise ValueError(f"expected step 1, got {step}")
            part = slice(begin, max(begin, end))
            offsets = self.columns.annotation_offsets
            annotations = slice(int(offsets[part.start]), int(offsets[part.stop]))
            edits = slice(*(int(self.columns.edit_offsets[a]) for a in (annotations.start, annotations.stop)))
            return replace(
                self,
                texts=self.texts[part],
                columns=self.columns[part],
                number=self.number + begin,
                m2=None if self.m2 is None else self.m2.run(part, annotations, edits),
                labels={key: values[part] for key, values in self.labels.items()},
            )
        if not -len(self) <= index < len(self):
            raise IndexError(f"expected a sentence below {len(self)}, got {index}")
        place = index % len(self)
        return next(self[place : place + 1]._make_sentences())

    def __iter__(self) -> Iterator[Sentence]:
        for begin in range(0, len(self), _MADE_AT_ONCE):
            yield from self[begin : begin + _MADE_AT_ONCE]._make_sentences()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (tuple, ColumnSentences)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    @property
    def has_edits(self) -> bool:
        """Whether some sentence has annotations."""
        return bool(self.columns.annotated.any())

    def with_labels(self, labels: Mapping[str, Sequence[str]]) -> ColumnSentences:
        """The sentences with labels, a column each."""
        return replace(self, labels={**self.labels, **labels})

    @property
    def label_columns(self) -> dict[str, tuple[str, ...]]:
        """Labels by name, those of documents last and only where there are some."""
        names = sorted(key for key in self.labels if key not in ("id", "document"))
        if any(self.labels.get("document", ())):
            names.append("document")
        return {name: tuple(self.labels[name]) for name in names}

    def _make_sentences(self) -> Iterator[Sentence]:
        """All sentences as objects. Columns become lists first: looking at arrays one by one takes far longer."""
        c, m2 = self.columns, self.m2
        annotations, references = self._annotations(), list(c.references)
        annotated, referred = c.annotation_offsets.tolist(), c.reference_offsets.tolist()
        with_lines = [False] * len(self) if m2 is None else (m2.dropped == 0).tolist()
        blocks = [""] * len(self) if m2 is None else m2.blocks
        for i, (text, block) in enumerate(zip(self.texts, blocks, strict=True)):
            labels = {key: values[i] for key, values in self.labels.items()}
            yield Sentence(
                text,
                annotations=tuple(annotations[annotated[i] : annotated[i + 1]]),
                references=tuple(references[referred[i] : referred[i + 1]]),
                id=labels.pop("id", str(self.number + i)),
                document=labels.pop("document", ""),
                labels=labels,
                lines=_lines(block) if with_lines[i] else (),
            )

    def _annotations(self) -> list[Annotation]:
        c, m2 = self.columns, self.m2
        corrections = list(c.corrections)
        edits = list(
            map(
                Edit,
                c.starts.tolist(),
                c.ends.tolist(),
                [tuple(corrections[begin:end]) for begin, end in pairwise(c.correction_offsets.tolist())],
                c.types,
                (c.required != 0).tolist(),
                [""] * len(c.starts) if m2 is None else m2.comments,
                c.lines.tolist(),
            )
        )
        implied = [False] * len(c.annotator_columns) if m2 is None else (m2.implied != 0).tolist()
        refused = [False] * len(implied) if m2 is None else (m2.not_annotatable != 0).tolist()
        spans = pairwise(c.edit_offsets.tolist())
        return [
            Annotation(c.annotators[column], tuple(edits[begin:end]), implied=is_implied, not_annotatable=na)
            for column, (begin, end), is_implied, na in zip(
                c.annotator_columns.tolist(), spans, implied, refused, strict=True
            )
        ]


def parallel_sentences(sources: TextColumn, references: Sequence[TextColumn], number: int = 1) -> ColumnSentences:
    """Sources and, for each set of references, a column as long."""
    size = len(sources)
    rewritten = TextColumn.side_by_side(references, size)
    vocabulary = Vocabulary()
    tokens, _ = vocabulary.encode_texts(sources, extend=True)
    reference_words, _ = vocabulary.encode_texts(rewritten, extend=True)
    none = TextColumn.of(())
    columns = Columns(
        vocabulary=vocabulary,
        tokens=tokens,
        annotators=(),
        annotation_offsets=np.zeros(size + 1, np.int64),
        annotator_columns=np.zeros(0, np.int32),
        edit_offsets=np.zeros(1, np.int64),
        starts=np.zeros(0, np.int32),
        ends=np.zeros(0, np.int32),
        required=np.zeros(0, np.uint8),
        optional=np.zeros(0, np.uint8),
        lines=np.zeros(0, np.int64),
        types=none,
        correction_offsets=np.zeros(1, np.int64),
        corrections=none,
        words=(np.zeros(0, np.int32), np.zeros(1, np.int64)),
        reference_offsets=np.arange(size + 1, dtype=np.int64) * len(references),
        references=rewritten,
        reference_words=reference_words,
    )
    return ColumnSentences(sources, columns, number)


def _lines(block: str) -> tuple[str, ...]:
    """Lines with their ends, which are line feeds alone."""
    pieces = block.split("\n")
    ended = tuple(piece + "\n" for piece in pieces[:-1])
    return (*ended, pieces[-1]) if pieces[-1] else ended

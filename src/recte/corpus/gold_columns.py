"""Sources and gold of many sentences as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.sentence import Annotation, Sentence, annotator_order
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import EncodedText, Vocabulary, offsets_of
from recte.errors import InputError

__all__ = ["Columns", "EditColumns", "columns_of"]

# A correction that is not single words joined by single spaces equals no hypothesis' words.
_NO_TOKEN = -1


@dataclass(frozen=True, eq=False, repr=False)
class EditColumns:
    """Gold edits as the edit kernels take them: by sentence, annotation, edit, correction, token."""

    annotators: tuple[str, ...]
    annotation_offsets: NDArray[np.int64]
    annotator_columns: NDArray[np.int32]
    edit_offsets: NDArray[np.int64]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    optional: NDArray[np.uint8]
    correction_offsets: NDArray[np.int64]
    words: EncodedText  # of each correction

    def kernel(self) -> _kernels.Gold:
        ids, offsets = self.words
        return _kernels.Gold(
            self.annotation_offsets,
            self.annotator_columns,
            self.edit_offsets,
            self.starts,
            self.ends,
            self.optional,
            self.correction_offsets,
            offsets,
            ids,
        )


@dataclass(frozen=True, eq=False, repr=False)
class Columns:
    """Sources and gold, laid out flat.

    `annotation_offsets` is by sentence; `annotator_columns` (places in `annotators`) and `edit_offsets` by annotation,
    in the order of their first lines in a file; `starts` to `correction_offsets` by edit; `corrections` and their
    `words` by correction; `reference_offsets` by sentence, for the rewritten `references` and their words.
    """

    vocabulary: Vocabulary
    tokens: EncodedText
    annotators: tuple[str, ...]
    annotation_offsets: NDArray[np.int64]
    annotator_columns: NDArray[np.int32]
    edit_offsets: NDArray[np.int64]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    required: NDArray[np.uint8]
    optional: NDArray[np.uint8]
    lines: NDArray[np.int64]
    types: TextColumn
    correction_offsets: NDArray[np.int64]
    corrections: TextColumn
    words: EncodedText
    reference_offsets: NDArray[np.int64]
    references: TextColumn
    reference_words: EncodedText

    def __len__(self) -> int:
        return len(self.annotation_offsets) - 1

    def __getitem__(self, part: slice) -> Columns:
        """A run of sentences."""
        begin, end, _ = part.indices(len(self))
        sentences = slice(begin, max(begin, end))
        tokens, _ = _run(self.tokens, sentences)
        annotation_offsets, annotations = _offsets(self.annotation_offsets, sentences)
        edit_offsets, edits = _offsets(self.edit_offsets, annotations)
        correction_offsets, corrections = _offsets(self.correction_offsets, edits)
        words, _ = _run(self.words, corrections)
        reference_offsets, references = _offsets(self.reference_offsets, sentences)
        reference_words, _ = _run(self.reference_words, references)
        return replace(
            self,
            tokens=tokens,
            annotation_offsets=annotation_offsets,
            annotator_columns=self.annotator_columns[annotations],
            edit_offsets=edit_offsets,
            starts=self.starts[edits],
            ends=self.ends[edits],
            required=self.required[edits],
            optional=self.optional[edits],
            lines=self.lines[edits],
            types=self.types[edits],
            correction_offsets=correction_offsets,
            corrections=self.corrections[corrections],
            words=words,
            reference_offsets=reference_offsets,
            references=self.references[references],
            reference_words=reference_words,
        )

    @property
    def annotated(self) -> NDArray[np.bool_]:
        """Which sentences have annotations."""
        return np.diff(self.annotation_offsets) > 0

    @property
    def without_gold(self) -> NDArray[np.int64]:
        """The places of sentences that have neither annotations nor references."""
        return np.flatnonzero(~self.annotated & (np.diff(self.reference_offsets) == 0))

    @property
    def annotator_names(self) -> tuple[str, ...]:
        """Annotators that the sentences have, and numbers for the references of those without annotations."""
        first, last = self.annotation_offsets[0], self.annotation_offsets[-1]
        names = {self.annotators[c] for c in np.flatnonzero(np.bincount(self.annotator_columns[first:last])).tolist()}
        rewritten = np.diff(self.reference_offsets)[~self.annotated]
        names.update(map(str, range(int(rewritten.max(initial=0)))))
        return tuple(sorted(names, key=annotator_order))

    def edits(self) -> EditColumns:
        """The annotations for the edit kernels."""
        ids, offsets = self.words
        spaced = _kernels.are_spaced(self.corrections.spans).astype(np.bool_)
        if not spaced.all():
            ids = ids.copy()
            for correction in np.flatnonzero(~spaced).tolist():
                ids[offsets[correction] : offsets[correction + 1]] = _NO_TOKEN
        names = self.annotator_names
        place = {name: column for column, name in enumerate(names)}
        renumber_annotators = np.array([place.get(name, 0) for name in self.annotators], dtype=np.int32)
        return EditColumns(
            names,
            self.annotation_offsets,
            renumber_annotators[self.annotator_columns],
            self.edit_offsets,
            self.starts,
            self.ends,
            self.optional,
            self.correction_offsets,
            (ids, offsets),
        )

    def with_optional_edits(self) -> Columns:
        """The columns with `optional` made from `required` and the corrections."""
        optional = _kernels.optional_edits(self.tokens, self.gold(), len(self.annotators), self.required)
        return replace(self, optional=optional)

    def gold(self) -> _kernels.GoldColumns:
        """The annotations for the kernels that apply edits, by `annotators`."""
        return self.renumber_annotators(range(len(self.annotators)))

    def renumber_annotators(self, columns: Sequence[int]) -> _kernels.GoldColumns:
        """The annotations for the kernels that apply edits, each annotator in another column."""
        return _kernels.GoldColumns(
            self.annotation_offsets,
            np.array(columns, dtype=np.int32)[self.annotator_columns],
            self.edit_offsets,
            self.starts,
            self.ends,
            self.correction_offsets,
            self.corrections.spans,
            self.words,
        )

    def fingerprints(self, first: int) -> NDArray[np.uint64]:
        """A hash of each sentence, its gold and its place; `first` is the place of the first one."""
        return _kernels.fingerprints(
            self.vocabulary.interner,
            self.tokens,
            self.gold(),
            self.annotators,
            self.types.spans,
            self.required,
            self.reference_offsets,
            self.references.spans,
            first,
        )


def _offsets(offsets: NDArray[np.int64], part: slice) -> tuple[NDArray[np.int64], slice]:
    """The offsets of a run of pieces, and the run that these pieces are of what they divide."""
    run = offsets[part.start : part.stop + 1]
    return run - run[0], slice(int(run[0]), int(run[-1]))


def _run(text: EncodedText, part: slice) -> tuple[EncodedText, slice]:
    ids, offsets = text
    run, places = _offsets(offsets, part)
    return (ids[places], run), places


def columns_of(sentences: Sequence[Sentence], annotations: Sequence[Sequence[Annotation]] | None = None) -> Columns:
    """Columns of sentences that are objects; `annotations` stand in for their own."""
    by_sentence = [s.annotations for s in sentences] if annotations is None else annotations
    _check(sentences, by_sentence)
    flat = list(chain.from_iterable(by_sentence))
    names = tuple(sorted({a.annotator for a in flat}, key=annotator_order))
    column = {name: c for c, name in enumerate(names)}
    edits = [edit for a in flat for edit in a.edits]
    tokens_of = (
        s.tokens for s, of_sentence in zip(sentences, by_sentence, strict=True) for a in of_sentence for _ in a.edits
    )
    corrections = TextColumn.of([correction for edit in edits for correction in edit.corrections])
    references = TextColumn.of([reference for s in sentences for reference in s.references])
    vocabulary = Vocabulary()
    tokens, _ = vocabulary.encode([s.tokens for s in sentences], extend=True)
    words, _ = vocabulary.encode_texts(corrections, extend=True)
    reference_words, _ = vocabulary.encode_texts(references, extend=True)
    return Columns(
        vocabulary=vocabulary,
        tokens=tokens,
        annotators=names,
        annotation_offsets=offsets_of(map(len, by_sentence), len(by_sentence)),
        annotator_columns=np.array([column[a.annotator] for a in flat], dtype=np.int32),
        edit_offsets=offsets_of((len(a.edits) for a in flat), len(flat)),
        starts=np.array([e.start for e in edits], dtype=np.int32),
        ends=np.array([e.end for e in edits], dtype=np.int32),
        required=np.array([e.required for e in edits], dtype=np.uint8),
        optional=np.array([e.is_optional(t) for e, t in zip(edits, tokens_of, strict=True)], dtype=np.uint8),
        lines=np.array([e.line for e in edits], dtype=np.int64),
        types=TextColumn.of([e.type for e in edits]),
        correction_offsets=offsets_of((len(e.corrections) for e in edits), len(edits)),
        corrections=corrections,
        words=words,
        reference_offsets=offsets_of((len(s.references) for s in sentences), len(sentences)),
        references=references,
        reference_words=reference_words,
    )


def _check(sentences: Sequence[Sentence], annotations: Sequence[Sequence[Annotation]]) -> None:
    for sentence, of_sentence in zip(sentences, annotations, strict=True):
        if len({a.annotator for a in of_sentence}) < len(of_sentence):
            raise InputError(
                f"expected one annotation per annotator, got two for sentence {sentence.id or sentence.text!r}"
            )

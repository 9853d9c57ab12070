"""The gold of a whole corpus as columns, to stand beside the edits that were found in hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.columns.text import TextColumn
from recte.columns.vocabulary import EncodedText, Vocabulary
from recte.metrics.seen_edits import SeenEdits, Texts
from recte.weighing.context import TextPairs

__all__ = ["GoldSides", "ProposedEdits", "parts_of", "runs"]

_AT_ONCE = 4_096  # rows whose edits are found together, while a GPU reads texts of the last ones

Integers = NDArray[np.int64]


class ProposedEdits(NamedTuple):
    """Edits that were found in hypotheses: the row of each, the annotator's column, the span, and the words that stand
    for it, as a run of `words`, which are numbers of `vocabulary`.
    """

    row: Integers
    column: Integers
    start: Integers
    end: Integers
    first: Integers
    last: Integers
    words: NDArray[np.int32]
    vocabulary: Vocabulary


@dataclass(frozen=True, eq=False, repr=False)
class GoldSides:
    """Annotations of sentences: `annotation_offsets` is by sentence, `columns` (places in `annotators`) and
    `edit_offsets` by annotation, `starts` and `ends` by edit.

    `words` are those of each edit's first correction, `corrections` how it is written, `references` are what each
    annotation makes of its sentence.
    """

    annotators: tuple[str, ...]
    vocabulary: Vocabulary
    sources: EncodedText
    annotation_offsets: Integers
    columns: Integers
    edit_offsets: Integers
    starts: Integers
    ends: Integers
    words: EncodedText
    corrections: Sequence[str]
    references: Sequence[str]

    @cached_property
    def _texts(self) -> tuple[Texts, Integers, Integers]:
        """Sources and references with their numbers."""
        texts = Texts()
        return (
            texts,
            texts.numbers(TextColumn.joined(self.vocabulary.interner, self.sources).listed()),
            texts.numbers(self.references),
        )

    @cached_property
    def _places(self) -> Integers:
        """By sentence and column: the annotation's place among those of the sentence."""
        counts = np.diff(self.annotation_offsets)
        places = np.full((len(counts), len(self.annotators)), -1, dtype=np.int64)
        in_sentence = np.arange(len(self.columns)) - np.repeat(self.annotation_offsets[:-1], counts)
        places[np.repeat(np.arange(len(counts)), counts), self.columns] = in_sentence
        return places

    def _sides(self, source_of: Integers) -> tuple[Integers, Integers, Integers]:
        """Of each row's sentence all annotations, and the row of each; and where each row's begin."""
        annotations, offsets = runs(self.annotation_offsets[source_of], self.annotation_offsets[source_of + 1])
        return annotations, np.repeat(np.arange(len(source_of)), np.diff(offsets)), offsets

    def pairs_ahead(self, source_of: Integers) -> TextPairs:
        """Sources beside references that differ from them: the gold has edits there, whatever was proposed."""
        texts, sources, references = self._texts
        annotations, rows, _ = self._sides(source_of)
        source, reference = sources[source_of[rows]], references[annotations]
        differ = source != reference
        return TextPairs(texts.listed, np.stack([source[differ], reference[differ]], axis=1))

    def beside(
        self,
        found: ProposedEdits,
        source_of: Integers,
        sentence: Sequence[int],
        credited: Callable[[ProposedEdits, Integers], NDArray[np.bool_]],
    ) -> SeenEdits:
        """Proposed edits and the gold's.

        `source_of` is the sentence of each row, `sentence` its place in the corpus. `credited` says which of the
        proposed edits are right, each against its annotation.
        """
        annotations, rows, offsets = self._sides(source_of)
        place = annotations - self.annotation_offsets[source_of[rows]]
        own_side = offsets[found.row] + self._places[source_of[found.row], found.column]
        gold, gold_offsets = runs(self.edit_offsets[annotations], self.edit_offsets[annotations + 1])
        gold_side = np.repeat(np.arange(len(annotations)), np.diff(gold_offsets))
        side = np.concatenate([own_side, gold_side])
        start = np.concatenate([found.start, self.starts[gold]]).astype(np.int64)
        end = np.concatenate([found.end, self.ends[gold]]).astype(np.int64)
        base, sources, references = self._texts
        of_sentence = source_of[rows[side]]
        texts = base.copy()
        applied = texts.numbers(self._applied(found, of_sentence, start, end, gold))
        right = credited(found, annotations[own_side])

        def correction(edit: int) -> str:
            if edit >= len(found.row):
                return self.corrections[int(gold[edit - len(found.row)])]
            return " ".join(found.vocabulary.words(found.words[found.first[edit] : found.last[edit]]))

        return SeenEdits(
            annotators=self.annotators,
            row=rows,
            column=self.columns[annotations].astype(np.int64),
            place=place,
            side=side,
            start=start,
            end=end,
            proposed=np.arange(len(side)) < len(found.row),
            correct=np.concatenate([right, np.zeros(len(gold), np.bool_)]),
            texts=texts.listed,
            source=sources[of_sentence],
            applied=applied,
            reference=references[annotations[side]],
            correction=correction,
            tokens=lambda row: self._tokens(int(source_of[row])),
            sentence=sentence,
        )

    def _tokens(self, sentence: int) -> tuple[str, ...]:
        ids, offsets = self.sources
        return self.vocabulary.words(ids[offsets[sentence] : offsets[sentence + 1]])

    def _applied(
        self, found: ProposedEdits, sentence: Integers, start: Integers, end: Integers, gold: Integers
    ) -> list[str]:
        """The sentence of each edit with the edit alone: words before it, its own, words after it."""
        ids, offsets = self.sources
        begin, stop = offsets[sentence], offsets[sentence + 1]
        words, word_offsets = self.words
        behind = len(ids) + len(found.words)
        begins = [begin, np.concatenate([found.first + len(ids), word_offsets[gold] + behind])]
        ends = [
            np.minimum(begin + start, stop),
            np.concatenate([found.last + len(ids), word_offsets[gold + 1] + behind]),
        ]
        at, run_offsets = runs(
            np.stack([*begins, np.minimum(begin + end, stop)], axis=1).reshape(-1),
            np.stack([*ends, stop], axis=1).reshape(-1),
        )
        all_words = np.concatenate([ids, found.words, words])[at]
        return TextColumn.joined(found.vocabulary.interner, (all_words, run_offsets[::3].copy())).listed()

    def partners(self, found: ProposedEdits, annotations: Integers) -> Iterator[tuple[int, int]]:
        """Proposed and gold edits of one annotation that have the same span; `annotations` are the proposed edits'."""
        order, keys, base = self._spans
        fits = (found.start < base) & (found.end < base)
        wanted = np.where(fits, (annotations * base + found.start) * base + found.end, -1)
        begins, ends = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right")
        gold, _ = runs(begins, ends)
        proposed = np.repeat(np.arange(len(wanted)), ends - begins)
        yield from zip(proposed.tolist(), order[gold].tolist(), strict=True)

    @cached_property
    def _spans(self) -> tuple[Integers, Integers, int]:
        """Gold edits in the order of a key made of annotation and span, the keys, and what they are made with."""
        base = int(max(self.starts.max(initial=0), self.ends.max(initial=0))) + 1
        annotation = np.repeat(np.arange(len(self.columns)), np.diff(self.edit_offsets))
        keys = (annotation * base + self.starts) * base + self.ends
        order = np.argsort(keys, kind="stable")
        return order, keys[order], base


def parts_of(rows: int) -> list[slice]:
    """Runs of rows, those of each to be looked at together.

    >>> parts_of(5000)
    [slice(0, 4096, None), slice(4096, 5000, None)]
    """
    return [slice(begin, min(rows, begin + _AT_ONCE)) for begin in range(0, rows, _AT_ONCE)]


def runs(begins: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """The places from each begin up to its end, laid end to end, and where each run of them begins."""
    lengths = ends - begins
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], lengths), offsets

"""Edits extracted from references and hypotheses as columns, for weights: no object is made of each edit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from recte.columns.gold import Columns
from recte.columns.text import TextColumn
from recte.columns.vocabulary import gathered
from recte.extraction.extractor import Extractor
from recte.metrics.gold_sides import GoldSides, ProposedEdits, parts_of, runs
from recte.metrics.seen_edits import SeenEdits, SeenSoon, Texts
from recte.weighing.context import TextPairs

__all__ = ["ExtractedSides"]

Integers = NDArray[np.int64]


class ExtractedSides:
    """Sources and references of a corpus without edits of its own, whose edits are extracted when they are needed.

    Two edits are the same that share span and correction; `once` where an edit of the gold stands for one proposed.
    """

    def __init__(self, columns: Columns, extractor: Extractor, once: bool) -> None:
        self._columns, self._extractor, self._once = columns, extractor, once
        self._gold: dict[tuple[int, int], GoldSides] = {}

    def seen(self, hypotheses: Sequence[str], source_of: Integers, first: int) -> list[SeenSoon]:
        """Edits of hypotheses beside those of the references; `first` is the first sentence's place in the corpus."""
        return [
            SeenSoon(
                part.start, self._ahead(source_of[part]), partial(self._seen, hypotheses[part], source_of[part], first)
            )
            for part in parts_of(len(source_of))
        ]

    @cached_property
    def _texts(self) -> tuple[list[str], list[str]]:
        """Sources, and references of all of them."""
        interner, (ids, offsets) = self._columns.vocabulary.interner, self._columns.reference_words
        run = slice(self._columns.reference_offsets[0], self._columns.reference_offsets[-1] + 1)
        return (
            TextColumn.joined(interner, self._columns.tokens).listed(),
            TextColumn.joined(interner, (ids, np.ascontiguousarray(offsets[run]))).listed(),
        )

    def _references_of(self, sentences: Integers) -> tuple[Integers, Integers]:
        """The references of each sentence, and which sentence they belong to, as places in what is given."""
        offsets = self._columns.reference_offsets - self._columns.reference_offsets[0]
        references, ends = runs(offsets[sentences], offsets[sentences + 1])
        return references, np.repeat(np.arange(len(sentences)), np.diff(ends))

    def _ahead(self, source_of: Integers) -> TextPairs:
        """Sources beside references that differ from them: some edit is between them."""
        sources, references = self._texts
        places, of = self._references_of(source_of)
        pairs = [(sources[s], references[r]) for s, r in zip(source_of[of].tolist(), places.tolist(), strict=True)]
        texts = Texts()
        numbers = texts.numbers([text for pair in pairs if pair[0] != pair[1] for text in pair])
        return TextPairs(texts.listed, numbers.reshape(-1, 2))

    def _seen(self, hypotheses: Sequence[str], source_of: Integers, first: int) -> SeenEdits:
        # Systems come whole, part by part: each part has its gold. Candidates may be of any sentence.
        begin, end = (int(source_of[0]), int(source_of[-1]) + 1) if len(source_of) else (0, 0)
        if not np.array_equal(source_of, np.arange(begin, end)):
            begin, end = 0, len(self._columns)
        sentences = np.arange(begin, end)
        references, of = self._references_of(sentences)
        sources, rewritten = self._texts
        known = self._gold.get((begin, end))
        pairs = (
            []
            if known
            else [(sources[s], rewritten[r]) for s, r in zip((begin + of).tolist(), references.tolist(), strict=True)]
        )
        own = [" ".join(text.split()) for text in hypotheses]
        pairs += [(sources[s], text) for s, text in zip(source_of.tolist(), own, strict=True)]
        spans, offsets = self._spans(pairs)
        if known is None:
            count = offsets[len(references)]
            known = self._gold_of(begin, end, references, spans[:count], offsets[: len(references) + 1])
            self._gold[begin, end] = known
            spans, offsets = spans[count:], offsets[len(references) :] - count
        found = self._proposed(known, own, source_of - begin, spans, offsets)
        sentence = (source_of + first).tolist()
        return known.beside(found, source_of - begin, sentence, partial(_credited, known, self._once))

    def _spans(self, pairs: Sequence[tuple[str, str]]) -> tuple[Integers, Integers]:
        """The edits of each pair of texts: span of the source and of the correction."""
        texts = Texts()
        differ = np.array([a != b for a, b in pairs], dtype=np.bool_)
        numbers = texts.numbers([text for a, b in pairs if a != b for text in (a, b)]).reshape(-1, 2)
        rows, offsets = self._extractor.span_rows([tuple(text.split()) for text in texts.listed], *numbers.T)
        counts = np.zeros(len(pairs), dtype=np.int64)
        counts[differ] = np.diff(offsets)
        return rows.astype(np.int64), np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])

    def _gold_of(self, begin: int, end: int, references: Integers, spans: Integers, offsets: Integers) -> GoldSides:
        columns = self._columns[begin:end]
        ids, ends = columns.reference_words
        start, stop, first, last = spans.T
        behind = np.repeat(ends[:-1], np.diff(offsets))
        words = gathered(ids, behind + first, behind + last)
        counts = np.diff(columns.reference_offsets)
        rewritten = self._texts[1]
        return GoldSides(
            annotators=tuple(map(str, range(int(counts.max(initial=0))))),
            vocabulary=columns.vocabulary,
            sources=columns.tokens,
            annotation_offsets=columns.reference_offsets,
            columns=np.arange(len(references)) - np.repeat(columns.reference_offsets[:-1], counts),
            edit_offsets=offsets,
            starts=start,
            ends=stop,
            words=words,
            corrections=TextColumn.joined(columns.vocabulary.interner, words),
            references=[rewritten[place] for place in references.tolist()],
        )

    def _proposed(
        self, gold: GoldSides, hypotheses: Sequence[str], source_of: Integers, spans: Integers, offsets: Integers
    ) -> ProposedEdits:
        """Each hypothesis' edits, once against every annotator of its sentence."""
        vocabulary = self._columns.vocabulary.copy()
        (ids, ends), _ = vocabulary.encode_texts(hypotheses, extend=True)
        annotators = np.diff(gold.annotation_offsets)[source_of]
        side_row = np.repeat(np.arange(len(source_of)), annotators)
        _, side_ends = runs(np.zeros_like(annotators), annotators)
        column = np.arange(len(side_row)) - np.repeat(side_ends[:-1], annotators)
        edit, edit_ends = runs(offsets[side_row], offsets[side_row + 1])
        times = np.diff(edit_ends)
        row = np.repeat(side_row, times)
        start, end, first, last = spans[edit].T
        return ProposedEdits(
            row, np.repeat(column, times), start, end, ends[row] + first, ends[row] + last, ids, vocabulary
        )


def _credited(gold: GoldSides, once: bool, found: ProposedEdits, annotations: Integers) -> NDArray[np.bool_]:
    """Which proposed edits the gold has too; with `once`, one for each of the gold's."""
    words, offsets = gold.words
    right = np.zeros(len(found.row), dtype=np.bool_)
    taken: set[tuple[int, int]] = set()
    for p, g in gold.partners(found, annotations):
        if right[p] or (once and (int(found.row[p]), g) in taken):
            continue
        if found.words[found.first[p] : found.last[p]].tobytes() == words[offsets[g] : offsets[g + 1]].tobytes():
            right[p] = True
            taken.add((int(found.row[p]), g))
    return right

"""Sentences with edits made in them, for many edits at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from recte import _kernels
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import Columns
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import EncodedText, Integers, Vocabulary, gathered

__all__ = ["SourceColumns"]


@dataclass(frozen=True, eq=False, repr=False)
class SourceColumns:
    """The tokens of source sentences, as numbers of a vocabulary."""

    vocabulary: Vocabulary
    tokens: EncodedText

    @classmethod
    def of(cls, columns: Columns) -> SourceColumns:
        return cls(columns.vocabulary, columns.tokens)

    def words(self, sentence: int) -> tuple[str, ...]:
        """The tokens of a sentence."""
        ids, offsets = self.tokens
        return self.vocabulary.words(ids[offsets[sentence] : offsets[sentence + 1]])

    def texts(self) -> TextColumn:
        """Every sentence, its tokens joined by spaces."""
        return TextColumn.joined(self.vocabulary.interner, self.tokens)

    def with_annotations(self, table: EditTable, sentences: Integers) -> TextColumn:
        """For each annotation of the table its sentence, one of `sentences`, with all its edits made."""
        edits = table.kept(table.starts >= 0)
        return self._applied(sentences, edits.offsets, edits.starts, edits.ends, edits.first_corrections)

    def with_each(self, table: EditTable, sentences: Integers, edits: Integers) -> TextColumn:
        """For each of some edits its sentence, one of `sentences`, with this edit alone."""
        offsets = np.arange(len(edits) + 1, dtype=np.int64)
        corrections = table.first_corrections.take(edits)
        return self._applied(sentences, offsets, table.starts[edits], table.ends[edits], corrections)

    def _applied(
        self, sentences: Integers, offsets: Integers, starts: Integers, ends: Integers, corrections: TextColumn
    ) -> TextColumn:
        """Each sentence with its run of edits made, as `apply_edits` makes them."""
        ids, ends_of = self.tokens
        vocabulary = self.vocabulary.copy()
        words, _ = vocabulary.encode_texts(corrections, extend=True)
        size = len(sentences)
        # The published offsets of words inserted before the first one may reach past a short sentence.
        last = np.repeat(ends_of[sentences + 1] - ends_of[sentences], np.diff(offsets))
        gold = _kernels.GoldColumns(
            np.arange(size + 1, dtype=np.int64),
            np.zeros(size, dtype=np.int32),
            offsets,
            np.minimum(starts, last).astype(np.int32),
            np.minimum(ends, last).astype(np.int32),
            np.arange(len(starts) + 1, dtype=np.int64),
            corrections.spans,
            words,
        )
        no_references = (np.zeros(0, np.int32), np.zeros(1, np.int64))
        _, texts = _kernels.annotator_texts(
            gathered(ids, ends_of[sentences], ends_of[sentences + 1]),
            gold,
            np.zeros(len(starts), dtype=np.uint8),
            1,
            False,
            np.zeros(size + 1, dtype=np.int64),
            no_references,
        )
        return TextColumn.joined(vocabulary.interner, texts)

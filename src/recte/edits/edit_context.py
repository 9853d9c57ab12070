"""Edits with all that is needed to weigh or judge them: the sentence, and the text that the annotator made of it.

Texts are made for many edits at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import Columns
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import EncodedText, Integers, Vocabulary, gather
from recte.edits.matching import Matches

__all__ = ["DeferredEdits", "EditInContext", "EditKey", "EditsInContext", "SourceColumns", "TextPairs", "Texts"]


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
        return TextColumn.join(self.vocabulary.interner, self.tokens)

    def with_annotations(self, table: EditTable, sentences: Integers) -> TextColumn:
        """For each annotation of the table its sentence, one of `sentences`, with all its edits made."""
        edits = table.select(table.starts >= 0)
        return self._apply(sentences, edits.offsets, edits.starts, edits.ends, edits.first_corrections)

    def with_each(self, table: EditTable, sentences: Integers, edits: Integers) -> TextColumn:
        """For each of some edits its sentence, one of `sentences`, with this edit alone."""
        offsets = np.arange(len(edits) + 1, dtype=np.int64)
        corrections = table.first_corrections.take(edits)
        return self._apply(sentences, offsets, table.starts[edits], table.ends[edits], corrections)

    def _apply(
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
            gather(ids, ends_of[sentences], ends_of[sentences + 1]),
            gold,
            np.zeros(len(starts), dtype=np.uint8),
            1,
            False,
            np.zeros(size + 1, dtype=np.int64),
            no_references,
        )
        return TextColumn.join(vocabulary.interner, texts)


class TextPairs(NamedTuple):
    """Pairs of texts, a row each, by the places that both have in `texts`."""

    texts: Sequence[str]
    pairs: NDArray[np.int64]


class EditKey(NamedTuple):
    """Which edit of which sentence is meant, in a file; sentences count from 0 here and from 1 in files."""

    sentence: int
    start: int
    end: int
    correction: str


@dataclass(frozen=True, slots=True)
class EditInContext:
    """An edit of the tokens of a sentence; `reference` is the text that the annotator made of the sentence.

    >>> edit = EditInContext(0, ("He", "go"), 1, 2, "goes", "0", "He goes")
    >>> edit.source, edit.applied
    ('He go', 'He goes')
    """

    sentence: int  # its place in the corpus
    tokens: tuple[str, ...]
    start: int
    end: int
    correction: str
    annotator: str = ""
    reference: str = ""

    @property
    def source(self) -> str:
        return " ".join(self.tokens)

    @property
    def applied(self) -> str:
        """The source with this edit alone."""
        return " ".join([*self.tokens[: self.start], *self.correction.split(), *self.tokens[self.end :]])

    @property
    def key(self) -> EditKey:
        return EditKey(self.sentence, self.start, self.end, self.correction)


class Texts:
    """Distinct texts with numbers, in the order of their coming.

    >>> texts = Texts(["a"])
    >>> texts.numbers(["b", "a"]).tolist(), texts.listed
    ([1, 0], ['a', 'b'])
    """

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        self.numbers(texts)

    @property
    def listed(self) -> list[str]:
        return list(self._numbers)

    def numbers(self, texts: Sequence[str]) -> Integers:
        known = self._numbers
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        return np.fromiter(map(known.__getitem__, texts), np.int64, len(texts))


class EditsInContext(Sequence[EditInContext]):
    """Every edit of some matches with its context: the proposed edits of all pairs, then the gold's.

    `pairs` and `edits` say what each one is, an edit of `tables[is_gold]`; `correct` which proposed ones are right.
    `source_of` is the sentence of each row of the matches, `references` what each gold annotation makes of its
    sentence, `first` the place of the first sentence in the corpus. An object is made of an edit, and texts of edits,
    only when they are asked for.
    """

    def __init__(
        self, matches: Matches, sources: SourceColumns, source_of: Integers, references: Sequence[str], first: int
    ) -> None:
        self.matches, self._sources, self._references = matches, sources, references
        self._sentences, self._first = source_of, first
        edits = matches.judged
        gold = matches.gold.starts[edits.gold_edits] >= 0  # a no-op is an edit of nothing
        has_place = matches.proposed.starts[edits.own_edits] >= 0
        self.pairs = np.concatenate([edits.own_pairs[has_place], edits.gold_pairs[gold]])
        self.edits = np.concatenate([edits.own_edits[has_place], edits.gold_edits[gold]])
        self.proposed = np.arange(len(self.pairs)) < has_place.sum()
        self.correct = np.concatenate([edits.right[has_place], np.zeros(int(gold.sum()), dtype=np.bool_)])

    @property
    def text_pairs(self) -> TextPairs:
        """For each edit the source with it and the reference, then for each the source and the reference."""
        matches, proposed_count = self.matches, int(self.proposed.sum())
        sentences = self._sentences[matches.rows[self.pairs]]
        applied = [
            text
            for table, which in (
                (matches.proposed, slice(0, proposed_count)),
                (matches.gold, slice(proposed_count, None)),
            )
            for text in self._sources.with_each(table, sentences[which], self.edits[which]).to_list()
        ]
        texts = Texts()
        annotations, used = np.unique(matches.gold_annotations[self.pairs], return_inverse=True)
        known, place = np.unique(sentences, return_inverse=True)
        sources = texts.numbers([" ".join(self._sources.words(s)) for s in known.tolist()])[place.reshape(-1)]
        references = texts.numbers([self._references[a] for a in annotations.tolist()])[used.reshape(-1)]
        pairs = [np.stack([texts_of_table, references], axis=1) for texts_of_table in (texts.numbers(applied), sources)]
        return TextPairs(texts.listed, np.concatenate(pairs))

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, index: int) -> EditInContext: ...
    @overload
    def __getitem__(self, index: slice) -> list[EditInContext]: ...
    def __getitem__(self, index: int | slice) -> EditInContext | list[EditInContext]:
        if isinstance(index, slice):
            return [self[e] for e in range(*index.indices(len(self)))]
        pair, edit, matches = int(self.pairs[index]), int(self.edits[index]), self.matches
        proposed = bool(self.proposed[index])
        table = matches.proposed if proposed else matches.gold
        sentence = int(self._sentences[matches.rows[pair]])
        names, columns = matches.columns
        return EditInContext(
            sentence + self._first,
            self._sources.words(sentence),
            int(table.starts[edit]),
            int(table.ends[edit]),
            table.joined_corrections[edit] if proposed else table.first_corrections[edit],
            names[columns[pair]],
            self._references[matches.gold_annotations[pair]],
        )


class DeferredEdits(NamedTuple):
    """Edits of some rows, from `first` on, that are found when they are asked for.

    `ahead` are pairs of texts that will be among theirs.
    """

    first: int
    ahead: TextPairs | None
    find: Callable[[], EditsInContext]

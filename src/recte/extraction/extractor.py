"""Pairs of tokenised sentences into typed edits: annotate what changed, align, merge, type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from threading import Lock
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation import Annotated, Annotator
from recte.annotation.annotated_columns import (
    CHILDREN_WANTED,
    AnnotatedColumns,
    NamedColumn,
    annotate_columns,
    annotate_sentences,
)
from recte.corpus.corpus import Edit
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import Columns
from recte.corpus.text_columns import Spans, TextColumn
from recte.corpus.vocabulary import EncodedText, Integers, Vocabulary, gather, places_in_runs, runs
from recte.errors import InputError, check_choice
from recte.extraction.alignment import (
    COSTS,
    MERGING,
    VERSIONS,
    Costs,
    Merging,
    Span,
    Version,
    span_rows_among,
)

__all__ = ["UNCORRECTED", "EncodedPairs", "Extractor", "TokenPair", "TypeRules"]

UNCORRECTED = "UNK"  # the type of an error that was marked, and has no correction

TokenPair = tuple[tuple[str, ...], tuple[str, ...]]

_EMPTY = Annotated((), (), (), (), (), ())


class TypeRules(Protocol):
    """A language's types: what an edit is called, from the annotations of both sentences."""

    @property
    def name(self) -> str: ...

    def __call__(self, source: Annotated, corrected: Annotated, span: Span, /) -> str: ...


@dataclass(frozen=True, eq=False)
class EncodedPairs:
    """Texts as numbers of their words, and the places of each source and its correction among them."""

    vocabulary: Vocabulary
    texts: EncodedText
    sources: Integers
    corrected: Integers

    @classmethod
    def of(cls, pairs: Sequence[TokenPair]) -> EncodedPairs:
        """Pairs of tokenised sentences."""
        vocabulary = Vocabulary()
        texts, _ = vocabulary.encode(list(chain.from_iterable(pairs)), extend=True)
        places = np.arange(2 * len(pairs))
        return cls(vocabulary, texts, places[::2], places[1::2])

    @classmethod
    def of_texts(
        cls, sources: Sequence[tuple[str, ...]], source_of: Sequence[int], texts: Sequence[str]
    ) -> EncodedPairs:
        """Each text with its source, given by its place."""
        vocabulary = Vocabulary()
        source_text, _ = vocabulary.encode(sources, extend=True)
        ids, offsets = vocabulary.encode_texts(texts, extend=True)[0]
        both = np.append(source_text[0], ids), np.append(source_text[1], offsets[1:] + source_text[1][-1])
        places = np.array(source_of, dtype=np.int64)
        return cls(vocabulary, both, places, len(sources) + np.arange(len(texts)))

    def number_texts(self) -> tuple[NDArray[np.int32], Integers]:
        """A number for each text, the same for equal ones, and each number's first place."""
        ids, offsets = self.texts
        begins = offsets * ids.itemsize
        numbers = _kernels.Interner().number((ids.view(np.uint8), begins[:-1], begins[1:]))
        return numbers, np.unique(numbers, return_index=True)[1]


@dataclass(frozen=True)
class Extractor:
    """Who annotates, which types there are, and how edits are found.

    `alignment` and `merging` are the strategies of `recte.extraction.alignment.edit_spans`, `version` its rules.
    """

    annotator: Annotator
    types: TypeRules
    alignment: Costs = "linguistic"
    merging: Merging = "rules"
    version: Version = "3.0"
    _memory: _TypeMemory = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_memory", _TypeMemory(self.types))
        checked = (("alignment", COSTS), ("merging", MERGING), ("version", VERSIONS))
        for name, choices in checked:
            check_choice(name, getattr(self, name), choices)

    @property
    def name(self) -> str:
        """How edits are made, for signatures."""
        changed = [value for value in (self.alignment, self.merging) if value not in (COSTS[0], MERGING[0])]
        return "+".join(["errant", self.types.name, self.annotator.name, *changed])

    @property
    def _rules(self) -> dict[str, Any]:
        return {"costs": self.alignment, "merging": self.merging, "version": self.version}

    def edits(self, pairs: EncodedPairs | Sequence[TokenPair]) -> list[tuple[Edit, ...]]:
        """The typed edits that turn each source into its correction."""
        table = self.edit_table(pairs if isinstance(pairs, EncodedPairs) else EncodedPairs.of(pairs))
        edits = list(table)
        return [tuple(edits[begin:end]) for begin, end in pairwise(table.offsets.tolist())]

    def edit_table(self, pairs: EncodedPairs) -> EditTable:
        """The same as a table: one annotation for each pair, and no object for an edit."""
        return self._make_table(pairs)[0]

    def annotate_references(self, columns: Columns) -> Columns:
        """Sentences that have rewritten references alone with edits in place of these, one annotator for each."""
        (ids, offsets), (reference_ids, reference_offsets) = columns.tokens, columns.reference_words
        texts = np.append(ids, reference_ids), np.append(offsets, reference_offsets[1:] + offsets[-1])
        per_sentence = np.diff(columns.reference_offsets)
        sources = np.repeat(np.arange(len(columns)), per_sentence)
        corrected = len(columns) + np.arange(len(sources))
        table, words = self._make_table(EncodedPairs(columns.vocabulary, texts, sources, corrected))
        size = len(table.starts)
        return replace(
            columns,
            annotators=tuple(map(str, range(int(per_sentence.max(initial=0))))),
            annotation_offsets=columns.reference_offsets,
            annotator_columns=places_in_runs(sources).astype(np.int32),
            edit_offsets=table.offsets,
            starts=table.starts.astype(np.int32),
            ends=table.ends.astype(np.int32),
            required=np.ones(size, np.uint8),
            optional=np.zeros(size, np.uint8),
            lines=np.zeros(size, np.int64),
            types=table.types,
            correction_offsets=table.correction_offsets,
            corrections=table.corrections,
            words=words,
            reference_offsets=np.zeros(len(columns) + 1, np.int64),
            references=TextColumn.of(()),
            reference_words=(np.zeros(0, np.int32), np.zeros(1, np.int64)),
        )

    def _make_table(self, pairs: EncodedPairs) -> tuple[EditTable, EncodedText]:
        """The edits of all pairs, and the words of their corrections."""
        rows, offsets, numbers, names = self._find_types(pairs)
        ids, begins = pairs.texts
        edits_of_pair = np.diff(offsets)
        correction_begins = np.repeat(begins[pairs.corrected], edits_of_pair)
        corrections = gather(ids, correction_begins + rows[:, 2], correction_begins + rows[:, 3])
        table = EditTable(
            annotators=("0",) if len(pairs.sources) else (),
            sentences=np.arange(len(pairs.sources)),
            columns=np.zeros(len(pairs.sources), np.int64),
            offsets=offsets,
            starts=rows[:, 0].astype(np.int64),
            ends=rows[:, 1].astype(np.int64),
            correction_offsets=np.arange(len(rows) + 1),
            corrections=TextColumn.join(pairs.vocabulary.interner, corrections),
            types=TextColumn.of(names).take(numbers),
        )
        return table, corrections

    def spans(self, pairs: Sequence[TokenPair]) -> list[list[Span]]:
        """The same edits as places in source and correction, without types."""
        _, _, _, rows, offsets, pair_of = self._find_spans(EncodedPairs.of(pairs))
        spans = [Span._make(row) for row in rows.tolist()]
        of_pair = [spans[begin:end] for begin, end in pairwise(offsets.tolist())]
        return [of_pair[number] for number in pair_of.tolist()]

    def span_rows(
        self, texts: Sequence[tuple[str, ...]], sources: NDArray[np.int64], corrected: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The same for pairs of distinct texts, given by their places: spans as rows, and where each pair's begin."""
        there = np.array([bool(text) for text in texts], dtype=np.bool_)
        place = np.where(there, np.cumsum(there) - 1, int(there.sum()))
        sentences = annotate_sentences(self.annotator, [text for text in texts if text]).with_empty()
        return span_rows_among(sentences, place[sources], place[corrected], **self._rules)

    def _find_types(self, pairs: EncodedPairs) -> tuple[NDArray[np.int32], Integers, Integers, list[str]]:
        """The edits of all pairs as rows, where each pair's begin, and each edit's type: a place in a list of names."""
        sentences, sources, corrected, rows, offsets, pair_of = self._find_spans(pairs)
        pair_of_edit = np.repeat(np.arange(len(sources)), np.diff(offsets)[: len(sources)])
        numbers, names = self._memory.type_edits(sentences, sources[pair_of_edit], corrected[pair_of_edit], rows)
        edits, offsets = runs(offsets[pair_of], offsets[pair_of + 1])
        return rows[edits], offsets, numbers[edits], names

    def _find_spans(
        self, pairs: EncodedPairs
    ) -> tuple[AnnotatedColumns, Integers, Integers, NDArray[np.int32], Integers, Integers]:
        """Annotated sentences; source and correction of each distinct pair that differs, its edits as rows, and where
        they begin; for all pairs, which of these they are. Behind them comes one without edits, for pairs of equals.
        """
        numbers, first = pairs.number_texts()
        keys = numbers[pairs.sources].astype(np.int64) * len(first) + numbers[pairs.corrected]
        differ = numbers[pairs.sources] != numbers[pairs.corrected]
        distinct, number_of_pair = np.unique(keys[differ], return_inverse=True)
        pair_of = np.full(len(keys), len(distinct))
        pair_of[differ] = number_of_pair
        sides = np.divmod(distinct, max(len(first), 1))
        begins, ends = pairs.texts[1][first], pairs.texts[1][first + 1]
        # All corrections follow their source, since annotators remember what they have just seen.
        in_pairs = np.column_stack(sides).ravel()
        _, first_uses = np.unique(in_pairs, return_index=True)
        order = in_pairs[np.sort(first_uses)]
        order = order[begins[order] < ends[order]]
        text = gather(pairs.texts[0], begins[order], ends[order])
        sentences = annotate_columns(self.annotator, pairs.vocabulary.interner.texts(), text).with_empty()
        place = np.full(len(first), len(order))
        place[order] = np.arange(len(order))
        sources, corrected = (place[side] for side in sides)
        rows, offsets = span_rows_among(sentences, sources, corrected, **self._rules)
        return sentences, sources, corrected, rows, np.append(offsets, offsets[-1]), pair_of

    def annotate(self, sentences: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Annotated]:
        """Each distinct sentence with its annotations."""
        distinct = [sentence for sentence in dict.fromkeys(sentences) if sentence]
        return {(): _EMPTY, **dict(zip(distinct, annotate_sentences(self.annotator, distinct), strict=True))}


@runtime_checkable
class LocalTypes(TypeRules, Protocol):
    """Rules that say what they look at: the words of an edit and, for some edits of single words, what is around."""

    def look_around(self, sentences: AnnotatedColumns, words: tuple[Integers, Integers], /) -> NDArray[np.bool_]:
        """Whether the type of an edit may depend on its sentence, for edits of single words, by their places among all
        tokens on both sides; dependencies are not known yet.
        """

    def number_surroundings(self, sentences: AnnotatedColumns, /) -> NDArray[np.int32]:
        """For each token a number of all that rules see around it."""


class _TypeMemory:
    """The types of edits that were seen. Edits repeat: where the rules say what they look at, those that have nothing
    different there are typed once. After very many kinds of edits it begins again.
    """

    most = 1 << 18

    def __init__(self, types: TypeRules) -> None:
        self._types = types
        self._lock = Lock()
        self._forget()

    def __reduce__(self) -> tuple[type[_TypeMemory], tuple[TypeRules]]:
        return _TypeMemory, (self._types,)

    def _forget(self) -> None:
        self._tokens, self._edits = _kernels.Interner(), _kernels.Interner()
        self._names: dict[str, int] = {}
        self._name_of_edit = np.zeros(0, dtype=np.int64)

    def type_edits(
        self, sentences: AnnotatedColumns, sources: Integers, corrected: Integers, rows: NDArray[np.int32]
    ) -> tuple[Integers, list[str]]:
        """The type of each edit, a place in the list of names."""
        if not len(rows):
            return np.zeros(0, dtype=np.int64), []
        types = self._types
        if not isinstance(types, LocalTypes):
            sentences = sentences.with_dependencies(np.zeros(0, dtype=np.uint8))
            known: dict[str, int] = {}
            return _name_edits(types, _in_sentences(sentences, sources, corrected, rows), known), list(known)
        tokens = _EditTokens(sentences, sources, corrected, rows)
        is_wide = tokens.mark_wide(types, sentences)
        sentences = sentences.with_dependencies(tokens.mark_wanted(sentences, is_wide))
        numbers_of_tokens, names_of_tokens = tokens.number_tokens(
            sentences, is_wide, types.number_surroundings(sentences)
        )
        with self._lock:
            if len(self._edits) > self.most:
                self._forget()
            try:
                token_ids, _, _ = self._tokens.encode_words([names_of_tokens], True)
                edits = self._edits.number(tokens.join(token_ids[numbers_of_tokens]))
                unseen = np.flatnonzero(edits >= len(self._name_of_edit))
                first = unseen[np.unique(edits[unseen], return_index=True)[1]]  # numbers rise as edits come
                narrow, wide = first[~is_wide[first]], first[is_wide[first]]
                in_sentences = _in_sentences(sentences, sources[wide], corrected[wide], rows[wide])
                names = np.zeros(len(first), dtype=np.int64)
                names[~is_wide[first]] = _name_edits(types, tokens.cut_out(sentences, narrow), self._names)
                names[is_wide[first]] = _name_edits(types, in_sentences, self._names)
            except BaseException:
                self._forget()
                raise
            self._name_of_edit = np.append(self._name_of_edit, names)
            return self._name_of_edit[edits], list(self._names)


def _name_edits(
    types: TypeRules, edits: Iterable[tuple[Annotated, Annotated, Span]], known: dict[str, int]
) -> Integers:
    """The number of each edit's type; new types become known."""
    names = [types(*edit) for edit in edits]
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"types of {types.name}: expected a string for each edit, got {type(name).__name__}")
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


def _in_sentences(
    sentences: AnnotatedColumns, sources: Integers, corrected: Integers, rows: NDArray[np.int32]
) -> Iterator[tuple[Annotated, Annotated, Span]]:
    """Edits with their sentences."""
    used, places = np.unique(np.append(sources, corrected), return_inverse=True)
    sentences = sentences.take(used)
    sides = (places[: len(sources)].tolist(), places[len(sources) :].tolist())
    for a, b, row in zip(*sides, rows.tolist(), strict=True):
        yield sentences[a], sentences[b], Span._make(row)


class _EditTokens:
    """The tokens of edits, those of the source before those of the correction: places among all tokens."""

    def __init__(
        self, sentences: AnnotatedColumns, sources: Integers, corrected: Integers, rows: NDArray[np.int32]
    ) -> None:
        source_begins, corrected_begins = sentences.offsets[sources], sentences.offsets[corrected]
        self.begins = np.column_stack([source_begins + rows[:, 0], corrected_begins + rows[:, 2]])
        ends = np.column_stack([source_begins + rows[:, 1], corrected_begins + rows[:, 3]])
        self.widths = ends - self.begins
        self.tokens, offsets = runs(self.begins.ravel(), ends.ravel())
        self.offsets = offsets[::2]

    def mark_wide(self, types: LocalTypes, sentences: AnnotatedColumns) -> NDArray[np.bool_]:
        """The edits whose types may depend on their sentences."""
        marks: NDArray[np.bool_] = (self.widths == 1).all(axis=1)
        single = self.begins[marks]
        marks[marks] = types.look_around(sentences, (single[:, 0], single[:, 1]))
        return marks

    def mark_wanted(self, sentences: AnnotatedColumns, is_wide: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """The tokens whose dependencies rules look at."""
        wanted = np.zeros(len(sentences.text.numbers), dtype=np.uint8)
        wanted[self.tokens] = 1
        wanted[self.begins[is_wide]] = CHILDREN_WANTED  # single words
        return wanted

    def number_tokens(
        self, sentences: AnnotatedColumns, is_wide: NDArray[np.bool_], surroundings: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], list[str]]:
        """Each token's number, the same where rules see no difference, and for each number a name that says it all."""
        around = surroundings[self.tokens] * np.repeat(is_wide, self.widths.sum(axis=1))
        columns = (sentences.text, sentences.tag, sentences.pos, sentences.lemma, sentences.dependency)
        cells = np.column_stack([*(column.numbers[self.tokens] for column in columns), around]).astype(np.int32)
        begins = np.arange(len(cells) + 1) * cells.shape[1] * cells.itemsize
        numbers = _kernels.Interner().number((cells.reshape(-1).view(np.uint8), begins[:-1], begins[1:]))
        first = np.unique(numbers, return_index=True)[1]
        texts = [NamedColumn(column.names, column.numbers[self.tokens[first]]).texts() for column in columns]
        return numbers, list(map("\0".join, zip(*texts, map(str, around[first].tolist()), strict=True)))

    def cut_out(self, sentences: AnnotatedColumns, edits: Integers) -> Iterator[tuple[Annotated, Annotated, Span]]:
        """These edits as if their words were the whole sentences."""
        widths = self.widths[edits].ravel()
        tokens, _ = runs(self.begins[edits].ravel(), self.begins[edits].ravel() + widths)
        sides = iter(sentences.take_tokens(tokens, widths))
        for (a, b), source in zip(self.widths[edits].tolist(), sides, strict=False):
            yield source, next(sides), Span(0, a, 0, b)

    def join(self, numbers: NDArray[np.int32]) -> Spans:
        """For each edit the numbers of its tokens as bytes; in front stands how many of them are the source's."""
        size, widths = len(self.widths), self.widths.sum(axis=1)
        keys = np.zeros(len(numbers) + size, dtype=np.int32)
        keys[np.arange(len(numbers)) + np.repeat(np.arange(size), widths) + 1] = numbers
        begins = self.offsets + np.arange(size + 1)
        keys[begins[:-1]] = self.widths[:, 0]
        return keys.view(np.uint8), begins[:-1] * keys.itemsize, begins[1:] * keys.itemsize

"""Source and correction, annotated, into spans of edits; the kernels' Python side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation import Annotated
from recte.annotation.annotated_columns import AnnotatedColumns, NamedColumn
from recte.corpus.vocabulary import EncodedText, offsets_of
from recte.errors import TooLongError
from recte.threads import thread_count

__all__ = [
    "COSTS",
    "MERGING",
    "VERSIONS",
    "Alignment",
    "Costs",
    "Merging",
    "Span",
    "Version",
    "align",
    "edit_spans",
    "edit_spans_among",
    "span_rows_among",
]

Costs = Literal["linguistic", "levenshtein"]
Merging = Literal["rules", "split", "merge", "equal"]
COSTS: tuple[Costs, ...] = get_args(Costs)
MERGING: tuple[Merging, ...] = get_args(Merging)
# Whose rules and arithmetic: releases of ERRANT, or the Czech program. Numbers of the kernel are places here.
Version = Literal["3.0", "2.3", "2.2", "czech"]
VERSIONS: tuple[Version, ...] = get_args(Version)

_STEPS = 0  # the kernel's number for steps that are not put together
_OPERATIONS = ("M", "S", "I", "D", "T")
# The kernels know these coarse tags by their numbers; others follow as they come.
_KNOWN_TAGS = ("ADJ", "ADV", "NOUN", "VERB", "AUX", "PART", "DET", "PUNCT")
_ASCII_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


class Span(NamedTuple):
    """The source tokens from `start` up to `end` become the corrected tokens from `corrected_start` on."""

    start: int
    end: int
    corrected_start: int
    corrected_end: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """One pair, step by step: M match, S substitution, I insertion, D deletion, T2, T3, … transposition."""

    cost: float
    steps: tuple[tuple[str, Span], ...]


def edit_spans(
    pairs: Sequence[tuple[Annotated, Annotated]],
    *,
    costs: Costs = "linguistic",
    merging: Merging = "rules",
    version: Version = "3.0",
) -> list[list[Span]]:
    """The edits of each pair of source and correction, in the order of the sentence.

    `costs` are those of ERRANT (lemmas, tags, letters, transpositions) or plain Levenshtein. `merging` puts the
    steps together: by ERRANT's rules, not at all (split), all that touch (merge), all of one kind that touch (equal).
    `version` says whose rules and arithmetic: a release of ERRANT, or the Czech program.

    >>> a = Annotated(("He", "go"), ("PRP", "VBP"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> b = Annotated(("He", "goes"), ("PRP", "VBZ"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> edit_spans([(a, b)])
    [[Span(start=1, end=2, corrected_start=1, corrected_end=2)]]
    """
    return edit_spans_among(*_side_by_side(pairs), costs=costs, merging=merging, version=version)


def edit_spans_among(
    sentences: AnnotatedColumns,
    sources: NDArray[np.int64],
    corrected: NDArray[np.int64],
    *,
    costs: Costs = "linguistic",
    merging: Merging = "rules",
    version: Version = "3.0",
) -> list[list[Span]]:
    """As `edit_spans`; `sources` and `corrected` are the places of each pair among the sentences."""
    rows, offsets = span_rows_among(sentences, sources, corrected, costs=costs, merging=merging, version=version)
    spans = [Span._make(row) for row in rows.tolist()]
    return [spans[begin:end] for begin, end in pairwise(offsets.tolist())]


def span_rows_among(
    sentences: AnnotatedColumns,
    sources: NDArray[np.int64],
    corrected: NDArray[np.int64],
    *,
    costs: Costs = "linguistic",
    merging: Merging = "rules",
    version: Version = "3.0",
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """As `edit_spans_among`, spans as rows, and where each pair's begin."""
    rows, offsets, _ = _extract(sentences, sources, corrected, costs, 1 + MERGING.index(merging), version)
    return rows[:, 1:], offsets


def align(
    pairs: Sequence[tuple[Annotated, Annotated]], *, costs: Costs = "linguistic", version: Version = "3.0"
) -> list[Alignment]:
    """Each pair aligned step by step, before steps are put together.

    >>> word = Annotated(("a",), ("DT",), ("DET",), ("a",), ("det",), (0,))
    >>> align([(word, word)])[0].cost
    0.0
    """
    rows, offsets, totals = _extract(*_side_by_side(pairs), costs, _STEPS, version)
    steps = [
        (_operation(operation, end - start), Span(start, end, *rest)) for operation, start, end, *rest in rows.tolist()
    ]
    return [
        Alignment(cost, tuple(steps[begin:end]))
        for cost, (begin, end) in zip(totals.tolist(), pairwise(offsets.tolist()), strict=True)
    ]


def _side_by_side(
    pairs: Sequence[tuple[Annotated, Annotated]],
) -> tuple[AnnotatedColumns, NDArray[np.int64], NDArray[np.int64]]:
    places = np.arange(2 * len(pairs))
    return AnnotatedColumns.of([sentence for pair in pairs for sentence in pair]), places[::2], places[1::2]


def _operation(code: int, width: int) -> str:
    return f"T{width}" if code == len(_OPERATIONS) - 1 else _OPERATIONS[code]


def _extract(
    sentences: AnnotatedColumns,
    sources: NDArray[np.int64],
    corrected: NDArray[np.int64],
    costs: Costs,
    merging: int,
    version: Version,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]:
    lemmas = _renumber(sentences.lemma, {})
    tags = _renumber(sentences.pos, {tag: number for number, tag in enumerate(_KNOWN_TAGS)})
    possessive = np.array([tag == "POS" for tag in sentences.tag.names], dtype=np.uint8)[sentences.tag.numbers]
    rows, offsets, totals = _kernels.extract_edits(
        ((sentences.text.numbers, sentences.offsets), lemmas, tags, possessive),
        np.ascontiguousarray(sources, dtype=np.int64),
        np.ascontiguousarray(corrected, dtype=np.int64),
        _word_table(sentences.text.names),
        _kernels.ExtractionOptions(COSTS.index(costs), merging, VERSIONS.index(version)),
        thread_count(len(sources)),
    )
    refused = np.flatnonzero(totals < 0)
    if refused.size:
        raise TooLongError("source and correction are too long to align; split the line", int(refused[0]) + 1)
    return rows, offsets, totals


def _renumber(column: NamedColumn, known: dict[str, int]) -> NDArray[np.int32]:
    """The column with equal numbers for equal names, those that are known first."""
    return np.array([known.setdefault(name, len(known)) for name in column.names], dtype=np.int32)[column.numbers]


def _word_table(words: Sequence[str]) -> _kernels.WordTable:
    lower = [word.lower() for word in words]
    numbers: dict[str, int] = {}
    return _kernels.WordTable(
        np.array([numbers.setdefault(word, len(numbers)) for word in lower], dtype=np.int32),
        _spelt(words),
        _spelt([word.replace("'", "").replace("-", "") for word in lower]),
        np.array([word[:1].isupper() for word in words], dtype=np.uint8),
        np.array([word in _ASCII_PUNCTUATION for word in words], dtype=np.uint8),
    )


def _spelt(words: Sequence[str]) -> EncodedText:
    """Each word's code points."""
    letters = "".join(words).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(letters, dtype="<i4").astype(np.int32), offsets_of(map(len, words), len(words))

"""Source and correction, annotated, into spans of edits; the kernels' Python side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation import Annotated
from recte.columns.vocabulary import EncodedText, offsets_of
from recte.errors import TooLongError
from recte.threads import thread_count

__all__ = ["COSTS", "MERGING", "Alignment", "Costs", "Merging", "Span", "align", "edit_spans"]

Costs = Literal["linguistic", "levenshtein"]
Merging = Literal["rules", "split", "merge", "equal"]
COSTS: tuple[Costs, ...] = ("linguistic", "levenshtein")
MERGING: tuple[Merging, ...] = ("rules", "split", "merge", "equal")

_STEPS = 0  # the kernel's number for steps that are not put together
_OPERATIONS = ("M", "S", "I", "D", "T")
# The kernels know these coarse tags by their numbers; others follow as they come.
_KNOWN_TAGS = ("ADJ", "ADV", "NOUN", "VERB", "AUX", "PART", "DET", "PUNCT")
_ASCII_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_NOT_JOINED = str.maketrans("", "", "'-")


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
    pairs: Sequence[tuple[Annotated, Annotated]], *, costs: Costs = "linguistic", merging: Merging = "rules"
) -> list[list[Span]]:
    """The edits of each pair of source and correction, in the order of the sentence.

    `costs` are those of ERRANT (lemmas, tags, letters, transpositions) or plain Levenshtein. `merging` puts the
    steps together: by ERRANT's rules, not at all (split), all that touch (merge), all of one kind that touch (equal).

    >>> a = Annotated(("He", "go"), ("PRP", "VBP"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> b = Annotated(("He", "goes"), ("PRP", "VBZ"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> edit_spans([(a, b)])
    [[Span(start=1, end=2, corrected_start=1, corrected_end=2)]]
    """
    rows, offsets, _ = _extract(pairs, costs, 1 + MERGING.index(merging))
    spans = [Span._make(row) for row in rows[:, 1:].tolist()]
    return [spans[begin:end] for begin, end in pairwise(offsets)]


def align(pairs: Sequence[tuple[Annotated, Annotated]], *, costs: Costs = "linguistic") -> list[Alignment]:
    """Each pair aligned step by step, before steps are put together.

    >>> word = Annotated(("a",), ("DT",), ("DET",), ("a",), ("det",), (0,))
    >>> align([(word, word)])[0].cost
    0.0
    """
    rows, offsets, totals = _extract(pairs, costs, _STEPS)
    steps = [
        (_operation(operation, end - start), Span(start, end, *rest)) for operation, start, end, *rest in rows.tolist()
    ]
    return [
        Alignment(cost, tuple(steps[begin:end]))
        for cost, (begin, end) in zip(totals.tolist(), pairwise(offsets), strict=True)
    ]


def _operation(code: int, width: int) -> str:
    return f"T{width}" if code == len(_OPERATIONS) - 1 else _OPERATIONS[code]


def _extract(
    pairs: Sequence[tuple[Annotated, Annotated]], costs: Costs, merging: int
) -> tuple[NDArray[np.int32], list[int], NDArray[np.float64]]:
    words: dict[str, int] = {}
    lemmas: dict[str, int] = {}
    tags = {tag: number for number, tag in enumerate(_KNOWN_TAGS)}

    def columns(sentences: Sequence[Annotated]) -> tuple[EncodedText, NDArray[Any], NDArray[Any], NDArray[Any]]:
        text = _numbered(words, (s.text for s in sentences))
        return (
            (text, offsets_of(map(len, sentences), len(sentences))),
            _numbered(lemmas, (s.lemma for s in sentences)),
            _numbered(tags, (s.pos for s in sentences)),
            np.array([tag == "POS" for s in sentences for tag in s.tag], dtype=np.uint8),
        )

    sources = columns([source for source, _ in pairs])
    corrected = columns([target for _, target in pairs])
    rows, offsets, totals = _kernels.extract_edits(
        sources,
        corrected,
        np.arange(len(pairs), dtype=np.int64),
        _word_table(list(words)),
        COSTS.index(costs),
        merging,
        thread_count(len(pairs)),
    )
    refused = np.flatnonzero(totals < 0)
    if refused.size:
        raise TooLongError("source and correction are too long to align; split the line", int(refused[0]) + 1)
    return rows, offsets.tolist(), totals


def _numbered(known: dict[str, int], columns: Iterable[Sequence[str]]) -> NDArray[np.int32]:
    return np.array([known.setdefault(value, len(known)) for column in columns for value in column], dtype=np.int32)


def _word_table(words: Sequence[str]) -> _kernels.WordTable:
    lower = [word.lower() for word in words]
    numbers: dict[str, int] = {}
    return _kernels.WordTable(
        np.array([numbers.setdefault(word, len(numbers)) for word in lower], dtype=np.int32),
        _spelt(words),
        _spelt([word.translate(_NOT_JOINED) for word in lower]),
        np.array([word[:1].isupper() for word in words], dtype=np.uint8),
        np.array([word in _ASCII_PUNCTUATION for word in words], dtype=np.uint8),
    )


def _spelt(words: Sequence[str]) -> EncodedText:
    """Each word's code points."""
    letters = "".join(words).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(letters, dtype="<i4").astype(np.int32), offsets_of(map(len, words), len(words))

"""Which outputs show a kind of untidiness: one scan for the signs of all kinds, then the kinds' own rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.text.untidiness.kinds import EDGE, FEWEST_LINES, LONGEST_EDGE, LearnedKind, Undo, UntidyKind
from recte.text.untidiness.table import ALL_KINDS
from recte.threads import thread_count

__all__ = [
    "FINAL_MARK",
    "JOINED_CLITIC",
    "JOINED_MARK",
    "LONG",
    "LOST_SIGNS",
    "LOST_WORDS",
    "PARTED_MARK",
    "WORD_ENDING",
    "ComparedTexts",
    "Pairs",
    "ScannedTexts",
    "UntidyRows",
    "learn_kind",
    "rows_to_clean",
    "untidy_rows",
]

_LEARNT_FROM = 64  # lines
# What the kernel says of a pair, a bit each.
FINAL_MARK, WORD_ENDING = 1, 2  # endings, in the kernel's numbers
OTHER_END, OTHER_ENDS, MORE_BEFORE, MORE_BEHIND, JOINED_MARK = map(np.uint8, (2, 3, 4, 8, 16))
JOINED_CLITIC, PARTED_MARK, LOST_WORDS = map(np.uint8, (32, 64, 128))
LONG = 1.5  # times its source: an output that has more than the sentence
_SHORT_SOURCE = 15  # bytes; a shorter one may well be half as long again
_CODE_POINTS = 0x110000
# Signs that outputs have where their sources have them; \u00c0-\u024f are letters with accents.
LOST_SIGNS = {
    "lost-digits": "1-9",
    "lost-commas": ",，、",
    "lost-accents": "\u00c0-\u024fάέήίόύώЙЇЁЎйїёў",
    "lost-quotes": '"“”„«»「」',
}


def _ranges(signs: str) -> Iterator[tuple[int, int]]:
    """The first and last code point of each sign or range.

    >>> list(_ranges("-*0-9"))
    [(45, 45), (42, 42), (48, 57)]
    """
    for match in re.finditer(r"(.)-(.)|(.)", signs, re.DOTALL):
        first, last, alone = match.groups()
        yield (ord(alone), ord(alone)) if alone else (ord(first), ord(last))


def _sign_table() -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """The groups of all code points: a bit for each kind, in the order of the tables, and then for `LOST_SIGNS`."""
    signs = [*(kind.signs for kind in ALL_KINDS), *LOST_SIGNS.values()]
    ranges = [(first, last, 1 << place) for place, text in enumerate(signs) for first, last in _ranges(text)]
    begins = sorted({0, *(first for first, _, _ in ranges), *(last + 1 for _, last, _ in ranges)} - {_CODE_POINTS})
    place_of = {begin: place for place, begin in enumerate([*begins, _CODE_POINTS])}
    groups = [0] * len(begins)
    for first, last, bit in ranges:
        for place in range(place_of[first], place_of[last + 1]):
            groups[place] |= bit
    return np.array(begins, dtype=np.uint32), np.array(groups, dtype=np.uint64)


_SIGN_TABLE = _sign_table()
# Parts of texts that some kinds need in addition to their signs, and these kinds' bits.
_NEEDED = [(part, 1 << place) for place, kind in enumerate(ALL_KINDS) for part in getattr(kind, "texts", ())]
_PARTS = TextColumn.of([part for part, _ in _NEEDED]).spans, np.array([bit for _, bit in _NEEDED], dtype=np.uint64)
_WITH_PARTS = np.bitwise_or.reduce(_PARTS[1])
_PLACES = {kind.name: place for place, kind in enumerate(ALL_KINDS)}


_PART = 20_000  # texts that kernels get at once, since they copy them


def _parts(texts: TextColumn) -> Iterator[tuple[slice, TextColumn]]:
    """Some rows at a time, and their texts."""
    for first in range(0, len(texts), _PART):
        rows = slice(first, first + _PART)
        yield rows, texts[rows].narrow()


def _scan(texts: TextColumn) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The kinds whose signs and parts each text has, and what texts are made of, a row for each of its six numbers."""
    threads = thread_count(len(texts))
    signs, makeup = _kernels.scan_texts(texts.spans, *_SIGN_TABLE, threads)
    wanted = signs & _WITH_PARTS
    return signs ^ wanted ^ _kernels.find_parts(texts.spans, *_PARTS, wanted, threads), makeup.T


def _compare(sources: TextColumn, outputs: TextColumn) -> NDArray[np.uint8]:
    """What each pair shows, in the kernel's bits."""
    return _kernels.compare_texts(sources.spans, outputs.spans, EDGE, LONGEST_EDGE + EDGE, thread_count(len(outputs)))


class ScannedTexts:
    """Texts, the kinds whose signs each of them has, and what it is made of: bytes without white space, words,
    capitals, small letters, words in capitals, and its ending, `FINAL_MARK`, `WORD_ENDING` or another.
    """

    def __init__(self, texts: TextColumn) -> None:
        self.texts = texts
        self.signs, columns = np.zeros(len(texts), dtype=np.uint64), np.zeros((6, len(texts)), dtype=np.int32)
        for rows, part in _parts(texts):
            self.signs[rows], columns[:, rows] = _scan(part)
        self.sizes, self.words, self.capitals, self.small_letters, self.words_in_capitals, self.endings = columns
        self._columns = columns

    def update(self, rows: NDArray[np.int64], texts: TextColumn) -> None:
        """Scan texts that stand for those of some rows; `texts` of this object stay as they are."""
        for some, part in _parts(texts):
            self.signs[rows[some]], self._columns[:, rows[some]] = _scan(part)


class ComparedTexts:
    """Outputs and their sources: what each pair shows, in the kernel's bits, and which outputs are long."""

    def __init__(self, sources: ScannedTexts, outputs: ScannedTexts) -> None:
        self.sources, self.outputs = sources, outputs

    @cached_property
    def bits(self) -> NDArray[np.uint8]:
        pairs = zip(_parts(self.sources.texts), _parts(self.outputs.texts), strict=True)
        return np.concatenate([np.zeros(0, np.uint8), *(_compare(texts, others) for (_, texts), (_, others) in pairs)])

    @property
    def long(self) -> NDArray[np.bool_]:
        """The outputs that are half as long again as their sources, short ones apart."""
        return self._longer & (self.sources.sizes >= _SHORT_SOURCE)

    @property
    def _longer(self) -> NDArray[np.bool_]:
        return self.outputs.sizes > LONG * self.sources.sizes

    def update(self, rows: NDArray[np.int64], texts: TextColumn) -> None:
        """Compare texts that stand for the outputs of some rows."""
        self.outputs.update(rows, texts)
        for some, part in _parts(texts):
            self.bits[rows[some]] = _compare(self.sources.texts.take(rows[some]).narrow(), part)

    def with_lost_signs(self, name: str) -> tuple[NDArray[np.bool_], int]:
        """The outputs, empty ones apart, that have none of some signs that their sources have, and how many sources
        have them.
        """
        bit = np.uint64(1 << (len(ALL_KINDS) + list(LOST_SIGNS).index(name)))
        expected = (self.sources.signs & bit != 0) & (self.outputs.sizes > 0)
        return expected & (self.outputs.signs & bit == 0), int(expected.sum())

    def rows(self, place: str) -> NDArray[np.int64]:
        """The outputs that have more than their source, or something else, at a place: see `UntidyKind`."""
        if place == "whole":
            return np.flatnonzero(self._longer)
        if place == "other end":
            return np.flatnonzero((self.bits & OTHER_END != 0) & (self.outputs.sizes >= self.sources.sizes + EDGE))
        bits = {"": OTHER_ENDS, "begin": MORE_BEFORE, "end": MORE_BEHIND}[place]
        return np.flatnonzero(self.bits & bits == bits)


@dataclass(frozen=True)
class UntidyRows:
    """The rows that show a kind, in order, what was learned of it, and whether some of them can be tidied."""

    kind: UntidyKind | LearnedKind
    rows: tuple[int, ...]
    detail: str = ""
    can_be_undone: bool = True


def untidy_rows(compared: ComparedTexts) -> Iterator[UntidyRows]:
    """The kinds that some lines show, and which these are.

    A line is looked at for a kind where it has one of the kind's signs and its source has none, so that tidy files cost
    next to nothing. What a learned kind shows is not said of lines that show another kind.
    """
    sources, outputs = compared.sources, compared.outputs
    new = outputs.signs & ~sources.signs & np.uint64((1 << len(ALL_KINDS)) - 1)
    with_signs = np.flatnonzero(new)
    new_signs = new[with_signs]
    present = int(np.bitwise_or.reduce(new_signs))
    pairs = Pairs(sources.texts, outputs.texts)
    rows_at = {place: compared.rows(place).tolist() for place in {kind.edge for kind in ALL_KINDS}}
    shown: set[int] = set()
    for place, kind in enumerate(ALL_KINDS):
        if kind.signs and not present >> place & 1:
            continue
        candidates = with_signs[(new_signs & np.uint64(1 << place)) != 0].tolist() if kind.signs else rows_at[kind.edge]
        if isinstance(kind, UntidyKind):
            undo, detail = kind.undo, ""
        elif len(candidates) < max(FEWEST_LINES, kind.share * len(new)):
            continue
        else:
            candidates = [row for row in candidates if row not in shown]
            learned = learn_kind(kind, pairs, candidates, len(new))
            if learned is None:
                continue
            detail, undo = learned
        left = {row: text for row in candidates if (text := undo(*pairs[row])) is not None}
        if left:
            shown.update(left)
            can_be_undone = any(text != pairs[row][1] for row, text in left.items())
            yield UntidyRows(kind, tuple(left), detail, can_be_undone)


def learn_kind(
    kind: LearnedKind, pairs: Pairs, candidates: Sequence[int] | NDArray[np.int64], count: int
) -> tuple[str, Undo] | None:
    """What some of the candidates show of a kind, of which `count` lines would have to show it; None where they do not.

    Sources and outputs are looked up in `pairs` by their rows.
    """
    if len(candidates) < max(FEWEST_LINES, kind.share * count):
        return None
    step = max(1, -(-len(candidates) // _LEARNT_FROM))
    sample = [pairs[int(row)] for row in candidates[::step]]
    each = len(candidates) / len(sample) / max(count, 1)
    return kind.learn([source for source, _ in sample], [output for _, output in sample], each)


def rows_to_clean(kind: UntidyKind | LearnedKind, compared: ComparedTexts) -> NDArray[np.int64]:
    """The rows that may show a kind: those with a sign of it, whatever their sources have."""
    if kind.signs:
        return np.flatnonzero(compared.outputs.signs & np.uint64(1 << _PLACES[kind.name]))
    return compared.rows(kind.edge)


class TextsByRow(Protocol):
    """A text for each row."""

    def __getitem__(self, row: int, /) -> str: ...


class Pairs:
    """A source and its output by their row, decoded once."""

    def __init__(self, sources: TextsByRow, outputs: TextsByRow) -> None:
        self._sources, self._outputs = sources, outputs
        self._decoded: dict[int, tuple[str, str]] = {}

    def __getitem__(self, row: int) -> tuple[str, str]:
        pair = self._decoded.get(row)
        if pair is None:
            pair = self._decoded[row] = (self._sources[row], self._outputs[row])
        return pair

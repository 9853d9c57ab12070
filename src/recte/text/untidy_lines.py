"""Which outputs show a kind of untidiness: one scan for the signs of all kinds, then the kinds' own rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.text.untidiness import (
    ALL_KINDS,
    EDGE,
    LEARNED_KINDS,
    LONGEST_EDGE,
    UNTIDY_KINDS,
    LearnedKind,
    Undo,
    UntidyKind,
)
from recte.threads import thread_count

__all__ = ["ScannedTexts", "UntidyRows", "learn_kind", "rows_to_clean", "untidy_rows"]

_LEARNT_FROM = 64  # lines
_FEWEST = 3  # lines that show a learned kind
_OTHER = np.uint8(3)  # beginning and end: the kernel's bits
_MORE = {"begin": np.uint8(4), "end": np.uint8(8)}
_CODE_POINTS = 0x110000


def _ranges(signs: str) -> Iterator[tuple[int, int]]:
    """The first and last code point of each sign or range.

    >>> list(_ranges("-*0-9"))
    [(45, 45), (42, 42), (48, 57)]
    """
    for match in re.finditer(r"(.)-(.)|(.)", signs, re.DOTALL):
        first, last, alone = match.groups()
        yield (ord(alone), ord(alone)) if alone else (ord(first), ord(last))


def _sign_table() -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """The groups of all code points: a bit for each kind, in the order of both tables."""
    ranges = [(first, last, 1 << place) for place, kind in enumerate(ALL_KINDS) for first, last in _ranges(kind.signs)]
    begins = sorted({0, *(first for first, _, _ in ranges), *(last + 1 for _, last, _ in ranges)} - {_CODE_POINTS})
    groups = [0] * len(begins)
    for place, begin in enumerate(begins):
        for first, last, bit in ranges:
            groups[place] |= bit if first <= begin <= last else 0
    return np.array(begins, dtype=np.uint32), np.array(groups, dtype=np.uint64)


_SIGN_TABLE = _sign_table()


class ScannedTexts:
    """Texts, and which signs each of them has."""

    def __init__(self, texts: TextColumn) -> None:
        self.texts = texts
        self.signs = _kernels.sign_groups(texts.spans, *_SIGN_TABLE, thread_count(len(texts)))


@dataclass(frozen=True)
class UntidyRows:
    """The rows that show a kind, in order, and what was learned of it."""

    kind: UntidyKind | LearnedKind
    rows: tuple[int, ...]
    detail: str = ""


def untidy_rows(sources: ScannedTexts, outputs: ScannedTexts) -> Iterator[UntidyRows]:
    """The kinds that some lines show, and which these are.

    A line is looked at for a kind where it has one of the kind's signs and its source has none, so that tidy files cost
    next to nothing. What a learned kind shows is not said of lines that show another kind.
    """
    edges = _edges(sources, outputs)
    unlike = np.flatnonzero(edges & _OTHER == _OTHER).tolist()
    new = outputs.signs & ~sources.signs
    with_signs = np.flatnonzero(new)
    new_signs = new[with_signs]
    pairs = _Pairs(sources.texts, outputs.texts)
    shown: set[int] = set()
    for place, kind in enumerate(UNTIDY_KINDS):
        bit = np.uint64(1 << place)
        candidates = with_signs[(new_signs & bit) != 0].tolist() if kind.signs else unlike
        rows = tuple(row for row in candidates if kind.undo(*pairs[row]) is not None)
        if rows:
            shown.update(rows)
            yield UntidyRows(kind, rows)
    for place, learned_kind in enumerate(LEARNED_KINDS, len(UNTIDY_KINDS)):
        edge = _MORE.get(learned_kind.edge)
        listed = np.flatnonzero(edges & edge if edge else new & np.uint64(1 << place)).tolist()
        if len(listed) < max(_FEWEST, learned_kind.share * len(new)):
            continue
        candidates = [row for row in listed if row not in shown]
        learned = learn_kind(learned_kind, pairs, candidates, len(new))
        if learned is not None:
            detail, undo = learned
            rows = tuple(row for row in candidates if undo(*pairs[row]) is not None)
            shown.update(rows)
            yield UntidyRows(learned_kind, rows, detail)


def learn_kind(
    kind: LearnedKind, pairs: Mapping[int, tuple[str, str]] | _Pairs, candidates: Sequence[int], count: int
) -> tuple[str, Undo] | None:
    """What some of the candidates show of a kind, of which `count` lines would have to show it; None where they do not.

    Sources and outputs are looked up in `pairs` by their rows.
    """
    if len(candidates) < max(_FEWEST, kind.share * count):
        return None
    step = max(1, -(-len(candidates) // _LEARNT_FROM))
    sample = [pairs[row] for row in candidates[::step]]
    each = len(candidates) / len(sample) / max(count, 1)
    return kind.learn([source for source, _ in sample], [output for _, output in sample], each)


def rows_to_clean(kind: UntidyKind | LearnedKind, sources: ScannedTexts, outputs: ScannedTexts) -> list[int]:
    """The rows that may show a kind: those with a sign of it, whatever their sources have."""
    if kind.signs:
        return np.flatnonzero(outputs.signs & np.uint64(1 << ALL_KINDS.index(kind))).tolist()
    edges = _edges(sources, outputs)
    if isinstance(kind, LearnedKind):
        return np.flatnonzero(edges & _MORE[kind.edge]).tolist()
    return np.flatnonzero(edges & _OTHER == _OTHER).tolist()


def _edges(sources: ScannedTexts, outputs: ScannedTexts) -> NDArray[np.uint8]:
    """What the ends of the outputs are like, in the kernel's bits."""
    spans, threads = (sources.texts.spans, outputs.texts.spans), thread_count(len(outputs.texts))
    return _kernels.edge_differences(*spans, EDGE, LONGEST_EDGE + EDGE, threads)


class _Pairs:
    """A source and its output by their row, decoded once."""

    def __init__(self, sources: TextColumn, outputs: TextColumn) -> None:
        self._sources, self._outputs = sources, outputs
        self._decoded: dict[int, tuple[str, str]] = {}

    def __getitem__(self, row: int) -> tuple[str, str]:
        pair = self._decoded.get(row)
        if pair is None:
            pair = self._decoded[row] = (self._sources[row], self._outputs[row])
        return pair

"""Which lines belong together in two lists of lines, of which lines may be missing, added, split or joined.

Lines that both lists have once are fixed points. Between them, the pairs that share most trigrams are chosen by dynamic
programming; pairs keep their order.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.text_columns import TextColumn
from recte.text.line_signatures import Signatures, count_bits

__all__ = ["MOST_ALIGNED", "LinePair", "align_lines", "common_in_order", "describe_length"]

_PREFIX = 600  # bytes of a line that are compared
_NEEDED = 0.5  # share of both that must be in common, to be worth more than to leave both alone
_WIDEST = 400  # lines off the diagonal that are tried where a part without fixed points is large
_LARGE = 4_000_000  # pairs of lines that are all tried
_MOST_SHOWN = 5
MOST_ALIGNED = 200_000  # lines of a file whose missing lines are looked for
_LIKE = 0.6  # share of both in common, by which lines in order need no search
# How many sources and outputs a pair takes.
_SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1))


class LinePair(NamedTuple):
    """Lines of both sides that belong together: from one place to before another. One side may have none."""

    source: int
    source_end: int
    output: int
    output_end: int

    @property
    def shape(self) -> tuple[int, int]:
        """How many lines of both sides."""
        return self.source_end - self.source, self.output_end - self.output


def common_in_order(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Places of what both have once, as many as keep their order.

    >>> common_in_order("abxcd", "bacyd")
    [(1, 0), (3, 2), (4, 4)]
    """
    counts = Counter(first), Counter(second)
    places = {key: place for place, key in enumerate(second)}
    common = [(i, places[key]) for i, key in enumerate(first) if counts[0][key] == counts[1][key] == 1]
    ends: list[int] = []  # of the best runs of each length, the place on the other side that is least
    last: list[int] = []  # and which one of the common places that is
    previous: list[int] = []
    for number, (_, j) in enumerate(common):
        length = bisect_left(ends, j)
        previous.append(last[length - 1] if length else -1)
        ends[length : length + 1], last[length : length + 1] = [j], [number]
    run: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        run.append(common[at])
        at = previous[at]
    return run[::-1]


def align_lines(sources: Sequence[str], outputs: Sequence[str]) -> list[LinePair]:
    """All lines of both sides in pairs, in order.

    >>> sources = ["He go home now .", "They was very late .", "I likes the old garden ."]
    >>> [pair.shape for pair in align_lines(sources, ["He goes home now .", "I like the old garden ."])]
    [(1, 1), (1, 0), (1, 1)]
    """
    keys = [["".join(text.split()) for text in side] for side in (sources, outputs)]
    fixed = [place for place in common_in_order(*keys) if keys[0][place[0]]]
    texts = _Lines(sources), _Lines(outputs)
    borders = [(-1, -1), *fixed, (len(sources), len(outputs))]
    parts = [((i + 1, next_i), (j + 1, next_j)) for (i, j), (next_i, next_j) in itertools.pairwise(borders)]
    pairs: list[LinePair] = []
    for (rows, columns), in_order in zip(parts, _find_parts_in_order(*texts, parts), strict=True):
        if in_order:
            shift = columns[0] - rows[0]
            pairs += [LinePair(k, k + 1, k + shift, k + shift + 1) for k in range(*rows)]
        else:
            pairs += _align_part(*texts, rows, columns)
        if rows[1] < len(sources):
            pairs.append(LinePair(rows[1], rows[1] + 1, columns[1], columns[1] + 1))
    return pairs


def _find_parts_in_order(
    first: _Lines, second: _Lines, parts: Sequence[tuple[tuple[int, int], tuple[int, int]]]
) -> list[bool]:
    """Which parts have as many lines on both sides, each of them like the other side's: most have."""
    sizes = [end - begin if end - begin == last - start else 0 for (begin, end), (start, last) in parts]
    starts = np.array([(rows[0], columns[0]) for rows, columns in parts], dtype=np.int64).reshape(-1, 2)
    part = np.repeat(np.arange(len(parts)), sizes)
    within = np.arange(len(part)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    i, j = (starts[part] + within[:, None]).T
    unlike = first.signatures.likeness(i, second.signatures, j) < _LIKE
    in_order = np.array(sizes, dtype=np.int64) > 0
    in_order[part[unlike]] = False
    return [bool(known) for known in in_order]


class _Lines:
    """The trigrams of lines."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.signatures = Signatures.of(TextColumn.of(texts), _PREFIX)

    def runs(self, begin: int, end: int, length: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Bits and sizes of each run of so many lines, one after the other."""
        bits, sizes = self.signatures.bits[begin:end], self.signatures.sizes[begin:end]
        count = max(end - begin - length + 1, 0)
        merged, total = bits[:count], sizes[:count]
        for k in range(1, length):
            merged, total = merged | bits[k : k + count], total + sizes[k : k + count]
        return merged, total


def _align_part(first: _Lines, second: _Lines, rows: tuple[int, int], columns: tuple[int, int]) -> list[LinePair]:
    """The best pairs of a part of both sides."""
    (i, i_end), (j, j_end) = rows, columns
    size, width = i_end - i, j_end - j
    if not size or not width:
        missing = [LinePair(k, k + 1, j, j) for k in range(i, i_end)]
        return missing + [LinePair(i_end, i_end, k, k + 1) for k in range(j, j_end)]
    if size == width == 1:
        return [LinePair(i, i_end, j, j_end)]
    best = np.zeros((size + 1, width + 1))
    chosen = np.full((size + 1, width + 1), -1, dtype=np.int8)  # a shape's place; -1: the output is left alone
    sides = [(first.runs(i, i_end, n), second.runs(j, j_end, m)) for n, m in _SHAPES]
    for row in range(1, size + 1):
        low, high = 0, width
        if size * width > _LARGE:
            middle, off = row * width // size, _WIDEST + abs(size - width)
            low, high = max(middle - off, 0), min(middle + off, width)
        best[row] = best[row - 1]
        chosen[row] = len(_SHAPES)  # the source is left alone
        for place, (n, m) in enumerate(_SHAPES):
            ends = np.arange(max(low, m), high + 1)
            if row < n or not len(ends):
                continue
            (bits, sizes), (other_bits, other_sizes) = sides[place]
            shared = count_bits(bits[row - n] & other_bits[ends - m])
            total = sizes[row - n] + other_sizes[ends - m]
            # A pair of one line each is better than two lines alone, however little they share.
            gain = 2.0 * shared - _NEEDED * total
            gain = np.maximum(gain, 0.001 * shared + 0.001) if (n, m) == (1, 1) else gain - 0.5
            values = best[row - n, ends - m] + gain
            better = values > best[row, ends]
            best[row, ends[better]], chosen[row, ends[better]] = values[better], place
        # Outputs that are left alone cost nothing.
        running = np.maximum.accumulate(best[row])
        chosen[row][running > best[row]] = -1
        best[row] = running
    pairs: list[LinePair] = []
    row, column = size, width
    while row or column:
        shape = int(chosen[row, column]) if row else -1
        n, m = (0, 1) if shape < 0 and column else (1, 0) if shape in (-1, len(_SHAPES)) else _SHAPES[shape]
        pairs.append(LinePair(i + row - n, i + row, j + column - m, j + column))
        row, column = row - n, column - m
    return pairs[::-1]


def describe_length(sources: Sequence[str], lines: Sequence[str]) -> str:
    """Which lines are missing or too many, in words; empty where there are as many, too many to look, or most
    sentences have no line, or most lines no sentence.

    >>> sources = ["He go home now .", "They was very late .", "I likes the old garden ."]
    >>> describe_length(sources, ["He goes home now .", "I like the old garden ."])
    'sentence 2 has no line'
    """
    if len(sources) == len(lines) or max(len(sources), len(lines)) > MOST_ALIGNED:
        return ""
    pairs = align_lines(sources, lines)
    shapes = [pair.shape for pair in pairs if pair.shape[0] and pair.shape[1]]
    if 2 * len(shapes) < len(sources) or 2 * sum(shape[1] for shape in shapes) < len(lines):
        return ""  # another file, or a part of one
    parts = []
    for places, singular, plural in (
        ([p.source + 1 for p in pairs if p.shape == (1, 0)], "sentence {} has no line", "sentences {} have no line"),
        ([p.output + 1 for p in pairs if p.shape == (0, 1)], "line {} fits no sentence", "lines {} fit no sentence"),
        (
            [p.source + 1 for p in pairs if p.shape[0] == 1 and p.shape[1] > 1],
            "sentence {} stands on several lines",
            "sentences {} stand on several lines",
        ),
        (
            [p.output + 1 for p in pairs if p.shape[0] > 1],
            "line {} holds several sentences",
            "lines {} hold several sentences",
        ),
    ):
        if places:
            listed = ", ".join(map(str, places[:_MOST_SHOWN])) + (", ..." if len(places) > _MOST_SHOWN else "")
            parts.append((singular if len(places) == 1 else plural).format(listed))
    return "; ".join(parts)

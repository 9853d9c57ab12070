"""Which lines belong together in two lists of lines, of which lines may be missing, added, split or joined.

Lines that both lists have once are fixed points. Between them, the pairs that share most trigrams are chosen by dynamic
programming; pairs keep their order.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.threads import thread_count

__all__ = ["MOST_ALIGNED", "LinePair", "align_lines", "common_in_order", "describe_length"]

_PREFIX = 600  # bytes of a line that are compared
_WIDEST = 400  # lines off the diagonal that are tried where a part without fixed points is large
_LARGE = 4_000_000  # pairs of lines that are all tried
_MOST_SHOWN = 5
MOST_ALIGNED = 200_000  # lines of a file whose missing lines are looked for


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
    known: dict[Hashable, int] = {}
    numbers, others = (
        np.array([known.setdefault(key, len(known)) for key in side], dtype=np.int64) for side in (first, second)
    )
    return [(i, j) for i, j in _kernels.common_in_order(numbers, others).tolist()]


def align_lines(sources: Sequence[str], outputs: Sequence[str]) -> list[LinePair]:
    """All lines of both sides in pairs, in order.

    >>> sources = ["He go home now .", "They was very late .", "I likes the old garden ."]
    >>> [pair.shape for pair in align_lines(sources, ["He goes home now .", "I like the old garden ."])]
    [(1, 1), (1, 0), (1, 1)]
    """
    first, second = TextColumn.of(sources), TextColumn.of(outputs)
    threads = thread_count(len(sources))
    pairs = _kernels.align_lines(first.spans, second.spans, _PREFIX, _LARGE, _WIDEST, threads)
    return [LinePair(*places) for places in pairs.tolist()]


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

"""The slow twin of the kernel that finds out which lines of two texts belong together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import combinations, pairwise

from oracles.line_signatures import signature

SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1))


def is_longest_common(first: Sequence[Hashable], second: Sequence[Hashable], places: Sequence[tuple[int, int]]) -> bool:
    """Whether places are of what both sides have once, rise, and are as many as can."""
    once = [(i, second.index(key)) for i, key in enumerate(first) if first.count(key) == second.count(key) == 1]

    def rises(run: Sequence[tuple[int, int]]) -> bool:
        return all(a < c and b < d for (a, b), (c, d) in pairwise(run))

    most = max(size for size in range(len(once) + 1) if any(map(rises, combinations(once, size))))
    return set(places) <= set(once) and rises(places) and len(places) == most


def align_lines(
    sources: Sequence[str],
    outputs: Sequence[str],
    fixed: Sequence[tuple[int, int]],
    prefix: int,
    large: int,
    widest: int,
) -> list[tuple[int, int, int, int]]:
    """All lines in pairs, by where the sources of each begin and end, and its outputs; `fixed` lines are a pair."""
    bits = [[signature(text.encode(), prefix) for text in side] for side in (sources, outputs)]
    pairs: list[tuple[int, int, int, int]] = []
    i, j = 0, 0
    for i_end, j_end in (*fixed, (len(sources), len(outputs))):
        part = align_part(bits[0][i:i_end], bits[1][j:j_end], large, widest)
        pairs += [(i + a, i + b, j + c, j + d) for a, b, c, d in part]
        if i_end < len(sources):
            pairs.append((i_end, i_end + 1, j_end, j_end + 1))
        i, j = i_end + 1, j_end + 1
    return pairs


def align_part(
    first: Sequence[set[int]], second: Sequence[set[int]], large: int, widest: int
) -> list[tuple[int, int, int, int]]:
    size, width = len(first), len(second)
    if size == width and all(is_like(a, b) for a, b in zip(first, second, strict=True)):
        return [(k, k + 1, k, k + 1) for k in range(size)]
    if size == width == 1:
        return [(0, 1, 0, 1)]

    def is_tried(row: int, column: int) -> bool:
        off = widest + abs(size - width)
        return size * width <= large or abs(row * width // size - column) <= off

    @cache
    def best(row: int, column: int) -> tuple[float, tuple[int, int]]:
        """What the first lines of both sides gain at most, and how many lines the last pair takes."""
        if not row:
            return 0.0, (0, 1)
        value, chosen = best(row - 1, column)[0], (1, 0)
        for n, m in SHAPES:
            if n <= row and m <= column and is_tried(row, column):
                gained = best(row - n, column - m)[0] + gain(first[row - n : row], second[column - m : column])
                if gained > value:
                    value, chosen = gained, (n, m)
        if column and best(row, column - 1)[0] > value:
            return best(row, column - 1)[0], (0, 1)
        return value, chosen

    pairs: list[tuple[int, int, int, int]] = []
    row, column = size, width
    while row or column:
        n, m = best(row, column)[1]
        pairs.append((row - n, row, column - m, column))
        row, column = row - n, column - m
    return pairs[::-1]


def is_like(a: set[int], b: set[int]) -> bool:
    return bool(a or b) and 2 * len(a & b) / (len(a) + len(b)) >= 0.6


def gain(sources: Sequence[set[int]], outputs: Sequence[set[int]]) -> float:
    """Twice the shared trigrams, less half of all; a pair of one line each always gains something."""
    shared = len(set().union(*sources) & set().union(*outputs))
    total = sum(map(len, (*sources, *outputs)))
    if len(sources) == len(outputs) == 1:
        return max(2.0 * shared - 0.5 * total, 0.001 * shared + 0.001)
    return 2.0 * shared - 0.5 * total - 0.5

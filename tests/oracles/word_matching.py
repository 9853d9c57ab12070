"""Word matching by trying every way to pair the shorter sentence's words with the longer one's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations


@cache
def edit_distance(a: str, b: str) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(edit_distance(a[1:], b) + 1, edit_distance(a, b[1:]) + 1, edit_distance(a[1:], b[1:]) + (a[0] != b[0]))


def matchings(source: Sequence[str], target: Sequence[str]) -> Iterator[list[tuple[int, int]]]:
    if len(source) <= len(target):
        for chosen in permutations(range(len(target)), len(source)):
            yield list(zip(range(len(source)), chosen, strict=True))
    else:
        for pairs in matchings(target, source):
            yield [(j, i) for i, j in pairs]


def cost(
    source: Sequence[str], target: Sequence[str], pairs: list[tuple[int, int]], position: str
) -> tuple[Fraction, ...]:
    distance = sum(edit_distance(source[i], target[j]) for i, j in pairs)
    apart = sum(abs(i - j) for i, j in pairs)
    changed = sum(source[i] != target[j] for i, j in pairs)
    squares = sum((i - j) ** 2 for i, j in pairs)
    if position == "weighed":
        longer = max(len(source), len(target), 1)
        return Fraction(distance) + Fraction(apart, longer), Fraction(changed), Fraction(squares)
    return Fraction(distance), Fraction(apart), Fraction(changed), Fraction(squares)


def least_cost(source: Sequence[str], target: Sequence[str], position: str) -> tuple[Fraction, ...]:
    return min(cost(source, target, pairs, position) for pairs in matchings(source, target))

"""Munkres' method as a matrix of marks, step by step, and the matching of words that is made with it.

That the authors' program chooses like this among ties is known from the 17,280 sentence pairs that they stored
with their word changes, which come out the same; this twin alone does not show it.
"""

from __future__ import annotations

from collections.abc import Sequence

from oracles.word_matching import edit_distance

STAR, PRIME = 1, 2


def assignment(costs: list[list[float]]) -> list[int]:
    size = len(costs)
    costs = [[cost - min(row) for cost in row] for row in costs]
    marks = [[0] * size for _ in range(size)]
    places = [(i, j) for i in range(size) for j in range(size)]
    for i, j in places:
        if costs[i][j] == 0 and STAR not in marks[i] and STAR not in (row[j] for row in marks):
            marks[i][j] = STAR
    while True:
        rows: set[int] = set()
        columns = {j for i, j in places if marks[i][j] == STAR}
        if len(columns) == size:
            return [row.index(STAR) for row in marks]
        while True:
            zeros = [(i, j) for i, j in places if costs[i][j] == 0 and i not in rows and j not in columns]
            if not zeros:
                least = min(costs[i][j] for i, j in places if i not in rows and j not in columns)
                for i, j in places:
                    costs[i][j] += least if i in rows else 0
                    costs[i][j] -= least if j not in columns else 0
                continue
            row = zeros[0][0]
            column = max(j for i, j in zeros if i == row)
            marks[row][column] = PRIME
            if STAR not in marks[row]:
                break
            rows.add(row)
            columns.remove(marks[row].index(STAR))
        path = [(row, column)]
        while STAR in (above := [marks[i][path[-1][1]] for i in range(size)]):
            starred = above.index(STAR)
            path += [(starred, path[-1][1]), (starred, marks[starred].index(PRIME))]
        for i, j in path:
            marks[i][j] = 0 if marks[i][j] == STAR else STAR
        for i, j in places:
            marks[i][j] = 0 if marks[i][j] == PRIME else marks[i][j]


def published_partners(source: Sequence[str], target: Sequence[str]) -> list[int]:
    """The place of every source word's partner, or -1."""
    source_is_longer = len(source) > len(target)
    longer, other = (source, target) if source_is_longer else (target, source)
    size = len(longer)
    costs = [
        [edit_distance(longer[i], other[j]) + abs(i - j) / size if j < len(other) else 0.0 for j in range(size)]
        for i in range(size)
    ]
    partners = [-1] * len(source)
    for i, j in enumerate(assignment(costs)):
        if j < len(other):
            partners[i if source_is_longer else j] = j if source_is_longer else i
    return partners

"""WordChange by its words: over all cheapest matchings, the fewest unaligned and changed words."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.word_matching import cost, matchings


def word_change(source: Sequence[str], output: Sequence[str], position: str = "tie-break") -> int:
    """Cost first, then the count itself: no tie is left to chance."""
    counted = []
    for pairs in matchings(source, output):
        unaligned = len(source) + len(output) - 2 * len(pairs)
        changed = sum(source[i] != output[j] for i, j in pairs)
        counted.append(
            (cost(source, output, pairs, position)[: 1 if position == "weighed" else 2], unaligned + changed)
        )
    return min(counted)[1]

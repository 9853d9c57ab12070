"""HOO's alignment of system and gold edits, as overlaps between 0 and 1, and its three criteria."""

from __future__ import annotations

from fractions import Fraction

from oracles.maxmatch import Gold, readings


def overlap(hypothesis: list[str], gold: Gold, edit) -> Fraction:
    a, b, corrections = gold
    x, y, first, last = edit
    text = hypothesis[first:last]
    if a < b and x < y:
        shared = set(range(a, b)) & set(range(x, y))
        return Fraction(len(shared), len(set(range(a, b)) | set(range(x, y))))
    if a < b:
        return Fraction(1, b - a) if a < x < b else Fraction(0)
    if x == y:
        return Fraction(int(a == x))
    if x < a < y:
        return Fraction(1, y - x)
    begins = x == a and any(text[: len(c.split())] == c.split() for c in corrections)
    ends = y == a and any(
        text[len(text) - len(c.split()) :] == c.split() for c in corrections if len(c.split()) <= len(text)
    )
    return Fraction(1, y - x) if begins or ends else Fraction(0)


def meets(hypothesis: list[str], gold: Gold, edit, criterion: str) -> bool:
    if criterion == "detection":
        return overlap(hypothesis, gold, edit) > 0
    if criterion == "recognition":
        return overlap(hypothesis, gold, edit) == 1
    return edit[:2] == gold[:2] and " ".join(hypothesis[edit[2] : edit[3]]) in gold[2]


def counts(hypothesis: list[str], edits, gold: list[Gold], optional: list[bool], criterion: str) -> tuple[int, ...]:
    """Gold edits met, system edits that meet none, system edits, gold edits, optional ones that nothing touches."""
    met = sum(any(meets(hypothesis, g, e, criterion) for e in edits) for g in gold)
    spurious = sum(not any(meets(hypothesis, g, e, criterion) for g in gold) for e in edits)
    untouched = sum(
        may and not any(overlap(hypothesis, g, e) > 0 for e in edits) for g, may in zip(gold, optional, strict=True)
    )
    return met, spurious, len(edits), len(gold), untouched


def best_for(source, hypothesis, gold: list[Gold], criterion: str, max_unchanged_words: int = 2) -> tuple[int, int]:
    """Most gold edits met by any reading, and system edits that meet none in the best such reading."""
    best = None
    for edits, steps in readings(source, hypothesis, max_unchanged_words, [1, 2]):
        met, spurious, *_ = counts(hypothesis, edits, gold, [False] * len(gold), criterion)
        key = (-met, steps, spurious)
        best = key if best is None else min(best, key)
    return -best[0], best[2]

"""Metrics against ratings, pair by pair as the definitions say; each cell is (rating, score)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

Cell = tuple[float, float]
Row = Sequence[Cell]


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def pair_counts(row: Row, epsilon: float = 0.0) -> tuple[int, int, int, int, int]:
    """Concordant, discordant, tied by humans, by the metric, by both."""
    concordant = discordant = humans = metric = both = 0
    for (g1, m1), (g2, m2) in combinations(row, 2):
        human = sign(g1 - g2)
        score = 0 if abs(m1 - m2) <= epsilon else sign(m1 - m2)
        both += human == 0 and score == 0
        humans += human == 0 and score != 0
        metric += human != 0 and score == 0
        concordant += human * score > 0
        discordant += human * score < 0
    return concordant, discordant, humans, metric, both


def statistic(kind: str, row: Row, epsilon: float = 0.0) -> float | None:
    c, d, h, m, hm = pair_counts(row, epsilon)
    n = c + d + h + m + hm
    if kind == "accuracy_23":
        return (c + hm) / n
    if kind == "tau_23":
        return (c + hm - d - h - m) / n
    if kind == "kendall_b":
        bottom = math.sqrt((n - h - hm) * (n - m - hm))
        return (c - d) / bottom if bottom else None
    k = min(len({g for g, _ in row}), len({s for _, s in row}))
    return 2 * (c - d) / (len(row) ** 2 * (k - 1) / k) if k > 1 else None


def calibrated_accuracy(rows: Sequence[Row]) -> tuple[float, float]:
    """The best mean accuracy over rows, and the smallest ε, by trying every difference of two scores of a row."""
    candidates = sorted({0.0, *(abs(a[1] - b[1]) for row in rows for a, b in combinations(row, 2))})
    means = [sum(statistic("accuracy_23", row, e) or 0.0 for row in rows) / len(rows) for e in candidates]
    best = max(means)
    return best, next(e for e, mean in zip(candidates, means, strict=True) if mean >= best - 1e-12)

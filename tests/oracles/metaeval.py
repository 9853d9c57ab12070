"""Windows, pairs by ranks and aggregation, step by step as published."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import NormalDist

from scipy import stats

NORMAL = NormalDist()


def windows(human: Mapping[str, float], metric: Mapping[str, float], size: int) -> list[tuple[float, float]]:
    """[r, ρ] inside every `size` neighbours, from the best system down."""
    order = sorted(human, key=lambda system: -human[system])
    actual = []
    for start in range(len(order) - size + 1):
        inside = order[start : start + size]
        sides = [human[s] for s in inside], [metric[s] for s in inside]
        actual.append((stats.pearsonr(*sides).statistic, stats.spearmanr(*sides).statistic))
    return actual


def sentence_agreement(
    rankings: Sequence[tuple[int, Mapping[str, int]]], scores: Mapping[str, Sequence[float]], order: Sequence[str]
) -> tuple[float, dict[tuple[int, int], tuple[float, int]]]:
    """Accuracy over all decided pairs, and by (worse, better) rank with counts; a metric's tie is a win of the second
    system in `order`. A ranking is a sentence and the ranks of systems.
    """
    verdicts: dict[tuple[int, int], list[bool]] = {}
    for sentence, ranks in rankings:
        for a, b in combinations([system for system in order if system in ranks], 2):
            if ranks[a] == ranks[b]:
                continue
            human = 1 if ranks[a] < ranks[b] else -1
            metric = 1 if scores[a][sentence] > scores[b][sentence] else -1
            key = max(ranks[a], ranks[b]), min(ranks[a], ranks[b])
            verdicts.setdefault(key, []).append(human == metric)
    every = [verdict for of_group in verdicts.values() for verdict in of_group]
    groups = {key: (sum(v) / len(v), len(v)) for key, v in verdicts.items()}
    return sum(every) / len(every), groups


def trueskill_pass(scores: Sequence[Sequence[float]]) -> list[float]:
    """One pass over sentences and pairs in order, by the closed form of a match of two."""
    beta, margin = 0.25, NORMAL.inv_cdf(0.625) * math.sqrt(2) * 0.25
    mean, variance = [0.0] * len(scores), [0.25] * len(scores)
    for sentence in range(len(scores[0])):
        for i, j in combinations(range(len(scores)), 2):
            a, b = scores[i][sentence], scores[j][sentence]
            c2 = 2 * beta**2 + variance[i] + variance[j]
            c = math.sqrt(c2)
            if a == b:
                d, e = (mean[i] - mean[j]) / c, margin / c
                inside = NORMAL.cdf(e - d) - NORMAL.cdf(-e - d)
                v = (NORMAL.pdf(-e - d) - NORMAL.pdf(e - d)) / inside
                w = v**2 + ((e - d) * NORMAL.pdf(e - d) + (e + d) * NORMAL.pdf(e + d)) / inside
                up, down = i, j
            else:
                up, down = (i, j) if a > b else (j, i)
                t = (mean[up] - mean[down] - margin) / c
                v = NORMAL.pdf(t) / NORMAL.cdf(t)
                w = v * (v + t)
            mean[up] += variance[up] / c * v
            mean[down] -= variance[down] / c * v
            variance[up], variance[down] = (variance[k] * (1 - variance[k] / c2 * w) for k in (up, down))
    return mean

"""GLEU's and BLEU's statistics with Counters, one definition a line."""

from __future__ import annotations

import math
from collections import Counter


def grams(tokens, k):
    return Counter(tuple(tokens[i : i + k]) for i in range(len(tokens) - k + 1))


def gleu_statistics(source, hypothesis, reference, orders=4, printed=False):
    """Numerators, denominators, lengths of hypothesis and reference."""
    numerators, denominators = [], []
    for k in range(1, orders + 1):
        s, h, r = (grams(tokens, k) for tokens in (source, hypothesis, reference))
        shared = sum((h & r).values())
        if printed:
            penalty = sum(max(0, (h & s)[g] - (h & r)[g]) for g in h & s)
        else:
            penalty = sum(count for g, count in (h & s).items() if g not in r)
        numerators.append(max(0, shared - penalty))
        denominators.append(max(0, len(hypothesis) - k + 1))
    return [*numerators, *denominators, len(hypothesis), len(reference)]


def gleu(sums, orders=4):
    if min(sums) == 0:
        return 0.0
    precision = sum(math.log(sums[k] / sums[orders + k]) for k in range(orders)) / orders
    return math.exp(min(0.0, 1 - sums[-1] / sums[-2]) + precision)


def bleu_statistics(hypothesis, references, orders=4):
    matches, totals = [], []
    for k in range(1, orders + 1):
        h = grams(hypothesis, k)
        most: Counter = Counter()
        for reference in references:
            most |= grams(reference, k)
        matches.append(sum((h & most).values()))
        totals.append(sum(h.values()))
    closest = min((abs(len(r) - len(hypothesis)), len(r)) for r in references)[1]
    return [*matches, *totals, len(hypothesis), closest]

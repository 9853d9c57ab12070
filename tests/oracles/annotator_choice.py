"""The published scorer's choice of annotators, word for word: sentence after sentence, the best F of the totals."""

from __future__ import annotations


def running_totals(rows, weights, beta):
    """(tp, proposed, gold) over the chosen annotators; a sentence stands there as often as its weight says, in a row.

    `rows` holds one triple for each sentence and annotator, None where an annotator has none.
    """
    totals = (0, 0, 0)
    for annotators, weight in zip(rows, weights, strict=True):
        for _ in range(weight):
            reached = [tuple(map(sum, zip(totals, ours, strict=True))) for ours in annotators if ours is not None]
            if reached:
                totals = max(reached, key=lambda sums: _rank(*sums, beta))
    return totals


def _rank(tp, proposed, gold, beta):
    denominator = beta**2 * gold + proposed
    f = (1 + beta**2) * tp / denominator if denominator else 1.0
    return f, tp, -denominator

"""GREEN with Counters: the seven counts of each order, F over orders, the choice of a reference."""

from __future__ import annotations

from oracles.ngrams import grams


def counts(source, hypothesis, reference, orders=4):
    """[TK, TD, TI, OD, OI, UD, UI] for each order."""
    table = []
    for n in range(1, orders + 1):
        s, h, r = (grams(tokens, n) for tokens in (source, hypothesis, reference))
        row = [0] * 7
        for x in {*s, *h, *r}:
            row[0] += min(s[x], r[x], h[x])
            row[1] += max(0, s[x] - max(r[x], h[x]))
            row[2] += max(0, min(r[x], h[x]) - s[x])
            row[3] += max(0, min(s[x], r[x]) - h[x])
            row[4] += max(0, h[x] - max(s[x], r[x]))
            row[5] += max(0, min(s[x], h[x]) - r[x])
            row[6] += max(0, r[x] - max(s[x], h[x]))
        table.append(row)
    return table


def f_score(table, beta, empty_recall=0.0):
    """F of the geometric means over all orders of the table; `empty_recall` is R of an order without TP and FN."""
    precision = recall = 1.0
    for tk, td, ti, od, oi, ud, ui in table:
        tp, fp, fn = tk + td + ti, od + oi, ud + ui
        precision *= tp / (tp + fp) if tp + fp else 1.0
        recall *= tp / (tp + fn) if tp + fn else empty_recall
    precision, recall = precision ** (1 / len(table)), recall ** (1 / len(table))
    if not precision or not recall:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def official(tables, beta):
    """The reference chosen, and F over orders 1..1, 1..2, ... against it."""
    by_order = [[f_score(table[:n], beta) for n in range(1, len(table) + 1)] for table in tables]
    best = max(range(len(tables)), key=lambda r: (by_order[r][::-1], -r))
    return best, by_order[best]


def gec_metrics(tables, beta):
    """The reference chosen and its F."""
    scores = [f_score(table, beta, empty_recall=1.0) for table in tables]
    best = max(range(len(tables)), key=lambda r: (scores[r], -r))
    return best, scores[best]

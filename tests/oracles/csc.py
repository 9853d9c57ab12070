"""Chinese spelling check as each published program counts it, sentence by sentence, position by position."""

from __future__ import annotations


def changes(source, text):
    return {(i, b) for i, (a, b) in enumerate(zip(source, text, strict=True)) if a != b}


def positions(changed):
    return {i for i, _ in changed}


def ratio(a, b):
    return a / b if b else 0.0


def prf(tp, predicted, gold):
    p, r = ratio(tp, predicted), ratio(tp, gold)
    return p, r, ratio(2 * p * r, p + r)


def pairs(data):
    return [(changes(s, p), changes(s, g)) for s, g, p in data]


def sentence(data, level):
    """(tp, predicted, gold, accuracy) by `detection` or `correction`."""
    same = {"detection": lambda p, g: positions(p) == positions(g), "correction": lambda p, g: p == g}[level]
    both = pairs(data)
    tp = sum(bool(p) and same(p, g) for p, g in both)
    return (
        tp,
        sum(bool(p) for p, _ in both),
        sum(bool(g) for _, g in both),
        sum(same(p, g) for p, g in both) / len(both),
    )


def sentence_loose(data):
    """Detection alone: some change where there is some error."""
    both = pairs(data)
    tp = sum(bool(p) and bool(g) for p, g in both)
    accuracy = sum(bool(p) == bool(g) for p, g in both) / len(both)
    return tp, sum(bool(p) for p, _ in both), sum(bool(g) for _, g in both), accuracy


def sighan(data, level, sets=False):
    """(tp, fp, fn, tn); `sets` compares the replacement characters without their places, as CCL-2022 does."""

    def right(p, g):
        if level == "detection":
            return positions(p) == positions(g)
        if sets:
            return positions(p) == positions(g) and {c for _, c in p} == {c for _, c in g}
        return p == g

    both = pairs(data)
    tp = sum(bool(g) and right(p, g) for p, g in both)
    fp = sum(not g and bool(p) for p, g in both)
    fn = sum(bool(g) and not right(p, g) for p, g in both)
    return tp, fp, fn, len(both) - tp - fp - fn


def character(data, level):
    """(tp, predicted, gold)."""
    both = pairs(data)
    of = positions if level == "detection" else set
    return sum(len(of(p) & of(g)) for p, g in both), sum(len(p) for p, _ in both), sum(len(g) for _, g in both)


def conditional(data):
    """(tp, fp, fn) of correction, over sentences with a position detected rightly."""
    tp = fp = fn = 0
    for p, g in pairs(data):
        actual = positions(p) & positions(g)
        if not actual:
            continue
        predicted = dict(p)
        tp += sum((i, predicted[i]) in g for i in actual)
        fp += sum((i, predicted[i]) not in g for i in actual)
        fn += sum(c not in {predicted[i] for i in actual} for _, c in g)
    return tp, fp, fn


def plome(data):
    """Detection and correction as (precision, recall, f)."""
    actual, predicted, gold = character(data, "detection")
    right = character(data, "correction")[0]

    def f(p, r):
        return p, r, ratio(2 * p * r, p + r)

    return (
        f(actual / (predicted + 0.001), actual / (gold + 0.001)),
        f(right / (actual + 0.001), right / (gold + 0.001)),
    )

"""The I-measure, slow and literal: the full cube of Listing 2, Table 6 column by column, every mixture tried."""

from __future__ import annotations

from functools import cache
from itertools import product

ORDER = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
TABLE_6 = {  # source, hypothesis, reference: detection, correction
    "aaa": ("TN", ["TN"]),
    "aab": ("FN", ["FN"]),
    "aa-": ("FN", ["FN"]),
    "aba": ("FP", ["FP"]),
    "abb": ("TP", ["TP"]),
    "abc": ("TP", ["FP", "FN", "FPN"]),
    "ab-": ("TP", ["FP", "FN", "FPN"]),
    "a-a": ("FP", ["FP"]),
    "a-b": ("TP", ["FP", "FN", "FPN"]),
    "a--": ("TP", ["TP"]),
    "-aa": ("TP", ["TP"]),
    "-ab": ("TP", ["FP", "FN", "FPN"]),
    "-a-": ("FP", ["FP"]),
    "--a": ("FN", ["FN"]),
}


def pair_cost(a, b, match, mismatch, gap):
    if a is None and b is None:
        return 0
    if a is None or b is None:
        return gap
    return match if a == b else mismatch


def cube(source, hypothesis, reference, costs=(0, 3, 2)):
    """Cost of the best alignment of all prefixes, and a function for the cost of a column."""

    def column(i, j, k, step):
        tokens = [
            t[p - 1] if taken else None
            for t, p, taken in zip((source, hypothesis, reference), (i, j, k), step, strict=True)
        ]
        s, h, r = tokens
        return pair_cost(s, h, *costs) + pair_cost(s, r, *costs) + pair_cost(h, r, *costs)

    best = {(0, 0, 0): 0}
    for place in product(range(len(source) + 1), range(len(hypothesis) + 1), range(len(reference) + 1)):
        if place == (0, 0, 0):
            continue
        best[place] = min(
            best[before] + column(*place, step)
            for step in ORDER
            if min(before := tuple(p - s for p, s in zip(place, step, strict=True))) >= 0
        )
    return best, column


def alignment(source, hypothesis, reference, costs=(0, 3, 2)):
    """Columns of the published alignment and its cost: from the end, the first optimal predecessor in order."""
    best, column = cube(source, hypothesis, reference, costs)
    place = (len(source), len(hypothesis), len(reference))
    cost = best[place]
    columns = []
    while place != (0, 0, 0):
        for step in ORDER:
            before = tuple(p - s for p, s in zip(place, step, strict=True))
            if min(before) >= 0 and best[before] + column(*place, step) == best[place]:
                columns.append(
                    tuple(
                        t[p - 1] if taken else None
                        for t, p, taken in zip((source, hypothesis, reference), place, step, strict=True)
                    )
                )
                place = before
                break
    return columns[::-1], cost


def all_outcomes(source, hypothesis, reference, costs=(0, 3, 2)):
    """Counts of every optimal alignment."""
    best, column = cube(source, hypothesis, reference, costs)

    @cache
    def before(place):
        if place == (0, 0, 0):
            return frozenset({(0,) * 9})
        actual = set()
        for step in ORDER:
            earlier = tuple(p - s for p, s in zip(place, step, strict=True))
            if min(earlier) >= 0 and best[earlier] + column(*place, step) == best[place]:
                tokens = tuple(
                    t[p - 1] if taken else None
                    for t, p, taken in zip((source, hypothesis, reference), place, step, strict=True)
                )
                item = counts([tokens])
                actual |= {tuple(a + b for a, b in zip(o, item, strict=True)) for o in before(earlier)}
        return frozenset(actual)

    return set(before((len(source), len(hypothesis), len(reference))))


def pattern(column):
    letters: dict[str, str] = {}
    return "".join("-" if token is None else letters.setdefault(token, "abc"[len(letters)]) for token in column)


def counts(columns):
    """Detection tp tn fp fn, then correction tp tn fp fn fpn."""
    detection = dict.fromkeys(["TP", "TN", "FP", "FN"], 0)
    correction = dict.fromkeys(["TP", "TN", "FP", "FN", "FPN"], 0)
    for column in columns:
        seen, put_right = TABLE_6[pattern(column)]
        detection[seen] += 1
        for name in put_right:
            correction[name] += 1
    return (*detection.values(), *correction.values())


def baseline(source, reference, costs=(0, 3, 2)):
    """The source in the hypothesis' place, aligned again."""
    _, tn, _, fn, *_ = counts(alignment(source, source, reference, costs)[0])
    return tn, fn


def weighted_accuracy(tp, tn, fp, fn, fpn, w=2.0):
    below = w * (tp + fp) + tn + fn - (w + 1) * fpn / 2
    return (w * tp + tn) / below if below else 1.0


def accuracy(tp, tn, fp, fn, fpn):
    below = tp + tn + fp + fn - fpn
    return (tp + tn) / below if below else 1.0


def improvement(wacc, base):
    if wacc == base:
        return float(int(wacc))
    return (wacc - base) / (1 - base) if wacc > base else wacc / base - 1


def key(row, w=2.0):
    """What references are compared by: WAcc, I, Acc of correction, then of detection."""
    detection, correction, (tn, fn) = (*row[:4], 0), row[4:9], row[9:]
    base = weighted_accuracy(0, tn, 0, fn, 0, w)
    return tuple(
        figure
        for aspect in (correction, detection)
        for figure in (
            weighted_accuracy(*aspect, w),
            improvement(weighted_accuracy(*aspect, w), base),
            accuracy(*aspect),
        )
    )


def row(source, hypothesis, reference, costs=(0, 3, 2)):
    return (*counts(alignment(source, hypothesis, reference, costs)[0]), *baseline(source, reference, costs))


def best_row(source, hypothesis, references, costs=(0, 3, 2)):
    rows = [row(source, hypothesis, list(reference), costs) for reference in references]
    return max(rows, key=key)

"""CLEME and CLEME 2.0, literally: borders, texts of chunks, verdicts, weights, choices, rows."""

from __future__ import annotations

import math

KINDS = ("tp", "fp", "fn", "tn", "fp_ne", "fp_un")


def apply(tokens, edits):
    out = list(tokens)
    for start, end, text, *_ in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        out[start:end] = text.split()
    return out


def kept(tokens, references):
    """References without text are dropped, unless all are."""
    full = [r for r in references if apply(tokens, r)]
    return full or references


def merged(versions):
    """Intervals of all edits, joined where they overlap or touch."""
    joined = []
    for start, end in sorted((e[0], e[1]) for edits in versions for e in edits):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return [tuple(interval) for interval in joined]


def chunks(tokens, versions):
    """(start, end, is a joined interval), in order."""
    actual, place = [], 0
    for start, end in merged(versions):
        if place < start:
            actual.append((place, start, False))
        actual.append((start, end, True))
        place = end
    if place < len(tokens):
        actual.append((place, len(tokens), False))
    return actual


def version(tokens, edits, chunk):
    """(text of the chunk, whether it is changed)."""
    start, end, joined = chunk
    mine = [e for e in edits if start <= e[0] and e[1] <= end] if joined else []
    out, place = [], start
    for e in sorted(mine, key=lambda e: (e[0], e[1])):  # stable: insertions at one place stay in the file's order
        out += [*tokens[place : e[0]], *e[2].split()]
        place = e[1]
    out += tokens[place:end]
    return out, bool(mine)


def judged(tokens, hypothesis, references, independent):
    """For each reference a list of (kind, length) of every chunk; kinds tp, fp_ne, fp_un, fn, tn."""
    references = kept(tokens, references)
    cut = chunks(tokens, [hypothesis, *references])
    h = [version(tokens, hypothesis, c) for c in cut]
    r = [[version(tokens, edits, c) for c in cut] for edits in references]
    length = [max(c[1] - c[0], len(text)) for c, (text, _) in zip(cut, h, strict=True)]
    rows = []
    for of_reference in r:
        row = []
        for k in range(len(cut)):
            text, changed = h[k]
            others = [x[k] for x in r] if independent else [of_reference[k]]
            if changed and any(text == other for other, _ in others):
                kind = "tp"
            elif changed:
                kind = "fp_ne" if any(c for _, c in others) else "fp_un"
            elif independent:
                kind = "fn" if all(c for _, c in others) else "tn"
            else:
                kind = "fn" if text != others[0][0] else "tn"
            row.append((kind, length[k]))
        rows.append(row)
    return rows


def changed_lengths(tokens, hypothesis, references):
    """ℓ of all changed chunks of all references."""
    references = kept(tokens, references)
    cut = chunks(tokens, [hypothesis, *references])
    seen = [(c, version(tokens, edits, c)) for edits in references for c in cut]
    return [max(c[1] - c[0], len(text)) for c, (text, changed) in seen if changed]


def average_length(corpus):
    lengths = [n for s in corpus for n in changed_lengths(s["tokens"], s["hypothesis"], s["references"])]
    return sum(lengths) / len(lengths) if lengths else None


def length_weight(kind, length, average, settings=None):
    """`settings` by kind: (α, least, most); the released values without."""
    if average is None or kind == "tn":
        return 1.0
    alpha, least, most = (settings or {}).get(kind[:2], (2.0, 0.75, 1.25))
    if alpha == 1.0:
        return 1.0
    difference = length - average if kind[:2] == "fp" else average - length
    return min(most, max(least, alpha / (1 + (alpha - 1) * math.exp(difference))))


def sums(row, weight):
    total = dict.fromkeys(KINDS, 0.0)
    for kind, length in row:
        value = weight(kind, length)
        total[kind] += value
        if kind.startswith("fp_"):
            total["fp"] += value
    return total


def plus(a, b):
    return {key: a[key] + b[key] for key in KINDS}


def prf(c):
    """P, R, F, accuracy, rounded."""
    p = c["tp"] / (c["tp"] + c["fp"]) if c["tp"] + c["fp"] else 1.0
    r = c["tp"] / (c["tp"] + c["fn"]) if c["tp"] + c["fn"] else 1.0
    f = 1.25 * p * r / (0.25 * p + r) if p + r else 0.0
    everything = c["tp"] + c["fp"] + c["fn"] + c["tn"]
    accuracy = (c["tp"] + c["tn"]) / everything if everything else 1.0
    return {"p": round(p, 4), "r": round(r, 4), "f": round(f, 4), "acc": round(accuracy, 4)}


def cleme2(c, factors):
    necessary, proposed = c["tp"] + c["fp_ne"] + c["fn"], c["tp"] + c["fp"]
    hit, wrong, under = ((x / necessary if necessary else 0.0) for x in (c["tp"], c["fp_ne"], c["fn"]))
    over = c["fp_un"] / proposed if proposed else 0.0
    h, w, u, o = factors
    score = h * hit + w * (1 - wrong) + u * (1 - under) + o * (1 - over)
    return {"com": score, "hit": hit, "err": wrong, "und": under, "ove": over}


def _ties(c):
    return c["tp"], -c["fp"], -c["fn"], c["tn"]


def corpus_row(rows, score, key):
    """`rows` by sentence and reference; the greedy choice."""
    total = dict.fromkeys(KINDS, 0.0)
    for of_sentence in rows:
        best = max(of_sentence, key=lambda c: (score(plus(total, c))[key], *_ties(c)))
        total = plus(total, best)
    return {**total, **score(total)}


def sentence_row(rows, score, order):
    """The mean over sentences of the figures of the best reference; `order` gives a figure's key."""
    total, figures = dict.fromkeys(KINDS, 0.0), []
    for of_sentence in rows:
        best = max(of_sentence, key=lambda c: order(score(c)))
        total = plus(total, best)
        figures.append(score(best))
    return {**total, **{key: sum(f[key] for f in figures) / len(figures) for key in figures[0]}}


def by_prf(s):
    return s["f"], s["p"], s["r"], s["acc"]


def by_cleme2(s):
    return s["com"], s["hit"], -s["err"], -s["und"], -s["ove"]


CORPUS_FACTORS, SENTENCE_FACTORS = (0.45, 0.35, 0.15, 0.05), (0.35, 0.25, 0.20, 0.20)


def all_rows(corpus, independent):
    """As in the published tables: prf, cleme2_corpus, cleme2_sentence, each with four rows."""
    average = average_length(corpus)
    judgments = [judged(s["tokens"], s["hypothesis"], s["references"], independent) for s in corpus]
    weighings = {"unweighted": lambda kind, length: 1.0, "weighted": lambda k, n: length_weight(k, n, average)}
    actual = {"prf": {}, "cleme2_corpus": {}, "cleme2_sentence": {}}
    for name, weight in weighings.items():
        rows = [[sums(row, weight) for row in of_sentence] for of_sentence in judgments]
        actual["prf"][f"corpus_{name}"] = corpus_row(rows, prf, "f")
        actual["prf"][f"sentence_{name}"] = sentence_row(rows, prf, by_prf)
        for kind, factors in (("cleme2_corpus", CORPUS_FACTORS), ("cleme2_sentence", SENTENCE_FACTORS)):
            actual[kind][f"corpus_{name}"] = corpus_row(rows, lambda c, f=factors: cleme2(c, f), "com")
            actual[kind][f"sentence_{name}"] = sentence_row(rows, lambda c, f=factors: cleme2(c, f), by_cleme2)
    return actual


def text_weighed(tokens, hypothesis, references, score):
    """Sums for each reference, a chunk weighted by what its change alone moves the score of two texts."""
    references = kept(tokens, references)
    cut = chunks(tokens, [hypothesis, *references])
    rows = []
    for edits, judgments in zip(references, judged(tokens, hypothesis, references, False), strict=True):
        whole, total = " ".join(apply(tokens, edits)), dict.fromkeys(KINDS, 0.0)
        for chunk, (kind, _) in zip(cut, judgments, strict=True):
            text, _ = version(tokens, edits if kind == "fn" else hypothesis, chunk)
            alone = " ".join([*tokens[: chunk[0]], *text, *tokens[chunk[1] :]])
            value = 1.0 if kind == "tn" else abs(score(alone, whole) - score(" ".join(tokens), whole))
            total[kind] += value
            total["fp"] += value if kind.startswith("fp_") else 0.0
        rows.append(total)
    return rows

"""GoToScorer, literally: chunks, verdicts, counts, weights; and PT-ERRANT's weighted counts."""

from __future__ import annotations

from collections import Counter


def chunks(tokens, edits):
    """(start, end, text, edited) in order, for one version of the source."""
    edits = [e for e in edits if len(e) < 4 or e[3] not in ("noop", "UNK", "Um")]
    covered = {i for e in edits for i in range(e[0], e[1])}
    pieces = [(e[0], e[1], e[2], True) for e in edits]
    pieces += [(i, i + 1, t, False) for i, t in enumerate(tokens) if i not in covered]
    pieces.sort(key=lambda p: (p[0], p[1]))
    actual = []
    for piece in pieces:
        if piece[0] < piece[1] and not (actual and actual[-1][0] == actual[-1][1] == piece[0]):
            actual.append((piece[0], piece[0], "", False))
        actual.append(piece)
    if not actual or actual[-1][0] < actual[-1][1]:
        actual.append((len(tokens), len(tokens), "", False))
    return actual


def verdict(gold, system):
    """(modified, correct) of one reference chunk by a system's chunks."""
    modified, correct, met = False, False, False
    for start, end, text, edited in system:
        if (start, end) == gold[:2]:
            if text == gold[2]:
                return edited, True
            met, correct = True, False
            modified |= edited
        elif gold[0] == gold[1]:
            continue
        elif gold[0] <= start < gold[1] or start <= gold[0] < end:
            met, correct = True, False
            modified |= edited
    return (modified, correct) if met else (False, not gold[3])


def scores(judged):
    """From (weight, edited, modified, correct) of every chunk."""
    tp = sum(w for w, _, m, c in judged if m and c)
    fp = sum(w for w, _, m, c in judged if m and not c)
    fn = sum(w for w, e, m, c in judged if not c and (e or not m))
    tn = sum(w for w, _, m, c in judged if c and not m)
    p, r = (tp / x if x else 0.0 for x in (tp + fp, tp + fn))
    everything = sum(w for w, *_ in judged)

    def f(beta):
        return (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0

    accuracy = (tp + tn) / everything if everything else 0.0
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "p": p, "r": r, "f1": f(1), "f05": f(0.5), "acc": accuracy}


def ported_verdict(gold, system):
    """As gec-metrics judges: a swallowed insertion is correct, an equal place forgets what was met before."""
    modified, met = False, False
    for start, end, text, edited in system:
        if (start, end) == gold[:2]:
            if text == gold[2]:
                return edited, True
            met, modified = True, edited
        elif gold[0] < gold[1] and (gold[0] <= start < gold[1] or start <= gold[0] < end):
            met = True
            modified |= edited
    return (modified, False) if met else (False, True)


def ported_weight(gold, systems):
    """By the share of systems that have the text anywhere in the sentence."""
    return 1 - sum(any(chunk[2] == gold[2] for chunk in system) for system in systems) / len(systems)


def weight(n, systems, a=1.0, b=0.0, c=0.0):
    return a - (n + b) / (systems + c)


def overlap(a, b):
    """The stand-in scorer of two texts."""
    a, b = a.split(), b.split()
    return 2 * sum((Counter(a) & Counter(b)).values()) / (len(a) + len(b)) if a or b else 1.0


def apply(tokens, edits):
    out = list(tokens)
    for start, end, text, *_ in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        out[start:end] = text.split()
    return " ".join(out)


def pt_errant(tokens, hypothesis, references, score=overlap):
    """Weighted (tp, fp, fn) for each reference."""
    source, h = " ".join(tokens), {tuple(e[:3]) for e in hypothesis}
    actual = []
    for edits in references:
        text, r = apply(tokens, edits), {tuple(e[:3]) for e in edits}

        def value(e, text=text):
            return abs(score(apply(tokens, [e]), text) - score(source, text))

        actual.append([sum(map(value, kind)) for kind in (h & r, h - r, r - h)])
    return actual

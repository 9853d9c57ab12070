"""ERRANT's comparison of two M2 texts, as the rules are printed: raw lines in, counts out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class RawEdit(NamedTuple):
    start: int
    end: int
    type: str
    text: str


class Flags(NamedTuple):
    mode: str = "cs"
    beta: float = 0.5
    single: bool = False
    multi: bool = False
    filtered: tuple[str, ...] = ()
    tier: int = 0


class Compared(NamedTuple):
    tp: int
    fp: int
    fn: int
    p: float
    r: float
    f: float
    categories: dict[str, list[float]]
    chosen: list[tuple[str, str]]
    sentences: list[tuple[int, int, int]]


def read(text: str) -> list[dict[str, list[RawEdit]]]:
    """For each block its annotators, in order of first appearance, with all their edits."""
    blocks = []
    for block in text.strip().split("\n\n"):
        annotators: dict[str, list[RawEdit]] = {}
        for line in block.split("\n")[1:]:
            if not line.startswith("A "):
                continue
            place, type_, correction, *_, annotator = line[2:].split("|||")
            start, end = map(int, place.split())
            annotators.setdefault(annotator, []).append(RawEdit(start, end, type_, correction))
        blocks.append(annotators or {"0": [RawEdit(-1, -1, "noop", "-NONE-")]})
    return blocks


def keyed(edits: Sequence[RawEdit], flags: Flags) -> dict[tuple[object, ...], list[str]]:
    """Each key with the types of all edits that share it."""
    keys: dict[tuple[object, ...], list[str]] = {}
    for start, end, type_, text in edits:
        if type_ == "UNK" and flags.mode not in ("ds", "dt"):
            continue
        long = end - start >= 2 or len(text.split()) >= 2
        if (flags.single and long) or (flags.multi and not long) or type_ in flags.filtered:
            continue
        if flags.mode == "dt" and start == -1:
            made: list[tuple[object, ...]] = [(-1, -1)]
        elif flags.mode == "dt":
            made = [(i, i + 1) for i in range(start, max(end, start + 1))]
        elif flags.mode == "ds":
            made = [(start, end)]
        elif flags.mode == "cs":
            made = [(start, end, text)]
        else:
            made = [(start, end, text, type_)]
        for key in made:
            keys.setdefault(key, []).append(type_)
    return keys


def counted(
    hypothesis: dict[tuple[object, ...], list[str]], reference: dict[tuple[object, ...], list[str]]
) -> tuple[int, int, int, dict[str, list[int]]]:
    totals = [0, 0, 0]
    categories: dict[str, list[int]] = {}

    def add(what: int, types: Sequence[str]) -> None:
        for type_ in types:
            totals[what] += 1
            categories.setdefault(type_, [0, 0, 0])[what] += 1

    for key, types in hypothesis.items():
        if types[0] != "noop":
            if key in reference:
                add(0, reference[key])
            else:
                add(1, types)
    for key, types in reference.items():
        if types[0] != "noop" and key not in hypothesis:
            add(2, types)
    return totals[0], totals[1], totals[2], categories


def scores(tp: int, fp: int, fn: int, beta: float) -> tuple[float, float, float]:
    p = tp / (tp + fp) if fp else 1.0
    r = tp / (tp + fn) if fn else 1.0
    f = (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0
    return round(p, 4), round(r, 4), round(f, 4)


def category_name(type_: str, tier: int) -> str:
    if type_ == "UNK":
        return type_
    return {1: type_[:1], 2: type_[2:], 3: type_}[tier]


def compare(hypothesis: str, reference: str, flags: Flags) -> Compared:
    hypotheses, references = read(hypothesis), read(reference)
    assert len(hypotheses) == len(references)
    totals = [0, 0, 0]
    all_categories: dict[str, list[int]] = {}
    chosen, sentences = [], []
    for of_hypothesis, of_reference in zip(hypotheses, references, strict=True):
        best = None
        for h, proposed in of_hypothesis.items():
            for r, gold in of_reference.items():
                tp, fp, fn, categories = counted(keyed(proposed, flags), keyed(gold, flags))
                f = scores(totals[0] + tp, totals[1] + fp, totals[2] + fn, flags.beta)[2]
                rank = (f, tp, -fp, -fn)
                if best is None or rank > best[0]:
                    best = (rank, (h, r), (tp, fp, fn), categories)
        assert best is not None
        _, pair, counts, categories = best
        chosen.append(pair)
        sentences.append(counts)
        for i, value in enumerate(counts):
            totals[i] += value
        for type_, values in categories.items():
            total = all_categories.setdefault(category_name(type_, flags.tier or 3), [0, 0, 0])
            for i, value in enumerate(values):
                total[i] += value
    table = {name: [*values, *scores(*values, flags.beta)] for name, values in sorted(all_categories.items())}
    return Compared(*totals, *scores(*totals, flags.beta), table, chosen, sentences)

"""ChERRANT step by step, literally: substitution costs, the table, every tied walk, merging, types.

A token is a (text, tag, readings) triple; tags count at word level alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

Token = tuple[str, str, Sequence[str]]
Item = tuple[str, int, int, int, int]  # operation, source span, target span


def _range(*bounds: int) -> str:
    return "".join(chr(c) for a, b in zip(bounds[::2], bounds[1::2], strict=True) for c in range(a, b + 1))


ASCII = _range(0x21, 0x2F, 0x3A, 0x40, 0x5B, 0x60, 0x7B, 0x7E)
WIDE = "！？｡" + _range(0xFF02, 0xFF0D) + "／" + _range(0xFF1A, 0xFF1E) + "＠" + _range(0xFF3B, 0xFF40)
WIDE += _range(0xFF5B, 0xFF60, 0xFF62, 0xFF64) + "、〃" + _range(0x300B, 0x3011, 0x3014, 0x301F)
QUOTES = "–—‘'" + _range(0x201B, 0x201F) + "…‧"
COST_PUNCTUATION = WIDE + "〰〾〿" + QUOTES + "﹏" + ASCII
MOVE_PUNCTUATION = ASCII + WIDE + QUOTES + "."

TYPES = dict.fromkeys(("n", "nd", "nh", "ni", "nl", "ns", "nt", "nz"), "NOUN") | {
    "v": "VERB",
    "a": "ADJ",
    "b": "ADJ",
    "c": "CONJ",
    "r": "PRON",
    "d": "ADV",
    "u": "AUX",
    "m": "NUM",
    "p": "PREP",
    "q": "QUAN",
    "wp": "PUNCT",
}


def levenshtein(a: Sequence[str], b: Sequence[str]) -> int:
    line = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, line[0] = line[0], i
        for j, y in enumerate(b, 1):
            diagonal, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, diagonal + (x != y))
    return line[-1]


class Lists:
    """The published lists as plain dictionaries; empty where there are none."""

    def __init__(self, cilin: str = "", confusions: str = "", characters: str = "") -> None:
        self.codes: dict[str, str] = {}
        for line in cilin.splitlines():
            code, *words = line.split(" ")
            self.codes.update(dict.fromkeys(words, code))
        self.confusions: dict[str, set[str]] = {}
        for line in confusions.splitlines():
            first, *others = line.split(" ")
            self.confusions[first] = set(others)
        self.characters: dict[str, tuple[str, str]] = {}
        for line in characters.splitlines():
            _, character, sounds, shape = line.split("\t")
            self.characters[character] = (sounds, shape)

    def confusable(self, a: str, b: str) -> bool:
        return a == b or b in self.confusions.get(a, ()) or a in self.confusions.get(b, ())


def meaning(lists: Lists, a: str, b: str) -> float:
    x, y = lists.codes.get(a), lists.codes.get(b)
    if x is None or y is None:
        return 4 / 6.0
    equal = sum(p == q for p, q in ((x[0], y[0]), (x[1], y[1]), (x[2:4], y[2:4])))
    return 2 * (3 - equal) / 6.0


def form(lists: Lists, source: Token, target: Token) -> float:
    a, b = source[0], target[0]
    if not all("\u4e00" <= c <= "\u9fff" for c in a + b):
        return 0.5
    if set(source[2]) & set(target[2]):
        return 0.0
    shorter, longer = (a, b) if len(a) <= len(b) else (b, a)
    hits = sum(any(lists.confusable(c, d) for d in longer) for c in shorter)
    return (len(shorter) - hits) / (2 * len(shorter))


def substitution(lists: Lists, level: str, source: Token, target: Token) -> float:
    if level == "char":
        marks = (source[0] in COST_PUNCTUATION) + (target[0] in COST_PUNCTUATION)
        return meaning(lists, source[0], target[0]) + form(lists, source, target) + (0.25, 0.499, 0.0)[marks]
    tag = 0.0 if source[1] == target[1] else 0.499
    return meaning(lists, source[0], target[0]) + tag + form(lists, source, target)


def table(
    lists: Lists, level: str, source: Sequence[Token], target: Sequence[Token]
) -> tuple[float, dict[tuple[int, int], list[tuple[str, int]]]]:
    """The cost of the last cell, and for every cell its operations, each with how many tokens it takes."""
    a, b = [t[0] for t in source], [t[0] for t in target]
    cost = {(i, 0): float(i) for i in range(len(a) + 1)} | {(0, j): float(j) for j in range(len(b) + 1)}
    steps: dict[tuple[int, int], list[tuple[str, int]]] = {(0, 0): []}
    steps |= {(i, 0): [("D", 1)] for i in range(1, len(a) + 1)} | {(0, j): [("I", 1)] for j in range(1, len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                cost[i, j] = cost[i - 1, j - 1]
                steps[i, j] = [("M", 1)]
                continue
            candidates = []
            width = 2
            while min(i, j) >= width and cost[i - width + 1, j - width + 1] != cost[i - width, j - width]:
                if Counter(a[i - width : i]) == Counter(b[j - width : j]):
                    candidates.append((cost[i - width, j - width] + (width - 1), "T", width))
                    break
                width += 1
            candidates.append((cost[i - 1, j - 1] + substitution(lists, level, source[i - 1], target[j - 1]), "S", 1))
            candidates += [(cost[i, j - 1] + 1, "I", 1), (cost[i - 1, j] + 1, "D", 1)]
            cost[i, j] = min(c for c, _, _ in candidates)
            steps[i, j] = [(name, size) for c, name, size in candidates if c == cost[i, j]]
    return cost[len(a), len(b)], steps


def walks(steps: dict[tuple[int, int], list[tuple[str, int]]], i: int, j: int, *, first: bool) -> Iterator[list[Item]]:
    """Every way back from a cell, depth first."""
    if (i, j) == (0, 0):
        yield []
    for name, width in steps[i, j][: 1 if first else None]:
        down, right = (width if name != "I" else 0), (width if name != "D" else 0)
        item = (f"T{width}" if name == "T" else name, i - down, i, j - right, j)
        for before in walks(steps, i - down, j - right, first=first):
            yield [*before, item]


def runs(level: str, alignment: list[Item]) -> list[Item]:
    """Step 1: runs of matches, of transpositions, and of everything else."""
    groups: list[list[Item]] = []
    for item in alignment:
        kind = item[0][0] if item[0][0] in "MT" else "X"
        before = groups[-1][-1][0][0] if groups else ""
        if groups and kind == (before if before in "MT" else "X"):
            groups[-1].append(item)
        else:
            groups.append([item])
    items: list[Item] = []
    for group in groups:
        names = {item[0][0] for item in group}
        if names == {"T"} or (names == {"S"} and level == "word"):
            items += group
        elif len(names) == 1:
            items.append(joined(group, names.pop()))
        elif "S" in names:
            items.append(joined(group, "S"))
        else:
            raise AssertionError("a deletion beside an insertion")
    return items


def joined(group: list[Item], name: str) -> Item:
    return (name, group[0][1], group[-1][2], group[0][3], group[-1][4])


def moved(deleted: str, inserted: str) -> bool:
    a, b = (deleted, inserted) if len(deleted) >= len(inserted) else (inserted, deleted)
    if a in MOVE_PUNCTUATION or b in MOVE_PUNCTUATION or len(a) - len(b) > 1:
        return False
    if len(b) == 1:
        return a == b
    return levenshtein(a, b) <= 1 or (len(a) == len(b) and b in a + a)


def exchanged(a: str, b: str, c: str, d: str) -> bool:
    if min(map(len, (a, b, c, d))) == 1:
        return a == d and b == c
    return levenshtein(a, d) <= 1 and levenshtein(b, c) <= 1


def transpositions(items: list[Item], source: Sequence[str], target: Sequence[str]) -> list[Item]:
    """Step 2: three items in a row that are one move."""
    kept: list[Item] = []
    at = 0
    while at < len(items):
        if at + 2 < len(items):
            x, y, z = items[at : at + 3]
            texts = ["".join(source[i[1] : i[2]]) for i in (x, z)], ["".join(target[i[3] : i[4]]) for i in (x, z)]
            fires = False
            if x[0] == z[0] == "S" and y[0] == "M":
                fires = exchanged(texts[0][0], texts[1][0], texts[0][1], texts[1][1])
            elif y[0][0] in "MT" and x[0] + z[0] == "DI":
                fires = moved(texts[0][0], texts[1][1])
            elif y[0][0] in "MT" and x[0] + z[0] == "ID":
                fires = moved(texts[0][1], texts[1][0])
            if fires:
                kept.append((f"T{z[2] - x[1]}", x[1], z[2], x[3], z[4]))
                at += 3
                continue
        if items[at][0] != "M":
            kept.append(items[at])
        at += 1
    return kept


def trimmed(item: Item, source: Sequence[str], target: Sequence[str]) -> Item | None:
    """Step 3: what only cuts words otherwise goes away."""
    name, a, b, c, d = item
    text = "".join(target[c:d])
    if "".join(source[a:b]) == text:
        return None
    if name != "S":
        return item
    old = (a, b, c, d)
    taken = max(n for n in range(b - a + 1) if text.startswith("".join(source[a : a + n])))
    spelt = [m for m in range(d - c + 1) if "".join(target[c : c + m]) == "".join(source[a : a + taken])]
    if taken and spelt:
        a, c = a + taken, c + spelt[0]
    taken = max(n for n in range(b - a + 1) if text.endswith("".join(source[b - n : b])))
    spelt = [m for m in range(d - c + 1) if "".join(target[d - m : d]) == "".join(source[b - taken : b])]
    if taken and spelt:
        b, d = b - taken, d - spelt[0]
    if (a, b, c, d) == old:
        return item
    return ("I" if a == b else "D" if c == d else "S", a, b, c, d)


def merged(level: str, alignment: list[Item], source: Sequence[str], target: Sequence[str]) -> list[Item]:
    items = transpositions(runs(level, alignment), source, target)
    return [kept for item in items if (kept := trimmed(item, source, target)) is not None]


def first_only(source: Sequence[Token], target: Sequence[Token]) -> bool:
    return abs(len(source) - len(target)) > 10


def alternatives(
    lists: Lists, level: str, source: Sequence[Token], target: Sequence[Token]
) -> tuple[float, int, list[Item], list[list[Item]]]:
    """The cost, the number of walks, the first walk, and the distinct merged edits."""
    cost, steps = table(lists, level, source, target)
    a, b = [t[0] for t in source], [t[0] for t in target]
    every = walks(steps, len(a), len(b), first=first_only(source, target))
    first: list[Item] | None = None
    number = 0
    distinct: list[list[Item]] = []
    for alignment in every:
        number += 1
        first = alignment if first is None else first
        edits = merged(level, alignment, a, b)
        if edits not in distinct:
            distinct.append(edits)
    assert first is not None
    return cost, number, first, distinct


def looks_or_sounds_alike(lists: Lists, readings: dict[str, Sequence[str]], a: str, b: str) -> bool:
    if a not in lists.characters or b not in lists.characters:
        return False
    if shape(lists, a, b) + sound(lists, a, b) >= 0.8:
        return True
    return bool(set(readings.get(a, (a,))) & set(readings.get(b, (b,))))


_SIGNS = str.maketrans({chr(0x2FF0 + n): letter for n, letter in enumerate("ABCDEFGHIJLM")})


def shape(lists: Lists, a: str, b: str) -> float:
    x, y = (lists.characters[c][1].translate(_SIGNS) for c in (a, b))
    return 1 - levenshtein(x, y) / max(len(x), len(y))


def sound(lists: Lists, a: str, b: str) -> float:
    best = []
    for x, y in zip(lists.characters[a][0].split(";"), lists.characters[b][0].split(";"), strict=True):
        if "null" not in (x, y):
            best.append(max(1 - levenshtein(p, q) / max(len(p), len(q)) for p in x.split(",") for q in y.split(",")))
    return sum(best) / len(best) if best else 0.0


def is_spelling(lists: Lists, readings: dict[str, Sequence[str]], a: str, b: str) -> bool:
    if len(a) != len(b):
        return False
    if Counter(a) == Counter(b):
        return True
    return all(x == y or looks_or_sounds_alike(lists, readings, x, y) for x, y in zip(a, b, strict=True))


def error_type(
    lists: Lists,
    readings: dict[str, Sequence[str]],
    level: str,
    item: Item,
    source: Sequence[Token],
    target: Sequence[Token],
) -> str:
    name, a, b, c, d = item
    if name[0] == "T":
        return "W"
    letter = {"D": "R", "I": "M", "S": "S"}[name]
    if level == "char":
        return letter
    old, new = source[a:b], target[c:d]
    if name == "S" and is_spelling(lists, readings, "".join(t[0] for t in old), "".join(t[0] for t in new)):
        return "S:SPELL"
    words = old if name == "D" else new
    if len(words) > 1:
        return f"{letter}:OTHER"
    if name != "D" and words[0][0] == "[缺失成分]":
        return f"{letter}:MC"
    return f"{letter}:{TYPES.get(words[0][1], 'OTHER')}"


Line = tuple[int, int, str, str]  # start, end, type, correction


def comparison_keys(line: Line, mode: str) -> list[tuple]:
    start, end, type_, correction = line
    if mode == "cs":
        return [(start, end, correction)]
    if mode == "cse":
        return [(start, end, type_, correction)]
    if mode == "ds" or start == -1:
        return [(start, end)]
    return [(start, start + 1)] if start == end else [(i, i + 1) for i in range(start, end)]


def comparison(hypothesis: Sequence[Line], reference: Sequence[Line], mode: str) -> tuple[int, int, int]:
    """True positives as often as the reference has them, false ones as often as the hypothesis has them."""
    ours = [(key, line[2]) for line in hypothesis for key in comparison_keys(line, mode)]
    theirs = [(key, line[2]) for line in reference for key in comparison_keys(line, mode)]

    def first_type(side: list, key: tuple) -> str:
        return next(type_ for k, type_ in side if k == key)

    keys, gold_keys = {k for k, _ in ours}, {k for k, _ in theirs}
    counted = {k for k in keys if first_type(ours, k) != "noop"}
    tp = sum(k in counted for k, _ in theirs)
    fp = sum(k in counted and k not in gold_keys for k, _ in ours)
    fn = sum(k not in keys and first_type(theirs, k) != "noop" for k, _ in theirs)
    return tp, fp, fn

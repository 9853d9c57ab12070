"""ERRANT's alignment and merging, word for word as the rules are printed, with none of the kernels' shortcuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
OPEN = {"ADJ", "ADV", "NOUN", "VERB"}
VERBAL = {"AUX", "PART", "VERB"}


class Token(NamedTuple):
    text: str
    pos: str
    lemma: str
    tag: str

    @property
    def low(self) -> str:
        return self.text.lower()


class Item(NamedTuple):
    operation: str
    o0: int
    o1: int
    c0: int
    c1: int


def common_subsequence(a: str, b: str) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


def char_cost(a: Token, b: Token) -> float:
    total = len(a.text) + len(b.text)
    return (total - 2 * common_subsequence(a.text, b.text)) / total if total else 0.0


def substitution_cost(a: Token, b: Token) -> float:
    if a.low == b.low:
        return 0.0
    lemma = 0.0 if a.lemma == b.lemma else 0.499
    pos = 0.0 if a.pos == b.pos else 0.25 if {a.pos, b.pos} <= OPEN else 0.5
    return lemma + pos + char_cost(a, b)


def align(o: Sequence[Token], c: Sequence[Token], costs: str = "linguistic") -> tuple[float, list[Item]]:
    cost = [[float(i + j) for j in range(len(c) + 1)] for i in range(len(o) + 1)]
    operation = [["I"] * (len(c) + 1) for _ in range(len(o) + 1)]
    for row in operation:
        row[0] = "D"
    for i in range(1, len(o) + 1):
        for j in range(1, len(c) + 1):
            if o[i - 1].text == c[j - 1].text:
                cost[i][j], operation[i][j] = cost[i - 1][j - 1], "M"
                continue
            candidates = []
            if costs == "linguistic":
                width = 2
                while i >= width and j >= width and cost[i - width + 1][j - width + 1] != cost[i - width][j - width]:
                    a, b = (sorted(t.low for t in side[k - width : k]) for side, k in ((o, i), (c, j)))
                    if a == b:
                        candidates.append((cost[i - width][j - width] + (width - 1), 0, f"T{width}"))
                        break
                    width += 1
            step = substitution_cost(o[i - 1], c[j - 1]) if costs == "linguistic" else 1.0
            candidates.append((cost[i - 1][j - 1] + step, 1, "S"))
            candidates.append((cost[i][j - 1] + 1, 2, "I"))
            candidates.append((cost[i - 1][j] + 1, 3, "D"))
            cost[i][j], _, operation[i][j] = min(candidates)
    items = []
    i, j = len(o), len(c)
    while i or j:
        what = operation[i][j]
        width = int(what[1:]) if what[0] == "T" else 1
        di, dj = (0 if what == "I" else width), (0 if what == "D" else width)
        items.append(Item(what, i - di, i, j - dj, j))
        i, j = i - di, j - dj
    return cost[-1][-1], items[::-1]


def join(items: Sequence[Item]) -> Item:
    return Item("X", items[0].o0, items[-1].o1, items[0].c0, items[-1].c1)


def merge(o: Sequence[Token], c: Sequence[Token], items: Sequence[Item], strategy: str) -> list[Item]:
    if strategy == "split":
        return [item for item in items if item.operation != "M"]
    edits: list[Item] = []
    run: list[Item] = []

    def kind(item: Item) -> str:
        if item.operation == "M":
            return "M"
        if strategy == "merge":
            return "changed"
        if strategy == "equal":
            return item.operation
        return "T" if item.operation[0] == "T" else "changed"

    def close() -> None:
        if not run or run[0].operation == "M":
            return
        if strategy != "rules":
            edits.append(join(run))
        elif run[0].operation[0] == "T":
            edits.extend(run)
        else:
            edits.extend(by_rules(o, c, list(run)))

    for item in items:
        if run and kind(item) != kind(run[0]):
            close()
            run = []
        run.append(item)
    close()
    return edits


def by_rules(orig: Sequence[Token], cor: Sequence[Token], run: list[Item]) -> list[Item]:
    def again(part: list[Item]) -> list[Item]:
        return by_rules(orig, cor, part)

    if len(run) <= 1:
        return run
    if {item.operation for item in run} in ({"D"}, {"I"}):
        return [join(run)]
    content = False
    pairs = [(a, z) for a in range(len(run)) for z in range(a + 1, len(run))]
    for a, z in sorted(pairs, key=lambda pair: (pair[0] - pair[1], pair[0])):
        part = run[a : z + 1]
        if all(item.operation != "S" for item in part):
            continue
        whole = join(part)
        o, c = orig[whole.o0 : whole.o1], cor[whole.c0 : whole.c1]
        if a == 0 and "POS" in (o[0].tag, c[0].tag):
            return [run[0], *again(run[1:])]
        if "POS" in (o[-1].tag, c[-1].tag):
            return [*again(run[: z - 1]), join(run[z - 1 : z + 1]), *again(run[z + 1 :])]
        if o[-1].low == c[-1].low:
            if a == 0 and ((len(o) == 1 and c[0].text[0].isupper()) or (len(c) == 1 and o[0].text[0].isupper())):
                return [whole, *again(run[z + 1 :])]
            if (len(o) > 1 and is_punctuation(o[-2])) or (len(c) > 1 and is_punctuation(c[-2])):
                return [*again(run[: z - 1]), join(run[z - 1 : z + 1]), *again(run[z + 1 :])]
        if letters(o) == letters(c):
            return [*again(run[:a]), whole, *again(run[z + 1 :])]
        tags = {token.pos for token in (*o, *c)}
        if len(o) != len(c) and (len(tags) == 1 or tags <= VERBAL):
            return [*again(run[:a]), whole, *again(run[z + 1 :])]
        if z == a + 1:
            first, last = run[a].operation, run[z].operation
            alike = (first == "S" and 1 - char_cost(o[0], c[0]) > 0.75) or (
                last == "S" and 1 - char_cost(o[-1], c[-1]) > 0.75
            )
            if len(o) == len(c) == 2 or alike:
                return [*again(run[: a + 1]), *again(run[z:])]
            if z == len(run) - 1 and ((last in "DS" and o[-1].pos == "DET") or (last in "IS" and c[-1].pos == "DET")):
                return [*again(run[:-1]), run[-1]]
        content = content or bool(tags & (OPEN | {"AUX"}))
    return [join(run)] if content else run


def letters(tokens: Sequence[Token]) -> str:
    return "".join(token.low.replace("'", "").replace("-", "") for token in tokens)


def is_punctuation(token: Token) -> bool:
    return token.pos == "PUNCT" or token.text in PUNCTUATION

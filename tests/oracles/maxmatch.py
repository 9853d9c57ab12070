"""MaxMatch, slow and literal: every rule stands where the paper or the published scorer has it.

Nothing here is shared with the package. Vertices are pairs (source tokens consumed,
hypothesis tokens consumed); a gold edit is (start, end, corrections).
"""

from __future__ import annotations

from dataclasses import dataclass

Vertex = tuple[int, int]
Arc = tuple[Vertex, Vertex]
Gold = tuple[int, int, tuple[str, ...]]
Proposed = tuple[int, int, str, str]

EPSILON = 0.001


def minimal_edges(source: list[str], hypothesis: list[str], substitution: int) -> set[Arc]:
    """Every edge on any minimum-cost path of the Levenshtein table (section 2.1)."""
    n, m = len(source), len(hypothesis)
    cost = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            if i or j:
                cost[i][j] = min(cost[a][b] + c for a, b, c in moves_into(source, hypothesis, i, j, substitution))
    edges: set[Arc] = set()
    pending, seen = [(n, m)], {(n, m)}
    while pending:
        i, j = pending.pop()
        for a, b, c in moves_into(source, hypothesis, i, j, substitution):
            if cost[a][b] + c == cost[i][j]:
                edges.add(((a, b), (i, j)))
                if (a, b) not in seen:
                    seen.add((a, b))
                    pending.append((a, b))
    return edges


def moves_into(source, hypothesis, i, j, substitution):
    if i:
        yield i - 1, j, 1
    if j:
        yield i, j - 1, 1
    if i and j:
        yield i - 1, j - 1, 0 if source[i - 1] == hypothesis[j - 1] else substitution


@dataclass
class Path:
    """What is known of one arc: how long its path is, what it leaves alone, where it starts and ends."""

    length: int
    unchanged: int
    start: int
    end: int

    @property
    def noop(self) -> bool:
        return self.unchanged == self.length


def atomic_path(source: list[str], hypothesis: list[str], arc: Arc, initial: str) -> Path:
    (i, j), (k, m) = arc
    if k == i:
        offset = j if i == 0 and initial == "running" else i
        return Path(1, 0, offset, offset)
    unchanged = int(m > j and source[i] == hypothesis[j])
    return Path(1, unchanged, i, k)


def official_lattice(source, hypothesis, max_unchanged_words, initial):
    """The list of arcs (with its duplicates) and what each arc is, as the published scorer builds them."""
    atomic = sorted([*minimal_edges(source, hypothesis, 1), *minimal_edges(source, hypothesis, 2)])
    paths = {arc: atomic_path(source, hypothesis, arc, initial) for arc in atomic}
    arcs = list(atomic)
    vertices = sorted({v for arc in atomic for v in arc})
    for k in vertices:
        incoming = sorted(arc for arc in paths if arc[1] == k)
        outgoing = sorted({arc for arc in atomic if arc[0] == k})
        for first in incoming:
            for second in outgoing:
                joined = (first[0], second[1])
                a, b = paths[first], paths[second]
                length, unchanged = a.length + 1, a.unchanged + b.unchanged
                if unchanged > max_unchanged_words:
                    continue
                if joined not in paths or length < paths[joined].length:
                    paths[joined] = Path(length, unchanged, a.start, b.end)
                    arcs.append(joined)
    position = 0
    while position < len(arcs):
        path = paths[arcs[position]]
        if path.noop and path.length > 1:
            del arcs[position]
        position += 1
    return arcs, paths


def fits(source, hypothesis, arc: Arc, path: Path, gold: Gold) -> bool:
    (i, j), (k, m) = arc
    start, end, corrections = gold
    return (
        (path.start, path.end) == (start, end)
        and source[i:k] == source[start:end]
        and " ".join(hypothesis[j:m]) in corrections
    )


def official_weights(source, hypothesis, arcs, paths, gold: list[Gold]) -> dict[Arc, float]:
    size = len(arcs)
    weights = {arc: float(paths[arc].length) for arc in arcs}
    for arc in arcs:
        path = paths[arc]
        if path.start == path.end:
            continue
        if any(fits(source, hypothesis, arc, path, g) for g in gold):
            weights[arc] = float(-size)
        elif not path.noop:
            weights[arc] += EPSILON
    offsets = {paths[arc].start for arc in arcs if paths[arc].start == paths[arc].end}
    for offset in offsets:
        weigh_insertions(
            source,
            hypothesis,
            sorted(arc for arc in arcs if paths[arc].start == paths[arc].end == offset),
            paths,
            [g for g in gold if g[0] == g[1] == offset],
            weights,
            size,
        )
    return weights


def weigh_insertions(source, hypothesis, arcs, paths, gold, weights, size) -> None:
    """Two cursors close in on the insertions at one place, so that one gold insertion rewards one arc."""
    left, right = 0, len(arcs) - 1
    low, high = 0, len(gold) - 1
    on_left = True
    while left <= right:
        arc = arcs[left] if on_left else arcs[right]
        window = range(low, high + 1) if on_left else range(high, low - 1, -1)
        actual = next((g for g in window if fits(source, hypothesis, arc, paths[arc], gold[g])), None)
        if actual is None:
            weights[arc] += EPSILON
            if on_left:
                left += 1
            else:
                right -= 1
            on_left = not on_left
            continue
        weights[arc] = float(-size)
        if on_left:
            low = actual + 1
            left += 1
            while left <= right and arcs[left][0] != arc[1]:
                weights[arcs[left]] += EPSILON
                left += 1
        else:
            high = actual - 1
            right -= 1
            while left <= right and arcs[right][1] != arc[0]:
                weights[arcs[right]] += EPSILON
                right -= 1


def bellman_ford(arcs: list[Arc], weights: dict[Arc, float], end: Vertex) -> list[Arc]:
    """Passes over the list until nothing changes; only a strictly smaller sum moves a predecessor."""
    infinity = float("inf")
    distance: dict[Vertex, float] = {(0, 0): 0.0}
    before: dict[Vertex, Vertex] = {}
    changed = True
    while changed:
        changed = False
        for arc in arcs:
            a, b = arc
            through = distance.get(a, infinity) + weights[arc]
            if through < distance.get(b, infinity):
                distance[b] = through
                before[b] = a
                changed = True
    path = []
    while end != (0, 0):
        path.append((before[end], end))
        end = before[end]
    return path[::-1]


def official_edits(source, hypothesis, gold: list[Gold], max_unchanged_words=2, initial="running") -> list[Proposed]:
    if not source and not hypothesis:
        return []
    arcs, paths = official_lattice(source, hypothesis, max_unchanged_words, initial)
    weights = official_weights(source, hypothesis, arcs, paths, gold)
    best = bellman_ford(arcs, weights, (len(source), len(hypothesis)))
    return [
        (
            paths[arc].start,
            paths[arc].end,
            " ".join(source[arc[0][0] : arc[1][0]]),
            " ".join(hypothesis[arc[0][1] : arc[1][1]]),
        )
        for arc in best
        if not paths[arc].noop
    ]


def official_tp(source, edits: list[Proposed], gold: list[Gold]) -> int:
    """A pointer runs through the gold in file order; the scan goes on behind each match."""
    tp = pointer = 0
    for start, end, original, correction in edits:
        for g in range(pointer, len(gold)):
            a, b, corrections = gold[g]
            if (a, b) == (start, end) and " ".join(source[a:b]) == original and correction in corrections:
                tp += 1
                pointer = g + 1
    return tp


def readings(source, hypothesis, max_unchanged_words, tables):
    """Every way to read the hypothesis as edits: each path of the lattice, cut into edits in each allowed way.

    Yields (edits, steps); an edit is (start, end, first and last word in the hypothesis).
    """
    edges = set().union(*(minimal_edges(source, hypothesis, cost) for cost in tables))
    end = (len(source), len(hypothesis))

    def unchanged(arc: Arc) -> bool:
        (i, j), (k, m) = arc
        return k > i and m > j and source[i] == hypothesis[j]

    def from_vertex(vertex: Vertex):
        if vertex == end:
            yield (), 0
            return
        # A piece of the path from here: one unchanged word, or a stretch that changes something.
        pieces = [(vertex, 0, 0)]
        while pieces:
            here, length, kept = pieces.pop()
            for arc in edges:
                if arc[0] != here:
                    continue
                there, words = arc[1], kept + unchanged(arc)
                if length == 0 and unchanged(arc):
                    for edits, steps in from_vertex(there):
                        yield edits, steps + 1
                if words > max_unchanged_words:
                    continue
                pieces.append((there, length + 1, words))
                if source[vertex[0] : there[0]] != hypothesis[vertex[1] : there[1]]:
                    edit = (vertex[0], there[0], vertex[1], there[1])
                    for edits, steps in from_vertex(there):
                        yield (edit, *edits), steps + length + 1

    yield from from_vertex((0, 0))


def matches(hypothesis, edit, gold: Gold) -> bool:
    start, end, first, last = edit
    return (start, end) == gold[:2] and " ".join(hypothesis[first:last]) in gold[2]


def paper_counts(source, hypothesis, gold: list[Gold], max_unchanged_words=2) -> tuple[int, int]:
    """Tp and proposed of the paper as printed: one unit-cost lattice, equation 6."""
    best = None
    for edits, steps in readings(source, hypothesis, max_unchanged_words, [1]):
        tp = sum(any(matches(hypothesis, e, g) for g in gold) for e in edits)
        key = (-tp, steps, len(edits) - tp)
        best = key if best is None else min(best, key)
    return -best[0], best[2] - best[0]


def one_to_one(hypothesis, edits, gold: list[Gold]) -> int:
    """The largest matching, by trying everything."""
    if not edits:
        return 0
    first, rest = edits[0], edits[1:]
    best = one_to_one(hypothesis, rest, gold)
    for g in range(len(gold)):
        if matches(hypothesis, first, gold[g]):
            best = max(best, 1 + one_to_one(hypothesis, rest, gold[:g] + gold[g + 1 :]))
    return best


def optimal_counts(source, hypothesis, gold: list[Gold], max_unchanged_words=2) -> tuple[int, int]:
    """Tp and proposed as Theorem 1 promises: the largest overlap of any reading, each gold edit used once."""
    best = None
    for edits, steps in readings(source, hypothesis, max_unchanged_words, [1, 2]):
        tp = one_to_one(hypothesis, edits, gold)
        key = (-tp, steps, len(edits) - tp)
        best = key if best is None else min(best, key)
    return -best[0], best[2] - best[0]

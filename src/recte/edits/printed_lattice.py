"""The edit lattice of one sentence as the MaxMatch paper prints it (Dahlmeier and Ng 2012, sections 2.1 and 2.2).

It is made to be looked at: plain Python, every edge at hand. Scoring uses kernels, which never build it whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recte.corpus.corpus import Edit

__all__ = ["EditLattice", "LatticeEdge", "edit_lattice"]

Vertex = tuple[int, int]  # source and hypothesis tokens consumed


@dataclass(frozen=True)
class LatticeEdge:
    """An edit, or a word left alone: what it replaces, by what, at which cost, and whether gold has it."""

    start: Vertex
    end: Vertex
    original: str
    correction: str
    cost: int
    matched: bool = False

    @property
    def changes(self) -> bool:
        return self.original != self.correction


@dataclass(frozen=True)
class EditLattice:
    """The Levenshtein matrix, the edges on its shortest paths with the phrase edits they add up to, and the cheapest
    way through them.

    >>> lattice = edit_lattice("feeds word into", "feeds a word into", [Edit(1, 2, ("a word", "words"))])
    >>> lattice.matrix[-1][-1], len(lattice.edges), min(edge.cost for edge in lattice.edges)
    (1, 8, -24)
    >>> [(edge.original, edge.correction) for edge in lattice.path if edge.changes]
    [('word', 'a word')]
    """

    matrix: tuple[tuple[int, ...], ...]
    edges: tuple[LatticeEdge, ...]
    path: tuple[LatticeEdge, ...]

    @property
    def vertices(self) -> tuple[Vertex, ...]:
        return tuple(sorted({vertex for edge in self.edges for vertex in (edge.start, edge.end)}))


def edit_lattice(
    source: str, hypothesis: str, gold: Sequence[Edit] = (), *, max_unchanged_words: int = 2
) -> EditLattice:
    """The lattice of one sentence and one annotator's edits: unit costs, and -(u+1)|E| for an edge that gold has.

    >>> [edge.cost for edge in edit_lattice("a b", "a c").edges]
    [1, 2, 1]
    """
    words, output = source.split(), hypothesis.split()
    matrix = _levenshtein(words, output)
    atomic = _shortest_path_edges(matrix, words, output)
    lengths = {edge: 1 for of_start in atomic.values() for edge in of_start}
    for start in atomic:
        lengths |= _phrases(start, atomic, words, output, max_unchanged_words)
    reward = -(max_unchanged_words + 1) * len(lengths)
    edges = []
    for (start, end), length in sorted(lengths.items()):
        original, correction = " ".join(words[start[0] : end[0]]), " ".join(output[start[1] : end[1]])
        matched = any((start[0], end[0]) == (g.start, g.end) and correction in g.corrections for g in gold)
        edges.append(LatticeEdge(start, end, original, correction, reward if matched else length, matched))
    return EditLattice(matrix, tuple(edges), _cheapest(edges, (len(words), len(output))))


def _levenshtein(words: Sequence[str], output: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    rows = [list(range(len(output) + 1))]
    for i, word in enumerate(words, 1):
        row = [i]
        for j, other in enumerate(output, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (word != other)))
        rows.append(row)
    return tuple(map(tuple, rows))


def _moves(i: int, j: int, words: Sequence[str], output: Sequence[str]) -> Iterator[tuple[Vertex, int]]:
    """Where a cell can be reached from, and what the step costs."""
    if i:
        yield (i - 1, j), 1
    if j:
        yield (i, j - 1), 1
    if i and j:
        yield (i - 1, j - 1), int(words[i - 1] != output[j - 1])


def _shortest_path_edges(
    matrix: Sequence[Sequence[int]], words: Sequence[str], output: Sequence[str]
) -> dict[Vertex, list[tuple[Vertex, Vertex]]]:
    """By start vertex, the steps on any shortest path from corner to corner."""
    edges: dict[Vertex, list[tuple[Vertex, Vertex]]] = {}
    pending = [(len(words), len(output))]
    seen = set(pending)
    while pending:
        i, j = pending.pop()
        for (a, b), cost in _moves(i, j, words, output):
            if matrix[a][b] + cost == matrix[i][j]:
                edges.setdefault((a, b), []).append(((a, b), (i, j)))
                if (a, b) not in seen:
                    seen.add((a, b))
                    pending.append((a, b))
    return edges


def _phrases(
    start: Vertex,
    atomic: dict[Vertex, list[tuple[Vertex, Vertex]]],
    words: Sequence[str],
    output: Sequence[str],
    most_unchanged: int,
) -> dict[tuple[Vertex, Vertex], int]:
    """Transitive edges from one vertex, of two steps or more that change a word: the fewest steps of each."""
    fewest: dict[tuple[Vertex, Vertex], int] = {}
    reached = {(start, 0)}  # a vertex, and the words left alone on the way to it
    steps = 0
    while reached:
        steps += 1
        reached = {
            (end, unchanged + unchanged_words)
            for vertex, unchanged in reached
            for _, end in atomic.get(vertex, ())
            for unchanged_words in [_count_unchanged(vertex, end, words, output)]
            if unchanged + unchanged_words <= most_unchanged
        }
        if steps > 1:
            for end, unchanged in reached:
                if unchanged < steps:
                    fewest.setdefault((start, end), steps)
    return fewest


def _count_unchanged(start: Vertex, end: Vertex, words: Sequence[str], output: Sequence[str]) -> int:
    diagonal = end[0] > start[0] and end[1] > start[1]
    return int(diagonal and words[start[0]] == output[start[1]])


def _cheapest(edges: Sequence[LatticeEdge], goal: Vertex) -> tuple[LatticeEdge, ...]:
    """The shortest path by cost, among equals the one with fewest edges that gold lacks (the paper's footnote 1)."""
    best: dict[Vertex, tuple[int, int, LatticeEdge | None]] = {(0, 0): (0, 0, None)}
    for edge in edges:  # sorted by start: whatever leads to it was seen
        cost, strangers, _ = best[edge.start]
        way = cost + edge.cost, strangers + (not edge.matched)
        if edge.end not in best or way < best[edge.end][:2]:
            best[edge.end] = (*way, edge)
    path = []
    last = best[goal][2]
    while last is not None:
        path.append(last)
        last = best[last.start][2]
    return tuple(reversed(path))

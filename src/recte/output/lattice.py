"""The edit lattice of a sentence, as text and as a picture (Dahlmeier and Ng 2012, Figures 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from recte.edits.printed_lattice import EditLattice, LatticeEdge

__all__ = ["lattice_lines", "lattice_svg"]

_WIDEST = 100  # columns of a terminal, beyond which the matrix is left out
_STEP, _RISE, _MARGIN, _RADIUS = 110, 70, 60, 5
_PLAIN, _CHOSEN = "#888888", "#0b6e4f"


def lattice_lines(lattice: EditLattice, source: Sequence[str], hypothesis: Sequence[str]) -> list[str]:
    """The Levenshtein matrix, where it is not too wide, every edge with its cost, and the chosen path.

    >>> from recte.edits.printed_lattice import edit_lattice
    >>> print("\\n".join(lattice_lines(edit_lattice("a b", "a c"), ["a", "b"], ["a", "c"])))
    Levenshtein matrix
          a  c
       0  1  2
    a  1  0  1
    b  2  1  1
    edges (* on the chosen path)
      (0,0)-(1,1)  a      1
    * (0,0)-(2,2)  a b → a c      2
      (1,1)-(2,2)  b → c      1
    """
    cells = [["", "", *hypothesis]]
    cells += [[word, *map(str, row)] for word, row in zip(("", *source), lattice.matrix, strict=True)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    if sum(widths) + 2 * (len(widths) - 1) <= _WIDEST:
        lines.append("Levenshtein matrix")
        for word, *row in cells:
            numbers = "".join(f"  {cell:>{width}}" for cell, width in zip(row, widths[1:], strict=True))
            lines.append(f"{word:<{widths[0]}}{numbers}".rstrip())
    chosen = set(lattice.path)
    lines.append("edges (* on the chosen path)")
    for edge in lattice.edges:
        start, end = (f"({i},{j})" for i, j in (edge.start, edge.end))
        gold = "  gold" if edge.matched else ""
        lines.append(f"{'*' if edge in chosen else ' '} {start}-{end}  {edge_text(edge)}  {edge.cost:>5}{gold}")
    return lines


def edge_text(edge: LatticeEdge) -> str:
    """What an edge does: a word that stays, or an edit."""
    return f"{edge.original or 'ε'} → {edge.correction or 'ε'}" if edge.changes else edge.original


def lattice_svg(lattice: EditLattice, title: str) -> str:
    """The lattice as a picture: vertices from left to right, the chosen path in colour and thick.

    Edges of several steps are curves.
    """
    places = {vertex: _place(vertex) for vertex in lattice.vertices}
    lowest = min((y for _, y in places.values()), default=0)
    longest = max((sum(e.end) - sum(e.start) for e in lattice.edges), default=0)
    top = _MARGIN + longest * _RISE / 2 - lowest
    width = max((x for x, _ in places.values()), default=0) + 2 * _MARGIN
    height = top + max((y for _, y in places.values()), default=0) + _MARGIN
    chosen = set(lattice.path)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="11">',
        f"<title>{_text(title)}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
    ]
    for edge in sorted(lattice.edges, key=lambda edge: edge in chosen):
        parts += _draw_edge(edge, places, top, edge in chosen)
    for (i, j), (x, y) in places.items():
        colour = _CHOSEN if any((i, j) in (e.start, e.end) for e in chosen) else _PLAIN
        parts.append(f'<circle cx="{x + _MARGIN:g}" cy="{y + top:g}" r="{_RADIUS}" fill="{colour}"/>')
        parts.append(f'<text x="{x + _MARGIN:g}" y="{y + top + 18:g}" text-anchor="middle">{i},{j}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _place(vertex: tuple[int, int]) -> tuple[float, float]:
    """Words that stay lead to the right, insertions down and deletions up."""
    i, j = vertex
    return (i + j) * _STEP / 2, (j - i) * _RISE


def _draw_edge(
    edge: LatticeEdge, places: dict[tuple[int, int], tuple[float, float]], top: float, is_chosen: bool
) -> Iterator[str]:
    (x1, y1), (x2, y2) = places[edge.start], places[edge.end]
    steps = max(edge.end[0] - edge.start[0], edge.end[1] - edge.start[1])
    bend = (steps - 1) * _RISE / 2 if steps > 1 else 0
    x1, x2, y1, y2 = x1 + _MARGIN, x2 + _MARGIN, y1 + top, y2 + top
    middle_x, middle_y = (x1 + x2) / 2, (y1 + y2) / 2 - bend
    colour, thickness = (_CHOSEN, 3) if is_chosen else (_PLAIN, 1)
    yield (
        f'<path d="M {x1:g} {y1:g} Q {middle_x:g} {middle_y - bend:g} {x2:g} {y2:g}" fill="none" stroke="{colour}" '
        f'stroke-width="{thickness}"><title>{_text(edge_text(edge))}</title></path>'
    )
    label = f"{edge_text(edge)} ({edge.cost})"
    yield (f'<text x="{middle_x:g}" y="{middle_y - 4:g}" text-anchor="middle" fill="{colour}">{_text(label)}</text>')


def _text(text: str) -> str:
    from xml.sax.saxutils import escape  # it loads what reads the web

    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))

"""Two UCCA graphs side by side as SVG: words in the middle, aligned ones on a line, units as boxes next to them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from recte.studies.faithfulness.graph import Labels, Passage
from recte.studies.faithfulness.leaf_alignment import Behaviour, align_leaves
from recte.studies.faithfulness.unit_similarity import match_units

__all__ = ["draw_graphs"]

_ROW, _BOX, _BETWEEN, _MARGIN, _TOP = 20, 30, 70, 16, 84
_LETTER = 6.9  # the width of a letter at 12 pixels, about
_REMOTE, _CHANGED = "#5b4bb0", "#bf5a24"
_CENTRED = 'text-anchor="middle"'
_FILLS = {1: ("#cfe9d6", "#2f7d4f"), 0: ("#f9d9c6", "#bf5a24"), -1: ("#eef0f3", "#b4bcc6")}
_LEGEND = ((1, "matched in the other graph"), (0, "no match"), (-1, "not compared"))
_NAMES = {
    "A": "Participant", "C": "Center", "D": "Adverbial", "E": "Elaborator", "F": "Function", "G": "Ground",
    "H": "Parallel Scene", "L": "Linker", "N": "Connector", "P": "Process", "Q": "Quantifier", "R": "Relator",
    "S": "State", "T": "Time", "U": "Punctuation",
}  # fmt: skip


def draw_graphs(
    source: Passage,
    corrected: Passage,
    *,
    titles: tuple[str, str] = ("source", "corrected"),
    behaviour: Behaviour = "official",
    labels: Labels = "weak",
    min_terminals: int = 2,
) -> str:
    """The drawing as SVG text; units are matched as UCCASIM does officially, leaves as the behaviour says.

    >>> from recte.studies.faithfulness.graph import Terminal, Unit
    >>> passage = Passage("7", (Terminal("Yes"),), (Unit("1.1", (0,)),), ())
    >>> draw_graphs(passage, passage).startswith("<svg ")
    True
    """
    leaves = align_leaves(source, corrected, behaviour=behaviour)
    verdicts = match_units(source, corrected, leaves, labels=labels, min_terminals=min_terminals)
    rows = _rows(leaves)
    height = _TOP + (max(rows[0][-1], rows[1][-1]) + 1) * _ROW + _MARGIN
    sides = [
        _Side(passage, verdict, places, title)
        for passage, verdict, places, title in zip((source, corrected), verdicts, rows, titles, strict=True)
    ]
    legend, legend_width = _legend()
    left_edge = _MARGIN + sides[0].width
    width = max(left_edge + _BETWEEN + sides[1].width + _MARGIN, legend_width)
    body = [
        *legend,
        *sides[0].draw(at=_MARGIN, mirrored=False),
        *sides[1].draw(at=width - _MARGIN, mirrored=True),
        *_links(source, corrected, leaves, rows, (left_edge, width - _MARGIN - sides[1].width)),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
            f'viewBox="0 0 {width:.0f} {height}" font-family="Helvetica, Arial, sans-serif" font-size="12">',
            f"<title>{_text(f'{titles[0]} and {titles[1]}')}</title>",
            '<rect width="100%" height="100%" fill="white"/>',
            *body,
            "</svg>\n",
        ]
    )


def _rows(leaves: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """The line of each word on both sides: the longest run of aligned words in order shares its lines."""
    pairs = [(int(i), int(j)) for i, j in zip(*leaves.nonzero(), strict=True)]
    chain = [*_longest_increasing(pairs), leaves.shape]
    places: tuple[list[int], list[int]] = [], []
    line = 0
    for i, j in chain:
        for side, end in zip(places, (i, j), strict=True):
            side.extend(range(line, line + end - len(side)))
        line = max(line, *(side[-1] + 1 for side in places if side)) if places[0] or places[1] else 0
        for side, end, size in zip(places, (i, j), leaves.shape, strict=True):
            if end < size:
                side.append(line)
        line += 1
    return places


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(ends[at - 1] if at else -1)
        tails[at:at + 1], ends[at:at + 1] = [j], [number]  # fmt: skip
    chain, number = [], ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


class _Side:
    """One passage: its boxes from the outside in, then its words."""

    def __init__(self, passage: Passage, verdicts: NDArray[np.int8], rows: Sequence[int], title: str) -> None:
        self.passage, self.verdicts, self.rows, self.title = passage, verdicts, rows, title
        self.depths = _depths(passage)
        self.boxes = (max(self.depths) + 1) * _BOX
        self.words = max(len(t.text) for t in passage.terminals) * _LETTER + 20
        self.width = max(self.boxes + self.words, len(title) * 8.5)

    def draw(self, *, at: float, mirrored: bool) -> Iterator[str]:
        """The elements, from the outer edge `at` towards the middle."""
        sign = -1 if mirrored else 1
        anchor = "end" if mirrored else "start"
        heading = f'font-size="15" font-weight="bold" text-anchor="{anchor}"'
        yield _label(at, _TOP - 14, self.title, heading)
        for unit in sorted(range(len(self.passage.units)), key=self.depths.__getitem__):
            if not self.passage.units[unit].linkage:
                yield from self._box(unit, at, sign)
        for edge in self.passage.edges:
            if edge.remote and not edge.links:
                yield from self._remote(edge.parent, edge.child, "/".join(edge.categories), at, sign)
        inner = at + sign * (self.width - 8)
        for place, terminal in enumerate(self.passage.terminals):
            towards = "start" if mirrored else "end"
            y = self._top(place) + 14
            yield _label(inner, y, terminal.text, f'text-anchor="{towards}"')

    def _top(self, place: int) -> int:
        return _TOP + self.rows[place] * _ROW

    def _box(self, unit: int, at: float, sign: int) -> Iterator[str]:
        passage = self.passage
        fill, line = _FILLS[int(self.verdicts[unit])]
        start = self.depths[unit] * _BOX
        # A unit right above words reaches up to them.
        end = self.boxes if passage.units[unit].terminals and not passage.edges_below[unit] else start + _BOX
        x = at + start if sign > 0 else at - end
        primary = [c for e in passage.edges_above[unit] if not e.remote and not e.links for c in e.categories]
        implicit = ["∅" + c for e in passage.edges_below[unit] if passage.units[e.child].implicit for c in e.categories]
        label = "/".join(primary)
        hover = ", ".join(_NAMES.get(c, c) for c in primary) or "root"
        for first, last in self._runs(unit):
            height = last - first
            label_x = x + _BOX / 2 if sign > 0 else x + (end - start) - _BOX / 2
            yield (
                f'<g><title>{_text(f"{hover}: {passage.text_of(unit)}")}</title><rect x="{x + 1:.1f}" y="{first + 1}" '
                f'width="{end - start - 2}" height="{height - 2}" rx="3" fill="{fill}" stroke="{line}"/>'
                f"{_label(label_x, (first + last) / 2 + 4, label, _CENTRED)}</g>"
            )
            if implicit and height >= 2 * _ROW:
                yield _label(label_x, last - 6, " ".join(implicit), f'{_CENTRED} font-size="9"')
                implicit = []

    def _runs(self, unit: int) -> list[tuple[int, int]]:
        """Top and bottom of each stretch of words in a row."""
        places = self.passage.yields[unit].nonzero()[0].tolist()
        if not places:
            return []
        breaks = [0, *(n for n, (a, b) in enumerate(pairwise(places), 1) if b != a + 1), len(places)]
        return [(self._top(places[a]), self._top(places[b - 1]) + _ROW) for a, b in pairwise(breaks)]

    def _remote(self, parent: int, child: int, label: str, at: float, sign: int) -> Iterator[str]:
        """A dashed line from a unit to one that takes part in it from elsewhere."""
        ends = [self._runs(unit)[:1] for unit in (parent, child)]
        if not (ends[0] and ends[1]):
            return
        y1, y2 = ((top + bottom) / 2 for ((top, bottom),) in ends)
        # From the outer edge of the one box to that of the other, bent outwards.
        x1, x2 = (at + sign * (self.depths[unit] * _BOX + 3) for unit in (parent, child))
        bend = min(x1, x2) - 18 if sign > 0 else max(x1, x2) + 18
        yield (
            f'<path d="M {x1:.1f} {y1:.1f} C {bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}" '
            f'fill="none" stroke="{_REMOTE}" stroke-dasharray="4 3"><title>{_text(f"remote {label}")}</title></path>'
            f'<circle cx="{x2:.1f}" cy="{y2:.1f}" r="2.5" fill="{_REMOTE}"/>'
        )
        halo = f'{_CENTRED} font-size="10" fill="{_REMOTE}" stroke="white" stroke-width="3" paint-order="stroke"'
        yield _label((x1 + x2 + 6 * bend) / 8, (y1 + y2) / 2 + 4, label, halo)


def _depths(passage: Passage) -> list[int]:
    depths = [0] * len(passage.units)
    waiting = [0]
    while waiting:
        unit = waiting.pop()
        for edge in passage.edges_below[unit]:
            if not edge.remote and not edge.links and depths[edge.child] <= depths[unit]:
                depths[edge.child] = depths[unit] + 1
                waiting.append(edge.child)
    return depths


def _links(
    source: Passage,
    corrected: Passage,
    leaves: NDArray[np.bool_],
    rows: tuple[list[int], list[int]],
    ends: tuple[float, float],
) -> Iterator[str]:
    for i, j in zip(*leaves.nonzero(), strict=True):
        same = source.terminals[i].text == corrected.terminals[j].text
        look = 'stroke="#c3cad2"' if same else f'stroke="{_CHANGED}" stroke-width="1.6"'
        y1, y2 = (_TOP + rows[side][place] * _ROW + 10 for side, place in ((0, i), (1, j)))
        yield f'<line x1="{ends[0]:.1f}" y1="{y1}" x2="{ends[1]:.1f}" y2="{y2}" {look}/>'


def _legend() -> tuple[list[str], float]:
    """What colours and lines mean, and how wide that is."""
    x = float(_MARGIN)
    drawn = []
    for verdict, meaning in _LEGEND:
        fill, line = _FILLS[verdict]
        drawn.append(f'<rect x="{x:.1f}" y="14" width="14" height="14" rx="3" fill="{fill}" stroke="{line}"/>')
        drawn.append(_label(x + 20, 25.5, meaning))
        x += 38 + len(meaning) * 6
    for dash, colour, meaning in (("4 3", _REMOTE, "remote"), ("", _CHANGED, "word changed")):
        look = f'stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dash}"'
        drawn.append(f'<line x1="{x:.1f}" y1="21" x2="{x + 18:.1f}" y2="21" {look}/>')
        drawn.append(_label(x + 24, 25.5, meaning))
        x += 42 + len(meaning) * 6
    return drawn, x


def _label(x: float, y: float, text: str, look: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{_text(text)}</text>'


def _text(text: str) -> str:
    return escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text))

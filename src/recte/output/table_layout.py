"""A table laid out in aligned columns, for a terminal or a pipe: which text stands where, and in which style."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Literal, NamedTuple

from recte.output.tables import Table

__all__ = ["Line", "Piece", "laid_out", "printed_width", "to_text"]

Style = Literal["plain", "title", "header", "best", "note"]
_GAP, _GROUP_GAP = 2, 3
_NARROWEST = 12  # a column of words is not made narrower


class Piece(NamedTuple):
    """A stretch of a line in one style."""

    text: str
    style: Style


Line = list[Piece]


def to_text(table: Table) -> str:
    """Aligned columns as plain text, lines as long as they must be."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in laid_out(table))


def laid_out(table: Table, width: int | None = None, *, ruled: bool = False) -> list[Line]:
    """Title, headers, rows and notes as lines; `ruled` is for a terminal, with a line below the headers.

    Where the table is wider than `width`, columns of words are broken; then columns that belong together go below
    the others, with the first column again before them.
    """
    lines: list[Line] = [[Piece(table.title, "title")]]
    for number, block in enumerate(_blocks(table, width)):
        lines += [[]] if number else []
        lines += _grid(block, width, ruled)
    notes = table.bold_notes if ruled else table.notes
    lines += [[]] if ruled and notes else []
    return [*lines, *([Piece(note, "note")] for note in notes)]


def _blocks(table: Table, width: int | None) -> list[Table]:
    """The table, or as many pieces of it as are needed to fit the width."""
    if width is None or _total(table) <= width or table.words:
        return [table]
    blocks: list[list[int]] = []
    for part in table.parts():
        longer = [*(blocks[-1] if blocks else [0]), *part]
        if blocks and _total(table.only(longer)) <= width:
            blocks[-1] = longer
        else:
            blocks.append([0, *part])
    return [table.only(columns) for columns in blocks]


def _grid(table: Table, width: int | None, ruled: bool) -> list[Line]:
    texts = _texts(table)
    widths = _widths(table)
    if table.words and width is not None:
        widths = _narrowed(table, widths, width)
    gaps = _gaps(table)
    lines: list[Line] = []
    if any(name for name, _ in table.groups):
        lines.append(_group_line(table, widths, gaps))

    def cells(row: Sequence[str], styles: Sequence[Style]) -> list[Line]:
        wrapped = [
            [cell] if c < len(row) - table.words else wrap(cell, widths[c]) or [""] for c, cell in enumerate(row)
        ]
        return [
            [
                Piece(" " * gaps[c] + _aligned(text, widths[c], right=table.is_figure(c)), styles[c])
                for c, text in enumerate(parts)
            ]
            for parts in zip_longest(*wrapped, fillvalue="")
        ]

    lines += cells(texts[0], ["header"] * len(widths))
    if ruled:
        lines.append([Piece("─" * (sum(widths) + sum(gaps)), "header")])
    for r, row in enumerate(texts[1:]):
        lines += cells(row, ["best" if (r, c) in table.best else "plain" for c in range(len(row))])
    return lines


def _group_line(table: Table, widths: Sequence[int], gaps: Sequence[int]) -> Line:
    pieces, column = [], 0
    for name, span in table.groups:
        inside = sum(widths[column : column + span]) + sum(gaps[column + 1 : column + span])
        free = inside - printed_width(name)
        centred = f"{' ' * (free - free // 2)}{name}{' ' * (free // 2)}"
        pieces.append(Piece(" " * gaps[column] + centred, "header"))
        column += span
    return pieces


def _texts(table: Table) -> list[tuple[str, ...]]:
    """Headers and cells, with marks behind them and as much room where others of their column have one."""
    room = {c: max(printed_width(m) for (_, k), m in table.marks.items() if k == c) for _, c in table.marks}

    def marked(r: int, row: Sequence[str]) -> tuple[str, ...]:
        return tuple(cell + _aligned(table.marks.get((r, c), ""), room.get(c, 0)) for c, cell in enumerate(row))

    return [marked(-1, table.headers), *(marked(r, row) for r, row in enumerate(table.rows))]


def _widths(table: Table) -> list[int]:
    texts = _texts(table)
    widths = [max(printed_width(row[c]) for row in texts) for c in range(len(table.headers))]
    gaps, column = _gaps(table), 0
    for name, span in table.groups:  # a long name widens the first column below it
        inside = sum(widths[column : column + span]) + sum(gaps[column + 1 : column + span])
        widths[column] += max(0, printed_width(name) - inside)
        column += span
    return widths


def _gaps(table: Table) -> list[int]:
    """The room before each column."""
    starts, column = set(), 0
    for _, span in table.groups:
        starts.add(column)
        column += span
    return [0, *(_GROUP_GAP if c in starts else _GAP for c in range(1, len(table.headers)))]


def _total(table: Table) -> int:
    return sum(_widths(table)) + sum(_gaps(table))


def _narrowed(table: Table, widths: Sequence[int], width: int) -> list[int]:
    """Widths in which columns of words share what room the others leave, each by its need."""
    first = len(widths) - table.words
    free = width - sum(widths[:first]) - sum(_gaps(table))
    needs = widths[first:]
    if sum(needs) <= free:
        return list(widths)
    return [*widths[:first], *(max(_NARROWEST, min(need, free * need // sum(needs))) for need in needs)]


def _aligned(text: str, width: int, *, right: bool = False) -> str:
    blank = " " * max(0, width - printed_width(text))
    return blank + text if right else text + blank


def printed_width(text: str) -> int:
    """How many columns of a terminal the text takes: two for a Chinese character, none for an accent of its own.

    >>> printed_width("鹤"), printed_width("crane")
    (2, 5)
    """
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)

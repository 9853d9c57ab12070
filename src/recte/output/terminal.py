"""Printing for people: colour and rulers in a terminal, plain text in a pipe.

A table laid out in aligned columns, for a terminal or a pipe: which text stands where, and in which style.
"""

from __future__ import annotations

import os
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Literal, NamedTuple, TextIO

from recte.messages import Stage, is_quiet, progress_listener, report
from recte.output.tables import Table, csv_lines, markdown_lines, to_latex

__all__ = [
    "TABLE_FORMATS",
    "Line",
    "Piece",
    "ProgressDisplay",
    "is_terminal",
    "laid_out",
    "print_lines",
    "print_table",
    "print_tables",
    "progress_bar",
    "progress_line",
    "terminal_width",
    "to_text",
]

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
    return "\n".join(_text_lines(table))


def _text_lines(table: Table) -> Iterator[str]:
    return ("".join(piece.text for piece in line).rstrip() for line in laid_out(table))


def laid_out(table: Table, width: int | None = None, *, ruled: bool = False) -> Iterator[Line]:
    """Title, headers, rows and notes as lines; `ruled` is for a terminal, with a line below the headers.

    Where the table is wider than `width`, columns of words are broken; then columns that belong together go below
    the others, with the first column again before them.
    """
    yield [Piece(table.title, "title")]
    for number, block in enumerate(_blocks(table, width)):
        if number:
            yield []
        yield from _grid(block, width, ruled)
    notes = table.bold_notes if ruled else table.notes
    if ruled and notes:
        yield []
    for note in notes:
        yield [Piece(note, "note")]


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


def _grid(table: Table, width: int | None, ruled: bool) -> Iterator[Line]:
    widths = _widths(table)
    if table.words and width is not None:
        widths = _narrow(table, widths, width)
    gaps = _gaps(table)
    if any(name for name, _ in table.groups):
        yield _group_line(table, widths, gaps)

    def cells(row: Sequence[str], styles: Sequence[Style]) -> Iterator[Line]:
        wrapped = [
            [cell] if c < len(row) - table.words else wrap(cell, widths[c]) or [""] for c, cell in enumerate(row)
        ]
        for parts in zip_longest(*wrapped, fillvalue=""):
            yield [
                Piece(" " * gaps[c] + _align(text, widths[c], right=table.is_figure(c)), styles[c])
                for c, text in enumerate(parts)
            ]

    texts = _texts(table)
    yield from cells(next(texts), ["header"] * len(widths))
    if ruled:
        yield [Piece("─" * (sum(widths) + sum(gaps)), "header")]
    for r, row in enumerate(texts):
        yield from cells(row, ["best" if (r, c) in table.best else "plain" for c in range(len(row))])


def _group_line(table: Table, widths: Sequence[int], gaps: Sequence[int]) -> Line:
    pieces, column = [], 0
    for name, span in table.groups:
        inside = sum(widths[column : column + span]) + sum(gaps[column + 1 : column + span])
        free = inside - terminal_width(name)
        centred = f"{' ' * (free - free // 2)}{name}{' ' * (free // 2)}"
        pieces.append(Piece(" " * gaps[column] + centred, "header"))
        column += span
    return pieces


def _texts(table: Table) -> Iterator[tuple[str, ...]]:
    """Headers and cells, with marks behind them and as much space where others of their column have one."""
    widths = {c: max(terminal_width(m) for (_, k), m in table.marks.items() if k == c) for _, c in table.marks}

    def mark_row(r: int, row: Sequence[str]) -> tuple[str, ...]:
        return tuple(cell + _align(table.marks.get((r, c), ""), widths.get(c, 0)) for c, cell in enumerate(row))

    yield mark_row(-1, table.headers)
    yield from (mark_row(r, row) for r, row in enumerate(table.rows)) if table.marks else table.rows


def _widths(table: Table) -> list[int]:
    widths = [0] * len(table.headers)
    for row in _texts(table):
        widths = [max(width, terminal_width(cell)) for width, cell in zip(widths, row, strict=True)]
    gaps, column = _gaps(table), 0
    for name, span in table.groups:  # a long name widens the first column below it
        inside = sum(widths[column : column + span]) + sum(gaps[column + 1 : column + span])
        widths[column] += max(0, terminal_width(name) - inside)
        column += span
    return widths


def _gaps(table: Table) -> list[int]:
    """The space before each column."""
    starts, column = set(), 0
    for _, span in table.groups:
        starts.add(column)
        column += span
    return [0, *(_GROUP_GAP if c in starts else _GAP for c in range(1, len(table.headers)))]


def _total(table: Table) -> int:
    return sum(_widths(table)) + sum(_gaps(table))


def _narrow(table: Table, widths: Sequence[int], width: int) -> list[int]:
    """Widths in which columns of words share what space the others leave, each by its need."""
    first = len(widths) - table.words
    free = width - sum(widths[:first]) - sum(_gaps(table))
    needs = widths[first:]
    if sum(needs) <= free:
        return list(widths)
    return [*widths[:first], *(max(_NARROWEST, min(need, free * need // sum(needs))) for need in needs)]


def _align(text: str, width: int, *, right: bool = False) -> str:
    blank = " " * max(0, width - terminal_width(text))
    return blank + text if right else text + blank


def terminal_width(text: str) -> int:
    """How many columns of a terminal the text takes: two for a Chinese character, none for an accent of its own.

    >>> terminal_width("鹤"), terminal_width("crane")
    (2, 5)
    """
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


_LINES: dict[str, Callable[[Table], Iterable[str]]] = {
    "latex": lambda table: [to_latex(table)],
    "csv": csv_lines,
    "markdown": markdown_lines,
}
TABLE_FORMATS = ("text", *_LINES)
_STYLES = {"plain": "", "title": "italic", "header": "dim", "best": "bold green", "note": "dim"}
_SECONDS_A_LINE = 30


def is_terminal(stream: TextIO | None) -> bool:
    """Whether to use colour and rulers; NO_COLOR and a dumb terminal say no, and a stream that is closed is None."""
    if stream is None:
        return False
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_table(table: Table, stream: TextIO | None = None) -> None:
    """Lay the table out as wide as the terminal, the best figures in bold, or print it plainly where none looks on."""
    stream = sys.stdout if stream is None else stream
    if not is_terminal(stream):
        print_lines(_text_lines(table), stream)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream)
    for line in laid_out(table, console.width, ruled=True):
        styled = Text.assemble(*((piece.text, _STYLES[piece.style]) for piece in line))
        styled.rstrip()
        console.print(styled, soft_wrap=True)


def print_tables(tables: Sequence[Table], format: str = "text") -> None:
    """Tables one after another, an empty line between them, in one of the `TABLE_FORMATS`."""
    for number, table in enumerate(tables):
        if number:
            print()
        if format == "text":
            print_table(table)
        else:
            print_lines(_LINES[format](table))


def print_lines(lines: Iterable[str], stream: TextIO | None = None) -> None:
    """Print each line as it is made."""
    for line in lines:
        print(line, file=stream)


class ProgressDisplay:
    """Tells how far long work is: called with how many more are done. `expect` says how many there are."""

    def __call__(self, advance: int) -> None:
        """So many more are done."""

    def expect(self, total: int) -> None:
        """So many there are."""


class _Bar(ProgressDisplay):
    def __init__(self, progress: Any, task: Any) -> None:
        self._progress, self._task = progress, task
        self._stages: dict[str, Any] = {}

    def __call__(self, advance: int) -> None:
        self._progress.advance(self._task, advance)

    def expect(self, total: int) -> None:
        self._progress.update(self._task, total=total)

    def stage(self, stage: Stage) -> None:
        """A line of its own for what takes long inside the work, as long as it lasts."""
        if stage.title not in self._stages:
            self._stages[stage.title] = self._progress.add_task(stage.title, total=stage.total)
        self._progress.update(self._stages[stage.title], completed=stage.done, total=stage.total)
        if stage.done >= stage.total:
            self._progress.remove_task(self._stages.pop(stage.title))


class _Lines(ProgressDisplay):
    """A line now and then, for logs of runs that take hours."""

    def __init__(self, what: str) -> None:
        self._what, self._done, self._total = what, 0, 0
        self._begin = self._told = time.monotonic()

    def __call__(self, advance: int) -> None:
        self._done += advance
        now = time.monotonic()
        if now - self._told >= _SECONDS_A_LINE:
            self._told = now
            report(progress_line(self._what, self._done, self._total, now - self._begin))

    def expect(self, total: int) -> None:
        self._total = total


def progress_line(what: str, done: int, total: int, seconds: float) -> str:
    """How far it is, how fast it goes, and how long it will take.

    >>> progress_line("sentences", 1000, 4000, 10.0)
    '1,000 of 4,000 sentences, 100 per second, 0:00:30 left'
    """
    rate = done / seconds if seconds else 0.0
    left = f", {timedelta(seconds=round((total - done) / rate))} left" if rate and total >= done else ""
    return f"{done:,}{f' of {total:,}' if total else ''} {what}, {rate:,.0f} per second{left}"


@contextmanager
def progress_bar(
    description: str,
    *,
    total: Callable[[], int | None] = lambda: None,
    lines: bool = False,
) -> Iterator[ProgressDisplay]:
    """A bar on standard error while long work runs, with its rate and the time left where `total` knows how much there
    is. Nothing with `--quiet`; outside a terminal nothing either, or with `lines` a line now and then.
    """
    if is_quiet() or not is_terminal(sys.stderr):
        yield _Lines(description) if lines and not is_quiet() else ProgressDisplay()
        return
    from rich import progress as rich_progress
    from rich.console import Console

    class Rate(rich_progress.ProgressColumn):
        def render(self, task: rich_progress.Task) -> str:
            return f"{task.speed:,.0f}/s" if task.speed else ""

    columns = (
        rich_progress.SpinnerColumn(),
        rich_progress.TextColumn("{task.description}"),
        rich_progress.MofNCompleteColumn(),
        Rate(),
        rich_progress.TimeElapsedColumn(),
        rich_progress.TimeRemainingColumn(),
    )
    with rich_progress.Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        bar = _Bar(progress, progress.add_task(description, total=total()))
        with progress_listener(bar.stage):
            yield bar

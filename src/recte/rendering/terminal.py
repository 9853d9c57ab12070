"""Printing for people: colour and rulers in a terminal, plain text in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from recte.rendering.table_layout import laid_out, to_text
from recte.rendering.tables import Table, to_csv, to_latex, to_markdown

__all__ = ["TABLE_FORMATS", "is_terminal", "print_table", "print_tables", "progress_bar"]

_RENDERERS: dict[str, Callable[[Table], str]] = {"latex": to_latex, "csv": to_csv, "markdown": to_markdown}
TABLE_FORMATS = ("text", *_RENDERERS)
_STYLES = {"plain": "", "title": "italic", "header": "dim", "best": "bold green", "note": "dim"}


def is_terminal(stream: TextIO | None) -> bool:
    """Whether to use colour and rulers; NO_COLOR and a dumb terminal say no, and a stream that is closed is None."""
    if stream is None:
        return False
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_table(table: Table, stream: TextIO | None = None) -> None:
    """Lay the table out as wide as the terminal, the best figures in bold, or print it plainly where none looks on."""
    stream = sys.stdout if stream is None else stream
    if not is_terminal(stream):
        print(to_text(table), file=stream)
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
            print(_RENDERERS[format](table))


@contextmanager
def progress_bar(description: str, *, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while long work runs, in a terminal only. Yields a function to advance it."""
    if quiet or not is_terminal(sys.stderr):
        yield lambda advance: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(description, total=None)
        yield lambda advance: progress.advance(task, advance)

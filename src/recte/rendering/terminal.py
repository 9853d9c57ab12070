"""Printing for people: colour and rulers in a terminal, plain text in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from recte.rendering.tables import Table, to_csv, to_latex, to_markdown, to_text

__all__ = ["TABLE_FORMATS", "is_terminal", "print_table", "print_tables", "progress_bar"]

_RENDERERS: dict[str, Callable[[Table], str]] = {"latex": to_latex, "csv": to_csv, "markdown": to_markdown}
TABLE_FORMATS = ("text", *_RENDERERS)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether to use colour and rulers; NO_COLOR and a dumb terminal say no, and a stream that is closed is None."""
    if stream is None:
        return False
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_table(table: Table, stream: TextIO | None = None) -> None:
    """Draw the table, the best figures in bold, or print it plainly where nobody looks at a terminal."""
    stream = sys.stdout if stream is None else stream
    if not is_terminal(stream):
        print(to_text(table), file=stream)
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(file=stream)
    drawn = RichTable(title=Text(table.title), title_justify="left", box=box.SIMPLE_HEAD, header_style="dim")
    for c, header in enumerate(table.headers):
        words = c >= len(table.headers) - table.words
        drawn.add_column(Text(header), justify="right" if table.is_figure(c) else "left", no_wrap=not words)
    for r, row in enumerate(table.rows):
        drawn.add_row(*(Text(cell, "bold green" if (r, c) in table.best else "") for c, cell in enumerate(row)))
    console.print(drawn)
    for note in table.notes:
        console.print(Text(note, "dim"), soft_wrap=True)


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

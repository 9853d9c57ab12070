"""Printing for people: colour and rulers in a terminal, plain text in a pipe."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TextIO

from recte.messages import Stage, is_quiet, progress_listener, report
from recte.output.table_layout import laid_out, to_text
from recte.output.tables import Table, to_csv, to_latex, to_markdown

__all__ = [
    "TABLE_FORMATS",
    "ProgressDisplay",
    "is_terminal",
    "print_table",
    "print_tables",
    "progress_bar",
    "progress_line",
]

_RENDERERS: dict[str, Callable[[Table], str]] = {"latex": to_latex, "csv": to_csv, "markdown": to_markdown}
TABLE_FORMATS = ("text", *_RENDERERS)
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

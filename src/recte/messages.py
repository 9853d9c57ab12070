"""Warnings, notes and progress of a run, and the lines on standard error that the command line makes of them.

Code that works calls `warn`, `note`, `report` or `Progress.advance`, and need not know whether anybody listens. The
command line listens by `standard_error`; a program listens by `message_listener` and `progress_listener`.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple

from recte.text.printable_text import visible

__all__ = [
    "Message",
    "Progress",
    "Stage",
    "is_quiet",
    "message_listener",
    "note",
    "progress_listener",
    "report",
    "standard_error",
    "warn",
    "write_line",
]


class Message(NamedTuple):
    """One line. Of messages about the same subject the last alone counts, at the end of the run."""

    text: str
    kind: Literal["note", "warning", "report"]
    subject: str = ""


class Stage(NamedTuple):
    """So much of some work is done, and so many seconds have passed.

    >>> print(Stage("reading", 30, 120, 10.0))
    reading: 30 of 120, 3.0/s, 30 s left
    """

    title: str
    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Things done per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        text = f"{self.title}: {self.done:,} of {self.total:,}"
        if not self.rate:
            return text
        left = (self.total - self.done) / self.rate
        return f"{text}, {self.rate:,.1f}/s, {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


_message_listener: ContextVar[Callable[[Message], None] | None] = ContextVar("message_listener", default=None)
_progress_listener: ContextVar[Callable[[Stage], None] | None] = ContextVar("progress_listener", default=None)
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def message_listener(listener: Callable[[Message], None]) -> Iterator[None]:
    """Inside the block, `listener` is called with every message.

    >>> with message_listener(lambda message: print(message.text)):
    ...     note("12 requests", subject="cost")
    12 requests
    """
    token = _message_listener.set(listener)
    try:
        yield
    finally:
        _message_listener.reset(token)


@contextmanager
def progress_listener(listener: Callable[[Stage], None]) -> Iterator[None]:
    """Inside the block, `listener` is called whenever some work has come further.

    >>> with progress_listener(lambda stage: print(stage.done)):
    ...     Progress("reading", 2).advance(2)
    2
    """
    token = _progress_listener.set(listener)
    try:
        yield
    finally:
        _progress_listener.reset(token)


def warn(text: str, subject: str = "") -> None:
    """Warn of something that may be wrong; without a listener this is a warning of Python's."""
    if not _send(Message(text, "warning", subject)):
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def note(text: str, subject: str = "") -> None:
    """Say what a reader should know with the result, such as what was left out; without a listener it is lost."""
    _send(Message(text, "note", subject))


def report(text: str) -> None:
    """Say what is done or was written; `--quiet` does not hide it. Without a listener it is lost."""
    _send(Message(text, "report"))


def _send(message: Message) -> bool:
    """Call the listener; whether there is one."""
    listener = _message_listener.get()
    if listener is None:
        return False
    listener(message)
    return True


class Progress:
    """Some work of known size, which tells the listener how far it is."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.done, self.started = title, total, 0, time.monotonic()

    def advance(self, count: int) -> None:
        self.done += count
        listener = _progress_listener.get()
        if listener is not None:
            listener(Stage(self.title, self.done, self.total, time.monotonic() - self.started))


@contextmanager
def standard_error(*, quiet: bool = False) -> Iterator[None]:
    """Inside the block, messages are lines on standard error; those about a subject come at its end, however it ends.

    `quiet` leaves out warnings and notes.
    """
    last: dict[str, Message] = {}

    def show(message: Message) -> None:
        if quiet and message.kind != "report":
            return
        if message.subject:
            last[message.subject] = message
        else:
            write_line(_as_line(message))

    token = _quiet.set(quiet)
    try:
        with message_listener(show):
            yield
    finally:
        _quiet.reset(token)
        for message in last.values():
            write_line(_as_line(message))


def is_quiet() -> bool:
    """Whether the user wants neither progress nor notes."""
    return _quiet.get()


def _as_line(message: Message) -> str:
    return message.text if message.kind == "report" else f"{message.kind}: {message.text}"


def write_line(text: str, *, prefix: str = "recte: ") -> None:
    """Write one line to standard error; raises OSError where it cannot be written."""
    print(f"{prefix}{visible(text)}", file=sys.stderr, flush=True)

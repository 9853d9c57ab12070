"""What a run has to say beside its result: what it cost, what was not kept. Who works need not know who listens."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple

__all__ = ["Notice", "heard_by", "tell"]


class Notice(NamedTuple):
    """One line; a later one `about` the same thing takes its place."""

    about: str
    text: str
    kind: Literal["note", "warning"]


_listener: ContextVar[Callable[[Notice], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listen: Callable[[Notice], None]) -> Iterator[None]:
    """While this lasts, `listen` is called with every notice.

    >>> with heard_by(lambda notice: print(notice.text)):
    ...     tell("cost", "12 requests")
    12 requests
    """
    token = _listener.set(listen)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(about: str, text: str, kind: Literal["note", "warning"] = "note") -> None:
    """Say it to whoever listens; where nobody does, a warning is one of Python's, and a note is lost."""
    listen = _listener.get()
    if listen is not None:
        listen(Notice(about, text, kind))
    elif kind == "warning":
        warnings.warn(text, RuntimeWarning, stacklevel=2)

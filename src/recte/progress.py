"""How far long work has come, for whoever wants to show it; whoever works need not know who looks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

__all__ = ["Progress", "Stage", "watched_by"]


@dataclass(frozen=True)
class Stage:
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
        said = f"{self.title}: {self.done:,} of {self.total:,}"
        if not self.rate:
            return said
        left = (self.total - self.done) / self.rate
        return f"{said}, {self.rate:,.1f}/s, {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


_watcher: ContextVar[Callable[[Stage], None] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(look: Callable[[Stage], None]) -> Iterator[None]:
    """While this lasts, `look` is called whenever some work has come further.

    >>> with watched_by(lambda stage: print(stage.done)):
    ...     Progress("reading", 2).advance(2)
    2
    """
    token = _watcher.set(look)
    try:
        yield
    finally:
        _watcher.reset(token)


@dataclass
class Progress:
    """Some work of known size; tells the watcher, if there is one, how far it is."""

    title: str
    total: int
    done: int = 0
    started: float = field(default_factory=time.monotonic)

    def advance(self, count: int) -> None:
        self.done += count
        look = _watcher.get()
        if look is not None:
            look(Stage(self.title, self.done, self.total, time.monotonic() - self.started))

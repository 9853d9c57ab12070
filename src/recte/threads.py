"""How many threads a kernel may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from recte.errors import OptionError

__all__ = ["at_most_threads", "thread_count"]

_MANY = 1024
_MOST: ContextVar[int | None] = ContextVar("most", default=None)


@contextmanager
def at_most_threads(count: int) -> Iterator[None]:
    """Let kernels use no more threads than this, unless RECTE_THREADS says another number: others use the cores.

    >>> with at_most_threads(1):
    ...     thread_count(100)
    1
    """
    token = _MOST.set(count)
    try:
        yield
    finally:
        _MOST.reset(token)


def thread_count(items: int) -> int:
    """All cores this process may use, or RECTE_THREADS; never more than there are items.

    A kernel starts them only if its work proves long, so a handful of short sentences costs no thread.
    """
    wanted = os.environ.get("RECTE_THREADS", "")
    if wanted and (not wanted.isdecimal() or not 1 <= int(wanted) <= _MANY):
        raise OptionError(f"RECTE_THREADS: expected a number from 1 to {_MANY}, got {wanted[:40]!r}")
    if wanted:
        return max(1, min(items, int(wanted)))
    cores = _MOST.get() or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    return max(1, min(items, cores, _MANY))

"""How many threads a kernel may use."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from recte.errors import OptionError

__all__ = ["at_most_threads", "thread_count"]

_MANY = 1024
T = TypeVar("T")
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
    setting = os.environ.get("RECTE_THREADS", "")
    if setting and (not setting.isdecimal() or len(setting) > 9 or not 1 <= int(setting) <= _MANY):
        raise OptionError(f"RECTE_THREADS: expected a number from 1 to {_MANY}, got {setting[:40]!r}")
    if setting:
        return max(1, min(items, int(setting)))
    cores = _MOST.get() or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    return max(1, min(items, cores, _MANY))


def call_within(seconds: float, function: Callable[[], T]) -> T:
    """What the function returns or raises; a TimeoutError where that takes longer, and the call goes on unheeded.

    A socket's own limit is for one read: a server that sends a byte now and then is never too late for it.

    >>> call_within(5.0, lambda: 1 + 1)
    2
    """
    from concurrent.futures import Future  # loads logging
    from concurrent.futures import TimeoutError as FutureTimeoutError

    outcome: Future[T] = Future()

    def call() -> None:
        try:
            outcome.set_result(function())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=call, daemon=True).start()
    try:
        return outcome.result(seconds)
    except FutureTimeoutError:
        raise TimeoutError("timed out") from None

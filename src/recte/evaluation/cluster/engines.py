"""What runs tasks: the interface to Dask, or to what takes its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

__all__ = ["Engine", "SerialEngine"]


class Engine(Protocol):
    """Runs functions somewhere. All that counting and scoring ask of a cluster.

    `submit` hands a function over and returns a task; arguments may be tasks, whose results the function then gets,
    without them passing through here. `as_finished` gives tasks with their results as they come. A task that nobody
    refers to any more may be forgotten. Tasks may run more than once: they only read, and write whole files. `workers`
    is how many can run at once.
    """

    @property
    def workers(self) -> int: ...
    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any: ...
    def as_finished(self, tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]: ...


class _Done:
    """A task whose result is there."""

    def __init__(self, result: Any) -> None:
        self.result = result


class SerialEngine:
    """Runs every task in this process, at once: the plainest engine there is.

    >>> engine = SerialEngine()
    >>> three = engine.submit(len, "abc")
    >>> [result for _, result in engine.as_finished([engine.submit(max, three, 2)])]
    [3]
    """

    workers = 1

    def submit(self, function: Callable[..., Any], *arguments: Any) -> _Done:
        return _Done(function(*(a.result if isinstance(a, _Done) else a for a in arguments)))

    def as_finished(self, tasks: Sequence[_Done]) -> Iterator[tuple[_Done, Any]]:
        for task in tasks:
            yield task, task.result

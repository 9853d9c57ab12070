"""Tasks on Dask's workers."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from recte._version import __version__
from recte.errors import InputError, OptionError
from recte.extras import optional
from recte.files import open_bytes
from recte.messages import report

__all__ = ["DaskEngine", "connect"]

_PURPOSE = "running on a cluster"
_RETRIES = 2  # of a task that fails for another reason than its input
_SCHEDULER_FILE = ".json"
_WAITING_LINE = 30  # seconds after which the line that says what is waited for comes again


class DaskEngine:
    """Runs tasks on the workers of a `distributed.Client`.

    A task whose worker dies is run again elsewhere, and so is a finished one whose result was lost with its worker.
    """

    def __init__(self, client: Any) -> None:
        self._distributed = optional("distributed", extra="cluster", purpose=_PURPOSE)
        self.client = client

    @property
    def workers(self) -> int:
        return max(1, len(self.client.nthreads()))

    @property
    def dashboard(self) -> str:
        """Where a browser shows what the workers do; its pages need bokeh where the scheduler runs."""
        return str(self.client.dashboard_link)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        named = getattr(arguments[0], "name", "") if arguments else ""  # a part, which messages then name
        key = f"{function.__name__}-{named}-{uuid4().hex}" if named else None
        return self.client.submit(function, *arguments, key=key, pure=False, retries=_RETRIES)

    def as_finished(self, tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        coming = self._distributed.as_completed(tasks)
        del tasks  # what the caller forgets, workers may
        for task in coming:
            try:
                result = task.result()
            except self._distributed.KilledWorker as error:
                function, _, named = str(error.task).rpartition("-")[0].partition("-")
                raise InputError(
                    f"cluster: workers died one after the other on {function} {named}: too little memory?"
                ) from None
            yield task, result


@contextmanager
def connect(address: str, *, timeout: str = "30s") -> Iterator[DaskEngine]:
    """The engine of a scheduler's address, of the file that `dask scheduler --scheduler-file` wrote, or of workers of
    this machine: `local`, `local:4`.

    A worker has one thread: a kernel that uses more would take the cores of others. `timeout` is how long to wait for a
    scheduler. A scheduler without workers is waited for.
    """
    distributed = optional("distributed", extra="cluster", purpose=_PURPOSE)
    name, colon, number = address.partition(":")
    if name != "local":
        if address.endswith(_SCHEDULER_FILE):
            address = _scheduler_address(address)
        try:
            client = distributed.Client(address, timeout=timeout)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise OptionError(f"cluster: no scheduler at {address}: {reason}") from None
        with client:
            engine = DaskEngine(client)
            _wait_for_workers(engine, address)
            _check_versions(client)
            yield engine
        return
    if colon and not (number.isdecimal() and 1 <= int(number) <= 1024):
        expected = "expected local, local:N with N from 1 to 1024, a scheduler's address, or its file"
        raise OptionError(f"cluster: {expected}, got {address!r}")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a lost worker is no news: its tasks run again
    workers = int(number) if colon else None
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield DaskEngine(client)


def _scheduler_address(path: str) -> str:
    """The address in a file that a scheduler wrote."""
    try:
        with open_bytes(path) as stream:
            return str(json.loads(stream.read())["address"])
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise OptionError(f"cluster: {error}; dask scheduler --scheduler-file {path} writes it") from None
        raise OptionError(f"cluster: {path}: expected a file that dask scheduler --scheduler-file wrote") from None


def _wait_for_workers(engine: DaskEngine, address: str) -> None:
    """Return when the scheduler has a worker; say now and then that none has come."""
    next_line = 0.0
    while not engine.client.nthreads():
        if time.monotonic() >= next_line:
            next_line = time.monotonic() + _WAITING_LINE
            report(f"waiting for workers: the scheduler at {address} has 0 (dask worker {address} starts one)")
        time.sleep(0.1)


def _version() -> str:
    return __version__


def _check_versions(client: Any) -> None:
    """Refuse workers that might count otherwise."""
    try:
        versions = set(client.run(_version).values())
    except Exception as error:  # whatever a worker without recte raises when it is asked
        raise OptionError(f"cluster: workers cannot run recte: {' '.join(str(error).split())}") from None
    other = sorted(versions - {__version__})
    if other:
        raise OptionError(f"cluster: expected recte {__version__} on every worker, got {', '.join(other)}")

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
_LONGEST_ANSWER = 120  # seconds that a scheduler has for an answer, which takes it milliseconds
_POLL = 0.01  # seconds between looks for finished tasks


class DaskEngine:
    """Runs tasks on the workers of a `distributed.Client`.

    A task whose worker dies is run again elsewhere, and so is a finished one whose result was lost with its worker.
    Where nothing finishes, the scheduler is asked for its workers: that there are none is said, and a scheduler that is
    gone or does not answer ends the run.
    """

    def __init__(self, client: Any) -> None:
        self._distributed = optional("distributed", extra="cluster", purpose=_PURPOSE)
        self.client = client
        self._address = client.scheduler.address

    @property
    def workers(self) -> int:
        return max(1, self._count_workers())

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
        next_look = time.monotonic() + _WAITING_LINE
        while not coming.is_empty():
            if not coming.has_ready():
                if time.monotonic() >= next_look:
                    self._report_no_workers()
                    next_look = time.monotonic() + _WAITING_LINE
                time.sleep(_POLL)
                continue
            task = next(coming)
            try:
                result = task.result()
            except self._distributed.KilledWorker as error:
                function, _, named = str(error.task).rpartition("-")[0].partition("-")
                raise InputError(
                    f"cluster: workers died one after the other on {function} {named}: too little memory?"
                ) from None
            except self._distributed.CancelledError:
                raise self._lost("lost the connection to the scheduler") from None
            yield task, result
            next_look = time.monotonic() + _WAITING_LINE

    def wait_for_workers(self) -> None:
        """Return when the scheduler has a worker; say now and then that none has come."""
        next_line = 0.0
        while not self._count_workers():
            if time.monotonic() >= next_line:
                next_line = time.monotonic() + _WAITING_LINE
                self._report_no_workers()
            time.sleep(0.1)

    def check_versions(self) -> None:
        """Refuse workers that might count otherwise."""
        try:
            versions = set(self.client.run(_version, callback_timeout=_LONGEST_ANSWER).values())
        except TimeoutError:
            raise self._lost(f"no answer in {_LONGEST_ANSWER} seconds from every worker of the scheduler") from None
        except Exception as error:  # whatever a worker without recte raises when it is asked
            raise OptionError(f"cluster: workers cannot run recte: {' '.join(str(error).split())}") from None
        other = sorted(versions - {__version__})
        if other:
            raise OptionError(f"cluster: expected recte {__version__} on every worker, got {', '.join(other)}")

    def _report_no_workers(self) -> None:
        if not self._count_workers():
            report(
                f"waiting for workers: the scheduler at {self._address} has 0 (dask worker {self._address} starts one)"
            )

    def _count_workers(self) -> int:
        """How many workers the scheduler has; raises where it is gone or does not answer."""
        scheduler = self.client.scheduler
        if scheduler is None:  # the client gave it up
            raise self._lost("lost the connection to the scheduler")
        try:
            return len(self.client.sync(scheduler.ncores, callback_timeout=_LONGEST_ANSWER))
        except TimeoutError:
            raise self._lost(f"no answer in {_LONGEST_ANSWER} seconds from the scheduler") from None
        except OSError:  # which Dask raises of a closed connection
            raise self._lost("lost the connection to the scheduler") from None

    def _lost(self, what: str) -> InputError:
        return InputError(f"cluster: {what} at {self._address}; run the command again when it answers")


@contextmanager
def connect(address: str, *, timeout: str = "30s") -> Iterator[DaskEngine]:
    """The engine of a scheduler's address, of the file that `dask scheduler --scheduler-file` wrote, or of workers of
    this machine: `local`, `local:4`.

    A worker has one thread: a kernel that uses more would take the cores of others. `timeout` is how long to wait for a
    scheduler. A scheduler without workers is waited for.
    """
    distributed = optional("distributed", extra="cluster", purpose=_PURPOSE)
    for logger in ("distributed", "distributed.client"):  # lost workers' tasks run again; of the rest, errors tell
        logging.getLogger(logger).setLevel(logging.CRITICAL)
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
            engine.wait_for_workers()
            engine.check_versions()
            yield engine
        return
    if colon and not (number.isdecimal() and 1 <= int(number) <= 1024):
        expected = "expected local, local:N with N from 1 to 1024, a scheduler's address, or its file"
        raise OptionError(f"cluster: {expected}, got {address!r}")
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


def _version() -> str:
    return __version__

"""Time and memory of commands, and the table they are shown in."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(os.environ.get("RECTE_SHARED", Path(__file__).parents[2] / "shared"))
RECTE = [sys.executable, "-m", "recte"]
# An installed package is compiled to bytecode once; where Python may not keep it, each run would compile all again.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@dataclass(frozen=True)
class Figure:
    """What was measured, what we want it to be, and how it came out."""

    what: str
    measured: str
    wanted: str
    reached: bool


def show(figures: Sequence[Figure]) -> None:
    width = max(len(f.what) for f in figures)
    for f in figures:
        print(f"{'ok  ' if f.reached else 'MISS'}  {f.what:<{width}}  {f.measured}  (wanted: {f.wanted})")


def best_of(repeats: int, work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """The shortest of several runs in seconds of a clock: the machine is noisy, and noise only adds."""
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


@dataclass(frozen=True)
class Run:
    wall: float
    cpu: float
    peak_mb: float


def run(command: Sequence[str], repeats: int = 1) -> Run:
    """Run a command to its end; wall and CPU seconds of the fastest run, and the largest peak of memory."""
    runs = []
    for _ in range(repeats):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=_ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"failed: {' '.join(map(str, command))}")
        # A child's peak starts at its parent's size when it was forked: ours is kept small, see peak_floor().
        runs.append(Run(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return Run(min(r.wall for r in runs), min(r.cpu for r in runs), max(r.peak_mb for r in runs))


def peak_floor() -> float:
    """Our own peak in MB, below which a child's cannot be told."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

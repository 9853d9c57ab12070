"""Ten million pairs on a local cluster: the same digits as one process, memory, and what a second worker is worth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import write_corpus
from benchmarks.measuring import RECTE, SHARED, Figure

PAIRS = int(os.environ.get("RECTE_PAIRS", 10_000_000))
A_PART = 100_000
# Runs in a process of its own: workers, then scores with intervals, then what each process used.
RUN = """
import json, resource, sys, time
import recte
from recte.evaluation.cluster.dask_engine import connected

def used():
    of_process = resource.getrusage(resource.RUSAGE_SELF)
    return of_process.ru_utime + of_process.ru_stime, of_process.ru_maxrss / 1024

def main(folder, workers):
    with connected(f"local:{workers}") as engine:
        before, (own, _), start = engine.client.run(used), used(), time.perf_counter()
        how = {"client": engine.client, "resampling": recte.Resampling()}
        score = recte.cluster.score(f"{folder}/gold", {"system": f"{folder}/system"}, **how)["system"]
        wall, after, driver = time.perf_counter() - start, engine.client.run(used), used()
    cpu = sum(after[worker][0] - before[worker][0] for worker in after)
    print(json.dumps({
        "wall": wall, "cpu": cpu, "driver_cpu": driver[0] - own, "worker_mb": max(mb for _, mb in after.values()),
        "driver_mb": driver[1], "score": score.to_dict(),
    }))

if __name__ == "__main__":
    main(*sys.argv[1:])
"""


@dataclass(frozen=True)
class ClusterRun:
    """Seconds and megabytes of a run, and the score it gave."""

    wall: float
    cpu: float
    driver_cpu: float
    worker_mb: float
    driver_mb: float
    score: dict[str, object]


def write_parts(folder: Path, pairs: int) -> None:
    """The same part over and over, as links: what is measured is not the disk."""
    gold, output = write_corpus(folder, A_PART)
    for name, file in (("gold", gold), ("system", output)):
        (folder / name).mkdir()
        for number in range(pairs // A_PART):
            os.link(file, folder / name / f"part-{number:04}{file.suffix}")


def run_on(folder: Path, workers: int) -> ClusterRun:
    script = folder / "run.py"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(folder), str(workers)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return ClusterRun(**json.loads(done.stdout))


def ten_million_pairs(pairs: int = PAIRS) -> Iterator[Figure]:
    tenth = max(A_PART, pairs // 10)  # a part at least
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_parts(folder, tenth)
        whole = folder / "whole"
        whole.mkdir()
        gold, output = write_corpus_again(folder, whole, tenth)
        command = [*RECTE, "score", str(gold), str(output), "--names", "system", "-f", "json", "-q"]
        here = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)["scores"][0]
        item, two = run_on(folder, 1), run_on(folder, 2)
        same = item.score == here and two.score == here
        yield Figure(
            f"{tenth:,} pairs, one process and one and two workers", "same" if same else "differ", "same", same
        )
        speed_up = item.wall / two.wall
        quiet = 2 * item.cpu / two.cpu  # the driver waits while they work
        yield Figure(
            "two workers beside one",
            f"{speed_up:.2f} times ({item.wall:.0f} and {two.wall:.0f} s; by CPU time {quiet:.2f}: "
            f"workers {item.cpu:.0f} and {two.cpu:.0f} s, driver {item.driver_cpu:.1f} and {two.driver_cpu:.1f} s)",
            "at least 1.6 times",
            speed_up >= 1.6,
        )
    with tempfile.TemporaryDirectory() as name:
        write_parts(Path(name), pairs)
        all_pairs = run_on(Path(name), 2)
        yield Figure(
            f"{pairs:,} pairs, M² with intervals, two workers",
            f"{all_pairs.wall:.0f} s, CPU {1e6 * (all_pairs.cpu + all_pairs.driver_cpu) / pairs:.1f} µs a pair, peak "
            f"{all_pairs.worker_mb:.0f} MB a worker, {all_pairs.driver_mb:.0f} MB the driver",
            "under 1,000 MB a worker",
            all_pairs.worker_mb < 1000 and all_pairs.score["sentence_count"] == pairs,
        )


def write_corpus_again(folder: Path, whole: Path, pairs: int) -> tuple[Path, Path]:
    """The parts one behind the other in one file each."""
    actual = []
    for name, suffix in (("gold", ".m2"), ("system", ".txt")):
        part = (folder / name / f"part-0000{suffix}").read_bytes()
        path = whole / f"{name}{suffix}"
        with path.open("wb") as stream:
            for _ in range(pairs // A_PART):
                stream.write(part)
        actual.append(path)
    return actual[0], actual[1]


if __name__ == "__main__":
    from benchmarks.measuring import show

    if SHARED.exists():
        show(list(ten_million_pairs()))

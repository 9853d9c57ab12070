"""How often intervals hold the true score, and how often tests find a difference where there is none.

    python -m benchmarks.interval_coverage                          # everything, on all cores, in this terminal
    python -m benchmarks.interval_coverage --sizes 600 --metrics imeasure gleu --seconds 540 --to part.jsonl
    python -m benchmarks.interval_coverage --table part.jsonl other.jsonl           # the tables of several files

The sentences of a CoNLL-2014 system stand for the population: their score is the true one. Test sets of several
sizes are drawn from them with replacement, 1,000 times by default; each has its interval, by each method. For
tests, two systems whose outputs are swapped at random, sentence by sentence, have no true difference. Every test set
has a seed of its own, for the draw and for the resamples. A share of 1,000 draws has a standard error of .007 at .95.

The draws of a row are numbered, and ten of them are one slice. A slice has the same result wherever and whenever it is
measured. So the work can be cut at any place: `--to` adds each slice to a file, and slices that stand in this
file or in those of `--known` are not measured again. What a machine needs is NumPy, SciPy, recte, and CoNLL-2014 in
the folder `data/conll14` of RECTE_SHARED.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import SHARED
from recte import Errant, Gleu, IMeasure, MaxMatch, Resampling, confidence_interval, paired_test, read_m2, read_system
from recte.corpus.counts import Counts
from recte.metrics.base import Metric
from recte.statistics.bootstrap import INTERVAL_METHODS
from recte.statistics.paired import TESTS

CONLL = SHARED / "data" / "conll14"
SIZES = (50, 150, 600, 1200)
METRICS: dict[str, Metric] = {metric.name: metric for metric in (MaxMatch(), Errant(), Gleu(), IMeasure())}
SYSTEMS = ("AMU", "CAMB")
SUBJECTS: dict[str, Sequence[str]] = {"intervals": INTERVAL_METHODS, "tests": TESTS}
ALPHA = 0.05
DRAWS_PER_SLICE = 10

Pair = tuple[Counts, Counts]  # both systems' counts on all sentences


@dataclass(frozen=True)
class Slice:
    """Some draws of one row: `hits` says for each method how many intervals held the true score, or for each test
    how many p were below .05; `widths` adds up the widths of intervals, in points.
    """

    subject: str
    metric: str
    size: int
    first: int
    draws: int
    hits: Mapping[str, int]
    widths: Mapping[str, float]

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.subject, self.metric, self.size, self.first


def draw_test_set(counts: Counts, places: Any) -> Counts:
    """The sentences at these places as a test set of their own, numbered in their order."""
    return replace(counts.take(places), index=np.arange(len(places)))


def measure_intervals(metric: Metric, pair: Pair, empty: Slice) -> Slice:
    """Intervals of the first system's score on each draw of the slice."""
    counts = pair[0]
    true_score = metric.score_counts(counts).score
    hits, widths = dict(empty.hits), dict(empty.widths)
    for number in range(empty.first, empty.first + empty.draws):
        places = np.random.default_rng([empty.size, number]).integers(len(counts), size=empty.size)
        test_set = draw_test_set(counts, places)
        for method in INTERVAL_METHODS:
            resampling = Resampling(method=method, seed=number)
            interval = confidence_interval(test_set, metric=metric, resampling=resampling)
            hits[method] += interval.low <= true_score <= interval.high
            widths[method] += 100 * (interval.high - interval.low)
    return replace(empty, hits={name: int(count) for name, count in hits.items()}, widths=widths)


def measure_tests(metric: Metric, pair: Pair, empty: Slice) -> Slice:
    """Tests between two systems without a true difference, on each draw of the slice."""
    first, second = pair
    both_rows = np.stack([first.rows, second.rows])
    hits = dict(empty.hits)
    for number in range(empty.first, empty.first + empty.draws):
        generator = np.random.default_rng([empty.size, number])
        places = generator.integers(len(first), size=empty.size)
        swapped = generator.integers(2, size=empty.size)
        item = replace(draw_test_set(first, places), rows=both_rows[swapped, places])
        other = replace(draw_test_set(second, places), rows=both_rows[1 - swapped, places])
        for test in TESTS:
            hits[test] += paired_test(item, other, metric=metric, test=test, seed=number).p < ALPHA
    return replace(empty, hits={name: int(count) for name, count in hits.items()})


def empty_slices(subjects: Iterable[str], sizes: Iterable[int], metrics: Iterable[str], draws: int) -> Iterator[Slice]:
    """All slices, not measured yet."""
    for size in sizes:
        for subject in subjects:
            for metric in metrics:
                for first in range(0, draws, DRAWS_PER_SLICE):
                    hits = dict.fromkeys(SUBJECTS[subject], 0)
                    widths = dict.fromkeys(INTERVAL_METHODS, 0.0) if subject == "intervals" else {}
                    yield Slice(subject, metric, size, first, DRAWS_PER_SLICE, hits, widths)


_pairs: dict[str, Pair] = {}
_end = float("inf")


def start_worker(pairs: dict[str, Pair], end: float) -> None:
    """Give a process what all slices share: the counts, and the time after which it begins no further slice."""
    global _end
    _pairs.update(pairs)
    _end = end


def measure_slice(empty: Slice) -> Slice | None:
    """The slice with its figures; None where the time is up."""
    if time.time() >= _end:
        return None
    measure = measure_intervals if empty.subject == "intervals" else measure_tests
    return measure(METRICS[empty.metric], _pairs[empty.metric], empty)


def count_systems(metrics: Iterable[str]) -> dict[str, Pair]:
    """Both systems' counts by each metric."""
    gold = read_m2(CONLL / "gold.m2")
    first, second = (read_system(CONLL / "systems" / f"{name}.txt") for name in SYSTEMS)
    scorers = {name: METRICS[name].prepare(gold) for name in metrics}
    return {name: (scorer.count(first), scorer.count(second)) for name, scorer in scorers.items()}


def measure_slices(slices: Sequence[Slice], processes: int, end: float) -> Iterator[Slice]:
    """Slices with their figures, as they are known, until the time is up."""
    pairs = count_systems({empty.metric: None for empty in slices})
    # Processes use the cores, so that each of them needs one thread only.
    os.environ.update(RECTE_THREADS="1", OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with get_context("spawn").Pool(processes, start_worker, (pairs, end)) as pool:
        for measured in pool.imap_unordered(measure_slice, slices):
            if measured is not None:
                yield measured


def read_slices(paths: Iterable[Path]) -> dict[tuple[str, str, int, int], Slice]:
    """Slices of several files, each once. A line that was cut off when its writer was killed is left out."""
    slices: dict[tuple[str, str, int, int], Slice] = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("{") and line.endswith("}}"):
                measured = Slice(**json.loads(line))
                slices[measured.key] = measured
    return slices


def tables(slices: Iterable[Slice], draws: int) -> Iterator[str]:
    """The lines of three tables: shares of intervals, their widths, and shares of tests; a column for each metric.

    A cell of fewer draws than asked for says how many there are.
    """
    totals: dict[tuple[str, int, str, str], list[float]] = {}
    for part in slices:
        for name, hits in part.hits.items():
            total = totals.setdefault((part.subject, part.size, name, part.metric), [0, 0, 0])
            for place, figure in enumerate((part.draws, hits, part.widths.get(name, 0))):
                total[place] += figure

    titles = " | ".join(metric.title for metric in METRICS.values())

    def cell(key: tuple[str, int, str, str], figure: int) -> str:
        if key not in totals:
            return "not measured"
        count = totals[key][0]
        share = totals[key][figure] / count
        text = f"{share:.3f}".removeprefix("0") if figure == 1 else f"{share:.2f}"
        return text if count >= draws else f"{text} ({count:,} draws)"

    for title, subject, figure in (
        ("Share of intervals that hold the true score", "intervals", 1),
        ("Mean width of intervals in points", "intervals", 2),
        (f"Share of tests with p below {ALPHA:g}".replace("0.", "."), "tests", 1),
    ):
        rows = sorted({(size, SUBJECTS[subject].index(name), name) for s, size, name, _ in totals if s == subject})
        if rows:
            yield f"{title}\n"
            yield f"| sentences | {'method' if subject == 'intervals' else 'test'} | {titles} |"
            yield f"| --- | --- |{' --- |' * len(METRICS)}"
        for size, _, name in rows:
            cells = [cell((subject, size, name, metric), figure) for metric in METRICS]
            yield f"| {size} | {name} | {' | '.join(cells)} |"
        if rows:
            yield ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("draws", nargs="?", type=int, default=1000)
    parser.add_argument("--subjects", nargs="+", choices=tuple(SUBJECTS), default=tuple(SUBJECTS))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, help="sentences of a test set")
    parser.add_argument("--metrics", nargs="+", choices=tuple(METRICS), default=tuple(METRICS))
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="all cores unless told otherwise")
    parser.add_argument("--seconds", type=float, default=7200, help="begin no further slice after so many seconds")
    parser.add_argument("--to", type=Path, help="add each slice to this file")
    parser.add_argument("--known", nargs="+", type=Path, default=[], help="files whose slices need not be measured")
    parser.add_argument("--table", nargs="+", type=Path, help="measure nothing, print the tables of these files")
    arguments = parser.parse_args()
    if arguments.draws < 1 or arguments.draws % DRAWS_PER_SLICE:
        parser.error(f"draws: expected a multiple of {DRAWS_PER_SLICE}, got {arguments.draws}")
    end = time.time() + arguments.seconds
    if arguments.table:
        print(*tables(read_slices(arguments.table).values(), arguments.draws), sep="\n")
        return
    known = read_slices([*arguments.known, *([arguments.to] if arguments.to and arguments.to.exists() else [])])
    slices = empty_slices(arguments.subjects, arguments.sizes, arguments.metrics, arguments.draws)
    missing = [empty for empty in slices if empty.key not in known]
    measured_count = 0
    with arguments.to.open("a", encoding="utf-8") if arguments.to else nullcontext() as file:
        if file and file.tell():
            file.write("\n")  # a line that was cut off ends here
        for measured in measure_slices(missing, arguments.processes, end):
            known[measured.key] = measured
            measured_count += 1
            if file:
                file.write(f"{json.dumps(asdict(measured))}\n")
                file.flush()
    print(*tables(known.values(), arguments.draws), sep="\n")
    print(f"{measured_count} slices measured, {len(missing) - measured_count} left")


if __name__ == "__main__":
    main()

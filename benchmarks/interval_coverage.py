"""How often intervals hold the true score, and how often tests find a difference where there is none.

    python -m benchmarks.interval_coverage [DRAWS] [--seconds N]

The sentences of a CoNLL-2014 system stand for the population: their score is the true one. Test sets of several
sizes are drawn from them with replacement, 1,000 times by default; each has its interval, by each method. For
tests, two systems whose outputs are swapped at random, sentence by sentence, have no true difference. Rows are
printed as they are known, as the tables of docs/inference.md; a share of 1,000 draws has a standard error of .007
at .95.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
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
METRICS: tuple[Metric, ...] = (MaxMatch(), Errant(), Gleu(), IMeasure())
SYSTEMS = ("AMU", "CAMB")
LEVEL = 0.95


def draw(counts: Counts, places: Any) -> Counts:
    """The sentences at these places as a test set of their own, numbered in their order."""
    from dataclasses import replace

    return replace(counts.take(places), index=np.arange(len(places)))


def interval_coverage(metric: Metric, counts: Counts, size: int, draws: int) -> Iterator[tuple[str, float, float]]:
    """For each method the share of intervals that hold the population's score, and their mean width in points."""
    truth = metric.score_counts(counts).score
    held = dict.fromkeys(INTERVAL_METHODS, 0)
    width = dict.fromkeys(INTERVAL_METHODS, 0.0)
    for number in range(draws):
        sample = draw(counts, np.random.default_rng([size, number]).integers(len(counts), size=size))
        for method in INTERVAL_METHODS:
            interval = confidence_interval(sample, metric=metric, resampling=Resampling(method=method, level=LEVEL))
            held[method] += interval.low <= truth <= interval.high
            width[method] += 100 * (interval.high - interval.low)
    for method in INTERVAL_METHODS:
        yield method, held[method] / draws, width[method] / draws


def false_alarms(metric: Metric, first: Counts, second: Counts, size: int, draws: int) -> dict[str, float]:
    """For each test the share of draws with p below .05, of systems without a true difference."""
    alarms = dict.fromkeys(TESTS, 0)
    both = np.stack([first.rows, second.rows])
    for number in range(draws):
        generator = np.random.default_rng([size, number])
        places = generator.integers(len(first), size=size)
        swapped = generator.integers(2, size=size)
        one, other = draw(first, places), draw(second, places)
        one.rows[...] = both[swapped, places]
        other.rows[...] = both[1 - swapped, places]
        for test in TESTS:
            alarms[test] += paired_test(one, other, metric=metric, test=test).p < 0.05
    return {test: count / draws for test, count in alarms.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("draws", nargs="?", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=7200, help="begin no further row after so many seconds")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    gold = read_m2(CONLL / "gold.m2")
    systems = [read_system(CONLL / "systems" / f"{name}.txt") for name in SYSTEMS]
    counted = {metric.name: [metric.prepare(gold).count(system) for system in systems] for metric in METRICS}
    print("| metric | sentences | method | coverage | mean width |\n| --- | --- | --- | --- | --- |")
    for size in SIZES:
        for metric in METRICS:
            if time.monotonic() < end:
                for method, share, width in interval_coverage(metric, counted[metric.name][0], size, arguments.draws):
                    print(f"| {metric.name} | {size} | {method} | {share:.3f} | {width:.2f} |", flush=True)
    print(f"\n| metric | sentences | {' | '.join(TESTS)} |\n| --- | --- |{' --- |' * len(TESTS)}")
    for size in SIZES:
        for metric in METRICS:
            if time.monotonic() < end:
                shares = false_alarms(metric, *counted[metric.name], size, arguments.draws)
                print(f"| {metric.name} | {size} | {' | '.join(f'{s:.3f}' for s in shares.values())} |", flush=True)


if __name__ == "__main__":
    main()

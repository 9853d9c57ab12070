"""How often intervals over runs and sentences hold the true mean, and how often their test errs.

    python -m benchmarks.run_coverage                               # everything, on all cores
    python -m benchmarks.run_coverage 200 --metrics gleu --runs 3   # a part of it

The sentences of CoNLL-2014 stand for the population. A run of a model has AMU's output of some sentences, chosen by
chance, and the first annotator's text of the others. AMU's share is .8 in every run (runs differ by chance alone), or
each run's own, from a beta distribution: then runs differ about as much as test sets do, or twice as much. The true
mean is that of 400 runs on the population. Each draw has 600 sentences, drawn with replacement, and 3 or 5 runs of each
of two models without a true difference. A share of 1,000 draws has a standard error of .007 at .95.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from multiprocessing import get_context

import numpy as np

from benchmarks.interval_coverage import CONLL, METRICS, draw_test_set
from recte import Resampling, read_m2, read_system
from recte.corpus.counts import Counts
from recte.statistics.intervals import Replicates
from recte.statistics.paired import two_level_test

SIZE = 600
TEXTS = ("systems/AMU.txt", "references/ref0.txt")
SHARE = 0.8
# The sum of the parameters of the beta distribution of shares; None for the same share in every run.
SETTINGS: dict[str, float | None] = {"by chance alone": None, "as test sets do": 130.0, "twice as much": 32.0}
Rows = tuple[Counts, Counts]


def draw_run(rows: Rows, places: np.ndarray, size: float | None, generator: np.random.Generator) -> Counts:
    """One run's counts of the sentences at these places."""
    of_run = SHARE if size is None else generator.beta(SHARE * size, (1 - SHARE) * size)
    chosen = (generator.random(len(places)) > of_run).astype(int)
    return replace(draw_test_set(rows[0], places), rows=np.stack([text.rows for text in rows])[chosen, places])


def measure(task: tuple[str, str, int, int, Rows, float]) -> tuple[str, str, int, int, int, float, float, float]:
    """One draw: whether the interval holds the truth, whether the test finds a difference, the interval's width, the
    standard deviation of runs, and the standard error over sentences.
    """
    name, setting, runs, number, rows, truth = task
    metric, size = METRICS[name], SETTINGS[setting]
    generator = np.random.default_rng([runs, number])
    places = generator.integers(len(rows[0]), size=SIZE)
    models = [
        Replicates.of([draw_run(rows, places, size, generator) for _ in range(runs)], metric, Resampling(seed=number))
        for _ in range(2)
    ]
    interval = models[0].interval()
    p = two_level_test("first", "second", models[0] - models[1]).p
    spread = (runs * models[0].spreads[0].variance) ** 0.5
    held = int(interval.low <= truth <= interval.high)
    return name, setting, runs, held, int(p < 0.05), interval.high - interval.low, spread, float(models[0].values.std())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("draws", nargs="?", type=int, default=1000)
    parser.add_argument("--metrics", nargs="+", choices=tuple(METRICS), default=("m2", "gleu"))
    parser.add_argument("--runs", nargs="+", type=int, default=(3, 5))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    gold = read_m2(CONLL / "gold.m2")
    tasks = []
    for name in arguments.metrics:
        scorer = METRICS[name].prepare(gold)
        for setting, size in SETTINGS.items():
            rows = tuple(scorer.count(read_system(CONLL / text)) for text in TEXTS)
            everything, generator = np.arange(len(rows[0])), np.random.default_rng(0)
            population = (draw_run(rows, everything, size, generator) for _ in range(400))
            truth = float(np.mean([METRICS[name].score_counts(run).score for run in population]))
            tasks += [(name, setting, runs, n, rows, truth) for runs in arguments.runs for n in range(arguments.draws)]
    os.environ.update(RECTE_THREADS="1", OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with get_context("spawn").Pool(arguments.processes) as pool:
        measured = pool.map(measure, tasks, chunksize=10)
    print("| metric | runs differ | runs | sd of runs | error over sentences | mean width | that hold | p < .05 |")
    print(f"|{' --- |' * 8}")
    for key in dict.fromkeys(draw[:3] for draw in measured):
        held, errors, width, spread, error = np.mean([draw[3:] for draw in measured if draw[:3] == key], axis=0)
        shares = " | ".join(f"{share:.3f}".removeprefix("0") for share in (held, errors))
        name, setting, runs = key
        figures = f"{100 * spread:.2f} | {100 * error:.2f} | {100 * width:.2f}"
        print(f"| {METRICS[name].title} | {setting} | {runs} | {figures} | {shares} |")


if __name__ == "__main__":
    main()

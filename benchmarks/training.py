"""The training loop: how much of a call is the kernel, and utilities beside comparing candidates one by one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measuring import SHARED, Figure, best_of

CONLL = SHARED / "data" / "conll14"
KERNELS = {"m2": "count_maxmatch", "gleu": "count_gleu", "imeasure": "count_references"}
SOURCES, CANDIDATES = 64, 16


def one_batch() -> Iterator[Figure]:
    from recte import _kernels, read_m2, read_system
    from recte.metrics import metric_class

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles.utilities import utilities

    os.environ["RECTE_THREADS"] = "1"
    systems = [read_system(path).outputs for path in sorted((CONLL / "systems").glob("*.txt"))]
    part = slice(100, 100 + SOURCES)
    gold = read_m2(CONLL / "gold.m2")[part]
    texts = [[system[part][i] for system in (systems * 2)[:CANDIDATES]] for i in range(SOURCES)]
    for name, kernel in KERNELS.items():
        scorer = metric_class(name)().prepare(gold)
        inside, run = [0.0], getattr(_kernels, kernel)

        def timed(*args, run=run, inside=inside, **kwargs):
            start = time.perf_counter()
            found = run(*args, **kwargs)
            inside[0] += time.perf_counter() - start
            return found

        setattr(_kernels, kernel, timed)
        calls = []
        for _ in range(50):
            inside[0] = 0
            calls.append((best_of(1, partial(scorer.candidate_scores, texts)), inside[0]))
        setattr(_kernels, kernel, run)
        whole, within = min(calls)
        yield Figure(
            f"{name}: candidate_scores of {SOURCES} × {CANDIDATES} candidates, one thread",
            f"{1e3 * whole:.1f} ms, {100 * (whole - within) / within:.0f} % beside the kernel",
            "under 20 %",
            whole < 1.2 * within,
        )
        fast = best_of(3, partial(scorer.utilities, texts))
        slow = best_of(1, partial(utilities, scorer.metric, gold.unchanged[0], texts[0])) * SOURCES
        yield Figure(
            f"{name}: utilities of {SOURCES} × {CANDIDATES} candidates",
            f"{1e3 * fast:.0f} ms, {slow / fast:.0f} times faster than one by one",
            "10 times at least",
            slow / fast >= 10,
        )
    del os.environ["RECTE_THREADS"]

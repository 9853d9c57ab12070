"""The training loop: how much of a call is the kernel, and utilities compared with comparing candidates one by one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import chain
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
    batches = {"candidates": texts, "different candidates": [_different(of_source) for of_source in texts]}
    for name, kernel in KERNELS.items():
        scorer = metric_class(name)().prepare(gold)
        inside, run = [0.0], getattr(_kernels, kernel)

        def timed(*args, run=run, inside=inside, **kwargs):
            start = time.perf_counter()
            actual = run(*args, **kwargs)
            inside[0] += time.perf_counter() - start
            return actual

        def fastest(work, inside=inside):
            """Seconds of a call, and of the kernel within one."""
            calls = []
            for _ in range(50):
                inside[0] = 0
                calls.append((best_of(1, work), inside[0]))
            return [min(seconds) for seconds in zip(*calls, strict=True)]

        setattr(_kernels, kernel, timed)
        for what, batch in batches.items():
            flat, places = [*chain(*batch)], [place for place, of_source in enumerate(batch) for _ in of_source]
            whole, within = fastest(partial(scorer.candidate_scores, batch))
            alone = fastest(partial(scorer.count_candidates, flat, places))[1]  # equal candidates are all counted
            yield Figure(
                f"{name}: candidate_scores of {SOURCES} × {CANDIDATES} {what}, one thread",
                f"{1e3 * whole:.1f} ms, {100 * (whole - within) / within:.0f} % beside the kernel's {1e3 * within:.1f};"
                f" for all candidates, equal ones too, the kernel needs {1e3 * alone:.1f}",
                "under 20 % beside the kernel",
                whole < 1.2 * within,
            )
        setattr(_kernels, kernel, run)
        fast = best_of(3, partial(scorer.utilities, texts))
        slow = best_of(1, partial(utilities, scorer.metric, gold.unchanged[0], texts[0])) * SOURCES
        yield Figure(
            f"{name}: utilities of {SOURCES} × {CANDIDATES} candidates",
            f"{1e3 * fast:.0f} ms, {slow / fast:.0f} times faster than one by one",
            "10 times at least",
            slow / fast >= 10,
        )
    del os.environ["RECTE_THREADS"]


def _different(candidates: list[str]) -> list[str]:
    """The candidates, changed in a word where one stands there already."""
    actual: list[str] = []
    for candidate in candidates:
        words, place = candidate.split(), 0
        while " ".join(words) in actual:
            words[place % len(words)] += "s"
            place += 1
        actual.append(" ".join(words))
    return actual


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["training"])

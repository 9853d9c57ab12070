"""Intervals and tests: a shared task's worth of each, and resampling compared with scoring every resample again."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"


def one_call() -> Iterator[Figure]:
    systems = sorted(map(str, (CONLL / "systems").glob("*.txt")))
    done = run([*RECTE, "score", str(CONLL / "gold.m2"), *systems, "-m", "m2", "imeasure", "gleu"], repeats=3)
    yield Figure(
        "13 systems, three metrics, intervals included, one recte score call",
        f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU",
        "under 4 s",
        done.wall < 4,
    )
    done = run([*RECTE, "compare", str(CONLL / "gold.m2"), *systems, "-q"])
    yield Figure(
        "all 78 pairs of 13 systems by MaxMatch, 10,000 randomisation trials each, one recte compare call",
        f"{done.wall:.1f} s wall, {done.cpu:.1f} s CPU",
        "under 3 s CPU",
        done.cpu < 3,
    )


def one_system() -> Iterator[Figure]:
    import numpy as np

    from recte import MaxMatch, Resampling, confidence_interval, paired_test, read_m2, read_system
    from recte.statistics.bootstrap import bootstrap_weights

    scorer = MaxMatch().prepare(read_m2(CONLL / "gold.m2"))
    amu, post = (scorer.count(read_system(CONLL / "systems" / f"{name}.txt")) for name in ("AMU", "POST"))
    seconds = best_of(3, lambda: confidence_interval(amu, resampling=Resampling(method="bca")))
    yield Figure("MaxMatch: BCa interval, 1,000 resamples", f"{seconds:.3f} s", "under 0.5 s", seconds < 0.5)
    seconds = best_of(3, lambda: paired_test(amu, post))
    yield Figure("MaxMatch: 10,000 randomisation trials of a pair", f"{seconds:.2f} s", "under 1 s", seconds < 1)
    weights = bootstrap_weights(len(amu), 1000, 1)
    fast = best_of(3, lambda: scorer.metric.score_many(amu, weights)) / 1000
    few = weights[:20].astype(np.int64)
    slow = best_of(1, lambda: [scorer.metric.score_counts(amu.repeat(row)) for row in few]) / 20
    yield Figure(
        "MaxMatch: a resample beside scoring the repeated sentences",
        f"{slow / fast:.0f} times faster ({1e6 * fast:.0f} µs)",
        "20 times at least",
        slow / fast >= 20,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["inference"])

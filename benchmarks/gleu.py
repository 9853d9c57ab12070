"""GLEU: one call for a shared task, and the kernel compared with its twin."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
PUBLISHED_SECONDS = 38  # of the published script for the 13 systems, on the machine the facts were observed on


def one_call() -> Iterator[Figure]:
    systems = sorted(map(str, (CONLL / "systems").glob("*.txt")))
    done = run([*RECTE, "score", str(CONLL / "gold.m2"), *systems, "-m", "gleu", "-f", "json"], repeats=3)
    yield Figure(
        "GLEU: 13 systems, one recte score call, start-up included",
        f"{done.wall:.2f} s wall; the published script needs {PUBLISHED_SECONDS / done.wall:.0f} times as long",
        "under 1 s",
        done.wall < 1,
    )


def kernel() -> Iterator[Figure]:
    from recte import Gleu, read_m2, read_system

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles.ngrams import gleu_statistics

    scorer = Gleu().prepare(read_m2(CONLL / "gold.m2"))
    outputs = read_system(CONLL / "systems" / "CAMB.txt").outputs
    os.environ["RECTE_THREADS"] = "1"
    fast = best_of(5, lambda: scorer.count(outputs))
    del os.environ["RECTE_THREADS"]
    texts = scorer.texts
    slow = best_of(
        1,
        lambda: [
            gleu_statistics(source, hypothesis.split(), reference)
            for source, hypothesis, references in zip(texts.sources, outputs, texts.references, strict=True)
            for reference in references
        ],
    )
    yield Figure(
        "GLEU: counting on one thread beside its twin, CAMB",
        f"{slow / fast:.0f} times faster ({1e6 * fast / len(outputs):.0f} µs a sentence, Python's part included)",
        "10 times at least",
        slow / fast >= 10,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["gleu"])

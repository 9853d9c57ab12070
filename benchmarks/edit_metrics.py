"""GREEN, CLEME, GoToScorer: one call for a shared task, and each kernel beside its twin."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
METRICS = ("green", "cleme", "cleme2", "goto")
PUBLISHED_CLEME_SECONDS = 26  # of the released program for 13 systems, on the machine the facts were observed on


def one_call() -> Iterator[Figure]:
    systems = sorted(map(str, (CONLL / "systems").glob("*.txt")))
    for metric in METRICS:
        done = run([*RECTE, "score", str(CONLL / "gold.m2"), *systems, "-m", metric, "-f", "json"], repeats=3)
        peer = f"; the released program needs {PUBLISHED_CLEME_SECONDS / done.cpu:.0f} times the CPU time"
        yield Figure(
            f"{metric}: 13 systems with intervals, one recte score call, start-up included",
            f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU{peer if metric == 'cleme' else ''}",
            "under 1 s of wall time on a quiet machine of two cores",
            done.wall < 1,
        )


def kernel() -> Iterator[Figure]:
    from recte import Cleme, Goto, Green, read_m2, read_system

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles import cleme, goto, green

    gold, system = read_m2(CONLL / "gold.m2"), read_system(CONLL / "systems" / "CAMB.txt")
    os.environ["RECTE_THREADS"] = "1"
    texts = Green().prepare(gold)
    chunks = Cleme(chunk_weights="none").prepare(gold)
    pieces = Goto(weighting="plain").prepare(gold)
    edits = chunks.edits_of(system)
    cases = [
        (list(s.tokens), rows(own), [rows(a.edits) for a in s.annotations])
        for s, own in zip(chunks.sentences, edits, strict=True)
    ]
    fast = {
        "green": best_of(5, lambda: texts.count(system)),
        "cleme": best_of(5, lambda: chunks.verdicts(edits, range(len(edits)))),
        "goto": best_of(5, lambda: pieces.verdicts(edits, range(len(edits)))),
    }
    del os.environ["RECTE_THREADS"]
    slow = {
        "green": lambda: [
            green.counts(source, output.split(), reference)
            for source, output, references in zip(
                texts.texts.sources, system.outputs, texts.texts.references, strict=True
            )
            for reference in references
        ],
        "cleme": lambda: [cleme.judged(tokens, own, references, False) for tokens, own, references in cases],
        "goto": lambda: [
            [goto.verdict(piece, goto.chunks(tokens, own)) for piece in goto.chunks(tokens, references[0])]
            for tokens, own, references in cases[:100]
        ],
    }
    for name, twin in slow.items():
        seconds = best_of(1, twin) * (len(cases) / 100 if name == "goto" else 1)
        yield Figure(
            f"{name}: judging on one thread beside its twin, CAMB",
            f"{seconds / fast[name]:.0f} times faster ({1e6 * fast[name] / len(cases):.0f} µs per sentence)",
            "5 times at least",
            seconds / fast[name] >= 5,
        )


def rows(edits: object) -> list[list[object]]:
    """Edits as the twins take them."""
    return [[e.start, e.end, e.corrections[0], e.type] for e in edits]  # type: ignore[attr-defined]


def resampling() -> Iterator[Figure]:
    import numpy as np

    from recte import Cleme, read_m2, read_system

    counts = Cleme().prepare(read_m2(CONLL / "gold.m2")).count(read_system(CONLL / "systems" / "CAMB.txt"))
    size = len(counts)
    drawn = np.random.default_rng(1).multinomial(size, np.full(size, 1 / size), size=1000).astype(np.int32)
    os.environ["RECTE_THREADS"] = "1"
    many, one = (
        min(cpu_of(work) for _ in range(3))
        for work in (lambda: Cleme().score_many(counts, drawn), lambda: Cleme().score_counts(counts))
    )
    del os.environ["RECTE_THREADS"]
    yield Figure(
        "cleme: 1,000 resamples, references and weights of lengths chosen anew, one thread",
        f"{1e6 * many / 1000:.0f} µs of CPU time each; one score alone takes {1e6 * one:.0f} µs",
        "under 100 µs each",
        many < 0.1,
    )


def cpu_of(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start

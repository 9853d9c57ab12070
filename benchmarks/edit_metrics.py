"""GREEN, CLEME, GoToScorer, spelling check: one call for a shared task, and each kernel compared with its twin."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # for the twins
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
    from oracles import cleme, goto, green
    from recte import read_m2, read_system
    from recte.metrics import Cleme, Goto, Green

    gold, system = read_m2(CONLL / "gold.m2"), read_system(CONLL / "systems" / "CAMB.txt")
    os.environ["RECTE_THREADS"] = "1"
    texts = Green().prepare(gold)
    chunks = Cleme(chunk_weights="none").prepare(gold)
    pieces = Goto(weighting="plain").prepare(gold)
    edits = chunks.edits_of(system)
    cases = [
        (list(s.tokens), rows(ours), [rows(a.edits) for a in s.annotations])
        for s, ours in zip(chunks.sentences, edits, strict=True)
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
        "cleme": lambda: [cleme.judged(tokens, ours, references, False) for tokens, ours, references in cases],
        "goto": lambda: [
            [goto.verdict(piece, goto.chunks(tokens, ours)) for piece in goto.chunks(tokens, references[0])]
            for tokens, ours, references in cases[:100]
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

    from recte import read_m2, read_system
    from recte.metrics import Cleme

    counts = Cleme().prepare(read_m2(CONLL / "gold.m2")).count(read_system(CONLL / "systems" / "CAMB.txt"))
    size = len(counts)
    drawn = np.random.default_rng(1).multinomial(size, np.full(size, 1 / size), size=1000).astype(np.int32)
    os.environ["RECTE_THREADS"] = "1"
    many, item = (
        min(cpu_of(work) for _ in range(3))
        for work in (lambda: Cleme().score_many(counts, drawn), lambda: Cleme().score_counts(counts))
    )
    del os.environ["RECTE_THREADS"]
    yield Figure(
        "cleme: 1,000 resamples, references and weights of lengths chosen again, one thread",
        f"{1e6 * many / 1000:.0f} µs of CPU time each; one score alone takes {1e6 * item:.0f} µs",
        "under 100 µs each",
        many < 0.1,
    )


def cpu_of(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def spelling() -> Iterator[Figure]:
    """Made-up spelling: 1,100 sentences as in SIGHAN 2015, 13 systems that find more and more of the errors."""
    data = [spelling_corpus(seed) for seed in range(13)]
    with tempfile.TemporaryDirectory() as folder:
        gold = Path(folder, "gold.tsv")
        gold.write_text("".join(f"{s}\t{g}\n" for s, g, _ in data[0]), encoding="utf-8")
        systems = [Path(folder, f"system-{number}.txt") for number in range(len(data))]
        for path, of_system in zip(systems, data, strict=True):
            path.write_text("".join(f"{p}\n" for *_, p in of_system), encoding="utf-8")
        done = run([*RECTE, "score", str(gold), *map(str, systems), "-m", "csc", "-f", "json"], repeats=3)
    yield Figure(
        "csc: 13 systems with intervals by every convention, one recte score call, start-up included",
        f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU",
        "under 1 s of wall time on a quiet machine of two cores",
        done.wall < 1,
    )
    yield spelling_kernel(data[6])


def spelling_corpus(system: int) -> list[tuple[str, str, str]]:
    """Source, gold and prediction; sources and gold are the same for all systems."""
    made, drawn = random.Random(1), random.Random(100 + system)
    letters = [chr(0x4E00 + i) for i in range(3000)]
    rows = []
    for _ in range(1100):
        gold = made.choices(letters, k=made.randint(10, 60))
        wrong = set(made.sample(range(len(gold)), made.choice((0, 0, 1, 1, 2))))
        source = [made.choice(letters) if i in wrong else c for i, c in enumerate(gold)]
        changed = {i for i in wrong if drawn.random() < 0.3 + 0.05 * system}
        changed |= {i for i in range(len(gold)) if drawn.random() < 0.003}
        put = [
            (gold[i] if drawn.random() < 0.8 else drawn.choice(letters)) if i in changed else c
            for i, c in enumerate(source)
        ]
        rows.append(("".join(source), "".join(gold), "".join(put)))
    return rows


def spelling_kernel(data: list[tuple[str, str, str]]) -> Figure:
    from oracles import csc
    from recte import Corpus
    from recte.metrics import Csc

    sources, gold, predictions = (list(column) for column in zip(*data, strict=True))
    scorer = Csc().prepare(Corpus.from_references(sources, [gold]))
    fast = min(cpu_of(lambda: scorer.score(predictions)) for _ in range(5))

    def twin() -> None:
        for level in ("detection", "correction"):
            csc.sentence(data, level)
            csc.character(data, level)
            csc.sighan(data, level)
            csc.sighan(data, level, sets=True)
        csc.sentence_loose(data)
        csc.conditional(data)
        csc.plome(data)

    slow = min(cpu_of(twin) for _ in range(2))
    return Figure(
        "csc: one output by every convention beside its twin",
        f"{slow / fast:.0f} times faster ({1e6 * fast / len(data):.0f} µs per sentence)",
        "5 times at least",
        slow / fast >= 5,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["edit_metrics"])

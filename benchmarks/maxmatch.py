"""MaxMatch: one call for a shared task, the kernel compared with RapidFuzz and with its twin, and the worst cases."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, peak_floor, run

CONLL = SHARED / "data" / "conll14"
PUBLISHED_CPU_SECONDS = 512  # of the published scorer for the 13 systems, on the machine the facts were observed on


def small() -> Iterator[Figure]:
    """What needs no data. Runs first, while this process is still small."""
    help_ = run([*RECTE, "--help"], repeats=5)
    yield Figure("recte --help", f"{help_.cpu:.3f} s CPU", "under 0.15 s", help_.cpu < 0.15)


def one_call() -> Iterator[Figure]:
    systems = sorted(map(str, (CONLL / "systems").glob("*.txt")))
    done = run([*RECTE, "score", str(CONLL / "gold.m2"), *systems, "-m", "m2"], repeats=5)
    yield Figure(
        f"{len(systems)} systems, one recte score call, start-up included",
        f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU; "
        f"the published scorer needs {PUBLISHED_CPU_SECONDS / done.cpu:.0f} times the CPU",
        "under 1 s wall",
        done.wall < 1,
    )


def hard_cases() -> Iterator[Figure]:
    """Against real gold: one edit every few words, taken from the hypothesis itself, by five annotators."""
    with tempfile.TemporaryDirectory() as folder:
        hard = SHARED / "data" / "hard"
        texts = {
            stem: [(hard / f"{stem}.{ending}").read_text().split() for ending in ("src", other)]
            for stem, other in (("gmeg_wiki_test_694", "marian"), ("m2scorer_issue8", "hyp"))
        }
        texts["full rewrite of 100 × 100"] = [[f"{letter}{i}" for i in range(100)] for letter in "sh"]
        for name, (source, hypothesis) in texts.items():
            gold, output = Path(folder, "gold.m2"), Path(folder, "output.txt")
            lines = [f"S {' '.join(source)}"]
            for annotator in range(5):
                for i in range(annotator, min(len(source), len(hypothesis)) - 1, 5):
                    lines.append(f"A {i} {i + 1}|||X|||{hypothesis[i]}|||REQUIRED|||-NONE-|||{annotator}")
            gold.write_text("\n".join(lines) + "\n")
            output.write_text(" ".join(hypothesis) + "\n")
            for behaviour in ("official", "optimal"):
                command = [*RECTE, "score", str(gold), str(output), "--behaviour", behaviour]
                done = run(command, repeats=3)
                peak = f"{done.peak_mb:.0f} MB" if done.peak_mb > peak_floor() + 1 else f"below {peak_floor():.0f} MB"
                wanted = 1 if behaviour == "official" else 4
                yield Figure(
                    f"{name}, five annotators, {behaviour}, start-up included",
                    f"{done.wall:.2f} s, {peak}",
                    f"under {wanted} s and 300 MB",
                    done.wall < wanted and done.peak_mb < 300,
                )


def million_pairs() -> Iterator[Figure]:
    peaks = {}
    for size in (100_000, 1_000_000):
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: Path(folder, name) for name in ("src", "ref", "hyp")}
            words = [f"word{i}" for i in range(5000)]
            streams = {name: path.open("w") for name, path in paths.items()}
            for i in range(size):
                tokens = [words[(i * 31 + j * 977) % 5000] for j in range(12)]
                streams["src"].write(" ".join(tokens) + "\n")
                tokens[i % 12] = words[i % 5000]
                streams["ref"].write(" ".join(tokens) + "\n")
                tokens[(i + 5) % 12] = words[(i + 1) % 5000]
                streams["hyp"].write(" ".join(tokens) + "\n")
            for stream in streams.values():
                stream.close()
            done = run([*RECTE, "score", "-s", str(paths["src"]), "-r", str(paths["ref"]), "-i", str(paths["hyp"])])
            peaks[size] = done
    small_run, large_run = peaks[100_000], peaks[1_000_000]
    grown = large_run.peak_mb - small_run.peak_mb
    yield Figure(
        "a million sentence pairs",
        f"{large_run.wall:.0f} s, peak {large_run.peak_mb:.0f} MB; {small_run.peak_mb:.0f} MB for a tenth of them",
        "bounded memory: under 100 bytes for each pair more",
        grown * 2**20 / 900_000 < 100,
    )


def kernel() -> Iterator[Figure]:
    """Loads RapidFuzz and the twin into this process, so it comes last."""
    from rapidfuzz.distance import Levenshtein

    from recte import _kernels, read_m2, read_system
    from recte.edits.edit_search import EditSearch, SearchOptions

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles.maxmatch import official_edits

    corpus = read_m2(CONLL / "gold.m2")
    search = EditSearch.of(corpus.columns)
    options = SearchOptions()
    calls = []
    pairs = []
    for path in sorted((CONLL / "systems").glob("*.txt")):
        arguments, settings = search._arguments(read_system(path).outputs, options, None)
        calls.append({**arguments, **settings, "annotators": len(search.annotators), "threads": 1})
        texts = [
            [ids[a:b].tolist() for a, b in pairwise(offsets)]
            for ids, offsets in (arguments["sources"], arguments["hypotheses"])
        ]
        pairs += zip(*texts, strict=True)
    ours = best_of(7, lambda: [_kernels.count_maxmatch(**call) for call in calls]) / len(pairs)
    peer = best_of(7, lambda: [Levenshtein.opcodes(a, b) for a, b in pairs]) / len(pairs)
    yield Figure(
        "kernel, all annotators, beside RapidFuzz's Levenshtein.opcodes",
        f"{ours / peer:.1f} times its time ({ours * 1e6:.2f} and {peer * 1e6:.2f} µs a pair, one thread)",
        "at most 20 times, aim 5",
        ours / peer <= 20,
    )
    cases = [json.loads(line) for line in (SHARED / "golden/maxmatch/random-cases.jsonl").open()][:1000]
    from recte import Annotation, Edit, Sentence
    from recte.corpus.gold_columns import columns_of

    annotated = [
        (
            Sentence(" ".join(case["source"])),
            (
                Annotation(
                    "0", tuple(Edit(e["start"], e["end"], tuple(e["corrections"])) for e in case["annotators"]["0"])
                ),
            ),
        )
        for case in cases
    ]
    random_search = EditSearch.of(columns_of([s for s, _ in annotated], [a for _, a in annotated]))
    arguments, settings = random_search._arguments([" ".join(c["hypothesis"]) for c in cases], options, None)
    call = {**arguments, **settings, "annotators": 1, "threads": 1}
    fast = best_of(5, lambda: _kernels.count_maxmatch(**call))
    slow = best_of(
        1,
        lambda: [
            official_edits(c["source"], c["hypothesis"], [(e.start, e.end, e.corrections) for e in a[0].edits])
            for c, (_, a) in zip(cases, annotated, strict=True)
        ],
    )
    yield Figure(
        "kernel beside its twin, 1,000 little adversarial cases",
        f"{slow / fast:.0f} times faster",
        "100 times at least",
        slow / fast >= 100,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["maxmatch"])

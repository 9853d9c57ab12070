"""Coverage and conservatism: the whole study of a shared task, in one call each."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measuring import RECTE, SHARED, Figure, run

CONLL = SHARED / "data" / "conll14"


def conservatism() -> Iterator[Figure]:
    systems = sorted(map(str, (CONLL / "systems").glob("*.txt")))
    annotators = sorted(map(str, (CONLL / "ten-annotators").glob("*.m2")))
    done = run([*RECTE, "conservatism", str(CONLL / "gold.m2"), *systems, "--annotators", *annotators], repeats=3)
    yield Figure(
        "conservatism: 13 systems and 12 annotators, one call, start-up included",
        f"{done.wall:.1f} s wall, {done.cpu:.1f} s CPU",
        "under 5 s",
        done.wall < 5,
    )


def coverage() -> Iterator[Figure]:
    done = run([*RECTE, "coverage", str(SHARED / "data" / "crowd" / "gec_corrections.jsonl")], repeats=2)
    yield Figure(
        "coverage: 52 sentences, both matches with intervals, F with BCa, one call",
        f"{done.wall:.1f} s wall, {done.cpu:.1f} s CPU",
        "under 3 s of CPU time",
        done.cpu < 3,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["coverage"])

"""A million pairs from files to scores, compared with a plain Python loop over the same lines."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, run

CONLL = SHARED / "data" / "conll14"
PAIRS = 1_000_000
LOOP = """
import sys
from rapidfuzz.distance import Levenshtein
with open(sys.argv[1]) as gold, open(sys.argv[2]) as outputs:
    for line in gold:
        words = line.split()
        if words and words[0] == "S":
            Levenshtein.opcodes(words[1:], next(outputs).split())
"""


def write_corpus(folder: Path, pairs: int) -> tuple[Path, Path]:
    """CoNLL-2014's gold, which has two annotators, and one of its systems, over and over."""
    blocks = [block for block in (CONLL / "gold.m2").read_text().split("\n\n") if block.strip()]
    lines = (CONLL / "systems" / "AMU.txt").read_text().splitlines()
    gold, output = folder / "gold.m2", folder / "output.txt"
    with gold.open("w") as first, output.open("w") as second:
        for i in range(pairs):
            first.write(blocks[i % len(blocks)] + "\n\n")
            second.write(lines[i % len(blocks)] + "\n")
    return gold, output


def million_pairs(pairs: int = PAIRS) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        gold, output = write_corpus(Path(folder), pairs)
        loop = run([sys.executable, "-c", LOOP, str(gold), str(output)])
        for metric, intervals in (("m2", True), ("m2", False), ("gleu", False), ("imeasure", False)):
            command = [*RECTE, "score", str(gold), str(output), "-m", metric, "-q"]
            done = run(command if intervals else [*command, "--no-ci"])
            took = f"{1e6 * done.cpu / pairs:.1f} and {1e6 * loop.cpu / pairs:.1f} µs a pair"
            yield Figure(
                f"{pairs:,} pairs, two annotators, {metric}{' with intervals' if intervals else ''}",
                f"{done.cpu / loop.cpu:.1f} times the CPU time of reading, splitting and RapidFuzz's opcodes in Python "
                f"({took}), peak {done.peak_mb:.0f} MB",
                "at most 1.5 times, under 300 MB" if intervals else "under 300 MB",
                (done.cpu <= 1.5 * loop.cpu or not intervals) and done.peak_mb < 300,
            )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["corpora"])

"""A million pairs through `recte filter`: time compared with a plain loop, memory with a tenth of the pairs."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.corpora import CONLL, PAIRS
from benchmarks.measuring import RECTE, Figure, Run, run

TYPED = PAIRS // 10
LOOP = """
import sys
from rapidfuzz.distance import Levenshtein
with open(sys.argv[1]) as sources, open(sys.argv[2]) as outputs:
    for source, output in zip(sources, outputs):
        Levenshtein.opcodes(source.split(), output.split())
"""
LIMITS = (
    *("--min-edits", "1", "--max-edits", "10", "--max-edit-words", "8", "--max-changed", "0.6"),
    *("--min-length-ratio", "0.5", "--max-length-ratio", "2", "--refuse", "all", "--no-duplicates"),
)
TYPES = ("--types", "R:*", "--without-types", "R:OTHER", "--no-duplicates")


def write_pairs(folder: Path, pairs: int) -> list[str]:
    """CoNLL-2014's sources and one of its systems over and over; a number as last word makes each pair differ."""
    sources = [line[2:] for line in (CONLL / "gold.m2").read_text().splitlines() if line.startswith("S ")]
    outputs = (CONLL / "systems" / "AMU.txt").read_text().splitlines()
    paths = []
    for name, lines in (("source.txt", sources), ("output.txt", outputs)):
        with (folder / name).open("w") as stream:
            stream.writelines(f"{lines[i % len(lines)]} {i}\n" for i in range(pairs))
        paths.append(str(folder / name))
    return paths


def _filter(folder: Path, files: Sequence[str], conditions: Sequence[str]) -> Run:
    return run([*RECTE, "filter", *files, *conditions, "--to", str(folder / "kept.tsv"), "-q"])


def million_pairs(pairs: int = PAIRS) -> Iterator[Figure]:
    """All conditions but types and models."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tenth = _filter(folder, write_pairs(folder, pairs // 10), LIMITS)
        files = write_pairs(folder, pairs)
        loop = run([sys.executable, "-c", LOOP, *files])
        done = _filter(folder, files, LIMITS)
    yield Figure(
        f"recte filter on {pairs:,} pairs, all conditions without types and models",
        f"{done.cpu / loop.cpu:.1f} times the CPU time of reading, splitting and RapidFuzz's opcodes in Python "
        f"({1e6 * done.cpu / pairs:.1f} and {1e6 * loop.cpu / pairs:.1f} µs a pair)",
        "at most 4 times",
        done.cpu <= 4 * loop.cpu,
    )
    grown = done.peak_mb - tenth.peak_mb
    yield Figure(
        f"its memory, and with {pairs // 10:,} pairs",
        f"{done.peak_mb:.0f} and {tenth.peak_mb:.0f} MB",
        "no more than 20 bytes for each further pair",  # 8 of a hash, and as many while two runs are merged
        grown * 1e6 <= 20 * 0.9 * pairs,
    )


def typed(pairs: int = TYPED) -> Iterator[Figure]:
    """Conditions on types, compared with `recte extract` on the same files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = write_pairs(folder, pairs)
        loop = run([sys.executable, "-c", LOOP, *files])
        extracted = run([*RECTE, "extract", *files, "--to", str(folder / "edits.m2")])
        done = _filter(folder, files, TYPES)
    ratios = [command.cpu / loop.cpu for command in (done, extracted)]
    yield Figure(
        f"recte filter by types on {pairs:,} pairs, compared with recte extract",
        f"{ratios[0]:.1f} and {ratios[1]:.1f} times the CPU time of reading, splitting and RapidFuzz's opcodes "
        f"({1e6 * done.cpu / pairs:.0f} and {1e6 * extracted.cpu / pairs:.0f} µs a pair), peak {done.peak_mb:.0f} MB",
        "at most extraction's and one more",
        ratios[0] <= ratios[1] + 1,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["filtering"])

"""The most memory that each command takes, with 100,000 pairs and with a million.

RECTE_PAIRS says how many pairs the larger corpus has.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.corpora import write_corpus
from benchmarks.measuring import RECTE, Figure, run

FEWER = 100_000
PAIRS = int(os.environ.get("RECTE_PAIRS", 1_000_000))
MOST_MB = 400
COMMANDS: dict[str, Sequence[str]] = {
    "score, M² with intervals": ("score", "gold.m2", "output.txt", "-q"),
    "score, GLEU": ("score", "gold.m2", "output.txt", "-m", "gleu", "--no-ci", "-q"),
    "score, I-measure": ("score", "gold.m2", "output.txt", "-m", "imeasure", "--no-ci", "-q"),
    "score, ERRANT": ("score", "gold.m2", "output.txt", "-m", "errant", "--no-ci", "-q"),
    "score, GREEN": ("score", "gold.m2", "output.txt", "-m", "green", "--no-ci", "-q"),
    "score, CLEME": ("score", "gold.m2", "output.txt", "-m", "cleme", "--no-ci", "-q"),
    "score --by-type, M²": ("score", "gold.m2", "output.txt", "--by-type", "--no-ci", "-q"),
    "score -sl, M²": ("score", "gold.m2", "output.txt", "-sl", "--no-ci", "-f", "csv", "-q"),
    "compare, M²": ("compare", "gold.m2", "output.txt", "second.txt", "-q"),
    "explain, M²": ("explain", "gold.m2", "output.txt", "-n", "90007", "-q"),
    "segmentation": ("segmentation", "gold.m2", "output.txt", "--segmenters", "given", "characters"),
    "clean": ("clean", "source.txt", "output.txt", "--to", "cleaned.txt"),
    "count, M²": ("count", "gold.m2", "output.txt", "-o", "m2.counts", "-q"),
    "filter": ("filter", "source.txt", "output.txt", "--max-changed", "0.5", "--no-duplicates", "--to", "pairs.tsv"),
    "extract": ("extract", "source.txt", "output.txt", "--to", "edits.m2"),
    "convert, M2 to M2": ("convert", "gold.m2", "--to-m2", "again.m2"),
    "convert, M2 to texts": ("convert", "gold.m2", "--to-source", "s.txt", "--to-references", "r0.txt", "r1.txt"),
    "convert, texts to a table": ("convert", "-s", "source.txt", "-r", "output.txt", "--to-tsv", "table.tsv"),
    "conservatism": ("conservatism", "gold.m2", "output.txt"),
    "report": ("report", "gold.m2", "output.txt", "--to", "report.html", "-q"),
}


def measure_peak(name: str, pairs: int) -> float:
    """The peak in MB of one command on so many pairs."""
    with tempfile.TemporaryDirectory() as folder:
        gold, output = write_corpus(Path(folder), pairs)
        (Path(folder) / "second.txt").symlink_to(output)
        with gold.open() as blocks, (Path(folder) / "source.txt").open("w") as sources:
            sources.writelines(line[2:] for line in blocks if line.startswith("S "))
        before = Path.cwd()
        os.chdir(folder)
        try:
            return run([*RECTE, *COMMANDS[name]]).peak_mb
        finally:
            os.chdir(before)


def peaks(pairs: int = PAIRS, names: Sequence[str] = tuple(COMMANDS)) -> Iterator[Figure]:
    """Every command on both corpora."""
    for name in names:
        fewer, more = measure_peak(name, FEWER), measure_peak(name, pairs)
        yield Figure(
            f"{name}: {FEWER:,} and {pairs:,} pairs",
            f"{fewer:.0f} and {more:.0f} MB",
            f"under {MOST_MB} MB",
            more < MOST_MB,
        )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["memory"])

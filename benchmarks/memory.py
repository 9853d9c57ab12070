"""The most memory that each command and metric takes, with 100,000 pairs and with a million.

`RECTE_PAIRS=200000 python -m benchmarks.memory "score -sl" clean` measures those whose names begin so, with so many
pairs in the larger corpus.

Left out is what is inherently of few sentences: human judgments and answers (rank, metaeval, judge, coverage, ceilings,
references, closest), parses (faithfulness), one text (cut), bundles, and metrics that ask language models.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.corpora import CONLL, write_corpus
from benchmarks.measuring import RECTE, Figure, run, show

FEWER = 100_000
PAIRS = int(os.environ.get("RECTE_PAIRS", 1_000_000))
MOST_MB = 400
PAIR, SECOND = ("gold.m2", "output.txt"), "second.txt"
TEXTS = ("-s", "source.txt", "-r", "output.txt", "-i", SECOND)
SPELLING = ("-s", "source.txt", "-r", "source.txt", "-i", "source.txt")  # as many characters in all of them
METRICS: dict[str, Sequence[str]] = {
    **dict.fromkeys(("m2", "hoo", "m2-et", "errant", "imeasure", "gleu", "green", "cleme", "cleme2"), PAIR),
    "goto": (*PAIR, SECOND),
    **dict.fromkeys(("sentence-accuracy", "bleu", "char-bleu", "char-meaning"), PAIR),
    "csc": SPELLING,
    "cherrant": (*TEXTS, "--tokens", "characters"),
}


def _commands() -> Iterator[tuple[str, Sequence[str]]]:
    for name, files in METRICS.items():
        yield f"score -m {name}", ("score", *files, "-m", name, "--no-ci")
    for name in ("m2", "gleu", "cleme"):
        yield f"score -m {name}, with intervals", ("score", *PAIR, "-m", name)
    for name in METRICS:
        yield f"score -sl -m {name}", ("score", *METRICS[name], "-m", name, "--no-ci", "-sl", "-f", "csv")
    for how in ("text", "json", "tidy", "markdown"):
        yield f"score -sl -f {how}", ("score", *PAIR, "--no-ci", "-sl", "-f", how)
    yield "score -sl --with-texts", ("score", *PAIR, "--no-ci", "-sl", "--with-texts", "-f", "csv")
    yield "score --edits", ("score", *PAIR, "--no-ci", "--edits", "-f", "json")
    for name in ("m2", "errant"):
        yield f"score --by-type -m {name}", ("score", *PAIR, "--by-type", "-m", name, "--no-ci")
    for name in ("m2", "gleu", "cleme"):
        yield f"compare -m {name}", ("compare", *PAIR, SECOND, "-m", name)
        yield f"count -m {name}", ("count", *PAIR, "-m", name, "-o", f"{name}.counts")
    yield "compare --sentences", ("compare", *PAIR, SECOND, "--sentences", "20")
    yield "correlate", ("correlate", *PAIR, SECOND, "third.txt", "-m", "m2", "gleu")
    yield "explain", ("explain", *PAIR, "-n", "90007")
    yield "report", ("report", *PAIR, "--to", "report.html")
    yield "report, four metrics", ("report", *PAIR, "-m", "m2", "imeasure", "gleu", "errant", "--to", "report.html")
    yield "figures", ("figures", *PAIR, "--to", "figures")
    yield "difficulty", ("difficulty", *PAIR, SECOND, "--to", "difficulty.tsv")
    yield "conservatism", ("conservatism", *PAIR)
    yield "segmentation", ("segmentation", *PAIR, "--segmenters", "given", "characters")
    yield "clean", ("clean", "source.txt", "output.txt", "--to", "cleaned.txt")
    conditions = ("--max-changed", "0.5", "--no-duplicates")
    yield "filter", ("filter", "source.txt", "output.txt", *conditions, "--to", "pairs.tsv")
    yield "extract", ("extract", "source.txt", "output.txt", "--to", "edits.m2")
    yield "convert, M2 to M2", ("convert", "gold.m2", "--to-m2", "again.m2")
    yield "convert, M2 to texts", ("convert", "gold.m2", "--to-source", "s.txt", "--to-references", "r0.txt", "r1.txt")
    yield "convert, texts to a table", ("convert", "-s", "source.txt", "-r", "output.txt", "--to-tsv", "table.tsv")


COMMANDS = dict(_commands())


def write_files(folder: Path, pairs: int) -> Path:
    """A folder with a corpus of so many pairs, and the outputs of three systems."""
    folder.mkdir()
    gold, output = write_corpus(folder, pairs)
    (folder / "third.txt").symlink_to(output)
    lines = (CONLL / "systems" / "CAMB.txt").read_text().splitlines(keepends=True)
    with (folder / SECOND).open("w") as second:
        second.writelines(lines[number % len(lines)] for number in range(pairs))
    with gold.open() as blocks, (folder / "source.txt").open("w") as sources:
        sources.writelines(line[2:] for line in blocks if line.startswith("S "))
    return folder


def measure_peak(name: str, folder: Path) -> float:
    """The peak in MB of one command on the files of a folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return run([*RECTE, *COMMANDS[name], "-q"]).peak_mb
    finally:
        os.chdir(before)


def peaks(pairs: int = PAIRS, names: Sequence[str] = tuple(COMMANDS)) -> Iterator[Figure]:
    """Every command on both corpora."""
    with tempfile.TemporaryDirectory() as folder:
        fewer, more = (write_files(Path(folder, str(size)), size) for size in (FEWER, pairs))
        for name in names:
            with_fewer, with_more = measure_peak(name, fewer), measure_peak(name, more)
            yield Figure(
                f"{name}: {FEWER:,} and {pairs:,} pairs",
                f"{with_fewer:.0f} and {with_more:.0f} MB",
                f"under {MOST_MB} MB",
                with_more < MOST_MB,
            )


if __name__ == "__main__":
    wanted = tuple(sys.argv[1:])
    for figure in peaks(names=[name for name in COMMANDS if name.startswith(wanted or "")]):
        show([figure])

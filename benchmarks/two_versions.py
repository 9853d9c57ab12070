"""Two installed versions of recte in turn: `python -m benchmarks.two_versions OTHER_PYTHON [RUNS]`.

Each command runs with the recte of this interpreter and with that of OTHER_PYTHON in turn. Printed are the medians of
CPU seconds and their ratio, so that a change which costs more than a few percent is seen. Compile the modules of both
before (`python -m compileall src`) where Python does not: PYTHONDONTWRITEBYTECODE lets every run compile them again.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.measuring import SHARED, run

CONLL = SHARED / "data" / "conll14"
COPIES = 80  # of CoNLL-2014's 1,312 sentences: about 100,000 pairs


def write_large_corpus(folder: Path) -> tuple[str, str]:
    """A gold and an output of many sentences, in `folder`."""
    gold, output = folder / "large.m2", folder / "large.txt"
    gold.write_text(((CONLL / "gold.m2").read_text("utf-8").rstrip("\n") + "\n\n") * COPIES, "utf-8")
    output.write_text((CONLL / "systems" / "AMU.txt").read_text("utf-8") * COPIES, "utf-8")
    return str(gold), str(output)


def commands(folder: Path) -> Mapping[str, Sequence[str]]:
    """Arguments of recte by what they do."""
    gold, systems = str(CONLL / "gold.m2"), sorted(map(str, (CONLL / "systems").glob("*.txt")))
    large = write_large_corpus(folder)
    return {
        "help": ["--help"],
        "13 systems, M²": ["score", gold, *systems, "-m", "m2"],
        "13 systems, ERRANT": ["score", gold, *systems, "-m", "errant"],
        "13 systems, M², I-measure, GLEU": ["score", gold, *systems, "-m", "m2", "imeasure", "gleu"],
        "13 systems, by type": ["score", gold, *systems, "--by-type"],
        "compare, 13 systems": ["compare", gold, *systems],
        "report, 13 systems × 3": [
            *("report", gold, *systems, "-m", "m2", "imeasure", "gleu", "--to", str(folder / "report.html"))
        ],
        "explain": ["explain", gold, *systems[:1], "-n", "20"],
        f"{COPIES * 1312:,} pairs, M²": ["score", *large, "-m", "m2"],
        f"{COPIES * 1312:,} pairs, GLEU": ["score", *large, "-m", "gleu"],
    }


def main(other: str, runs: int = 10) -> None:
    with tempfile.TemporaryDirectory() as folder:
        listed = commands(Path(folder))
        width = max(map(len, listed))
        print(f"{'CPU seconds, medians':<{width}}  this  other  ratio")
        for name, arguments in listed.items():
            seconds: dict[str, list[float]] = {sys.executable: [], other: []}
            for _ in range(runs):
                for python, measured in seconds.items():
                    measured.append(run([python, "-m", "recte", *arguments]).cpu)
            this, that = map(statistics.median, seconds.values())
            print(f"{name:<{width}}  {this:.3f}  {that:.3f}  {this / that:.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))

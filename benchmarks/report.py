"""The report of a shared task, and the five papers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, run

CONLL = SHARED / "data" / "conll14"


def one_call() -> Iterator[Figure]:
    systems = sorted(map(str, (CONLL / "systems").glob("*.txt")))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        metrics = ["-m", "m2", "imeasure", "gleu"]
        # The first of the runs may have to bundle Vega, which is then kept.
        done = run([*RECTE, "report", str(CONLL / "gold.m2"), *systems, *metrics, "-q", "-o", str(page)], repeats=4)
        size = page.stat().st_size / 1e6
    yield Figure(
        "report: 13 systems, three metrics, one recte report call",
        f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU, {size:.1f} MB",
        "under 1.5 s CPU and 2 MB",
        done.cpu < 1.5 and size < 2,
    )


def papers() -> Iterator[Figure]:
    done = run([*RECTE, "reproduce", "--data", str(SHARED / "data"), "-q"])
    yield Figure("reproduce: five papers", f"{done.wall:.0f} s wall", "under 180 s", done.wall < 180)


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["report"])

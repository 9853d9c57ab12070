"""UCCA faithfulness: the paper's 15 pairs and its agreement, one call each."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, run

UCCA = SHARED / "data" / "ucca"
SAME = {"tree": (1197, 1198, 1200, 1202), "amittaic": (1197, 1198, 1200, 1203, 1205)}
TWICE_LEARNER, TWICE_CORRECTED = (1297, 1298, 1300, 1301), (1197, 1198, 1200)


def pair_lists() -> dict[str, list[tuple[str, str]]]:
    """Learner's and corrected text by the same annotator and by different ones; both annotators of one text."""
    pairs = [(f"{who}{n + 100}", f"{who}{n}") for who, numbers in SAME.items() for n in numbers]
    pairs += [(f"{a}{n + 100}", f"{b}{n}") for n in TWICE_CORRECTED for a, b in ((*SAME,), (*reversed(SAME),))]
    return {"pairs": pairs, "agreement": [(f"amittaic{n}", f"tree{n}") for n in (*TWICE_LEARNER, *TWICE_CORRECTED)]}


def one_call() -> Iterator[Figure]:
    walls = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, pairs in pair_lists().items():
            listed = Path(folder, f"{name}.tsv")
            listed.write_text("".join(f"{UCCA / a}.xml.gz\t{UCCA / b}.xml.gz\n" for a, b in pairs))
            flags = ["--agreement"] if name == "agreement" else []
            walls[name] = run([*RECTE, "faithfulness", "--pairs", str(listed), *flags], repeats=3).wall
    yield Figure(
        "faithfulness: the paper's 15 pairs, and its 7 passages annotated twice, one call each, start-up included",
        f"{walls['pairs']:.2f} s and {walls['agreement']:.2f} s wall",
        "under 5 s together",
        sum(walls.values()) < 5,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["faithfulness"])

"""ERRANT: aligning compared with the published tool and with the twin, extraction and comparison start-up included."""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
GOLDEN = SHARED / "golden" / "errant"
PUBLISHED_EXTRACTION = (
    9.5  # CPU seconds of the published tool for AMU at best, on the machine the facts were observed on
)


def one_call() -> Iterator[Figure]:
    """Whole commands: texts into M2, M2 into scores."""
    source, system = CONLL / "source.txt", CONLL / "systems" / "AMU.txt"
    with tempfile.TemporaryDirectory() as folder:
        bare = run([sys.executable, "-c", "import numpy"], repeats=5).cpu  # what any such command costs, on this day
        done = run([*RECTE, "extract", str(source), str(system), "--to", str(Path(folder, "amu.m2"))], repeats=5)
        yield Figure(
            "extract one CoNLL-14 system from text, built-in annotations, start-up included",
            f"{done.cpu:.2f} s CPU ({bare:.2f} s for Python and NumPy alone); the published tool needs "
            f"{PUBLISHED_EXTRACTION / done.cpu:.0f} times that",
            "under 0.3 s CPU",
            done.cpu < 0.3,
        )
        systems = []
        for path in sorted((CONLL / "systems").glob("*.txt")):
            systems.append(str(Path(folder, f"{path.stem}.m2")))
            run([*RECTE, "extract", str(source), str(path), "--to", systems[-1]])
        gold = Path(folder, "references.m2")
        gold.write_bytes(gzip.decompress((GOLDEN / "conll14" / "references.m2.gz").read_bytes()))
        done = run([*RECTE, "score", str(gold), *systems, "-m", "errant", "--no-ci", "-q"], repeats=5)
        yield Figure(
            f"compare {len(systems)} systems, M2 on both sides, start-up included",
            f"{done.cpu:.2f} s CPU",
            "under 0.5 s CPU",
            done.cpu < 0.5,
        )


def alignment() -> Iterator[Figure]:
    """One pair of annotated sentences, without the reading of them. Loads the twin into this process."""
    from recte import _kernels
    from recte.extraction import alignment as ours

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from annotated_cases import GivenTokens
    from oracles import errant as twin

    supplied = GivenTokens(GOLDEN / "conll14-tokens.tsv.gz")
    texts = [
        [tuple(line.split()) for line in path.read_text().splitlines()]
        for path in (CONLL / "source.txt", CONLL / "systems" / "AMU.txt")
    ]
    changed = [(a, b) for a, b in zip(*texts, strict=True) if a != b]
    pairs = [tuple(supplied(pair)) for pair in changed]
    calls: list[tuple[Any, ...]] = []
    kernel = _kernels.extract_edits

    def noted(*arguments: Any) -> Any:
        calls.append(arguments)
        return kernel(*arguments)

    _kernels.extract_edits = noted
    try:
        ours.align(pairs)
    finally:
        _kernels.extract_edits = kernel
    arguments = (*calls[0][:-1], 1)  # one thread
    mine = best_of(20, lambda: kernel(*arguments)) / len(pairs)
    few = pairs[:60]
    tokens = [[[twin.Token(*t) for t in zip(s.text, s.pos, s.lemma, s.tag, strict=True)] for s in pair] for pair in few]
    slow = best_of(3, lambda: [twin.align(a, b) for a, b in tokens]) / len(few)
    yield Figure(
        "align a pair, beside the literal twin",
        f"{slow / mine:.0f} times faster ({mine * 1e6:.1f} µs and {slow * 1e3:.2f} ms a pair)",
        "at least 500 times",
        slow / mine >= 500,
    )
    published = _published(pairs)
    if published is not None:
        yield Figure(
            "align a pair, beside the published tool",
            f"{published / mine:.0f} times faster ({mine * 1e6:.1f} µs and {published * 1e3:.2f} ms a pair)",
            "at least 500 times",
            published / mine >= 500,
        )


def _published(pairs: Sequence[tuple[Any, ...]]) -> float | None:
    """Seconds a pair of the package errant, from the same annotations; None where it is not installed."""
    try:
        from errant.alignment import Alignment
        from spacy.tokens import Doc
        from spacy.vocab import Vocab
    except ImportError:
        return None
    vocabulary = Vocab()
    documents = []
    for pair in pairs:
        made = [
            Doc(vocabulary, words=list(s.text), pos=list(s.pos), tags=list(s.tag), lemmas=list(s.lemma)) for s in pair
        ]
        documents.append(made)
    return best_of(3, lambda: [Alignment(a, b) for a, b in documents]) / len(documents)


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["errant"])

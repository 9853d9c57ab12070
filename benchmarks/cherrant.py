"""ChERRANT: Chinese edits by characters compared with their literal twin, and the pairs that stall the published
tool.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

GOLDEN = SHARED / "golden" / "cherrant"
OUTPUTS = SHARED / "data" / "chinese" / "nlpcc18" / "convs2s.pkunlp.txt"
PUBLISHED_COMPARISON = 0.15  # of MuCGEC's 1,137 sentences there
PUBLISHED_SECONDS = 16  # of the published tool for NLPCC-2018's 2,000 outputs, on the machine of the facts


def _records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress((GOLDEN / name).read_bytes()).decode().splitlines()]


def _sources() -> list[str]:
    m2 = gzip.decompress((GOLDEN / "m2" / "nlpcc18.references.m2.gz").read_bytes()).decode()
    return [line.removeprefix("S ") for line in m2.split("\n") if line.startswith("S ")]


def _cpu(repeats: int, work: Any) -> float:
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def extraction() -> Iterator[Figure]:
    from recte.extraction.zh.extractor import ChineseExtractor
    from recte.extraction.zh.word_lists import read_lists

    extractor = ChineseExtractor(lists=read_lists(str(GOLDEN / "resources")))
    pairs = list(zip(_sources(), OUTPUTS.read_text("utf-8").splitlines(), strict=True))
    extractor.extract(pairs[:1])  # the lists are read when they are first asked for
    cpu = _cpu(3, lambda: extractor.extract(pairs))
    yield Figure(
        "ChERRANT: edits of NLPCC-2018's 2,000 sentences by characters",
        f"{cpu:.2f} s CPU; the published tool needs {PUBLISHED_SECONDS / cpu:.0f} times as long",
        "50 times faster",
        PUBLISHED_SECONDS / cpu >= 50,
    )


def one_call() -> Iterator[Figure]:
    references = str(GOLDEN / "m2" / "nlpcc18.references.m2.gz")
    lists = ["--lists", str(GOLDEN / "resources")]
    done = run([*RECTE, "score", references, str(OUTPUTS), "-m", "cherrant", *lists, "-f", "json"], repeats=3)
    yield Figure(
        "ChERRANT: NLPCC-2018 by characters from texts, lists and intervals included, one recte score call",
        f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU",
        "under 2 s CPU",
        done.cpu < 2,
    )


def comparison() -> Iterator[Figure]:
    from recte import Corpus, System, read_m2
    from recte.metrics.cherrant import Cherrant

    gold = read_m2(GOLDEN / "m2" / "nlpcc18.references.m2.gz")
    supplied = read_m2(GOLDEN / "m2" / "nlpcc18.convs2s.m2.gz")
    system = System("convs2s", ("",) * len(supplied), tuple(s.annotations[0].edits for s in supplied))
    metric = Cherrant()
    sentences = tuple(gold)
    cpu = _cpu(3, lambda: metric.score(Corpus(sentences), system))
    yield Figure(
        "ChERRANT: NLPCC-2018's edits compared, gold read before",
        f"{cpu:.2f} s CPU; the published tool needs {PUBLISHED_COMPARISON / cpu:.1f} times as long",
        "as fast at least",
        cpu <= PUBLISHED_COMPARISON,
    )


def kernel() -> Iterator[Figure]:
    from recte.extraction.zh.alignment import align_chinese
    from recte.extraction.zh.tokens import character
    from recte.extraction.zh.word_lists import read_lists

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles import cherrant as oracle

    def text(name: str, encoding: str = "utf-8") -> str:
        return gzip.decompress((GOLDEN / "resources" / name).read_bytes()).decode(encoding)

    lists = read_lists(str(GOLDEN / "resources"))
    literal = oracle.Lists(text("cilin.txt.gz", "gbk"), text("confusion_dict.txt.gz"))
    cases = [case for case in _records("random-char.jsonl.gz") if "cost" in case]
    sources = [[character(c) for c in case["src"]] for case in cases]
    targets = [[character(c) for c in case["tgt"]] for case in cases]
    align_chinese(sources[:1], targets[:1], lists=lists)
    fast = _cpu(5, lambda: align_chinese(sources, targets, lists=lists))
    slow = _cpu(1, lambda: [oracle.alternatives(literal, "char", a, b) for a, b in zip(sources, targets, strict=True)])
    yield Figure(
        "ChERRANT: aligning and merging beside the twin, 1,796 random pairs of characters",
        f"{slow / fast:.0f} times faster ({1e6 * fast / len(cases):.0f} µs a pair, Python's part included)",
        "50 times at least",
        slow / fast >= 50,
    )


def stalls() -> Iterator[Figure]:
    from recte.extraction.zh.alignment import align_chinese
    from recte.extraction.zh.tokens import character

    for case in _records("stalls.jsonl.gz"):
        source, target = ([character(c) for c in case[side]] for side in ("src", "tgt"))
        seconds = best_of(3, lambda source=source, target=target: align_chinese([source], [target]))
        yield Figure(f"ChERRANT: {case['name']}", f"{1000 * seconds:.1f} ms", "under 1 s", seconds < 1)


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["cherrant"])

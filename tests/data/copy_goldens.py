"""Copies the synthetic goldens of the shared data into this folder, compressed: python tests/data/copy_goldens.py.

Only what was made for testing may be copied: random cases, typing cases, tiny corpora of our own making. A file that
mixes random cases with fragments of a corpus is copied in part: a case is left out if it holds a run of words that
stands in a corpus.
"""

from __future__ import annotations

import json
import lzma
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from shared_data import COPIES, ROOT, bare_name, opened  # noqa: E402

Case = dict[str, Any]
Owned = Callable[[Case], bool]

WHOLE = [
    "maxmatch/random-cases.jsonl",
    "imeasure/random-triples.jsonl",
    "errant/compare-random.jsonl.gz",
    "errant/similarity.tsv.gz",
    "cherrant/compare-random.jsonl.gz",
    "cherrant/probes.jsonl.gz",
    "cherrant/stalls.jsonl.gz",
    "cherrant/ties-char.jsonl.gz",
    "green/cases-char.jsonl",
    "green/cases-word.jsonl",
    "cleme/corpora.jsonl",
    "csc/corpora.jsonl",
    "gotoscorer/cases.jsonl",
    "gotoscorer/pt-errant-cases.jsonl",
    "metaeval/ratings.json",
    "metaeval/synthetic.json",
]
FOLDERS = ["shared-tasks/competition-v2", "shared-tasks/formats"]
SINGLE = ["shared-tasks/competition-v2.schema.json", "shared-tasks/worker.tsv"]


def lines(path: Path) -> Iterator[str]:
    with opened(path) as stream:
        yield from stream


def runs(tokens: list[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[i : i + length]) for i in range(len(tokens) - length + 1))


def english_corpora() -> Iterator[list[str]]:
    for folder in ("conll14/systems", "conll14/references", "conll14", "jfleg"):
        for path in sorted(ROOT.joinpath("data", folder).iterdir()):
            if path.is_file() and path.suffix != ".xml":
                yield from (line.lower().split() for line in lines(path))
    sentence: list[str] = []
    for line in lines(ROOT / "golden" / "errant" / "conll14-tokens.tsv.gz"):
        if line.strip():
            sentence.append(line.split("\t")[0].lower())
        else:
            yield sentence
            sentence = []


def no_english_text() -> Owned:
    """Neither sentence holds three words that stand together in a corpus."""
    known = {run for tokens in english_corpora() for run in runs(tokens, 3)}

    def owned(case: Case) -> bool:
        return not any(run in known for side in ("orig", "cor") for run in runs([t[0].lower() for t in case[side]], 3))

    return owned


def no_chinese_text(length: int) -> Owned:
    """Neither sentence holds `length` tokens that stand together in a corpus (their first eight characters decide)."""
    known: set[str] = set()
    for path in sorted(ROOT.joinpath("data", "chinese").rglob("*")):
        if path.is_file():
            for text in {re.sub(r"[ \t\n]", "", line) for line in lines(path)}:
                known.update(text[i : i + size] for size in range(3, 9) for i in range(len(text) - size + 1))

    def owned(case: Case) -> bool:
        sides = ([t if isinstance(t, str) else t[0] for t in case[side]] for side in ("src", "tgt"))
        return not any("".join(run)[:8] in known for tokens in sides for run in runs(tokens, length))

    return owned


def write(name: str, content: Iterable[str]) -> None:
    target = COPIES / f"{bare_name(name)}.xz"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(lzma.compress("".join(content).encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{target.stat().st_size:9,}  {target.relative_to(HERE)}")


def write_part(name: str, owned: Owned) -> set[int]:
    kept = [(json.loads(line), line) for line in lines(ROOT / "golden" / name)]
    kept = [(case, line) for case, line in kept if owned(case)]
    write(name, (line for _, line in kept))
    return {case["id"] for case, _ in kept}


def main() -> None:
    for name in WHOLE:
        write(name, lines(ROOT / "golden" / name))
    english = no_english_text()
    write_part("errant/random-cases.jsonl.gz", english)
    write_part("errant/typing-cases.jsonl.gz", english)
    kept = {
        "char": write_part("cherrant/random-char.jsonl.gz", no_chinese_text(4)),
        "word": write_part("cherrant/random-word.jsonl.gz", no_chinese_text(3)),
    }
    without_lists = "cherrant/without-lists.jsonl.gz"
    cases = ((json.loads(line), line) for line in lines(ROOT / "golden" / without_lists))
    write(without_lists, (line for case, line in cases if case["id"] in kept[case["level"]]))
    for name in FOLDERS:
        shutil.copytree(ROOT / "golden" / name, COPIES / name, dirs_exist_ok=True, copy_function=shutil.copyfile)
    for name in SINGLE:
        shutil.copyfile(ROOT / "golden" / name, COPIES / name)


if __name__ == "__main__":
    main()

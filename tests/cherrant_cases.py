"""The golden ChERRANT cases as the tests use them: tokens, M2 text, and the flags of the published comparison."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from oracles.matching import NO_OP, ComparedEdit, Comparison, EditCounts, Matching
from recte.extraction.zh.tokens import ChineseToken, character
from shared_data import shared

LISTS = ("golden", "cherrant", "resources")
NOTHING = ComparedEdit(-1, -1, NO_OP, "-NONE-")
LEVELS = {"char": "characters", "word": "words"}
MODES: dict[str, Matching] = {"cs": "correction", "cse": "correction-and-type", "ds": "span", "dt": "token"}


def text_of(*parts: str, encoding: str = "utf-8") -> str:
    return gzip.decompress(shared("golden", "cherrant", *parts).read_bytes()).decode(encoding)


def records(name: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, text_of(f"{name}.jsonl.gz").splitlines())


def tokens_of(level: str, tokens: list[Any]) -> list[ChineseToken]:
    """A case's tokens: characters, or words with tags and syllables."""
    if level == "char":
        return [character(token) for token in tokens]
    return [ChineseToken(text, tag, tuple(syllables)) for text, tag, syllables in tokens]


def own_targets(m2: str) -> tuple[list[str], list[list[str]]]:
    """The sources of a published file, and the targets that its own T lines hold."""
    sources, targets = [], []
    for block in m2.strip("\n").split("\n\n"):
        first, *lines = block.split("\n")
        ours = {line[1:].split()[0].split("-")[0]: line.split(" ", 1)[1] for line in lines if line.startswith("T")}
        sources.append(first.removeprefix("S "))
        targets.append(list(ours.values()))
    return sources, targets


def blocks(m2: str) -> list[dict[str, list[ComparedEdit]]]:
    """The edits of each block by annotator, spaces taken out of corrections; a block without any is a no-op."""
    actual = []
    for block in m2.strip().split("\n\n"):
        annotators: dict[str, list[ComparedEdit]] = {}
        for line in block.split("\n"):
            if line.startswith("A "):
                span, type_, correction, *_, annotator = line[2:].split("|||")
                start, end = map(int, span.split())
                edit = ComparedEdit(start, end, type_, correction.replace(" ", ""))
                annotators.setdefault(annotator, []).append(edit)
        actual.append(annotators or {"0": [NOTHING]})
    return actual


@cache
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    for flag in (*MODES, "single", "multi", "multi_hyp_avg", "multi_hyp_max"):
        parser.add_argument(f"-{flag}", action="store_true")
    parser.add_argument("-b", type=float, default=0.5)
    parser.add_argument("-filt", nargs="+", default=[])
    parser.add_argument("-cat", type=int)
    for flag in ("--start", "--end", "--max_answer_num", "--reference_num"):
        parser.add_argument(flag, type=int)
    return parser


def flags_of(text: str) -> argparse.Namespace:
    return _parser().parse_args(text.split())


def comparison_of(flags: argparse.Namespace) -> Comparison:
    mode = next((mode for mode in MODES if getattr(flags, mode)), "cs")
    width = "single" if flags.single else "multi" if flags.multi else "all"
    return Comparison(MODES[mode], width, frozenset(flags.filt), correction_width=False)


def figures(counts: EditCounts, beta: float) -> tuple[float, float, float]:
    """P, R and F as published, each rounded."""
    tp, fp, fn = counts
    p, r = (tp / (tp + fp) if fp else 1.0), (tp / (tp + fn) if fn else 1.0)
    f = (1 + beta**2) * p * r / (beta**2 * p + r) if p + r else 0.0
    return round(p, 4), round(r, 4), round(f, 4)


def added(a: EditCounts, b: EditCounts) -> EditCounts:
    return EditCounts(*(x + y for x, y in zip(a, b, strict=True)))

"""Tiny checkpoints and what published programs gave with them; a test that needs them is skipped where they are not."""

from __future__ import annotations

from recte import Corpus
from shared_data import golden_json, shared

CASES = ("AMU", "CAMB", "NTHU", "edge")


def checkpoint(name: str) -> str:
    return str(shared("golden", "neural", "checkpoints", name))


def neural_golden(name: str):
    return golden_json(f"neural/{name}.json")


def conll14(*parts: str) -> list[str]:
    lines = shared("data", "conll14", *parts).read_text(encoding="utf-8").split("\n")
    return [lines[i] for i in neural_golden("inputs")["sentences"]]


def edges() -> tuple[list[str], list[str]]:
    sources, hypotheses = zip(*neural_golden("inputs")["edge_cases"], strict=True)
    return list(sources), list(hypotheses)


def golden_corpus(name: str, references: bool = False) -> Corpus:
    if name == "edge":
        return Corpus.from_references(edges()[0])
    listed = [conll14("references", f"ref{r}.txt") for r in (0, 1)] if references else []
    return Corpus.from_references(conll14("source.txt"), listed)


def golden_system(name: str) -> list[str]:
    return edges()[1] if name == "edge" else conll14("systems", f"{name}.txt")

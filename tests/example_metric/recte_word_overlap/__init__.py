"""Word overlap: the share of words that a hypothesis and its best reference have in common (Jaccard's index)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import recte
from recte.metrics import SentenceMetric, option


@dataclass(frozen=True, kw_only=True)
class WordOverlap(SentenceMetric):
    """The mean over sentences of the overlap with the best reference."""

    name: ClassVar[str] = "word-overlap"
    title: ClassVar[str] = "Word overlap"
    sentence_meaning: ClassVar[str] = "shared words, of all words of the hypothesis and its best reference"

    ignore_case: bool = option(False, "take upper and lower case for the same")
    seed: int = option(0, "of nothing: the command line has a flag of that name, too")

    def score_sentence(self, source: str, hypothesis: str, references: Sequence[str]) -> float:
        if self.ignore_case:
            hypothesis, references = hypothesis.lower(), [reference.lower() for reference in references]
        return shared_words(source, hypothesis, references)


@recte.sentence_metric("shared-words", title="Shared words")
def shared_words(source: str, hypothesis: str, references: Sequence[str]) -> float:
    """The same without options, as a function."""
    words = set(hypothesis.split())
    of_references = [set(reference.split()) for reference in references]
    return max(len(words & reference) / (len(words | reference) or 1) for reference in of_references)

"""Models as scorers of two texts, for whoever takes any scorer: faithfulness, weights of edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from recte.neural.baselines import Baseline, baseline_for
from recte.neural.greedy_matching import GreedyMatching
from recte.neural.results import results_of
from recte.neural.text_models import Regressor, SentenceVectors

__all__ = ["MeaningKept", "PieceSimilarity", "VectorSimilarity", "bertscore", "impara_similarity", "some_meaning"]

Pairs = Sequence[tuple[str, str]]
_AT_ONCE = 64


@dataclass(frozen=True)
class PieceSimilarity:
    """BERTScore's F of the first text against the second, rescaled where there is a baseline."""

    matching: GreedyMatching
    baseline: Baseline | None = None

    @cached_property
    def name(self) -> str:
        baseline = "none" if self.baseline is None else self.baseline.source
        matching = self.matching
        return f"bertscore {matching.signature} layer {matching.layer} baseline {baseline} {matching.dtype}"

    def __call__(self, a: str, b: str) -> float:
        return self.many([(a, b)])[0]

    def many(self, pairs: Pairs) -> list[float]:
        found = results_of(self.matching, list(pairs))[:, 2]
        base = 0.0 if self.baseline is None else self.baseline.f
        scores: list[float] = ((found - base) / (1 - base)).tolist()
        return scores


@dataclass(frozen=True)
class MeaningKept:
    """How much of the first text's meaning the second keeps, by SOME's regressor, from 0 to 1 or beyond."""

    model: Regressor

    def __call__(self, a: str, b: str) -> float:
        return self.many([(a, b)])[0]

    def many(self, pairs: Pairs) -> list[float]:
        scores: list[float] = ((results_of(self.model, list(pairs))[:, 0] - 1) / 3).tolist()
        return scores


@dataclass(frozen=True)
class VectorSimilarity:
    """The cosine of two texts' mean vectors, which IMPARA's gate looks at."""

    model: SentenceVectors

    def __call__(self, a: str, b: str) -> float:
        return self.many([(a, b)])[0]

    def many(self, pairs: Pairs) -> list[float]:
        vectors = results_of(self.model, [text for pair in pairs for text in pair])
        scores: list[float] = []
        for begin in range(0, len(vectors), 2 * _AT_ONCE):  # what a processor keeps at hand
            part = vectors[begin : begin + 2 * _AT_ONCE].astype(np.float64)
            a, b = part[::2], part[1::2]
            lengths = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
            scores += ((a * b).sum(axis=1) / np.where(lengths == 0, 1.0, lengths)).tolist()
        return scores


def bertscore() -> PieceSimilarity:
    """BERTScore as PT-M² has it: bert-base-uncased, layer 9, rescaled."""
    return PieceSimilarity(GreedyMatching("bert-base-uncased"), baseline_for("bert-base-uncased", 9))


def some_meaning() -> MeaningKept:
    """SOME's meaning model, where its archive unpacks it."""
    return MeaningKept(Regressor("gfm-models/meaning", "meaning_model", pairs=True))


def impara_similarity() -> VectorSimilarity:
    """IMPARA's similarity model."""
    return VectorSimilarity(SentenceVectors("bert-base-cased", "similarity_model"))

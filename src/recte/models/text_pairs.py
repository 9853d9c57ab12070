"""Models as scorers of two texts, for whoever takes any scorer: faithfulness, weights of edits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import results_of, results_of_blocks, rows_and_places
from recte.models.baselines import Baseline, baseline_for
from recte.models.greedy_matching import GreedyMatching
from recte.models.text_models import Regressor, SentenceVectors
from recte.threads import thread_count

__all__ = [
    "WHERE_SOME_IS",
    "MeaningKept",
    "PieceSimilarity",
    "VectorSimilarity",
    "bertscore",
    "cosines",
    "impara_similarity",
    "some_meaning",
]

Pairs = Sequence[tuple[str, str]]
_AT_ONCE = 64  # pairs of vectors: what a processor keeps at hand
_PER_THREAD = 1_024
WHERE_SOME_IS = "SOME's models are on no hub: unpack its authors' archive here, or name the folders of the three models"


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
        scores: list[float] = self._rescale(results_of(self.matching, list(pairs))).tolist()
        return scores

    def in_blocks(self, blocks: Iterable[tuple[Sequence[str], NDArray[np.int64]]]) -> NDArray[np.float64]:
        """The same for pairs that come in blocks, given by their places among a block's texts.

        A GPU begins with the first block; a processor, which is never waited for, has all at once.
        """
        in_time = blocks if self.matching.device_type != "cpu" else list(blocks)
        return self._rescale(results_of_blocks(self.matching, in_time))

    def _rescale(self, figures: NDArray[np.floating]) -> NDArray[np.float64]:
        base = 0.0 if self.baseline is None else self.baseline.f
        return np.asarray((figures[:, 2] - base) / (1 - base))


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
        [(vectors, places)] = rows_and_places([(self.model, [text for pair in pairs for text in pair])])
        scores: list[float] = cosines(vectors, places.reshape(-1, 2)).tolist()
        return scores


def cosines(vectors: NDArray[np.floating], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """The cosine of each pair of vectors, given by their places; 0 where one is 0.

    >>> cosines(np.array([[3.0, 4.0], [4.0, 3.0], [0.0, 0.0]]), np.array([[0, 1], [0, 2]])).tolist()
    [0.96, 0.0]
    """
    values = np.empty(len(pairs))

    def compare(first: int) -> None:
        for begin in range(first, min(first + _PER_THREAD, len(pairs)), _AT_ONCE):
            a, b = (vectors[side].astype(np.float64) for side in pairs[begin : begin + _AT_ONCE].T)
            lengths = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
            values[begin : begin + len(a)] = (a * b).sum(axis=1) / np.where(lengths == 0, 1.0, lengths)

    begins = range(0, len(pairs), _PER_THREAD)
    if len(begins) < 2:
        deque(map(compare, begins), maxlen=0)
    else:
        with ThreadPoolExecutor(thread_count(len(begins))) as threads:
            deque(threads.map(compare, begins), maxlen=0)
    return values


def bertscore() -> PieceSimilarity:
    """BERTScore as PT-M² has it: bert-base-uncased, layer 9, rescaled."""
    return PieceSimilarity(GreedyMatching("bert-base-uncased"), baseline_for("bert-base-uncased", 9))


def some_meaning() -> MeaningKept:
    """SOME's meaning model, where its archive unpacks it."""
    return MeaningKept(Regressor("gfm-models/meaning", "meaning_model", pairs=True, how_to_get=WHERE_SOME_IS))


def impara_similarity() -> VectorSimilarity:
    """IMPARA's similarity model."""
    return VectorSimilarity(SentenceVectors("bert-base-cased", "similarity_model"))

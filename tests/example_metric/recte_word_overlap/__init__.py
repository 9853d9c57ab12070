"""Word overlap: the share of words that a hypothesis and its best reference have in common (Jaccard's index)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte import Corpus, Counts
from recte.alignment.reference_texts import ReferenceTexts
from recte.metrics.base import Column, Score, Scorer, SummedMetric, option


@dataclass(frozen=True, kw_only=True)
class WordOverlap(SummedMetric):
    """The mean over sentences of the overlap with the best reference."""

    name: ClassVar[str] = "word-overlap"
    title: ClassVar[str] = "Word overlap"
    cells: ClassVar[tuple[int, ...]] = (1,)
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64
    do_nothing_can_win: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = "shared words, of all words of the hypothesis and its best reference"

    ignore_case: bool = option(False, "take upper and lower case for the same")
    seed: int = option(0, "of nothing: the command line has a flag of that name, too")

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("overlap", ("score",)),)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({"ignore_case": self.ignore_case})

    def prepare(self, gold: Corpus) -> WordOverlapScorer:
        return WordOverlapScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Score:
        entries = tuple(self.sentence_entries(counts)) if sentences else None
        score = float(self.sentence_scores(counts).mean())
        return Score(**self.common_figures(counts), score=score, sentences=entries)

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return np.asarray(counts.rows[:, 0, 0])

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        return np.stack([counts.rows[:, 0, 0], np.ones(len(counts))], axis=1)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sums[:, 0] / sums[:, 1])


class WordOverlapScorer(Scorer[WordOverlap]):
    """Word overlap with its references, or the texts that gold edits make."""

    def __init__(self, metric: WordOverlap, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        texts = ReferenceTexts(corpus, rule="nus").references
        self.references = [[self._words(words) for words in of_sentence] for of_sentence in texts]

    def _words(self, words: Sequence[str]) -> frozenset[str]:
        return frozenset(word.lower() if self.metric.ignore_case else word for word in words)

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = [self._overlap(self._words(h.split()), s) for h, s in zip(hypotheses, source_of, strict=True)]
        return self.counts_of(np.array(rows).reshape(-1, 1, 1), ("all",), source_of)

    def _overlap(self, words: frozenset[str], place: int) -> float:
        return max(len(words & theirs) / (len(words | theirs) or 1) for theirs in self.references[place])

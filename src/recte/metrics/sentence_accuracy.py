"""Sentence accuracy: the share of hypotheses that equal one of their references (Lin et al. 2022, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus
from recte.corpus.counts import Counts
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.references import REFERENCE_RULES, ReferenceRule
from recte.metrics.base import Column, MeanMetric, Score, Scorer, option
from recte.text.segmenters import has_unspaced

__all__ = ["SentenceAccuracy", "SentenceAccuracyScore", "SentenceAccuracyScorer"]

LIN_2022 = """@misc{lin-etal-2022-new,
  title = {A New Evaluation Method: Evaluation Data and Metrics for {C}hinese Grammar Error Correction},
  author = {Lin, Nankai and Fu, Yingwen and Lin, Xiaotian and Yang, Ziyu and Jiang, Shengyi},
  year = {2022}
}"""


@dataclass(frozen=True, kw_only=True)
class SentenceAccuracyScore(Score):
    """`correct` of `sentence_count` hypotheses equal a reference."""

    correct: int


@dataclass(frozen=True, kw_only=True)
class SentenceAccuracy(MeanMetric):
    """A hypothesis is right if it is one of the references, and wrong otherwise.

    A sentence in a script without blanks, such as Chinese, is compared without them, so that no word segmenter changes
    the score (Lin et al. 2022); others are compared token by token. `compare="tokens"` does so everywhere.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["He go .", "I am"], [["He goes .", "I am"]])
    >>> SentenceAccuracy().score(gold, ["He goes .", "I be"]).score
    0.5
    >>> chinese = Corpus.from_references(["我 喜欢 苹果"], [["我 喜欢 吃 苹果"]])
    >>> SentenceAccuracy().score(chinese, ["我 喜欢 吃苹果"]).score
    1.0
    """

    name: ClassVar[str] = "sentence-accuracy"
    title: ClassVar[str] = "Sentence accuracy"
    cells: ClassVar[tuple[int, ...]] = (1,)
    do_nothing_can_win: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = "100 if the hypothesis is one of the references, 0 if not"
    bibtex: ClassVar[str] = LIN_2022

    compare: Literal["text", "tokens"] = option(
        "text",
        "text: where the script has no blanks, as in Chinese, however words are cut; tokens: by tokens everywhere",
        choices=("text", "tokens"),
    )
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        return super().valid_rows(rows) & (rows <= 1).all(axis=1)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("correct", ("correct",), percentage=False), Column("accuracy", ("score",)))

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({})

    def prepare(self, gold: Corpus) -> SentenceAccuracyScorer:
        return SentenceAccuracyScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> SentenceAccuracyScore:
        correct = int(self.read_rows(counts).sum())
        return SentenceAccuracyScore(
            **self.common_figures(counts),
            score=correct / len(counts),
            correct=correct,
            sentences=self.all_entries(counts) if sentences else None,
        )

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return self.read_rows(counts)[:, 0, 0].astype(np.float64)


class SentenceAccuracyScorer(Scorer[SentenceAccuracy]):
    """Sentence accuracy with its references."""

    metric: SentenceAccuracy

    def __init__(self, metric: SentenceAccuracy, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        texts = ReferenceTexts(corpus, rule=metric.reference_rule)
        sources = (sentence.text for sentence in corpus)
        self.joins = [metric.compare == "text" and has_unspaced(source) for source in sources]
        self.references = [
            frozenset(_joined_words(words, joins) for words in of_sentence)
            for of_sentence, joins in zip(texts.references, self.joins, strict=True)
        ]

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        right = [
            _joined_words(h.split(), self.joins[s]) in self.references[s]
            for h, s in zip(hypotheses, source_of, strict=True)
        ]
        return self.counts_of(np.array(right, dtype=np.int32).reshape(-1, 1, 1), ("all",), source_of)


def _joined_words(words: Sequence[str], joins: bool) -> tuple[str, ...]:
    return ("".join(words),) if joins else tuple(words)

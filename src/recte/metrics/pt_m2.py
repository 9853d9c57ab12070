"""PT-M² (Gong et al. 2022): MaxMatch's edits, weighed by BERTScore.

Its authors recommend the mean of the sentences' F, each against the annotator that suits it best; `averaging` corpus is
F of all edits together. Where all weights of a sentence are 0, its edits count alike, as in the published script.

Weights of edits by a pretrained model (Gong et al. 2022, "Revisiting Grammatical Error Correction Evaluation").

An edit weighs as much as it alone moves BERTScore of the source towards the reference, or away from it. The sign is
lost, as published: an edit that does harm weighs as much as one that helps.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts
from recte.edits.edit_search import Behaviour
from recte.edits.edit_weights import EditWeigher, TextWeigher
from recte.metrics.annotator_choice import best_f, precision_recall_f, sentence_f
from recte.metrics.base import option
from recte.metrics.bertscore import BertScoreOptions
from recte.metrics.edit_metric import BetaOption, EditMetric, EditScore
from recte.metrics.maxmatch import MaxMatch, MaxMatchOptions
from recte.metrics.resamples import Resamples
from recte.metrics.weighted_edits import WeighedSums, WeightedMetric
from recte.models.text_pairs import PieceSimilarity

__all__ = ["PretrainedWeights", "PtM2"]


@dataclass(frozen=True, kw_only=True)
class PretrainedWeights(BertScoreOptions, WeightedMetric):
    """A metric over edits, `wrapped`, that are weighed by BERTScore. It has the options of both."""

    wrapped: ClassVar[type[EditMetric]]
    bibtex: ClassVar[str] = """@inproceedings{gong-etal-2022-revisiting,
  title = {Revisiting Grammatical Error Correction Evaluation and Beyond},
  author = {Gong, Peiyuan and Liu, Xuebo and Huang, Heyan and Zhang, Min},
  booktitle = {Proceedings of EMNLP 2022},
  pages = {6891--6902},
  year = {2022}
}"""

    edit_verdicts: str = option(
        "",
        "a file, or a judge of two texts as module:function, that says which edits outside the gold are right",
        loader="recte.formats.edit_values:load_edit_verdicts",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.metric  # checks its options  # noqa: B018

    @cached_property
    def metric(self) -> EditMetric:  # type: ignore[override]
        names = {f.name for f in fields(self)} - {"edit_verdicts"}
        return self.wrapped(**{f.name: getattr(self, f.name) for f in fields(self.wrapped) if f.name in names})

    def weigher(self) -> EditWeigher:
        matching = self.piece_matching()
        similarity = PieceSimilarity(matching, self.baseline_of(matching))
        return TextWeigher(similarity.name, similarity)


_NUMBERS = slice(3, 6)  # tp, proposed and gold as plain numbers of edits, with their weights


@dataclass(frozen=True, kw_only=True)
class PtM2(PretrainedWeights, MaxMatchOptions, BetaOption):
    """MaxMatch with weights.

    >>> PtM2(averaging="corpus").metric.title
    'MaxMatch (M²)'
    """

    name: ClassVar[str] = "pt-m2"
    title: ClassVar[str] = "PT-M²"
    wrapped: ClassVar[type[EditMetric]] = MaxMatch

    behaviour: Behaviour = option(
        "official", "as m2 finds edits: official, paper or optimal", choices=("official", "paper", "optimal")
    )
    averaging: Literal["corpus", "sentence"] = option(
        "sentence",
        "corpus: sums over the corpus; sentence: the mean of the sentences' figures",
        choices=("corpus", "sentence"),
        scoring_only=True,
    )

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (6 + len(self.verdict_names),)

    def row_cells(self, sums: WeighedSums, place: NDArray[np.int64]) -> NDArray[Any]:
        return np.column_stack([sums.triples, sums.numbers])

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return {"averaging": self.averaging, **super().signature_parts(counts)}

    @property
    def chooses_alone(self) -> bool:
        return self.averaging == "sentence"

    def _alone(self, counts: Counts) -> NDArray[Any]:
        """tp, proposed and gold by sentence and annotator, where each sentence stands alone."""
        rows = self.read_rows(counts)
        weighed, plain = rows[:, :, :3], rows[:, :, _NUMBERS]
        nothing = (weighed[..., 1] == 0) & (weighed[..., 2] == 0)
        return np.where(nothing[..., None], plain, weighed)

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return best_f(self._alone(counts), self.beta)

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        if self.averaging == "corpus":
            return super().chosen_columns(counts)
        triples = self._alone(counts)
        f = np.nan_to_num(sentence_f(triples, self.beta), nan=-1.0)
        below = self.beta**2 * triples[..., 2] + triples[..., 1]
        order = np.lexsort((np.nan_to_num(below), -np.nan_to_num(triples[..., 0]), -f), axis=1)
        return order[:, 0].astype(np.int32)

    def takes_fractions(self, counts: Counts) -> bool:
        return self.averaging == "sentence"

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        if self.averaging == "corpus":
            return super()._score_many(counts, weights)
        exact = weights.astype(np.float64, copy=False)
        return np.asarray(exact @ self.sentence_scores(counts) / exact.sum(axis=1))

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        return np.concatenate([self.score_many(counts, weights) for weights in resamples.blocks()])

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> EditScore:
        score = super().score_counts(counts, sentences=sentences)
        if self.averaging == "corpus":
            return score
        triples, chosen = self._alone(counts), self.chosen_columns(counts)
        figures = np.array(
            [
                precision_recall_f(tp, proposed, gold, self.beta)
                for tp, proposed, gold in triples[np.arange(len(counts)), chosen].tolist()
            ]
        )
        precision, recall, _ = figures.mean(axis=0).tolist()
        return replace(score, precision=precision, recall=recall, score=float(self.sentence_scores(counts).mean()))

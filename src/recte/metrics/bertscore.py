"""BERTScore: Zhang et al. (2020), hypotheses against references by the similarity of their pieces in context.

A row holds P, R and F against each reference. A sentence has the largest of each, separately, as published. The same
similarity weighs edits in PT-M² and PT-ERRANT, so its options stand apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import results_of
from recte.corpus.corpus import Corpus
from recte.corpus.counts import Counts, absent_rows
from recte.edits.references import REFERENCE_RULES, ReferenceRule, references_from_edits
from recte.errors import InputError
from recte.metrics.base import Column, option
from recte.metrics.explanation import Explanation, TextView
from recte.metrics.neural_metric import ModelOptions, NeuralMetric, NeuralScorer
from recte.models.baselines import Baseline, baseline_for, default_layer
from recte.models.greedy_matching import GreedyMatching
from recte.models.text_models import NamedModel

__all__ = ["BertScore", "BertScoreOptions", "BertScoreScorer", "rescale"]

_MEASURES = ("p", "r", "f")


@dataclass(frozen=True, kw_only=True)
class BertScoreOptions(ModelOptions):
    """How BERTScore compares two texts."""

    model: str = option(
        "bert-base-uncased", "the language model, or the encoder of BERTScore: a folder or a name of the model hub"
    )
    layer: int = option(-1, "layer whose states BERTScore compares; -1 for the one published for the model")
    rescale: bool = option(True, "rescale BERTScore, so that unrelated texts have about 0")
    baseline_file: str = option(
        "",
        "a file (LAYER,P,R,F) of what unrelated texts score, where none is published for the model",
        loader="recte.models.baselines:load_baselines",
    )

    def piece_matching(self) -> GreedyMatching:
        """The model that matches pieces of two texts."""
        layer = default_layer(self.model) if self.layer < 0 else self.layer
        return GreedyMatching(self.model, "model", self.model_dtype, self.device, layer=layer)

    def baseline_of(self, matching: GreedyMatching) -> Baseline | None:
        return baseline_for(self.model, matching.layer, self.baseline_file) if self.rescale else None

    def matching_names(self, matching: GreedyMatching) -> dict[str, str]:
        """What had a say in BERTScore, for the signature."""
        baseline = self.baseline_of(matching)
        return {
            "model": matching.signature,
            "layer": str(matching.layer),
            "baseline": "none" if baseline is None else baseline.source,
        }


def rescale(figures: NDArray[np.float64], baseline: Baseline | None) -> NDArray[np.float64]:
    """P, R and F (the last axis) with the baseline at 0 and 1 at 1."""
    if baseline is None:
        return figures
    b = np.array([baseline.p, baseline.r, baseline.f])
    return np.asarray((figures - b) / (1 - b))


@dataclass(frozen=True, kw_only=True)
class BertScore(BertScoreOptions, NeuralMetric):
    """BERTScore.

    >>> BertScore().options()["model"]
    'bert-base-uncased'
    """

    name: ClassVar[str] = "bertscore"
    title: ClassVar[str] = "BERTScore"
    cells: ClassVar[tuple[int, ...]] = (3,)
    needs_references: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = "the largest similarity to a reference"
    bibtex: ClassVar[str] = """@inproceedings{zhang-etal-2020-bertscore,
  title = {{BERTScore}: Evaluating Text Generation with {BERT}},
  author = {Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav},
  booktitle = {Proceedings of ICLR 2020},
  year = {2020}
}"""

    idf: bool = option(False, "weigh pieces by how rare they are in the references (BERTScore)")
    measure: Literal["p", "r", "f"] = option(
        "f", "what BERTScore's score is: precision, recall or F", choices=_MEASURES, scoring_only=True
    )
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    @property
    def columns(self) -> tuple[Column, ...]:
        names = {"p": "P", "r": "R", "f": "F"}
        others = [Column(names[m], ("parts", m)) for m in _MEASURES if m != self.measure]
        return (*others, Column(names[self.measure], ("score",)))

    def models(self) -> Mapping[str, NamedModel]:
        return {"model": self.piece_matching()}

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {"references": len(counts.columns), "measure": self.measure}
        return {**parts, **super().signature_parts(counts)}

    def prepare(self, gold: Corpus) -> BertScoreScorer:
        return BertScoreScorer(self, gold)

    def parts(self, counts: Counts) -> dict[str, NDArray[np.float64]]:
        return dict(zip(_MEASURES, np.nanmax(self.read_rows(counts), axis=1).T, strict=True))

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return self.parts(counts)[self.measure]


class BertScoreScorer(NeuralScorer):
    """BERTScore with its references."""

    metric: BertScore

    def __init__(self, metric: BertScore, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.references = _references(corpus, metric.reference_rule)
        bare = next((place for place, of_sentence in enumerate(self.references) if not of_sentence), None)
        if bare is not None:
            sentence = corpus[bare]
            raise InputError(f"expected references for sentence {sentence.id or sentence.text!r}, got none")

    @cached_property
    def _matching(self) -> GreedyMatching:
        matching = self.metric.piece_matching()
        if not self.metric.idf:
            return matching
        return replace(matching, weights=matching.weights_from([text for of in self.references for text in of]))

    def model_names(self) -> dict[str, str]:
        matching = self._matching
        idf = {} if matching.weights is None else {"idf": matching.weights.signature}
        return {**self.metric.matching_names(matching), **idf}

    def run_models(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        pairs = [(h, text) for h, s in zip(hypotheses, source_of, strict=True) for text in self.references[s]]
        numbers = [len(self.references[s]) for s in source_of]
        figures = rescale(results_of(self._matching, pairs).astype(np.float64), self.metric.baseline_of(self._matching))
        columns = tuple(map(str, range(max(map(len, self.references)))))
        rows = absent_rows((len(hypotheses), len(columns), 3), np.float64)
        rows[np.arange(len(columns)) < np.array(numbers, dtype=np.int64).reshape(-1, 1)] = figures
        return columns, rows

    def explain(self, system: Any, number: int) -> Explanation:
        """P, R and F against each reference, and the largest of each."""
        explanation, place = super().explain(system, number), number - 1
        counts = self._count(self.segmented([system.outputs[place]]), [place])
        views = tuple(
            TextView(f"reference {r}", text, dict(zip(("P", "R", "F"), counts.rows[0, r].tolist(), strict=True)))
            for r, text in enumerate(self.references[place])
        )
        return replace(explanation, texts=views)


def _references(corpus: Corpus, rule: ReferenceRule) -> list[Sequence[str]]:
    """The references of each sentence, as they are given or made from gold edits."""
    columns = corpus.columns
    if columns.annotation_offsets[-1] > columns.annotation_offsets[0]:
        annotators = corpus.annotators
        return [references_from_edits(s, annotators, rule=rule) if s.annotations else s.references for s in corpus]
    texts = list(columns.references)
    return [texts[begin:end] for begin, end in pairwise(columns.reference_offsets.tolist())]

"""What metrics share that ask models about texts: rows of what the models said, and scores as means of sentences.

A row holds what was said, so that thresholds and weights can be changed afterwards. Results come from
`recte.caching.result_cache`, which asks a model once for each distinct text; so `prepare_with` asks for those of all
systems together, and counting a system finds them in the cache.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts, plain_rows
from recte.metrics.base import MeanMetric, Score, Scorer, option
from recte.metrics.explanation import Explanation, Figure
from recte.models.loading import DTYPES, ModelDtype
from recte.models.text_models import NamedModel

__all__ = ["ModelOptions", "NeuralMetric", "NeuralScore", "NeuralScorer"]


@dataclass(frozen=True, kw_only=True)
class NeuralScore(Score):
    """A score, and the figures it is made of, over all sentences."""

    out_of_range_reason: ClassVar[str] = "models give what they give, and nothing cuts it to 0 and 1"

    parts: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Where models run, and with what numbers."""

    model_dtype: ModelDtype = option(
        "fp32", "numbers that models compute with; bf16 is faster and turns some verdicts", choices=DTYPES
    )
    device: str = option("auto", "where models run: auto (a GPU if there is one), cpu, cuda", scoring_only=True)


@dataclass(frozen=True, kw_only=True)
class NeuralMetric(ModelOptions, MeanMetric):
    """A metric whose rows hold what models said of a sentence, and whose score is the mean of the sentences'."""

    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64
    needs_references: ClassVar[bool] = False
    do_nothing_can_win: ClassVar[bool] = True
    compares_with_source: ClassVar[bool] = False
    plain_parts: ClassVar[frozenset[str]] = frozenset()  # figures that are no fractions, and printed as they are

    @abstractmethod
    def models(self) -> Mapping[str, NamedModel]:
        """The models that decide, by the option that names each."""

    @abstractmethod
    def parts(self, counts: Counts) -> dict[str, NDArray[np.float64]]:
        """What each sentence's score is made of, by name."""

    @abstractmethod
    def prepare(self, gold: Corpus) -> NeuralScorer: ...

    def prepare_with(self, gold: Corpus, systems: Mapping[str, System]) -> NeuralScorer:
        scorer = self.prepare(gold)
        if len(systems) > 1:
            scorer.ask_ahead(systems.values())
        return scorer

    def corpus_parts(self, counts: Counts) -> dict[str, float | None]:
        """What the score of all sentences is made of; by default the means of the sentences' parts."""
        return {name: _mean(values) for name, values in self.parts(counts).items()}

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> NeuralScore:
        common = self.common_figures(counts)
        return NeuralScore(
            **common,
            score=float(self.scores_of_sums(self.summands(counts).sum(axis=0)[None])[0]),
            parts=self.corpus_parts(counts),
            sentences=self.all_entries(counts) if sentences else None,
        )

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        parts = self.parts(counts)
        for entry, (_, *values) in zip(
            super().sentence_entries(counts), plain_rows(counts.index, *parts.values()), strict=True
        ):
            yield {**entry, **{name: _number(value) for name, value in zip(parts, values, strict=True)}}

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({"model_dtype": self.model_dtype}, leaving_out=("device", *self.models()))


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _mean(values: NDArray[np.float64]) -> float | None:
    there = values[np.isfinite(values)]
    return float(there.mean()) if there.size else None


class NeuralScorer(Scorer[Any]):
    """Sources, and references where the metric has some, ready to ask models about hypotheses."""

    metric: NeuralMetric

    @abstractmethod
    def run_models(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Names of columns, and what models said of each hypothesis: rows by columns by the metric's cells."""

    def model_names(self) -> dict[str, str]:
        """The models by name and hash, for the signature."""
        return {option: model.signature for option, model in self.metric.models().items()}

    @cached_property
    def sources(self) -> Sequence[str]:
        """The source sentences as they are."""
        return list(self.corpus.unchanged)

    def ask_ahead(self, systems: Iterable[System]) -> None:
        """Have the results of all systems at once, so that batches are full and nothing is asked twice."""
        texts = [text for system in systems for text in self.segmented(system.outputs)]
        self.run_models(texts, [place % len(self.corpus) for place in range(len(texts))])

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        columns, rows = self.run_models(hypotheses, source_of)
        return replace(self.counts_of(rows, columns, source_of), made_with=self.model_names())

    def explain(self, system: System, number: int) -> Explanation:
        """The parts of the sentence's score; models are asked about this sentence alone."""
        place, metric = number - 1, self.metric
        hypothesis = self.segmented([system.outputs[place]])[0]
        counts = self._count([hypothesis], [place])
        score = float(metric.sentence_scores(counts)[0])
        return Explanation(
            number=number,
            system=system.name,
            title=metric.title,
            score_name=metric.columns[-1].header,
            source=" ".join(self.corpus[place].tokens),
            hypothesis=" ".join(hypothesis.split()),
            chosen=f"{100 * score:.2f}" if metric.score_factor == 100 else f"{score:.4g}",
            reason=self.reason(counts),
            figures=tuple(
                Figure(name.replace("_", " "), float(values[0]), name not in metric.plain_parts)
                for name, values in metric.parts(counts).items()
            ),
        )

    def reason(self, counts: Counts) -> str:
        """Why a sentence scored as it did, in words; `counts` have it alone."""
        return self.metric.sentence_meaning

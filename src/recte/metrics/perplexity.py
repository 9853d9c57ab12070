"""How likely a language model finds the hypothesis: perplexity, log-probability, and the fluency of Ge et al. (2018).

A row holds the negative log-likelihood of a hypothesis and its numbers of pieces and words, so that all forms follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import results_of
from recte.corpus.corpus import Corpus
from recte.corpus.counts import Counts
from recte.metrics.base import Column, option
from recte.metrics.neural_metric import NeuralMetric, NeuralScorer
from recte.models.text_models import LanguageModel

__all__ = ["Perplexity", "PerplexityScorer"]

Form = Literal["perplexity", "log-probability", "fluency"]
_FORMS: tuple[Form, ...] = ("perplexity", "log-probability", "fluency")


@dataclass(frozen=True, kw_only=True)
class Perplexity(NeuralMetric):
    """Fluency by a causal language model; no reference and no source is looked at.

    >>> Perplexity(form="perplexity").higher_is_better
    False
    """

    name: ClassVar[str] = "perplexity"
    title: ClassVar[str] = "Perplexity"
    cells: ClassVar[tuple[int, ...]] = (3,)
    plain_parts: ClassVar[frozenset[str]] = frozenset({"perplexity", "log_probability", "pieces", "words"})
    sentence_meaning: ClassVar[str] = "how likely the language model finds the hypothesis"
    inexact: ClassVar[str] = "empty: as unlikely as one piece of which the model knows nothing"
    bibtex: ClassVar[str] = """@inproceedings{ge-etal-2018-fluency,
  title = {Fluency Boost Learning and Inference for Neural Grammatical Error Correction},
  author = {Ge, Tao and Wei, Furu and Zhou, Ming},
  booktitle = {Proceedings of ACL 2018},
  pages = {1055--1065},
  year = {2018}
}"""

    model: str = option("gpt2", "the language model, or the encoder of BERTScore: a folder or a name of the model hub")
    form: Form = option(
        "fluency",
        "what is the score: fluency 1/(1+H) of Ge et al., mean log-probability, or perplexity",
        choices=_FORMS,
        scoring_only=True,
    )
    likelihood_unit: Literal["piece", "word"] = option(
        "piece", "what a mean log-probability is the mean of", choices=("piece", "word"), scoring_only=True
    )
    likelihood_mean: Literal["corpus", "sentence"] = option(
        "corpus",
        "corpus: H of all units together; sentence: the mean of the sentences' figures",
        choices=("corpus", "sentence"),
        scoring_only=True,
    )

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        return super().valid_rows(rows) & (rows[..., 1:] >= 1).all(axis=-1)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.form != "perplexity"

    @property
    def columns(self) -> tuple[Column, ...]:
        headers = {"perplexity": "perplexity", "log-probability": "log-probability", "fluency": "fluency"}
        others = [name for name in _FORMS if name != self.form]
        return (
            *(Column(headers[name], ("parts", name.replace("-", "_")), name == "fluency") for name in others),
            Column(headers[self.form], ("score",), self.form == "fluency"),
        )

    def models(self) -> Mapping[str, LanguageModel]:
        return {"model": LanguageModel(self.model, "model", self.model_dtype, self.device)}

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return {"form": self.form, "likelihood_unit": self.likelihood_unit, **super().signature_parts(counts)}

    def prepare(self, gold: Corpus) -> PerplexityScorer:
        return PerplexityScorer(self, gold)

    def _units(self, counts: Counts) -> NDArray[np.float64]:
        units: NDArray[np.float64] = self.read_rows(counts)[:, 0, 1 if self.likelihood_unit == "piece" else 2]
        return units

    def parts(self, counts: Counts) -> dict[str, NDArray[np.float64]]:
        forms = _forms(self.read_rows(counts)[:, 0, 0] / self._units(counts))
        return {**forms, "pieces": counts.rows[:, 0, 1], "words": counts.rows[:, 0, 2]}

    def corpus_parts(self, counts: Counts) -> dict[str, float | None]:
        whole = {"pieces": int(counts.rows[:, 0, 1].sum()), "words": int(counts.rows[:, 0, 2].sum())}
        if self.likelihood_mean == "sentence":
            return {**super().corpus_parts(counts), **whole}
        forms = _forms(counts.rows[:, 0, 0].sum(keepdims=True) / self._units(counts).sum(keepdims=True))
        return {**{name: float(values[0]) for name, values in forms.items()}, **whole}

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return self.parts(counts)[self.form.replace("-", "_")]

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        if self.likelihood_mean == "sentence":
            return super().summands(counts)
        return np.stack([self.read_rows(counts)[:, 0, 0], self._units(counts)], axis=1)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        means = super().scores_of_sums(sums)
        return means if self.likelihood_mean == "sentence" else _forms(means)[self.form.replace("-", "_")]


def _forms(entropy: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The three forms of a mean negative log-probability."""
    return {"perplexity": np.exp(entropy), "log_probability": -entropy, "fluency": 1 / (1 + entropy)}


class PerplexityScorer(NeuralScorer):
    """A language model, ready to read hypotheses."""

    metric: Perplexity

    def run_models(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        model = self.metric.models()["model"]
        rows = np.column_stack([results_of(model, hypotheses), [len(text.split()) for text in hypotheses]])
        rows[rows[:, 2] == 0, 2] = 1  # white space alone
        rows[rows[:, 1] == 0] = (np.log(model.vocabulary), 1, 1)
        return ("all",), rows.astype(np.float64)[:, None]

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        empty = np.array([not text for text in hypotheses], dtype=np.bool_)
        return replace(super()._count(hypotheses, source_of), fallbacks=empty)

"""IMPARA: Maeda, Kaneko and Okazaki (2022), an impact-based metric for GEC using parallel data.

A regressor says how good the hypothesis is. A gate closes where it is too unlike its source: then the score is 0. A row
holds quality and similarity, so that the gate can be moved afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import rows_and_places
from recte.corpus.corpus import Corpus
from recte.corpus.counts import Counts
from recte.metrics.base import Column, option
from recte.metrics.neural_metric import NeuralMetric, NeuralScorer
from recte.models.text_models import NamedModel, Regressor, SentenceVectors
from recte.models.text_pairs import cosines

__all__ = ["Impara", "ImparaScorer"]


@dataclass(frozen=True, kw_only=True)
class Impara(NeuralMetric):
    """IMPARA.

    >>> Impara().options()["min_similarity"]
    0.9
    """

    name: ClassVar[str] = "impara"
    title: ClassVar[str] = "IMPARA"
    cells: ClassVar[tuple[int, ...]] = (2,)
    sentence_meaning: ClassVar[str] = "the quality, or 0 where the hypothesis is too unlike its source"
    plain_parts: ClassVar[frozenset[str]] = frozenset({"closed"})
    bibtex: ClassVar[str] = """@inproceedings{maeda-etal-2022-impara,
  title = {{IMPARA}: Impact-Based Metric for {GEC} Using Parallel Data},
  author = {Maeda, Koki and Kaneko, Masahiro and Okazaki, Naoaki},
  booktitle = {Proceedings of COLING 2022},
  pages = {3578--3588},
  year = {2022}
}"""

    quality_model: str = option("gotutiyan/IMPARA-QE", "IMPARA's quality model: a folder or a name of the model hub")
    similarity_model: str = option("bert-base-cased", "IMPARA's similarity model: a folder or a name of the model hub")
    min_similarity: float = option(
        0.9, "similarity to the source below which IMPARA scores 0", least=0, most=1, scoring_only=True
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("quality", ("parts", "quality")),
            Column("similarity", ("parts", "similarity")),
            Column("closed", ("parts", "closed"), percentage=False),
            Column("IMPARA", ("score",)),
        )

    def models(self) -> Mapping[str, NamedModel]:
        return {"quality_model": self.quality(), "similarity_model": self.similarity()}

    def quality(self) -> Regressor:
        return Regressor(self.quality_model, "quality_model", self.model_dtype, self.device)

    def similarity(self) -> SentenceVectors:
        return SentenceVectors(self.similarity_model, "similarity_model", self.model_dtype, self.device)

    def prepare(self, gold: Corpus) -> ImparaScorer:
        return ImparaScorer(self, gold)

    def parts(self, counts: Counts) -> dict[str, NDArray[np.float64]]:
        """`closed` is 1 where the gate closes."""
        quality, similarity = self.read_rows(counts)[:, 0].T
        closed = (similarity < self.min_similarity).astype(np.float64)
        return {"quality": quality, "similarity": similarity, "closed": closed}

    def corpus_parts(self, counts: Counts) -> dict[str, float | None]:
        """Means, and how many gates are closed."""
        return {**super().corpus_parts(counts), "closed": int(self.parts(counts)["closed"].sum())}

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        parts = self.parts(counts)
        return np.where(parts["closed"] == 1, 0.0, parts["quality"])


class ImparaScorer(NeuralScorer):
    """IMPARA with its sources."""

    metric: Impara

    def run_models(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        both = [text for text, s in zip(hypotheses, source_of, strict=True) for text in (self.sources[s], text)]
        (said, of), (vectors, places) = rows_and_places(
            [(self.metric.quality(), hypotheses), (self.metric.similarity(), both)]
        )
        quality = 1 / (1 + np.exp(-said[of, 0].astype(np.float64)))
        similarity = cosines(vectors, places.reshape(-1, 2))
        return ("all",), np.stack([quality, similarity], axis=1)[:, None]

    def reason(self, counts: Counts) -> str:
        _, similarity, closed = (float(values[0]) for values in self.metric.parts(counts).values())
        least = self.metric.min_similarity
        if closed:
            return f"the gate is closed: similarity {similarity:.4f} is below {least:g}, so quality does not count"
        return f"the quality; the gate is open, since similarity {similarity:.4f} is at least {least:g}"

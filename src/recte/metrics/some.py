"""SOME: Yoshimura et al. (2020), sub-metrics optimized for manual evaluations of grammatical error correction.

Three regressors, fine-tuned on human ratings from 1 to 4: grammaticality and fluency of the hypothesis, and how much
of the source's meaning it keeps. A row holds what the three gave; weights belong to scoring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.caching.result_cache import results_of_each
from recte.corpus.corpus import Corpus
from recte.corpus.counts import Counts
from recte.metrics.base import Column, option
from recte.metrics.neural_metric import NeuralMetric, NeuralScorer
from recte.models.text_models import Regressor
from recte.models.text_pairs import WHERE_SOME_IS

__all__ = ["Some", "SomeScorer"]

_LOWEST, _RANGE = 1.0, 3.0  # of the raters' scale, which is mapped to 0 and 1


@dataclass(frozen=True, kw_only=True)
class Some(NeuralMetric):
    """SOME, with the weights that its authors found for system-level agreement.

    >>> Some().options()["fluency_weight"]
    0.43
    """

    name: ClassVar[str] = "some"
    title: ClassVar[str] = "SOME"
    cells: ClassVar[tuple[int, ...]] = (3,)
    sentence_meaning: ClassVar[str] = "the weighted sum of grammaticality, fluency and meaning"
    bibtex: ClassVar[str] = """@inproceedings{yoshimura-etal-2020-reference,
  title = {{SOME}: Reference-less Sub-Metrics Optimized for Manual Evaluations of Grammatical Error Correction},
  author = {Yoshimura, Ryoma and Kaneko, Masahiro and Kajiwara, Tomoyuki and Komachi, Mamoru},
  booktitle = {Proceedings of COLING 2020},
  pages = {6516--6522},
  year = {2020}
}"""

    # The folders, spelt so, that the authors' archive unpacks to; there is no name on the model hub.
    grammaticality_model: str = option("gfm-models/grammer", "SOME's grammaticality model: a folder")
    fluency_model: str = option("gfm-models/fluency", "SOME's fluency model: a folder")
    meaning_model: str = option("gfm-models/meaning", "SOME's meaning model: a folder")
    grammaticality_weight: float = option(0.55, "weight of grammaticality in SOME", least=0, scoring_only=True)
    fluency_weight: float = option(0.43, "weight of fluency in SOME", least=0, scoring_only=True)
    meaning_weight: float = option(0.02, "weight of meaning in SOME", least=0, scoring_only=True)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            *(Column(name, ("parts", name)) for name in ("grammaticality", "fluency", "meaning")),
            Column("SOME", ("score",)),
        )

    def models(self) -> Mapping[str, Regressor]:
        names = ("grammaticality_model", "fluency_model", "meaning_model")
        return {
            name: Regressor(
                getattr(self, name),
                name,
                self.model_dtype,
                self.device,
                pairs=name == "meaning_model",
                how_to_get=WHERE_SOME_IS,
            )
            for name in names
        }

    def prepare(self, gold: Corpus) -> SomeScorer:
        return SomeScorer(self, gold)

    def parts(self, counts: Counts) -> dict[str, NDArray[np.float64]]:
        mapped = (self.read_rows(counts)[:, 0] - _LOWEST) / _RANGE
        return dict(zip(("grammaticality", "fluency", "meaning"), mapped.T, strict=True))

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        grammaticality, fluency, meaning = self.parts(counts).values()
        return np.asarray(
            self.grammaticality_weight * grammaticality + self.fluency_weight * fluency + self.meaning_weight * meaning
        )


class SomeScorer(NeuralScorer):
    """SOME with its sources."""

    metric: Some

    def run_models(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        pairs = [(self.sources[s], hypothesis) for hypothesis, s in zip(hypotheses, source_of, strict=True)]
        models = self.metric.models().values()
        outputs = results_of_each([(model, pairs if model.pairs else hypotheses) for model in models])
        return ("all",), np.concatenate(outputs, axis=1).astype(np.float64)[:, None]

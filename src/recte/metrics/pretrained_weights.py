"""Weights of edits by a pretrained model (Gong et al. 2022, "Revisiting Grammatical Error Correction Evaluation").

An edit weighs as much as it alone moves BERTScore of the source towards the reference, or away from it. The sign is
lost, as published: an edit that does harm weighs as much as one that helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from recte.errors import OptionError
from recte.metrics.bertscore import BertScoreOptions
from recte.metrics.edit_metric import EditMetric
from recte.neural.text_pairs import PieceSimilarity
from recte.weighing.weights import EditWeigher, TextWeigher

__all__ = ["PretrainedWeights"]

_IN_NAME = ("model", "layer", "rescale", "baseline_file", "model_dtype", "device")  # the weigher's name has them


@dataclass(frozen=True, kw_only=True)
class PretrainedWeights(BertScoreOptions, EditMetric):
    """A metric over edits that are weighed by BERTScore."""

    bibtex: ClassVar[str] = """@inproceedings{gong-etal-2022-revisiting,
  title = {Revisiting Grammatical Error Correction Evaluation and Beyond},
  author = {Gong, Peiyuan and Liu, Xuebo and Huang, Heyan and Zhang, Min},
  booktitle = {Proceedings of EMNLP 2022},
  pages = {6891--6902},
  year = {2022}
}"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.edit_weights:
            raise OptionError("edit_weights: expected none, since BERTScore weighs the edits; m2 and errant take some")

    @property
    def weighs_edits(self) -> bool:
        return True

    def weigher(self) -> EditWeigher:
        matching = self.piece_matching()
        similarity = PieceSimilarity(matching, self.baseline_of(matching))
        return TextWeigher(similarity.name, similarity)

    def with_changed_options(self, parts: dict[str, Any], *, leaving_out: Sequence[str] = ()) -> dict[str, Any]:
        return super().with_changed_options(parts, leaving_out=(*leaving_out, *_IN_NAME))

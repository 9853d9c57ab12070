"""Weights of edits by a pretrained model (Gong et al. 2022, "Revisiting Grammatical Error Correction Evaluation").

An edit weighs as much as it alone moves BERTScore of the source towards the reference, or away from it. The sign is
lost, as published: an edit that does harm weighs as much as one that helps.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

from recte.edits.edit_weights import EditWeigher, TextWeigher
from recte.metrics.base import option
from recte.metrics.bertscore import BertScoreOptions
from recte.metrics.edit_metric import EditMetric
from recte.metrics.weighted_edits import WeightedMetric
from recte.models.text_pairs import PieceSimilarity

__all__ = ["PretrainedWeights"]


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
        "a file, or a judge of two texts as module:function, that says which edits beside the gold are right after all",
        loader="recte.formats.edit_values:load_edit_verdicts",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.metric  # checks its options  # noqa: B018

    @cached_property
    def metric(self) -> EditMetric:  # type: ignore[override]
        own = {f.name for f in fields(self)} - {"edit_verdicts"}
        return self.wrapped(**{f.name: getattr(self, f.name) for f in fields(self.wrapped) if f.name in own})

    def weigher(self) -> EditWeigher:
        matching = self.piece_matching()
        similarity = PieceSimilarity(matching, self.baseline_of(matching))
        return TextWeigher(similarity.name, similarity)

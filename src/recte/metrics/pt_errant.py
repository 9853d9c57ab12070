"""PT-ERRANT (Gong et al. 2022): ERRANT's comparison with edits weighed by BERTScore, counted as gec-metrics does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from recte.metrics.base import option
from recte.metrics.compared_metric import ComparisonOptions
from recte.metrics.edit_metric import BetaOption, EditMetric
from recte.metrics.errant import Behaviour, Errant, ErrantOptions
from recte.metrics.pt_m2 import PretrainedWeights

__all__ = ["PtErrant"]


@dataclass(frozen=True, kw_only=True)
class PtErrant(PretrainedWeights, ErrantOptions, ComparisonOptions, BetaOption):
    """ERRANT with weights.

    >>> PtErrant().metric.title
    'ERRANT'
    """

    name: ClassVar[str] = "pt-errant"
    title: ClassVar[str] = "PT-ERRANT"
    wrapped: ClassVar[type[EditMetric]] = Errant

    behaviour: Behaviour = option(
        "gec-metrics",
        "gec-metrics: as that library counts; optimal: duplicates one to one, best annotators",
        choices=("gec-metrics", "optimal"),
    )

"""The human ceiling: how well one judge, taken as a metric, would do against all the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte.statistics.correlation import correlation
from recte.studies.human.judgments import Judgments
from recte.studies.human.ranking import mean_wins
from recte.studies.metaeval.sentence_correlation import tau

__all__ = ["CorrelationCeiling", "human_ceiling"]

_CELLS = 9


@dataclass(frozen=True)
class CorrelationCeiling:
    """What a judge reaches on average: correlations of their Expected Wins with the others', weighted by comparisons,
    and agreement with the others' single judgments of the same outputs. None where judges have nothing in common.
    """

    judges: int
    pearson: float | None
    spearman: float | None
    pairwise_accuracy: float | None
    hties: float | None
    noties: float | None
    accuracy: float | None
    common: int


def human_ceiling(judgments: Judgments) -> CorrelationCeiling | None:
    """One judge against the rest, each in turn; None where there is a single judge.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = [Preference(1, judge, "heron", "wren", 1, 0) for judge in ("ann", "bob")]
    >>> human_ceiling(Judgments.from_preferences(judged)).hties
    1.0
    """
    judges = len(judgments.judges)
    if judges < 2:
        return None
    by_judge = np.stack([_table(judgments, judgments.judge == judge) for judge in range(judges)])
    rest = by_judge.sum(axis=0) - by_judge
    weights = by_judge.sum(axis=(1, 2))
    correlations = {
        kind: _mean(correlation(kind, mean_wins(rest), mean_wins(by_judge)), weights)
        for kind in ("pearson", "spearman", "pairwise_accuracy")
    }
    cells = _against_others(judgments)
    agreement = {variant: _plain(float(tau(variant, cells))) for variant in ("hties", "noties", "accuracy")}
    return CorrelationCeiling(judges=judges, **correlations, **agreement, common=int(cells.sum()))


def _table(judgments: Judgments, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.bincount(judgments.cell[mask], minlength=judgments.cell_count).reshape(-1, 3)


def _mean(values: NDArray[np.float64], weights: NDArray[np.int64]) -> float | None:
    defined = ~np.isnan(values)
    return float(np.average(values[defined], weights=weights[defined])) if defined.any() else None


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else value


def _against_others(judgments: Judgments) -> NDArray[np.int64]:
    """Outcomes of one judge by those of another on the same comparison, over all ordered pairs of judges."""
    pairs = judgments.cell // 3
    comparison = np.unique(np.stack([judgments.sentence_groups, pairs]), axis=1, return_inverse=True)[1].reshape(-1)
    outcomes = np.eye(3, dtype=np.int64)[judgments.outcome + 1]
    count = int(comparison.max()) + 1
    everyone = np.zeros((count, 3), dtype=np.int64)
    np.add.at(everyone, comparison, outcomes)
    of_judge = np.zeros((count * len(judgments.judges), 3), dtype=np.int64)
    slot = comparison * len(judgments.judges) + judgments.judge
    np.add.at(of_judge, slot, outcomes)
    others = everyone[comparison] - of_judge[slot]
    cells: NDArray[np.int64] = (others[:, :, None] * outcomes[:, None, :]).sum(axis=0).reshape(_CELLS)
    return cells

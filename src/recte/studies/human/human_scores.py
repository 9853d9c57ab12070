"""Human scores of systems, from judgments, from ratings, or as published."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError
from recte.studies.human.judgment_resampling import grouped_counts, weighted_counts
from recte.studies.human.judgments import Judgments
from recte.studies.human.ranking import expected_wins, human_scores
from recte.studies.human.ratings import Ratings
from recte.studies.human.trueskill import TrueSkill

__all__ = ["HumanScores"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HumanScores:
    """Human scores of systems, in order of their names; with the judgments, or the ratings by system and sentence
    (NaN where there is none), that they come from. `published` scores are a study's own, and not computed here.

    >>> HumanScores.of("human", {"wren": 0.3, "heron": 0.5}).scores.tolist()
    [0.5, 0.3]
    """

    name: str
    systems: tuple[str, ...]
    scores: Floats
    judgments: Judgments | None = None
    ratings: Floats | None = None
    published: bool = False

    @property
    def signed(self) -> str:
        """The part of a signature that names them."""
        return f"human:{self.name}{'|human_scores:published' if self.published else ''}"

    @classmethod
    def of(cls, name: str, scores: Mapping[str, float]) -> HumanScores:
        """From scores by system."""
        systems = tuple(sorted(scores))
        return cls(name, systems, np.array([scores[s] for s in systems], dtype=np.float64))

    @classmethod
    def from_judgments(cls, judgments: Judgments, method: str = "expected-wins", **options: Any) -> HumanScores:
        """Scores by one of the ways to rank systems."""
        return cls(method, judgments.systems, human_scores(judgments, method, **options), judgments)

    @classmethod
    def from_ratings(cls, ratings: Ratings, *, rater_scale: str = "none") -> HumanScores:
        """A system's score is the mean of its rated outputs', each the mean over raters."""
        table = ratings.normalised(rater_scale).table()
        name = "mean-rating" if rater_scale == "none" else f"mean-rating-{rater_scale}"
        return cls(name, ratings.systems, np.nanmean(table, axis=1), ratings=table)

    def without(self, systems: Collection[str]) -> HumanScores:
        """The same scores of the other systems: a system left out of a correlation still was an opponent."""
        for system in systems:
            if system not in self.systems:
                raise OptionError(f"without: expected some of the systems {', '.join(self.systems)}, got {system!r}")
        kept = [i for i, system in enumerate(self.systems) if system not in systems]
        return replace(
            self,
            systems=tuple(self.systems[i] for i in kept),
            scores=self.scores[kept],
            ratings=None if self.ratings is None else self.ratings[kept],
        )

    def resampled(self, weights: NDArray[np.int32]) -> Floats:
        """Scores from judgments of weighted sentences, a row a weighting of all sentences of the corpus."""
        if self.ratings is not None:
            rated = (~np.isnan(self.ratings)).astype(np.float64)
            sums, counts = weights @ np.nan_to_num(self.ratings).T, weights @ rated.T
            means: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
            return means
        judgments = self.judgments
        if judgments is None:
            raise OptionError("resampling inputs: expected judgments or ratings, got scores of systems alone")
        judged, group = np.unique(judgments.sentence - (judgments.first_sentence or 0), return_inverse=True)
        by_sentence = grouped_counts(judgments.cell, group.reshape(-1), judgments.cell_count)
        tables = weighted_counts(weights[:, judged], by_sentence).reshape(len(weights), -1, 3)
        if self.name == "expected-wins":
            scores = expected_wins(tables)
        else:
            scores = TrueSkill().for_judgments(len(judgments)).expected(tables, coarse=True)
        return scores[:, [judgments.systems.index(system) for system in self.systems]]

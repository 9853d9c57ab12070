"""Any judge is a metric: scores of sentences that somebody else made (a person, a neural metric, a language model).

A corpus scores the mean of its sentences. Every table of scores becomes a metric of its own name, with intervals and
tests like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.errors import InputError, OptionError
from recte.metrics.base import Column, MeanMetric, Score, Scorer, option
from recte.metrics.explanation import Explanation, explain_texts
from recte.metrics.registry import register

__all__ = ["GivenScore", "GivenScores", "GivenScoresScorer", "given_metric"]


@dataclass(frozen=True, kw_only=True)
class GivenScore(Score):
    """A score that somebody else gave, on a scale of their own."""

    out_of_range_reason: ClassVar[str] = (
        "scores are printed as percentages, and --scale divides given ones: 5 for a scale up to 5"
    )


@dataclass(frozen=True, kw_only=True)
class GivenScores(MeanMetric):
    """Scores from a table; `given_metric` makes a class for each table.

    >>> from recte import Corpus, System
    >>> judge = given_metric("my-judge", {"wren": [0.5, 1.0]})
    >>> judge.prepare(Corpus.from_references(["a", "b"], [["A", "B"]])).score(System("wren", ("A", "B"))).score
    0.75
    """

    name: ClassVar[str] = "given-scores"
    title: ClassVar[str] = "Given scores"
    cells: ClassVar[tuple[int, ...]] = (1,)
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64
    sentence_meaning: ClassVar[str] = "the score given for it"
    needs_references: ClassVar[bool] = False
    table: ClassVar[Mapping[str, tuple[float, ...]]] = {}
    source: ClassVar[str] = ""

    scale: float = option(1.0, "what given scores are divided by, since fractions are printed as percentages")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.scale) and self.scale > 0):
            raise OptionError(f"scale: expected a number above 0, got {self.scale}")

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("score", ("score",)),)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({})

    def prepare(self, gold: Corpus) -> GivenScoresScorer:
        return GivenScoresScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> GivenScore:
        return GivenScore(
            **self.common_figures(counts),
            score=float(self.sentence_scores(counts).mean()),
            sentences=self.all_entries(counts) if sentences else None,
        )

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = self.read_rows(counts)[:, 0, 0] / self.scale
        return scores


class GivenScoresScorer(Scorer[GivenScores]):
    """A corpus, and the scores given for outputs of it; systems are known by their names."""

    metric: GivenScores

    def explain(self, system: System, number: int) -> Explanation:
        return explain_texts(self, system, number, views=())

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        raise OptionError(f"{self.metric.name}: expected a system whose sentences were scored, got other texts")

    def _count_system(self, system: System) -> Counts:
        listed = self.metric.table.get(system.name)
        if listed is None:
            raise InputError(
                f"{self.metric.name}: expected scores of {system.name}, got those of {', '.join(self.metric.table)}"
                "; --names says what systems are called"
            )
        scores = listed[self.corpus.first : self.corpus.first + len(self.corpus)]
        unscored = set(self.corpus.unscored)
        if unscored and len(listed) == len(self.corpus) + len(unscored):  # a score for each line, scored or not
            scores = tuple(score for number, score in enumerate(listed, 1) if number not in unscored)
        if len(scores) < len(self.corpus):
            raise InputError(
                f"{self.metric.name}: expected a score for each sentence of {system.name}, got {len(listed)}, none for "
                f"sentence {len(listed) + 1}"
            )
        rows = np.array(scores, dtype=np.float64).reshape(-1, 1, 1)
        counts = self.counts_of(rows, ("all",), range(len(self.corpus)))
        return replace(counts, made_with={"scores": self.metric.source})


def given_metric(
    name: str, table: Mapping[str, Sequence[float]], *, source: str = "", scale: float = 1.0
) -> GivenScores:
    """A metric of this name from lists of sentence scores by system; `source` says where they come from.

    >>> given_metric("my-judge", {"wren": [4.0, 5.0]}, scale=5).name
    'my-judge'
    """
    scores_of = {system: tuple(map(float, scores)) for system, scores in table.items()}
    if not scores_of or not all(np.isfinite(scores).all() and scores for scores in scores_of.values()):
        raise InputError(f"{name}: expected finite scores of one system or more, got others")
    content = crc32(repr(sorted(scores_of.items())).encode())
    members = {
        "__module__": __name__,
        "__doc__": f"Scores given by {name}.",
        "name": name,
        "title": name,
        "table": scores_of,
        "source": f"{source or name}@{content:08x}",
    }
    cls: type[GivenScores] = type(f"Given_{name}", (GivenScores,), members)
    register(cls)
    return cls(scale=scale)

"""Systems ranked by human judgments: scores, their intervals, rank ranges and clusters.

Expected Wins (Bojar et al. 2013): how often a system wins against another one chosen at random, ties left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError, check_choice
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, percentile_interval
from recte.statistics.rank_clusters import clusters, rank_ranges
from recte.studies.human.judgment_resampling import check_drawing, resample_tables
from recte.studies.human.judgments import UNITS, Judgments, system_count
from recte.studies.human.protocols import METHODS
from recte.studies.human.trueskill import TrueSkill

__all__ = [
    "METHODS",
    "RESAMPLES",
    "HeadToHead",
    "HumanRanking",
    "RankedSystem",
    "human_scores",
    "mean_wins",
    "rank_systems",
    "wins_of",
]


def wins_of(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tables of pairs by outcome as square ones: how often the system of a row was better than that of a column.

    >>> wins_of(np.array([[2, 5, 3]])).tolist()
    [[0, 3], [2, 0]]
    """
    systems = system_count(tables.shape[-2])
    first, second = np.triu_indices(systems, 1)
    wins = np.zeros((*tables.shape[:-2], systems, systems), dtype=np.int64)
    wins[..., first, second] = tables[..., 2]
    wins[..., second, first] = tables[..., 0]
    return wins


def mean_wins(tables: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each system's mean share of wins over its opponents; opponents that always tie with it are left out.

    >>> mean_wins(np.array([[2, 5, 3]])).tolist()
    [0.6, 0.4]
    """
    wins = wins_of(tables).astype(np.float64)
    decided = wins + np.swapaxes(wins, -1, -2)
    met = decided > 0
    shares = np.divide(wins, decided, out=np.zeros_like(wins), where=met)
    opponents = met.sum(axis=-1)
    mean: NDArray[np.float64] = np.divide(
        shares.sum(axis=-1), opponents, out=np.full(opponents.shape, 0.5), where=opponents > 0
    )
    return mean


RESAMPLES = (*UNITS, "runs")


@dataclass(frozen=True)
class RankedSystem:
    """A system's place: its score with an interval, its best and worst rank, its cluster, and how it fared."""

    system: str
    score: float
    interval: Interval
    best_rank: int
    worst_rank: int
    cluster: int
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class HeadToHead:
    """How one system fared against another."""

    system: str
    opponent: str
    wins: int
    ties: int
    losses: int

    @property
    def share(self) -> float | None:
        """The share of wins where one was better."""
        return self.wins / (self.wins + self.losses) if self.wins + self.losses else None


@dataclass(frozen=True)
class HumanRanking:
    """Systems in order of what judges think of them, best first.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = [Preference(n, "ann", "heron", "wren", outcome, n) for n, outcome in enumerate((1, 1, 0, 1, -1))]
    >>> [(s.system, s.score) for s in rank_systems(Judgments.from_preferences(judged)).systems]
    [('heron', 0.75), ('wren', 0.25)]
    """

    method: str
    systems: tuple[RankedSystem, ...]
    head_to_head: tuple[HeadToHead, ...]
    pairs: int
    resample: str
    resamples: int
    level: float
    seed: int
    signature: str

    @property
    def scores(self) -> Mapping[str, float]:
        """Scores by system."""
        return {s.system: s.score for s in self.systems}

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def human_scores(
    judgments: Judgments,
    method: str = "expected-wins",
    *,
    runs: int = 1000,
    seed: int = 12345,
    trueskill: TrueSkill | None = None,
) -> NDArray[np.float64]:
    """Each system's score, in the order of `judgments.systems`; `runs` and `seed` matter for `trueskill` alone."""
    rows = _scores(judgments.table()[None], method, runs, seed, trueskill or TrueSkill())
    means: NDArray[np.float64] = rows.mean(axis=0)
    return means


def _scores(tables: NDArray[np.int64], method: str, runs: int, seed: int, trueskill: TrueSkill) -> NDArray[np.float64]:
    """Scores of one table, a row; of `trueskill` a row a run."""
    check_choice("method", method, METHODS)
    if method == "expected-wins":
        return mean_wins(tables)
    if method == "trueskill":
        return trueskill.runs(tables, runs, seed)
    return trueskill.expected(tables)


def rank_systems(
    judgments: Judgments,
    *,
    method: str = "expected-wins",
    resample: str = "sentences",
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
    trueskill: TrueSkill | None = None,
    cluster_rule: str = "strict",
) -> HumanRanking:
    """Rank the systems by `method`; ranges and clusters come from drawing pairs, rankings or sentences again.

    Judgments of one sentence hang together: `pairs`, the published way, takes them as independent and gives intervals
    half to a quarter as wide. `runs` (for `trueskill`, the published way) repeats the matches on the same judgments;
    resampled judgments are scored by the limit that runs tend to. `cluster_rule` is `strict` (ranges of different
    clusters never overlap) or `published`.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = [Preference(n, "ann", "heron", "wren", 1, n) for n in range(9)]
    >>> ranking = rank_systems(Judgments.from_preferences(judged), resamples=100)
    >>> [(s.system, s.best_rank, s.worst_rank, s.cluster) for s in ranking.systems]
    [('heron', 1, 1, 1), ('wren', 2, 2, 2)]
    """
    skill = (trueskill or TrueSkill()).for_judgments(len(judgments))
    if resample not in RESAMPLES or (resample == "runs") > (method == "trueskill"):
        allowed = RESAMPLES if method == "trueskill" else UNITS
        raise OptionError(f"resample: expected one of {', '.join(allowed)} with {method}, got {resample!r}")
    check_drawing(resamples, level, seed)
    table = judgments.table()
    rows = _scores(table[None], method, resamples, seed, skill)
    scores = rows.mean(axis=0)
    if resample == "runs":
        resampled = rows
    else:
        score = mean_wins if method == "expected-wins" else partial(skill.expected, coarse=True)
        resampled = np.concatenate([*map(score, resample_tables(judgments, resample, resamples, seed))])
    order = sorted(range(len(scores)), key=lambda s: (-scores[s], judgments.systems[s]))
    ranges = rank_ranges(resampled, level)
    wins, ties = wins_of(table), _ties(table, len(scores))
    in_cluster = clusters([ranges[s] for s in order], cluster_rule)
    systems = tuple(
        RankedSystem(
            system=judgments.systems[s],
            score=float(scores[s]),
            interval=replace(
                percentile_interval(resampled[:, s], level, seed=seed), resamples=resamples, unit=resample
            ),
            best_rank=ranges[s][0],
            worst_rank=ranges[s][1],
            cluster=cluster,
            wins=int(wins[s].sum()),
            ties=int(ties[s].sum()),
            losses=int(wins[:, s].sum()),
        )
        for s, cluster in zip(order, in_cluster, strict=True)
    )
    return HumanRanking(
        method=method,
        systems=systems,
        head_to_head=tuple(
            HeadToHead(judgments.systems[a], judgments.systems[b], int(wins[a, b]), int(ties[a, b]), int(wins[b, a]))
            for a in order
            for b in order
            if a != b
        ),
        pairs=len(judgments),
        resample=resample,
        resamples=resamples,
        level=level,
        seed=seed,
        signature=str(
            Signature.of(
                method,
                pairs=len(judgments),
                systems=len(systems),
                documents=len(judgments.documents) if len(judgments.documents) > 1 else None,
                resample=resample,
                resamples=resamples,
                level=level,
                seed=seed,
                clusters=None if cluster_rule == "strict" else cluster_rule,
            )
        ),
    )


def _ties(table: NDArray[np.int64], systems: int) -> NDArray[np.int64]:
    ties = np.zeros((systems, systems), dtype=np.int64)
    first, second = np.triu_indices(systems, 1)
    ties[first, second] = ties[second, first] = table[:, 1]
    return ties

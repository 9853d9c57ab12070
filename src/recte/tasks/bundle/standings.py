"""Systems on the test sets of a phase: each score with its resamples, the mean over sets, and ranks from both.

The scoring program and the final ranking share this, so that both give the digits of `recte score`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.errors import InputError
from recte.evaluation.counting import count_files
from recte.evaluation.scoring import with_interval
from recte.metrics.base import Metric, Score
from recte.statistics.bootstrap import percentile_interval
from recte.statistics.comparison import clusters_of, holm, open_ranks
from recte.statistics.intervals import FEWEST_UNITS, Replicates, Resampling
from recte.statistics.paired import bootstrap_p
from recte.statistics.rank_clusters import rank_ranges
from recte.tasks.bundle.scoring_task import ScoredSet

__all__ = ["Standing", "TaskRanking", "mean_ranking", "rank_range", "ranking_of", "set_rankings"]

_TEST = "bootstrap-normal"


@dataclass(frozen=True)
class Standing:
    """One system's figure, in percent where the metric's tables have it so, with its interval and resamples."""

    value: float
    low: float
    high: float
    observed: float  # as resamples see it: GLEU's are made without its draws
    resamples: NDArray[np.float64]
    score: Score | None = None  # None for a mean over test sets


@dataclass(frozen=True)
class TaskRanking:
    """Systems best first; the best and worst rank that tests leave open for each; groups that tests tell apart."""

    title: str
    higher_is_better: bool
    standings: Mapping[str, Standing]
    ranks: Mapping[str, tuple[int, int]]
    clusters: Mapping[str, int]
    signature: str = ""


def set_rankings(
    test_set: ScoredSet,
    systems: Mapping[str, Path],
    resampling: Resampling | None,
    look: Callable[[Corpus, Mapping[str, System]], None] = lambda corpus, systems: None,
) -> dict[Metric, dict[str, Standing]]:
    """Every system by every metric of a test set; `systems` are files by name.

    Without resampling there are no intervals. `look` is shown each part of the texts before it is counted.
    """
    found: dict[Metric, dict[str, Standing]] = {metric: {} for metric in test_set.metrics}
    for counted in count_files(test_set.gold, systems, test_set.metrics, look=look):
        metric, counts = counted.metric, counted.counts
        score = metric.score_counts(counts)
        scale = float(metric.score_factor)
        if resampling is None:
            value = scale * score.score
            found[metric][counts.system] = Standing(value, value, value, value, np.empty(0), score)
            continue
        if resampling.units(counts) < FEWEST_UNITS:
            raise InputError(
                f"{test_set.name}: expected at least {FEWEST_UNITS} sentences (or documents) for intervals, "
                f"got {resampling.units(counts)}"
            )
        replicates = Replicates.of(counts, metric, resampling)
        interval = replicates.interval()
        found[metric][counts.system] = Standing(
            scale * score.score,
            scale * interval.low,
            scale * interval.high,
            scale * replicates.observed,
            scale * replicates.values,
            with_interval(score, interval, resampling),
        )
    return found


def mean_ranking(
    of_sets: Sequence[Mapping[str, Standing]], systems: Sequence[str], resampling: Resampling | None
) -> dict[str, Standing]:
    """The mean over test sets of every system that has a score on all of them.

    Test sets are drawn apart from each other: a set's resamples are shuffled, the same way for all systems, before they
    are averaged, since one seed draws the same places in every set.
    """
    means = {}
    for name in systems:
        parts = [of_set[name] for of_set in of_sets if name in of_set]
        if len(parts) < len(of_sets):
            continue
        value = float(np.mean([part.value for part in parts]))
        if resampling is None:
            means[name] = Standing(value, value, value, value, np.empty(0))
            continue
        orders = [
            np.random.default_rng((resampling.seed, n)).permutation(resampling.resamples) for n in range(len(parts))
        ]
        values = np.mean([part.resamples[order] for part, order in zip(parts, orders, strict=True)], axis=0)
        interval = percentile_interval(values, resampling.level, seed=resampling.seed)
        observed = float(np.mean([part.observed for part in parts]))
        means[name] = Standing(value, interval.low, interval.high, observed, values)
    return means


def rank_range(system: str, standings: Mapping[str, Standing], higher_is_better: bool, level: float) -> tuple[int, int]:
    """The best and the worst rank of one system beside the others, over resamples."""
    values = np.stack([one.resamples for one in standings.values()], axis=1)
    ranges = rank_ranges(values if higher_is_better else -values, level)
    return ranges[list(standings).index(system)]


def ranking_of(
    title: str,
    standings: Mapping[str, Standing],
    *,
    higher_is_better: bool,
    alpha: float = 0.05,
    signature: str = "",
) -> TaskRanking:
    """Systems ranked, and grouped: every system of a cluster is told apart from every system of the next.

    All pairs are tested as in a report: by the normal distribution over the shared resamples, p corrected by Holm. A
    system's ranks are behind those that beat it, and ahead of those that it beats.
    """
    order = sorted(
        standings, key=lambda name: (-standings[name].value if higher_is_better else standings[name].value, name)
    )
    pairs = list(combinations(order, 2))
    p_values = [
        bootstrap_p(
            _TEST, standings[a].resamples - standings[b].resamples, standings[a].observed - standings[b].observed
        )
        for a, b in pairs
    ]
    beats = [pair for pair, p in zip(pairs, holm(p_values), strict=True) if p < alpha]  # the better one comes first
    groups = clusters_of(order, {frozenset(pair) for pair in beats})
    return TaskRanking(
        title,
        higher_is_better,
        {name: standings[name] for name in order},
        open_ranks(order, beats),
        {name: number for number, group in enumerate(groups, 1) for name in group},
        signature,
    )

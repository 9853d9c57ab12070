"""Metric against metric: rank clusters at system level (soft pairwise accuracy) and over single judgments.

Is one metric closer to humans than another? Permutation tests that swap what the two metrics say.

Metrics in rank clusters: those that no better metric of the same cluster surely beats (WMT's metrics tasks).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError, check_choice
from recte.signature import Signature
from recte.statistics.correlation import correlation
from recte.statistics.permutation import estimate_p, standardise
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_resampling import check_drawing
from recte.studies.human.judgments import UNITS, Judgments
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_correlation import VARIANTS, outcome_codes
from recte.studies.metaeval.sentence_matching import number_judgments, score_differences
from recte.studies.metaeval.soft_accuracy import limit_p_values, permute_p_values, soft_pairwise_accuracy
from recte.studies.metaeval.system_correlation import soft_ranking

__all__ = [
    "ClusteredMetric",
    "MetricClusters",
    "MetricTest",
    "cluster_metrics",
    "mean_correlation",
    "rank_clusters",
    "sentence_clusters",
    "soft_accuracy",
    "swap_cells",
    "swap_outcomes",
    "system_clusters",
]

_BLOCK = 100
_AT_ONCE = 50  # tables that stay in a processor's cache
_SURELY_NOT = 0.5
_MARGIN = 1e-12
_STEPS = 3  # decimals
Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True)
class MetricTest:
    """Two metrics' difference, and how often swapping what they say at random makes it at least as large.

    `p` is one-sided, for `higher` being better than `lower`; the observed scores count as one of the trials.
    """

    statistic: str
    higher: str
    lower: str
    difference: float
    p: float
    swapped: str
    trials: int


def swap_outcomes(
    credits: Floats, groups: NDArray[np.int64], trials: int, seed: int, *, others: NDArray[np.int64] | None = None
) -> Floats:
    """One-sided p-values of differences between metrics whose statistic is a sum of credits.

    `credits` has one row per metric and one column per comparison with humans. Comparisons of one group are swapped
    together: a group each is mt-metrics-eval's "pairs" test; sentences as groups respect that comparisons of one
    sentence hang together. Result: row above column, p that the row's lead is chance.

    `others` are the groups of the second side, where comparisons are across groups. What is swapped with a group is
    then all that depends on it: each comparison with one of its sides there. A comparison across groups so counts with
    both, which is the spread of a mean over pairs (Hoeffding 1948): twice that of a mean over as many groups.

    >>> bool(swap_outcomes(np.array([[1.0] * 8, [0.0] * 8]), np.arange(8), 2000, 1)[0, 1] < 0.02)
    True
    """
    others = groups if others is None else others
    count = int(max(groups.max(initial=-1), others.max(initial=-1))) + 1
    across = groups != others
    by_group = np.stack(
        [
            np.bincount(groups, weights=row, minlength=count)
            + np.bincount(others[across], weights=row[across], minlength=count)
            for row in credits
        ]
    )
    first, second = (index.reshape(-1) for index in np.indices((len(credits), len(credits))))
    totals = credits.sum(axis=1)
    observed = totals[first] - totals[second]
    generator = np.random.default_rng(seed)
    larger = np.zeros(len(first))
    for begin in range(0, trials, _BLOCK):
        size = min(_BLOCK, trials - begin)
        signs = 2.0 * generator.integers(2, size=(size, count)) - 1
        moved = signs @ by_group.T
        larger += (moved[:, first] - moved[:, second] >= observed - _MARGIN * max(1.0, count)).sum(axis=0)
    return estimate_p(larger, trials).reshape(len(credits), len(credits))


def swap_cells(statistic: Statistic, first: Floats, second: Floats, trials: int, seed: int) -> tuple[float, float]:
    """The difference of a statistic, and the one-sided p that the first's lead is chance (mt-metrics-eval's "scores").

    Both tables are brought to mean 0 and deviation 1, then every cell is swapped or not. `statistic` takes a stack of
    tables. It stops early where p is far above anything one would believe (0.5), as the published test does.

    >>> table = np.arange(12.0).reshape(3, 4)
    >>> swap_cells(lambda tables: tables[:, 0, 0], table, table, 100, 1)
    (0.0, 1.0)
    """
    a, b = (standardise(side) for side in (first, second))
    both = a.view(np.int64) ^ b.view(np.int64)  # what of two is not the one is the other, to the last bit
    observed = float((statistic(a[None]) - statistic(b[None]))[0])
    generator = np.random.default_rng(seed)
    larger = done = 0
    while done < trials and not (done and larger > _SURELY_NOT * done):
        size = min(_BLOCK, trials - done)
        bits = np.frombuffer(generator.bytes(size * a.size // 8 + 1), dtype=np.uint8)
        swapped = np.unpackbits(bits, count=size * a.size).reshape(size, *a.shape).view(np.bool_)
        for part in range(0, size, _AT_ONCE):
            tables = np.where(swapped[part : part + _AT_ONCE], b, a)
            differences = statistic(tables) - statistic((tables.view(np.int64) ^ both).view(np.float64))
            larger += int((differences >= observed - _MARGIN).sum())
        done += size
    return observed, estimate_p(larger, done)


def mean_correlation(kind: str, gold: Floats, average: str) -> Statistic:
    """The mean over rows of `pearson` or `kendall` of a stack of tables; an undefined row is left out, none is 0."""
    humans = {"item": gold.T, "system": gold, "none": gold.reshape(1, -1)}[average]
    rated = ~np.isnan(humans)
    long_enough = rated.sum(axis=1) > 1
    humans, rated = np.nan_to_num(humans[long_enough]), rated[long_enough]

    def statistic(tables: Floats) -> Floats:
        rows = tables.transpose(0, 2, 1) if average == "item" else tables
        if average == "none":
            rows = tables.reshape(len(tables), 1, -1)
        scores = rows[:, long_enough]
        values = correlation(kind, humans, scores, where=rated)
        defined = ~np.isnan(values)
        means: Floats = np.nan_to_num(values).sum(axis=1) / np.maximum(defined.sum(axis=1), 1)
        return means

    return statistic


def soft_accuracy(target: Floats, rated: NDArray[np.bool_]) -> Statistic:
    """Soft pairwise accuracy of a stack of tables, its p-values by the normal limit of swapping outputs at random.

    The limit is within a hundredth of drawn p-values for a hundred sentences, and thousands of tables take a second.
    It is rounded to the steps that a thousand drawn swaps have: nobody believes in less, nor shall the test.
    """

    def statistic(tables: Floats) -> Floats:
        accuracy: Floats = 1 - np.abs(limit_p_values(tables, rated).round(_STEPS) - target.round(_STEPS)).mean(axis=1)
        return accuracy

    return statistic


@dataclass(frozen=True)
class ClusteredMetric:
    """A metric's value, its cluster (1 is the best), and the metrics that it surely beats."""

    metric: str
    value: float
    cluster: int
    beats: tuple[str, ...]


@dataclass(frozen=True)
class MetricClusters:
    """Metrics best first. `level` is "system", "sentence" or "ratings"; a lead is believed up to a p of `alpha`."""

    level: str
    human: str
    statistic: str
    metrics: tuple[ClusteredMetric, ...]
    tests: tuple[MetricTest, ...]
    alpha: float
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def rank_clusters(p_values: Sequence[Sequence[float]] | NDArray[np.float64], alpha: float = 0.05) -> list[int]:
    """The cluster (from 1) of each metric, given best first; `p_values[i][j]` for i above j.

    A metric opens a new cluster where any metric of the current one beats it. Two metrics of one cluster may still
    differ in what they beat outside it.

    >>> rank_clusters([[0, 0.3, 0.01], [0, 0, 0.2], [0, 0, 0]])
    [1, 1, 2]
    """
    numbers: list[int] = []
    start, current = 0, 1
    for place in range(len(p_values)):
        if any(p_values[above][place] <= alpha for above in range(start, place)):
            start, current = place, current + 1
        numbers.append(current)
    return numbers


def cluster_metrics(
    level: str,
    human: str,
    statistic: str,
    values: Mapping[str, float],
    tests: Mapping[tuple[str, str], MetricTest],
    *,
    alpha: float = 0.05,
    signature: Signature,
) -> MetricClusters:
    """Metrics sorted by their values (equal ones by name) and cut into clusters by tests of each two of them.

    `tests` holds one for each pair of a better and a worse metric, in the order of `values`.
    """
    if len(values) < 2:
        raise InputError(f"clusters: expected two metrics or more to compare, got {len(values)}")
    order = sorted(values, key=lambda name: (-values[name], name))
    p_values = [
        [tests[a, b].p if place < other else 0.0 for other, b in enumerate(order)] for place, a in enumerate(order)
    ]
    metrics = tuple(
        ClusteredMetric(
            name,
            values[name],
            cluster,
            tuple(b for other, b in enumerate(order) if other > place and p_values[place][other] <= alpha),
        )
        for place, (name, cluster) in enumerate(zip(order, rank_clusters(p_values, alpha), strict=True))
    )
    above = tuple(tests[a, b] for place, a in enumerate(order) for b in order[place + 1 :])
    return MetricClusters(level, human, statistic, metrics, above, alpha, str(signature.add(alpha=alpha)))


def system_clusters(
    human: HumanScores, metrics: Sequence[MetricScores], *, trials: int = 1000, alpha: float = 0.05, seed: int = 12345
) -> MetricClusters:
    """Rank clusters of metrics by soft pairwise accuracy (WMT 2024's system level).

    A test swaps single cells (the scores of one output) between two metrics, brought to one scale. P-values of the
    systems follow the normal limit of swapping outputs, so that each trial is cheap; humans' are those of
    `soft_pairwise_accuracy`.

    >>> from recte.studies.human.ratings import Rating, Ratings
    >>> rated = [Rating(n, "ann", s, r) for n in range(9) for s, r in (("a", 9.0), ("b", 5.0), ("c", 2.0))]
    >>> scores = {"a": [0.9] * 9, "b": [0.5] * 9, "c": [0.1] * 9}
    >>> right = MetricScores.of("right", {"a": 3, "b": 2, "c": 1}, scores)
    >>> wrong = MetricScores.of("wrong", {"a": 1, "b": 2, "c": 3}, {"a": [0.1] * 9, "b": [0.5] * 9, "c": [0.9] * 9})
    >>> humans = HumanScores.from_ratings(Ratings.of(rated))
    >>> [(m.metric, m.cluster) for m in system_clusters(humans, [wrong, right], trials=200).metrics]
    [('right', 1), ('wrong', 2)]
    """
    check_drawing(2, 0.95, seed, trials)
    _check_names(metrics)
    target = soft_ranking(human, trials, seed)
    if target is None:
        raise OptionError("clusters: expected judgments or ratings, got scores of systems alone")
    ordered = [metric.for_systems(human.systems) for metric in metrics]
    tables = {metric.name: metric.sentence_table("clusters") for metric in ordered}
    shapes = {table.shape for table in tables.values()}
    if len(shapes) > 1:
        raise InputError("clusters: expected metrics that score the same sentences, got different numbers")
    shape = shapes.pop()
    rated = np.ones(shape, dtype=np.bool_) if human.ratings is None else ~np.isnan(human.ratings)
    if rated.shape != shape:
        raise InputError(f"clusters: expected scores of the {rated.shape[1]} rated sentences, got {shape[1]}")
    statistic = soft_accuracy(target, rated)
    # The values are those of the table of systems, from drawn swaps; only the tests take the limit.
    values = {
        name: soft_pairwise_accuracy(target, permute_p_values(table, trials, seed, rated=rated))
        for name, table in tables.items()
    }
    order = sorted(values, key=lambda name: (-values[name], name))
    tests = {}
    for place, a in enumerate(order):
        for b in order[place + 1 :]:
            p = swap_cells(statistic, tables[a], tables[b], trials, seed)[1]
            tests[a, b] = MetricTest("soft_pairwise_accuracy", a, b, values[a] - values[b], p, "cells", trials)
    signature = Signature.of(
        "metric-clusters", "system-level", human.signed, systems=len(human.systems), trials=trials, seed=seed
    )
    return cluster_metrics(
        "system", human.name, "soft_pairwise_accuracy", values, tests, alpha=alpha, signature=signature
    )


def sentence_clusters(
    judgments: Judgments,
    metrics: Sequence[MetricScores],
    *,
    statistic: str = "accuracy",
    swap: str = "sentences",
    trials: int = 1000,
    alpha: float = 0.05,
    seed: int = 12345,
) -> MetricClusters:
    """Rank clusters of metrics by their agreement with single judgments.

    `statistic` is accuracy (ties count), `hties` or `noties`. `swap` says which judgments are swapped together between
    two metrics: those of a sentence, of a ranking, or each pair alone, the published way.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = Judgments.from_preferences((Preference(n, "j", "a", "b", 1, n) for n in range(9)), first_sentence=0)
    >>> right = MetricScores.of("right", {"a": 1, "b": 0}, {"a": [0.9] * 9, "b": [0.5] * 9})
    >>> wrong = MetricScores.of("wrong", {"a": 0, "b": 1}, {"a": [0.1] * 9, "b": [0.5] * 9})
    >>> [(m.metric, m.cluster) for m in sentence_clusters(judged, [wrong, right]).metrics]
    [('right', 1), ('wrong', 2)]
    """
    check_drawing(2, 0.95, seed, trials)
    _check_names(metrics)
    check_choice("statistic", statistic, VARIANTS)
    check_choice("swap", swap, UNITS)
    tables = [m.for_systems(judgments.systems).sentence_table("clusters") for m in metrics]
    judged = number_judgments(judgments, tables)
    credit = _credits(statistic)
    codes = np.stack([outcome_codes(judged.outcome, score_differences(judged, table)) for table in tables])
    counted = len(judged) if statistic != "noties" else len(judged) - judged.ties
    if not counted:
        raise InputError("clusters: expected comparisons that judges decided, got none")
    earned = credit[codes] / counted
    p = swap_outcomes(earned, judged.groups(swap), trials, seed)
    values = {metric.name: float(row.sum()) for metric, row in zip(metrics, earned, strict=True)}
    tests = {
        (a.name, b.name): MetricTest(
            statistic, a.name, b.name, values[a.name] - values[b.name], float(p[i, j]), swap, trials
        )
        for (i, a), (j, b) in permutations(enumerate(metrics), 2)
    }
    signature = Signature.of(
        "metric-clusters", "sentence-level", pairs=len(judged), swapped=swap, trials=trials, seed=seed
    )
    return cluster_metrics("sentence", "judgments", statistic, values, tests, alpha=alpha, signature=signature)


def _credits(statistic: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What each cell of the table of human by metric outcome is worth, as `tau` counts it."""
    alike, both_tied = {"accuracy": (0.0, 1.0), "hties": (-1.0, 1.0), "noties": (-1.0, 0.0)}[statistic]
    return np.array([1.0, 0.0, alike, 0.0, both_tied, 0.0, alike, 0.0, 1.0])


def _check_names(metrics: Sequence[MetricScores]) -> None:
    names = [metric.name for metric in metrics]
    if len(set(names)) < len(names) or len(names) < 2:
        raise InputError(f"clusters: expected two metrics or more of different names, got {', '.join(names)}")

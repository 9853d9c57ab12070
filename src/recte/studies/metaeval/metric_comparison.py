"""Metric against metric: rank clusters at system level (soft pairwise accuracy) and over single judgments."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from recte.errors import InputError, OptionError, check_choice
from recte.signature import Signature
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_resampling import check_drawing
from recte.studies.human.judgments import UNITS, Judgments
from recte.studies.metaeval.metric_clusters import MetricClusters, clustered
from recte.studies.metaeval.metric_tests import MetricTest, soft_accuracy, swap_cells, swap_outcomes
from recte.studies.metaeval.numbering import numbered, score_differences
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_agreement import VARIANTS, outcome_codes
from recte.studies.metaeval.system_correlation import soft_ranking

__all__ = ["sentence_clusters", "system_clusters"]


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
    wanted = soft_ranking(human, trials, seed)
    if wanted is None:
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
    statistic = soft_accuracy(wanted, rated)
    values = {name: float(statistic(table[None])[0]) for name, table in tables.items()}
    order = sorted(values, key=lambda name: (-values[name], name))
    tests = {}
    for place, a in enumerate(order):
        for b in order[place + 1 :]:
            p = swap_cells(statistic, tables[a], tables[b], trials, seed)[1]
            tests[a, b] = MetricTest("soft_pairwise_accuracy", a, b, values[a] - values[b], p, "cells", trials)
    signature = Signature.of(
        "metric-clusters", "system-level", human.signed, systems=len(human.systems), trials=trials, seed=seed
    )
    return clustered("system", human.name, "soft_pairwise_accuracy", values, tests, alpha=alpha, signature=signature)


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
    judged = numbered(judgments, tables)
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
    return clustered("sentence", "judgments", statistic, values, tests, alpha=alpha, signature=signature)


def _credits(statistic: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What each cell of the table of human by metric outcome is worth, as `tau` counts it."""
    alike, both_tied = {"accuracy": (0.0, 1.0), "hties": (-1.0, 1.0), "noties": (-1.0, 0.0)}[statistic]
    return np.array([1.0, 0.0, alike, 0.0, both_tied, 0.0, alike, 0.0, 1.0])


def _check_names(metrics: Sequence[MetricScores]) -> None:
    names = [metric.name for metric in metrics]
    if len(set(names)) < len(names) or len(names) < 2:
        raise InputError(f"clusters: expected two metrics or more of different names, got {', '.join(names)}")

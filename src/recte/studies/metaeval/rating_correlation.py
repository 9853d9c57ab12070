"""Metrics against ratings of single outputs: segment-level statistics, their intervals, and tests between metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, bootstrap_weights, percentile_interval
from recte.studies.human.judgment_resampling import check_drawing
from recte.studies.human.ratings import Ratings
from recte.studies.metaeval.metric_clusters import MetricClusters, clustered
from recte.studies.metaeval.metric_tests import MetricTest, swap_outcomes
from recte.studies.metaeval.rating_statistics import (
    STATISTICS,
    CellPairs,
    calibrated,
    cell_pairs,
    items_of_pairs,
    pairwise_difference_pearson,
    row_values,
    rows_of,
)
from recte.studies.metaeval.scores import MetricScores

__all__ = ["MetricOnRatings", "RatingLevel", "rating_level"]

_STATISTICS = tuple(kind for kind in STATISTICS if kind != "kendall_like")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MetricOnRatings:
    """How one metric goes with ratings: means over the rows, None where no row has the statistic.

    `calibrated_accuracy` takes scores at most `epsilon` apart as tied. `pairwise_differences` is Pearson's r of all
    differences within an item. `rows` counts the rows in each mean; `intervals` are there for averages over items.
    """

    metric: str
    pearson: float | None
    spearman: float | None
    kendall_b: float | None
    kendall_c: float | None
    tau_23: float | None
    accuracy_23: float | None
    kendall_like: float | None
    calibrated_accuracy: float | None
    epsilon: float | None
    pairwise_differences: float | None
    rows: Mapping[str, int]
    intervals: Mapping[str, Interval]
    signature: str = ""


@dataclass(frozen=True)
class RatingLevel:
    """Metrics against ratings.

    >>> from recte.studies.human.ratings import Rating
    >>> rated = Ratings.of([Rating(0, "ann", "heron", 80.0), Rating(0, "ann", "wren", 60.0)])
    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.4}, {"heron": [0.8], "wren": [0.4]})
    >>> rating_level(rated, [mine]).metrics[0].accuracy_23
    1.0
    """

    average: str
    rater_scale: str
    systems: tuple[str, ...]
    items: int
    cells: int
    metrics: tuple[MetricOnRatings, ...]
    clusters: MetricClusters | None
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def rating_level(
    ratings: Ratings,
    metrics: Sequence[MetricScores],
    *,
    average: str = "item",
    rater_scale: str = "none",
    clusters: bool = False,
    swap: str = "items",
    resamples: int = 1000,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
) -> RatingLevel:
    """Compare sentence scores with ratings, cell by cell.

    `average` correlates over the systems of each item and takes the mean (`item`, WMT's choice), over the items of each
    system (`system`), or over all cells at once (`none`). `rater_scale` brings raters to one scale. `clusters` adds
    rank clusters of metrics by calibrated accuracy; `swap` says what its tests swap between two metrics: whole items
    (every pair with a cell of the item), or single pairs of cells as published, as if they were independent.

    >>> from recte.studies.human.ratings import Rating
    >>> rated = [Rating(n, "ann", s, r) for n in range(3) for s, r in (("heron", n + 9.0), ("wren", 5.0))]
    >>> scores = {"heron": [0.5, 0.6, 0.5], "wren": [0.4, 0.7, 0.1]}
    >>> mine = MetricScores.of("mine", {"heron": 1, "wren": 0}, scores)
    >>> round(rating_level(Ratings.of(rated), [mine]).metrics[0].kendall_b, 3)
    0.333
    """
    check_drawing(resamples, level, seed, trials)
    if not metrics:
        raise InputError("expected metrics to compare with ratings, got none")
    gold = ratings.normalised(rater_scale).table()
    tables = {m.name: m.for_systems(ratings.systems).sentence_table("ratings") for m in metrics}
    for name, table in tables.items():
        if table.shape != gold.shape:
            raise InputError(
                f"{name}: expected scores of the {gold.shape[1]} sentences that {ratings.name or 'the ratings'} "
                f"tell of, got {table.shape[1]}"
            )
    pairs = {name: cell_pairs(rows_of(gold, table, average)) for name, table in tables.items()}
    draws = None
    if average == "item":
        draws = bootstrap_weights(pairs[metrics[0].name].rows, resamples, seed).astype(np.float64)
    found = tuple(
        _metric(metric, gold, tables[metric.name], pairs[metric.name], average, draws, level, seed)
        for metric in metrics
    )
    items = int((~np.isnan(gold)).any(axis=0).sum())
    start = Signature.of("ratings", average=average, rater_scale=rater_scale, raters=len(ratings.raters), items=items)
    return RatingLevel(
        average=average,
        rater_scale=rater_scale,
        systems=ratings.systems,
        items=items,
        cells=int((~np.isnan(gold)).sum()),
        metrics=found,
        clusters=_clusters(found, pairs, gold, average, swap, trials, seed, start) if clusters else None,
        signature=str(start.add(systems=len(ratings.systems), resamples=resamples, level=level, seed=seed)),
    )


def _metric(
    metric: MetricScores,
    gold: Floats,
    table: Floats,
    pairs: CellPairs,
    average: str,
    draws: Floats | None,
    level: float,
    seed: int,
) -> MetricOnRatings:
    rows = rows_of(gold, table, average)
    values = {kind: row_values(kind, rows, pairs)[0] for kind in _STATISTICS}
    like, like_weights = row_values("kendall_like", rows)
    best = calibrated(pairs)
    return MetricOnRatings(
        metric=metric.name,
        **{kind: _mean(of_rows) for kind, of_rows in values.items()},
        kendall_like=_mean(like, like_weights),
        calibrated_accuracy=None if best is None else best[0],
        epsilon=None if best is None else best[1],
        pairwise_differences=pairwise_difference_pearson(gold, table),
        rows={kind: int((~np.isnan(of_rows)).sum()) for kind, of_rows in values.items()},
        intervals={} if draws is None else _intervals(values, draws, level, seed),
        signature=metric.signature,
    )


def _mean(values: Floats, weights: Floats | None = None) -> float | None:
    defined = ~np.isnan(values)
    if not defined.any():
        return None
    return float(np.average(values[defined], weights=None if weights is None else weights[defined]))


def _intervals(values: Mapping[str, Floats], draws: Floats, level: float, seed: int) -> dict[str, Interval]:
    """Items drawn anew; a row is one item, so its statistic is drawn with it."""
    found = {}
    for kind, of_rows in values.items():
        defined = ~np.isnan(of_rows)
        weights = draws[:, defined]
        sums = weights.sum(axis=1)
        if defined.any():
            means = (weights @ of_rows[defined])[sums > 0] / sums[sums > 0]
            interval = percentile_interval(means, level, seed=seed)
            found[kind] = replace(interval, resamples=len(draws), unit="items")
    return found


def _clusters(
    metrics: Sequence[MetricOnRatings],
    pairs: Mapping[str, CellPairs],
    gold: Floats,
    average: str,
    swap: str,
    trials: int,
    seed: int,
    start: Signature,
) -> MetricClusters:
    """By calibrated accuracy; ε is each metric's own on all data, and is not fitted anew for each trial."""
    values = {m.metric: m.calibrated_accuracy or 0.0 for m in metrics}
    credits = []
    for metric in metrics:
        own = pairs[metric.metric]
        outcome = np.where(np.abs(own.apart) <= (metric.epsilon or 0.0), 0, np.sign(own.apart))
        credits.append((outcome == own.human) / np.bincount(own.row, minlength=own.rows)[own.row] / own.rows)
    single = np.arange(len(credits[0]))
    groups, others = items_of_pairs(gold, average) if swap == "items" else (single, single)
    p = swap_outcomes(np.stack(credits), groups, trials, seed, others=others)
    names = [metric.metric for metric in metrics]
    tests = {
        (a, b): MetricTest("calibrated_accuracy", a, b, values[a] - values[b], float(p[i, j]), swap, trials)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i != j
    }
    signature = Signature.of("metric-clusters", *start.parts, swapped=swap, trials=trials, seed=seed)
    return clustered("ratings", "ratings", "calibrated_accuracy", values, tests, signature=signature)

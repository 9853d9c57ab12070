"""Metrics against ratings of single outputs: segment-level statistics, their intervals, and tests between metrics.

Metric scores against ratings, cell by cell: correlations of rows, and their mean over items, systems or everything.

Both sides are tables of systems by items; NaN in the gold is a missing rating. The rules are those of WMT's metrics
tasks (mt-metrics-eval), where C pairs of cells are concordant, D discordant, and T are tied by humans (h), by the
metric (m), or by both (hm).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError, check_choice
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, bootstrap_weights, percentile_interval
from recte.statistics.correlation import correlation, ratio_or_nan, tau_b
from recte.studies.human.judgment_resampling import check_drawing
from recte.studies.human.protocols import AVERAGES
from recte.studies.human.ratings import Ratings
from recte.studies.metaeval.metric_comparison import MetricClusters, MetricTest, cluster_metrics, swap_outcomes
from recte.studies.metaeval.scores import MetricScores

__all__ = [
    "AVERAGES",
    "STATISTICS",
    "Averaged",
    "CellPairs",
    "MetricOnRatings",
    "RatingLevel",
    "RatingRows",
    "average_over",
    "calibrate",
    "cell_pairs",
    "items_of_pairs",
    "pairwise_difference_pearson",
    "rating_level",
    "row_values",
    "rows_of",
]

STATISTICS = ("pearson", "spearman", "kendall_b", "kendall_c", "tau_23", "accuracy_23", "kendall_like")
_MOST_PAIRS = 60_000_000
_EQUALLY_GOOD = 1e-12
Integers = NDArray[np.int64]


class RatingRows(NamedTuple):
    """The cells that are correlated together, one row each; rows have at least two cells."""

    gold: tuple[Floats, ...]
    metric: tuple[Floats, ...]


class Averaged(NamedTuple):
    """A statistic's mean over rows, None where no row has one, and the number (or weight) of the rows in it."""

    value: float | None
    rows: int


@dataclass(frozen=True)
class CellPairs:
    """All pairs of cells in the same row: their row, what humans say, and the metric's difference."""

    row: NDArray[np.int32]
    human: NDArray[np.int8]
    apart: Floats
    rows: int

    def counts(self, epsilon: float = 0.0) -> Floats:
        """By row: C, D, T_h, T_m, T_hm; metric differences of at most `epsilon` tie, humans' never do."""
        metric = np.where(np.abs(self.apart) <= epsilon, 0, np.sign(self.apart)).astype(np.int8)
        tied_h, tied_m = self.human == 0, metric == 0
        alike = (self.human == metric) & ~tied_h
        kinds = (alike, ~alike & ~tied_h & ~tied_m, tied_h & ~tied_m, tied_m & ~tied_h, tied_h & tied_m)
        return np.stack([np.bincount(self.row[kind], minlength=self.rows) for kind in kinds], axis=1).astype(np.float64)


def rows_of(gold: Floats, metric: Floats, average: str = "item") -> RatingRows:
    """The rows of two tables, cells without a rating left out, rows with fewer than two cells skipped."""
    check_choice("average", average, AVERAGES)
    if gold.shape != metric.shape:
        raise InputError(f"expected ratings and scores of the same systems and items, got {gold.shape}, {metric.shape}")
    if np.isnan(metric).any():
        raise InputError("expected a metric's score for every system and item, got none for some")
    sides = {
        "item": (gold.T, metric.T),
        "system": (gold, metric),
        "none": (gold.reshape(1, -1), metric.reshape(1, -1)),
    }[average]
    rows = [(g[~np.isnan(g)], m[~np.isnan(g)]) for g, m in zip(*sides, strict=True)]
    rows = [(g, m) for g, m in rows if len(g) > 1]
    return RatingRows(tuple(g for g, _ in rows), tuple(m for _, m in rows))


def cell_pairs(rows: RatingRows) -> CellPairs:
    """All pairs of cells, row by row."""
    total = sum(len(g) * (len(g) - 1) // 2 for g in rows.gold)
    if total > _MOST_PAIRS:
        raise OptionError(f"average: expected at most {_MOST_PAIRS:,} pairs of cells, got {total:,}: average by item")
    row = np.empty(total, dtype=np.int32)
    human, apart = np.empty(total, dtype=np.int8), np.empty(total)
    end = 0
    for number, (gold, metric) in enumerate(zip(rows.gold, rows.metric, strict=True)):
        for place in range(len(gold) - 1):
            begin, end = end, end + len(gold) - place - 1
            row[begin:end] = number
            human[begin:end] = np.sign(gold[place] - gold[place + 1 :])
            np.subtract(metric[place], metric[place + 1 :], out=apart[begin:end])
    return CellPairs(row, human, apart, len(rows.gold))


def items_of_pairs(gold: Floats, average: str) -> tuple[Integers, Integers]:
    """The items of the first and of the second cell of all pairs, in the order of `cell_pairs`.

    >>> [items.tolist() for items in items_of_pairs(np.array([[1.0, 2.0, 3.0]]), "system")]
    [[0, 0, 1], [1, 2, 2]]
    """
    items = np.broadcast_to(np.arange(gold.shape[1], dtype=np.float64), gold.shape)
    rows = [row.astype(np.int64) for row in rows_of(gold, items, average).metric]
    first, second = ([row[np.triu_indices(len(row), 1)[side]] for row in rows] for side in (0, 1))
    none = np.empty(0, dtype=np.int64)
    return np.concatenate([none, *first]), np.concatenate([none, *second])


def row_values(
    kind: str, rows: RatingRows, pairs: CellPairs | None = None, *, epsilon: float = 0.0, threshold: float = 0.0
) -> tuple[Floats, Floats]:
    """The statistic of each row, NaN where it is undefined, and what the row weighs: its cells, or its pairs.

    `pearson`, `spearman`, `kendall_b` and `kendall_c` are undefined where a side is constant. `tau_23` and
    `accuracy_23` (Deutsch et al. 2023) credit a metric for ties that humans make too. `kendall_like` (WMT 2020) counts
    pairs whose ratings are at least `threshold` apart, and takes everything that the metric does not put in the human
    order as wrong, ties included; it stands here for old papers. `epsilon` makes metric scores so close a tie.
    """
    cells = np.array([len(g) for g in rows.gold], dtype=np.float64)
    if kind in ("pearson", "spearman"):
        values = np.empty(len(rows.gold))
        for length in set(map(len, rows.gold)):  # rows of one length at once
            of_length = [place for place, row in enumerate(rows.gold) if len(row) == length]
            sides = [np.stack([side[place] for place in of_length]) for side in rows]
            values[of_length] = correlation(kind, *sides)
        return values, cells
    check_choice("statistic", kind, STATISTICS)
    if kind == "kendall_like":
        return _kendall_like(rows, threshold)
    if kind == "kendall_c" and epsilon:
        raise OptionError("epsilon: expected 0 with kendall_c, whose values are counted and not compared")
    counted = (cell_pairs(rows) if pairs is None else pairs).counts(epsilon)
    alike, contrary, tied_h, tied_m, tied_hm = counted.T
    every = counted.sum(axis=1)
    if kind == "accuracy_23":
        return (alike + tied_hm) / every, every
    if kind == "tau_23":
        return (alike + tied_hm - contrary - tied_h - tied_m) / every, every
    if kind == "kendall_b":
        return tau_b(alike - contrary, every - tied_h - tied_hm, every - tied_m - tied_hm), every
    distinct = [
        min(len(np.unique(g)), len(np.unique(m))) if len(g) else 0 for g, m in zip(rows.gold, rows.metric, strict=True)
    ]
    k = np.array(distinct, dtype=np.float64)
    return ratio_or_nan(2 * (alike - contrary) * k, cells**2 * (k - 1)), every


def _kendall_like(rows: RatingRows, threshold: float) -> tuple[Floats, Floats]:
    values, weights = [], []
    for gold, metric in zip(rows.gold, rows.metric, strict=True):
        first, second = np.triu_indices(len(gold), 1)
        apart, by_metric = gold[first] - gold[second], metric[first] - metric[second]
        counted = np.abs(apart) >= threshold
        agreed = int((counted & (apart * by_metric > 0)).sum())
        pairs = int(counted.sum())
        values.append((2 * agreed - pairs) / pairs if pairs else np.nan)
        weights.append(pairs)
    return np.array(values), np.array(weights, dtype=np.float64)


def average_over(
    kind: str,
    gold: Floats,
    metric: Floats,
    average: str = "item",
    *,
    epsilon: float = 0.0,
    threshold: float = 0.0,
    undefined_as_zero: bool = False,
    weighted: bool | None = None,
) -> Averaged:
    """The mean of a statistic over items, over systems, or (`none`) one statistic of all cells.

    Rows where it is undefined are left out, or count as 0 if `undefined_as_zero`, which makes a metric pay for ties.
    `weighted` weighs rows by their cells, or for Kendall's by their pairs; only `kendall_like` does so by default.

    >>> gold, metric = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([[0.1, 0.4], [0.3, 0.5]])
    >>> average_over("accuracy_23", gold, metric)
    Averaged(value=0.5, rows=2)
    """
    values, weights = row_values(kind, rows_of(gold, metric, average), epsilon=epsilon, threshold=threshold)
    if undefined_as_zero:
        values = np.nan_to_num(values)
    defined = ~np.isnan(values)
    if not defined.any():
        return Averaged(None, 0)
    if weighted or (weighted is None and kind == "kendall_like"):
        return Averaged(float(np.average(values[defined], weights=weights[defined])), int(weights[defined].sum()))
    return Averaged(float(values[defined].mean()), int(defined.sum()))


def calibrate(pairs: CellPairs) -> tuple[float, float] | None:
    """The best mean accuracy with ties over rows, and the smallest ε that reaches it: metric scores at most ε apart tie
    (Deutsch et al. 2023). One ε for all rows, fitted on these very ratings. None where there are no pairs.

    >>> calibrate(cell_pairs(rows_of(np.array([[1.0], [1.0], [3.0]]), np.array([[0.1], [0.3], [0.9]]))))[0]
    1.0
    """
    if not len(pairs.row):
        return None
    share = 1.0 / np.bincount(pairs.row, minlength=pairs.rows)[pairs.row]
    distance = np.abs(pairs.apart)
    order = np.argsort(distance, kind="stable")
    distance = distance[order]
    tied = pairs.human == 0
    right = (np.sign(pairs.apart) == pairs.human) & ~tied
    gains = np.where(tied, share, np.where(right, -share, 0.0))[order]
    values = np.concatenate([[0.0], np.cumsum(gains)]) + float(share[right].sum())
    ends = np.flatnonzero(np.append(distance[1:] != distance[:-1], True)) + 1  # ε takes all of one distance, or none
    if distance[0] > 0:
        ends = np.concatenate([[0], ends])
    means = values[ends] / pairs.rows
    best = int(np.flatnonzero(means >= means.max() - _EQUALLY_GOOD)[0])
    place = int(ends[best])
    return float(means[best]), float(distance[place - 1]) if place else 0.0


def pairwise_difference_pearson(gold: Floats, metric: Floats) -> float | None:
    """Pearson's r of all differences within an item, both signs, pooled over items; None where a side never differs.

    >>> pairwise_difference_pearson(np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [4.0], [6.0]]))
    1.0
    """
    rows = rows_of(gold, metric, "item")
    products = squares = metric_squares = 0.0
    for g, m in zip(rows.gold, rows.metric, strict=True):
        # Over all ordered pairs: the sum of (g_i - g_j)(m_i - m_j) is 2(n Σ gm - Σ g Σ m), here of centred values.
        a, b = g - g.mean(), m - m.mean()
        products += len(g) * float(a @ b)
        squares += len(g) * float(a @ a)
        metric_squares += len(g) * float(b @ b)
    bottom = float(np.sqrt(squares) * np.sqrt(metric_squares))
    return float(np.clip(products / bottom, -1.0, 1.0)) if bottom > 0 else None


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
    agreements = tuple(
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
        metrics=agreements,
        clusters=_clusters(agreements, pairs, gold, average, swap, trials, seed, start) if clusters else None,
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
    best = calibrate(pairs)
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
    """Resampled items; a row is one item, so its statistic is drawn with it."""
    interval_of = {}
    for kind, of_rows in values.items():
        defined = ~np.isnan(of_rows)
        weights = draws[:, defined]
        sums = weights.sum(axis=1)
        if defined.any():
            means = (weights @ of_rows[defined])[sums > 0] / sums[sums > 0]
            interval = percentile_interval(means, level, seed=seed)
            interval_of[kind] = replace(interval, resamples=len(draws), unit="items")
    return interval_of


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
    """By calibrated accuracy; ε is each metric's own on all data, and is not fitted again for each trial."""
    values = {m.metric: m.calibrated_accuracy or 0.0 for m in metrics}
    credits = []
    for metric in metrics:
        of_metric = pairs[metric.metric]
        outcome = np.where(np.abs(of_metric.apart) <= (metric.epsilon or 0.0), 0, np.sign(of_metric.apart))
        credits.append(
            (outcome == of_metric.human)
            / np.bincount(of_metric.row, minlength=of_metric.rows)[of_metric.row]
            / of_metric.rows
        )
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
    return cluster_metrics("ratings", "ratings", "calibrated_accuracy", values, tests, signature=signature)

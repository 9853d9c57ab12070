"""System level: does a metric rank systems as humans do, and better than another metric does?

Metric scores aggregated as human judgments are: every two systems meet on every sentence (Goto et al. 2025).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.errors import InputError, OptionError, check_choice
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, bootstrap_weights, percentile_interval
from recte.statistics.correlation import CORRELATIONS, correlation, williams
from recte.statistics.permutation import PermutationTest, permutation_test
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_resampling import check_drawing
from recte.studies.human.ranking import mean_wins
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_matching import number_judgments
from recte.studies.metaeval.soft_accuracy import (
    human_p_values,
    permute_p_values,
    permute_shares,
    soft_pairwise_accuracy,
)
from recte.threads import thread_count

__all__ = [
    "AGGREGATIONS",
    "RESAMPLED",
    "AggregatedScores",
    "MetricCorrelation",
    "SystemLevel",
    "WilliamsTest",
    "aggregate",
    "aggregated_metric",
    "number_like",
    "soft_ranking",
    "system_level",
    "trueskill_pass",
]

Floats = NDArray[np.float64]
AGGREGATIONS = ("expected-wins", "trueskill", "trueskill-shuffled")
# The published setting, which is not that of human rankings.
_SIGMA, _BETA, _DRAW_PROBABILITY = 0.5, 0.25, 0.25
_MARGIN = NormalDist().inv_cdf((_DRAW_PROBABILITY + 1) / 2) * 2**0.5 * _BETA


@dataclass(frozen=True)
class AggregatedScores:
    """Scores of systems, and how far they spread (standard deviation) over orders of the sentences; 0 for one order."""

    scores: Floats
    spread: Floats


def trueskill_pass(sentences: Floats, orders: NDArray[np.int64]) -> Floats:
    """TrueSkill means after one pass over the sentences, one row for each order of them; the higher score wins.

    >>> trueskill_pass(np.array([[1.0], [0.0]]), np.array([[0]])).round(3).tolist()
    [[0.282, -0.282]]
    """
    return _kernels.trueskill_passes(
        scores=np.ascontiguousarray(sentences, dtype=np.float64),
        orders=np.ascontiguousarray(orders, dtype=np.int64),
        sigma=_SIGMA,
        beta=_BETA,
        draw_margin=_MARGIN,
        threads=thread_count(len(orders) * sentences.shape[1]),
    )


def aggregate(sentences: Floats, method: str, *, shuffles: int = 100, seed: int = 12345) -> AggregatedScores:
    """Scores of systems from sentence scores (systems by sentences), relative to the systems compared.

    `expected-wins` is the mean over opponents of the share of sentences won, ties left out, and an opponent never told
    apart left out too. `trueskill` is the published single pass, which depends on the order of sentences and systems;
    `trueskill-shuffled` is the mean over `shuffles` orders of the sentences, with its spread.

    >>> aggregate(np.array([[0.5, 0.6], [0.4, 0.7]]), "expected-wins").scores.tolist()
    [0.5, 0.5]
    """
    check_choice("aggregate", method, AGGREGATIONS)
    if not 1 <= shuffles <= 100_000:
        raise OptionError(f"shuffles: expected 1 to 100,000, got {shuffles}")
    systems, length = sentences.shape
    if method == "expected-wins":
        outcomes = _outcomes(sentences)
        tables = np.stack([(outcomes == value).sum(axis=1) for value in (-1, 0, 1)], axis=1)
        return AggregatedScores(mean_wins(tables), np.zeros(systems))
    if method == "trueskill":
        return AggregatedScores(trueskill_pass(sentences, np.arange(length)[None])[0], np.zeros(systems))
    generator = np.random.default_rng(seed)
    orders = np.stack([generator.permutation(length) for _ in range(shuffles)])
    passes = trueskill_pass(sentences, orders)
    return AggregatedScores(passes.mean(axis=0), passes.std(axis=0))


def _outcomes(sentences: Floats) -> NDArray[np.int8]:
    """By pair of systems and sentence: 1 where the first scores higher, 0 for a tie, -1 where the second does."""
    first, second = np.triu_indices(len(sentences), 1)
    return np.sign(sentences[first] - sentences[second]).astype(np.int8)


def aggregated_metric(metric: MetricScores, method: str, *, shuffles: int = 100, seed: int = 12345) -> MetricScores:
    """The metric with systems scored by aggregating its sentence scores; its name says how.

    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.4}, {"heron": [0.8], "wren": [0.4]})
    >>> aggregated_metric(mine, "expected-wins").name
    'mine/expected-wins'
    """
    sentences = metric.sentence_table("aggregate")
    aggregated = aggregate(sentences, method, shuffles=shuffles, seed=seed)

    def resample(weights: NDArray[np.int32]) -> Floats:
        if method == "expected-wins":
            outcomes = _outcomes(sentences)
            by_value = [weights.astype(np.float64) @ (outcomes == value).T.astype(np.float64) for value in (-1, 0, 1)]
            return mean_wins(np.rint(np.stack(by_value, axis=2)).astype(np.int64))
        orders = np.stack([np.repeat(np.arange(len(row)), row) for row in weights])
        if method == "trueskill-shuffled":
            orders = np.random.default_rng(seed).permuted(orders, axis=1)
        return trueskill_pass(sentences, orders)

    drawn = {"shuffles": shuffles, "seed": seed} if method == "trueskill-shuffled" else {}
    return replace(
        metric,
        name=f"{metric.name}/{method}",
        scores=aggregated.scores,
        resampled=resample,
        signature=str(Signature.parse(metric.signature).with_interval(aggregate=method, **drawn)),
        sentence_means=False,
        aggregation=method,
    )


RESAMPLED = ("systems", "inputs", "both")
_TESTED = ("pearson", "spearman")
_FEWEST_SYSTEMS = 3


@dataclass(frozen=True)
class MetricCorrelation:
    """How well one metric ranks the systems as humans do, in every way; None where it cannot be told.

    `intervals` and `left_out` (without one system each) are by statistic, where they were asked for. Of ratings,
    `published_soft_accuracy` is soft pairwise accuracy as published, with ties counted whole, which depends on the
    order of systems: in that of their names, and reversed.
    """

    metric: str
    pearson: float | None
    spearman: float | None
    kendall: float | None
    pairwise_accuracy: float | None
    soft_pairwise_accuracy: float | None
    scores: Mapping[str, float]
    intervals: Mapping[str, Interval] | None = None
    left_out: Mapping[str, Mapping[str, float | None]] | None = None
    signature: str = ""
    published_soft_accuracy: tuple[float, float] | None = None


@dataclass(frozen=True)
class WilliamsTest:
    """Whether `higher` correlates better with humans than `lower`: p is one-tailed."""

    correlation: str
    higher: str
    lower: str
    difference: float
    between: float
    t: float | None
    p: float | None


@dataclass(frozen=True)
class SystemLevel:
    """Metrics against one human ranking.

    >>> human = HumanScores.of("human", {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    >>> mine = MetricScores.of("mine", {"a": 0.1, "b": 0.3, "c": 0.2, "d": 0.4})
    >>> system_level(human, [mine]).metrics[0].spearman
    0.8
    """

    human: str
    systems: tuple[str, ...]
    human_scores: Mapping[str, float]
    metrics: tuple[MetricCorrelation, ...]
    williams: tuple[WilliamsTest, ...]
    permutations: tuple[PermutationTest, ...]
    intervals: str | None
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def system_level(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    *,
    intervals: str | None = None,
    permute: Sequence[str] = (),
    leave_one_out: bool = False,
    resamples: int = 1000,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
) -> SystemLevel:
    """Correlate metrics with human scores, and test their differences by Williams' test.

    `intervals` adds ones that resample systems, inputs (sentences, for humans and metrics alike) or both;
    `permute` adds permutation tests in the same three ways; `leave_one_out` the correlations without each system.

    >>> human = HumanScores.of("human", {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    >>> mine = MetricScores.of("mine", {"a": 0.1, "b": 0.3, "c": 0.2, "d": 0.4})
    >>> other = MetricScores.of("other", {"a": 0.4, "b": 0.1, "c": 0.3, "d": 0.2})
    >>> [(test.correlation, test.higher, round(test.p, 3)) for test in system_level(human, [mine, other]).williams]
    [('pearson', 'mine', 0.229), ('spearman', 'mine', 0.229)]
    """
    check_drawing(resamples, level, seed, trials)
    if len(human.systems) < _FEWEST_SYSTEMS:
        raise InputError(f"expected at least {_FEWEST_SYSTEMS} systems to correlate, got {len(human.systems)}")
    names = [metric.name for metric in metrics]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None or not names:
        raise InputError(f"metrics: expected different names, got {repeated!r} twice" if names else "expected metrics")
    if permute and len(names) == 1:
        raise OptionError(f"permute: expected two metrics or more to compare, got {names[0]} alone")
    if intervals is not None:
        check_choice("intervals", intervals, RESAMPLED)
    ordered = [metric.for_systems(human.systems) for metric in metrics]
    interval_of = _intervals(human, ordered, intervals, resamples, level, seed) if intervals else [None] * len(ordered)
    soft = _soft_accuracies(human, ordered, trials, seed)
    results = tuple(
        MetricCorrelation(
            metric=metric.name,
            **{kind: _plain(correlation(kind, human.scores, metric.scores)) for kind in CORRELATIONS},
            soft_pairwise_accuracy=None if soft_accuracy is None else soft_accuracy[0],
            published_soft_accuracy=None if soft_accuracy is None else soft_accuracy[1],
            scores=dict(zip(human.systems, metric.scores.tolist(), strict=True)),
            intervals=of_metric,
            left_out=_leave_each_out(human, metric) if leave_one_out else None,
            signature=metric.signature,
        )
        for metric, of_metric, soft_accuracy in zip(ordered, interval_of, soft, strict=True)
    )
    return SystemLevel(
        human=human.name,
        systems=human.systems,
        human_scores=dict(zip(human.systems, human.scores.tolist(), strict=True)),
        metrics=results,
        williams=tuple(_williams_tests(human, ordered)),
        permutations=tuple(
            _permutation(human, a, b, kind, permuted, trials, seed)
            for permuted in permute
            for kind in _TESTED
            for a, b in combinations(ordered, 2)
            if _differ_somewhere(human, a, b)
        ),
        intervals=intervals,
        signature=_signature(human, ordered, intervals, resamples, level, trials, seed),
    )


def _signature(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    intervals: str | None,
    resamples: int,
    level: float,
    trials: int,
    seed: int,
) -> str:
    signature = Signature.of(
        "system-level",
        human.signed,
        pairs=None if human.judgments is None else len(human.judgments),
        systems=len(human.systems),
        scores="sentence-means" if all(metric.sentence_means for metric in metrics) else None,
    )
    if intervals:
        signature = signature.add(intervals=intervals, resamples=resamples, level=level)
    return str(signature.add(trials=trials, seed=seed))


def _plain(value: Any) -> float | None:
    number = float(value)
    return None if np.isnan(number) else number


def _leave_each_out(human: HumanScores, metric: MetricScores) -> dict[str, dict[str, float | None]]:
    masks = ~np.eye(len(human.systems), dtype=bool)
    humans, metrics = (np.stack([side[row] for row in masks]) for side in (human.scores, metric.scores))
    values = {kind: correlation(kind, humans, metrics).tolist() for kind in CORRELATIONS}
    return {
        kind: {system: _plain(value) for system, value in zip(human.systems, column, strict=True)}
        for kind, column in values.items()
    }


def _williams_tests(human: HumanScores, metrics: Sequence[MetricScores]) -> list[WilliamsTest]:
    tests = []
    for kind in _TESTED:
        for a, b in combinations(metrics, 2):
            with_a, with_b, between = (
                float(correlation(kind, x, y))
                for x, y in ((human.scores, a.scores), (human.scores, b.scores), (a.scores, b.scores))
            )
            if np.isnan([with_a, with_b, between]).any():
                continue
            if with_b > with_a:
                a, b, with_a, with_b = b, a, with_b, with_a
            test = williams(with_a, with_b, between, len(human.systems))
            tests.append(WilliamsTest(kind, a.name, b.name, with_a - with_b, between, test.t, test.p))
    return tests


def _differ_somewhere(human: HumanScores, *metrics: MetricScores) -> bool:
    """Whether all of them tell systems apart, so that they have a correlation."""
    return all(not np.isnan(correlation("pearson", human.scores, metric.scores)) for metric in metrics)


def _permutation(
    human: HumanScores, a: MetricScores, b: MetricScores, kind: str, permuted: str, trials: int, seed: int
) -> PermutationTest:
    """Scores of whole corpora can be swapped between systems only; inputs need sentence scores, which are averaged."""
    if permuted == "systems" and not (a.sentence_means and b.sentence_means):
        sides = a.scores, b.scores
    else:
        sides = a.sentence_table(f"permuting {permuted}"), b.sentence_table(f"permuting {permuted}")
        if sides[0].shape != sides[1].shape:
            raise InputError(
                f"expected {a.name} and {b.name} to score the same sentences, got {sides[0].shape[1]} "
                f"and {sides[1].shape[1]}"
            )
    difference, p, one_sided = permutation_test(kind, human.scores, *sides, permuted=permuted, trials=trials, seed=seed)
    return PermutationTest(kind, a.name, b.name, difference, p, one_sided, permuted, trials, seed)


def _soft_accuracies(
    human: HumanScores, metrics: Sequence[MetricScores], trials: int, seed: int
) -> list[tuple[float, tuple[float, float] | None] | None]:
    """Soft pairwise accuracy of each metric; of ratings as published too, in two orders of systems."""
    rated = None if human.ratings is None else ~np.isnan(human.ratings)
    target = soft_ranking(human, trials, seed)
    of_ratings = None if human.ratings is None else permute_shares(human.ratings, trials, seed)
    accuracies: list[tuple[float, tuple[float, float] | None] | None] = []
    for metric in metrics:
        if (
            metric.sentences is None
            or metric.aggregation  # its systems are not scored by means, which is what swapping outputs changes
            or target is None
            or (rated is not None and rated.shape != metric.sentences.shape)
        ):
            accuracies.append(None)
            continue
        shares = permute_shares(metric.sentences, trials, seed, rated=rated)
        published = None
        if of_ratings is not None:
            by_name, reverse = (
                soft_pairwise_accuracy(of_ratings.p_values(tie), shares.p_values(tie)) for tie in (1.0, 0.0)
            )
            published = by_name, reverse
        accuracies.append((soft_pairwise_accuracy(target, shares.p_values()), published))
    return accuracies


def soft_ranking(human: HumanScores, trials: int, seed: int) -> NDArray[np.float64] | None:
    """How sure humans are that the first of each two systems is better: p-values of judgments, or of ratings."""
    if human.ratings is not None:
        return permute_p_values(human.ratings, trials, seed)
    if human.judgments is None:
        return None
    left_out = [system for system in human.judgments.systems if system not in human.systems]
    return human_p_values(human.judgments.without(left_out))


def _intervals(
    human: HumanScores, metrics: Sequence[MetricScores], resample: str, resamples: int, level: float, seed: int
) -> list[Mapping[str, Interval] | None]:
    """Intervals of each metric's correlations; all metrics share the draws."""
    systems = len(human.systems)
    rows = None
    if resample != "inputs":
        rows = np.random.default_rng([seed, 1]).integers(systems, size=(resamples, systems))  # not the inputs' draws
    weights = humans_resampled = None
    if resample != "systems":
        judged = number_like(human, metrics)
        weights = bootstrap_weights(metrics[0].sentence_table("resampling inputs").shape[1], resamples, seed)
        humans_resampled = judged.resampled(weights)
    interval_of: list[Mapping[str, Interval] | None] = []
    for metric in metrics:
        if weights is None or humans_resampled is None:
            humans, scores = (np.broadcast_to(side, (resamples, systems)) for side in (human.scores, metric.scores))
        else:
            if metric.resampled is None:
                raise OptionError(
                    f"{metric.name}: resampling inputs: expected scores computed here, or sentence means, got a file's"
                )
            humans, scores = humans_resampled, metric.resampled(weights)
        if rows is not None:
            humans, scores = (np.take_along_axis(side, rows, axis=1) for side in (humans, scores))
        by_kind = {kind: correlation(kind, humans, scores) for kind in CORRELATIONS}
        defined = {kind: values[~np.isnan(values)] for kind, values in by_kind.items()}  # one system alone says nothing
        interval_of.append(
            {
                kind: replace(percentile_interval(values, level, seed=seed), resamples=resamples, unit=resample)
                for kind, values in defined.items()
                if values.size
            }
        )
    return interval_of


def number_like(human: HumanScores, metrics: Sequence[MetricScores]) -> HumanScores:
    """The human side with sentences numbered as in the metrics' corpus; a system left out has no scores, nor a say."""
    if human.ratings is not None:
        lengths = {metric.sentence_table("resampling inputs").shape[1] for metric in metrics}
        if lengths != {human.ratings.shape[1]}:
            raise InputError(
                f"resampling inputs: expected scores of the {human.ratings.shape[1]} sentences that ratings tell of, "
                f"got {', '.join(map(str, sorted(lengths)))}"
            )
        return human
    judgments = human.judgments
    if judgments is None:
        raise OptionError("resampling inputs: expected judgments or ratings, got scores of systems alone")
    rows = [judgments.systems.index(system) for system in human.systems]
    tables = []
    for metric in metrics:
        sentences = metric.sentence_table("resampling inputs")
        tables.append(np.full((len(judgments.systems), sentences.shape[1]), np.nan))
        tables[-1][rows] = sentences
    if len({table.shape for table in tables}) > 1:
        raise InputError("resampling inputs: expected metrics that score the same sentences, got different numbers")
    return replace(human, judgments=number_judgments(judgments, tables))

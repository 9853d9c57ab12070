"""Sentence level: does a metric prefer the output that a judge preferred, and more often than another metric does?

Agreement with single judgments: tables of human by metric outcome, variants of Kendall's τ, accuracy with ties.

Sentence level, looked at closer: pairs by the ranks that humans gave them, and figures that depend on the order of
systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError, describe_choices
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, percentile_interval
from recte.statistics.correlation import ratio_or_nan
from recte.statistics.permutation import two_sided_p
from recte.studies.human.judgment_resampling import Resampler, check_drawing
from recte.studies.human.judgments import Judgments
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_matching import number_judgments, score_differences

__all__ = [
    "VARIANTS",
    "MetricAgreement",
    "OrderedAgreement",
    "RankGroup",
    "RankGroups",
    "SentenceLevel",
    "TauDifference",
    "agreement_with_order",
    "calibrate_accuracy",
    "outcome_codes",
    "rank_groups",
    "sentence_level",
    "tau",
]

VARIANTS = ("hties", "noties", "accuracy")


def outcome_codes(human: NDArray[np.int64], metric: NDArray[np.float64]) -> NDArray[np.int64]:
    """Each comparison's cell in a table of human by metric outcome (second better, tie, first better).

    `metric` is the first system's score less the second's. A tie is a tie: neither system is favoured.

    >>> outcome_codes(np.array([1, 0]), np.array([-0.2, 0.0])).tolist()
    [6, 4]
    """
    return (human + 1) * 3 + np.sign(metric).astype(np.int64) + 1


def tau(variant: str, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """The statistic of tables whose last axis holds the nine cells; NaN where no comparison counts.

    `noties` leaves out comparisons that humans tied (Macháček and Bojar 2014); `hties` keeps them, and counts one as
    agreement where the metric ties too (Chollampatt and Ng 2018, section 3.2); a metric's other ties count for nothing.
    `accuracy` is the share judged alike, ties included (Deutsch et al. 2023).

    >>> table = np.array([4, 1, 1, 0, 2, 0, 1, 0, 3])
    >>> [round(float(tau(variant, table)), 4) for variant in VARIANTS]
    [0.5833, 0.5, 0.75]
    """
    table = cells.reshape(*cells.shape[:-1], 3, 3)
    alike = table[..., 0, 0] + table[..., 2, 2]
    contrary = table[..., 0, 2] + table[..., 2, 0]
    all_of_them = table.sum(axis=(-1, -2))
    tied_by_both, tied_by_humans = table[..., 1, 1], table[..., 1, :].sum(axis=-1)
    if variant == "hties":
        top, bottom = alike - contrary + tied_by_both, all_of_them
    elif variant == "noties":
        top, bottom = alike - contrary, all_of_them - tied_by_humans
    elif variant == "accuracy":
        top, bottom = alike + tied_by_both, all_of_them
    else:
        raise OptionError(f"variant: {describe_choices(VARIANTS, variant)}")
    return ratio_or_nan(top, bottom)


def calibrate_accuracy(human: NDArray[np.int64], metric: NDArray[np.float64]) -> tuple[float, float]:
    """The best accuracy with ties, if scores at most ε apart are taken as tied, and that ε (Deutsch et al. 2023).

    >>> calibrate_accuracy(np.array([0, 1, -1]), np.array([0.01, 0.5, -0.3]))
    (1.0, 0.01)
    """
    distance = np.abs(metric)
    order = np.argsort(distance, kind="stable")
    distance, tied = distance[order], (human == 0)[order]
    told = (np.sign(metric) == human)[order] & ~tied
    # Accuracy where the first k comparisons, the closest, are taken as ties.
    correct = np.concatenate([[0], np.cumsum(tied)]) + np.concatenate([np.cumsum(told[::-1])[::-1], [0]])
    ends = np.flatnonzero(np.append(distance[1:] != distance[:-1], True)) + 1  # ε takes all of one distance, or none
    if distance[0] > 0:
        ends = np.concatenate([[0], ends])
    best = ends[np.argmax(correct[ends])]
    return float(correct[best] / len(human)), float(distance[best - 1]) if best else 0.0


_CELLS = 9


@dataclass(frozen=True)
class MetricAgreement:
    """How far one metric agrees with single judgments.

    `hties` and `noties` are the variants of Kendall's τ with and without comparisons that humans tied, `accuracy` the
    share judged alike, `calibrated_accuracy` the same where scores at most `epsilon` apart are ties. `outcomes` counts
    comparisons by human (row) and metric (column) outcome: second better, tie, first better. `stands_out` names the
    statistics by which the metric's interval lies above all others'.
    """

    metric: str
    hties: float | None
    noties: float | None
    accuracy: float | None
    calibrated_accuracy: float
    epsilon: float
    intervals: Mapping[str, Interval]
    outcomes: tuple[tuple[int, int, int], ...]
    stands_out: tuple[str, ...] = ()
    signature: str = ""


@dataclass(frozen=True)
class TauDifference:
    """Two metrics' difference by one statistic on the same resamples; p is two-sided."""

    statistic: str
    first: str
    second: str
    difference: float
    interval: Interval
    p: float


@dataclass(frozen=True)
class SentenceLevel:
    """Metrics against single judgments.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = Judgments.from_preferences([Preference(1, "ann", "heron", "wren", 1, 0)], first_sentence=1)
    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.4}, {"heron": [0.8], "wren": [0.4]})
    >>> sentence_level(judged, [mine]).metrics[0].hties
    1.0
    """

    pairs: int
    decided: int
    sentences: int
    first_sentence: int
    metrics: tuple[MetricAgreement, ...]
    differences: tuple[TauDifference, ...]
    resample: str
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def sentence_level(
    judgments: Judgments,
    metrics: Sequence[MetricScores],
    *,
    resample: str = "sentences",
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
) -> SentenceLevel:
    """Compare sentence scores with judgments, with intervals and paired differences from resampled judgments.

    `resample` draws sentences, rankings or single pairs; the last is the published way and takes judgments of one
    sentence as independent, which makes intervals too narrow.

    >>> from recte.studies.human.judgments import Preference
    >>> judged = Judgments.from_preferences(Preference(n, "ann", "heron", "wren", n % 2, n) for n in range(4))
    >>> scores = {"heron": [0.5, 0.6, 0.5, 0.2], "wren": [0.5, 0.4, 0.1, 0.4]}
    >>> round(sentence_level(judged, [MetricScores.of("mine", {"heron": 1, "wren": 0}, scores)]).metrics[0].accuracy, 2)
    0.5
    """
    check_drawing(resamples, level, seed)
    if not metrics:
        raise InputError("expected metrics to compare with judgments, got none")
    tables = {m.name: m.for_systems(judgments.systems).sentence_table("sentence level") for m in metrics}
    judged = number_judgments(judgments, list(tables.values()))
    apart = {name: score_differences(judged, table) for name, table in tables.items()}
    codes = {name: outcome_codes(judged.outcome, differences) for name, differences in apart.items()}
    resampler = Resampler.of(judged, resample, resamples, seed)
    signatures = {metric.name: metric.signature for metric in metrics}
    agreements = [
        _agreement(name, judged.outcome, apart[name], codes[name], resampler, level, signatures[name]) for name in codes
    ]
    return SentenceLevel(
        pairs=len(judged),
        decided=len(judged) - judged.ties,
        sentences=len(judged.sentences),
        first_sentence=judged.first_sentence or 0,
        metrics=tuple(_mark(agreement, agreements) for agreement in agreements),
        differences=tuple(
            difference
            for a, b in combinations(codes, 2)
            for difference in _differences(a, b, codes[a], codes[b], resampler, level)
        ),
        resample=resample,
        signature=str(
            Signature.of(
                "sentence-level",
                pairs=len(judged),
                first_sentence=str(judged.first_sentence),
                resample=resample,
                resamples=resamples,
                level=level,
                seed=seed,
            )
        ),
    )


def _agreement(
    name: str,
    human: NDArray[np.int64],
    apart: NDArray[np.float64],
    codes: NDArray[np.int64],
    resampler: Resampler,
    level: float,
    signature: str,
) -> MetricAgreement:
    cells = np.bincount(codes, minlength=_CELLS)
    values = {variant: float(tau(variant, cells)) for variant in VARIANTS}
    accuracy, epsilon = calibrate_accuracy(human, apart)
    resampled = resampler.counts(codes, _CELLS)
    a, b, c, d, e, f, g, h, i = cells.tolist()
    return MetricAgreement(
        metric=name,
        hties=_plain(values["hties"]),
        noties=_plain(values["noties"]),
        accuracy=_plain(values["accuracy"]),
        calibrated_accuracy=accuracy,
        epsilon=epsilon,
        intervals={
            variant: _interval(tau(variant, resampled), level, resampler)
            for variant, value in values.items()
            if not np.isnan(value)
        },
        outcomes=((a, b, c), (d, e, f), (g, h, i)),
        signature=signature,
    )


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else value


def _interval(values: NDArray[np.float64], level: float, resampler: Resampler) -> Interval:
    interval = percentile_interval(values[~np.isnan(values)], level, seed=resampler.seed)
    return replace(interval, resamples=resampler.resamples, unit=resampler.unit)


def _mark(agreement: MetricAgreement, all_of_them: Sequence[MetricAgreement]) -> MetricAgreement:
    """The paper's star (Table 3): an interval that lies above those of all other metrics."""
    others = [other for other in all_of_them if other.metric != agreement.metric]
    above = tuple(
        variant
        for variant, interval in agreement.intervals.items()
        if others and all(variant in o.intervals and o.intervals[variant].high < interval.low for o in others)
    )
    return replace(agreement, stands_out=above)


def _differences(
    first: str,
    second: str,
    first_codes: NDArray[np.int64],
    second_codes: NDArray[np.int64],
    resampler: Resampler,
    level: float,
) -> list[TauDifference]:
    """Both metrics' outcomes of the same comparisons are drawn together: 27 cells of human, first and second."""
    joint = resampler.counts(first_codes * 3 + second_codes % 3, 3 * _CELLS).reshape(-1, 3, 3, 3)
    sides = joint.sum(axis=3).reshape(-1, _CELLS), joint.sum(axis=2).reshape(-1, _CELLS)
    observed = [np.bincount(codes, minlength=_CELLS) for codes in (first_codes, second_codes)]
    differences = []
    for variant in VARIANTS:
        values = tau(variant, sides[0]) - tau(variant, sides[1])
        values = values[~np.isnan(values)]
        difference = float(tau(variant, observed[0]) - tau(variant, observed[1]))
        if values.size and not np.isnan(difference):
            p = two_sided_p(values)
            interval = _interval(values, level, resampler)
            differences.append(TauDifference(variant, first, second, difference, interval, p))
    return differences


@dataclass(frozen=True)
class RankGroup:
    """A metric on the pairs whose ranks are `worse` and `better`, or (both 0) `gap` apart.

    `accuracy` counts a metric's tie half; `tie_is_second` counts it as a win of the second system in order of names, as
    SEEDA's scripts do, and depends on that order.
    """

    metric: str
    worse: int
    better: int
    gap: int
    pairs: int
    metric_ties: int
    accuracy: float
    tie_is_second: float


@dataclass(frozen=True)
class OrderedAgreement:
    """Accuracy over decided pairs and τ = 2·accuracy - 1, in three ways to take a metric's tie.

    `accuracy` and `tau` count it half, whatever the order of systems. `tie_is_second` takes it as a win of the second
    system, as published; `tie_is_first` is the published figure with the systems in reverse order.
    """

    metric: str
    pairs: int
    metric_ties: int
    accuracy: float
    tau: float
    tie_is_second: float
    tau_tie_is_second: float
    tie_is_first: float
    tau_tie_is_first: float


@dataclass(frozen=True)
class RankGroups:
    """Decided pairs by human ranks (`by_ranks`), by their difference (`by_gap`), and all together (`metrics`).

    `system_order` is what the published rule for ties depends on; empty for the order of names.
    """

    by_ranks: tuple[RankGroup, ...]
    by_gap: tuple[RankGroup, ...]
    metrics: tuple[OrderedAgreement, ...]
    signature: str
    system_order: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def rank_groups(
    judgments: Judgments, metrics: Sequence[MetricScores], *, order: Sequence[str] | None = None
) -> RankGroups:
    """Compare sentence scores with judgments, pairs grouped by the two ranks that a judge gave.

    Ranks are relative to their ranking: neighbours in a ranking of two outputs may lie further apart than in one of
    five. `order` is the list of systems that the published figure depends on; by default the order of their names.
    Where judgments are pairs without ranks, `by_ranks` and `by_gap` are empty.

    >>> from recte.studies.human.judgments import RankedGroup, Ranking
    >>> judged = Judgments.from_rankings([Ranking(0, "ann", (RankedGroup(("heron",), 1), RankedGroup(("wren",), 3)))])
    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.4}, {"heron": [0.8], "wren": [0.4]})
    >>> [(group.gap, group.accuracy) for group in rank_groups(judged, [mine]).by_gap]
    [(2, 1.0)]
    """
    tables = {m.name: m.for_systems(judgments.systems).sentence_table("rank groups") for m in metrics}
    judged = number_judgments(judgments, list(tables.values()))
    turned = _turn(judged, order)
    decided = judged.outcome != 0
    if not decided.any():
        raise InputError("expected comparisons that judges decided, got none", judgments.name or None)
    ranks = np.sort(judged.ranks[decided], axis=1)
    by_ranks: list[RankGroup] = []
    by_gap: list[RankGroup] = []
    agreements: list[OrderedAgreement] = []
    for name, table in tables.items():
        metric = np.sign(score_differences(judged, table))[decided] * turned[decided]
        human = judged.outcome[decided] * turned[decided]
        agreements.append(agreement_with_order(name, human, metric))
        if not ranks.any():
            continue
        for better, worse in sorted(map(tuple, np.unique(ranks, axis=0).tolist()), key=lambda r: (-r[1], -r[0])):
            of_group = (ranks == (better, worse)).all(axis=1)
            by_ranks.append(_group(name, worse, better, worse - better, human[of_group], metric[of_group]))
        gaps = ranks[:, 1] - ranks[:, 0]
        for gap in np.unique(gaps).tolist():
            by_gap.append(_group(name, 0, 0, gap, human[gaps == gap], metric[gaps == gap]))
    listed = ",".join(order) if order else None
    signature = Signature.of("rank-groups", pairs=len(judged), decided=int(decided.sum()), system_order=listed)
    return RankGroups(tuple(by_ranks), tuple(by_gap), tuple(agreements), str(signature), tuple(order or ()))


def _turn(judged: Judgments, order: Sequence[str] | None) -> NDArray[np.int64]:
    """-1 where the second system of a comparison comes first in `order`."""
    if order is None:
        return np.ones(len(judged), dtype=np.int64)
    absent = next((system for system in judged.systems if system not in order), None)
    if absent is not None:
        raise InputError(f"order: expected every judged system, got none for {absent!r}")
    place = np.array([list(order).index(system) for system in judged.systems])
    return np.where(place[judged.first] < place[judged.second], 1, -1)


def agreement_with_order(metric: str, human: NDArray[Any], signs: NDArray[Any]) -> OrderedAgreement:
    """Agreement over decided pairs, given 1 or -1 by humans and 1, 0 or -1 by the metric."""
    pairs, alike, ties = len(human), int((human == signs).sum()), signs == 0
    to_second, to_first = int((ties & (human < 0)).sum()), int((ties & (human > 0)).sum())
    half, second, first = (alike + int(ties.sum()) / 2) / pairs, (alike + to_second) / pairs, (alike + to_first) / pairs
    return OrderedAgreement(
        *(metric, pairs, int(ties.sum())), *(half, 2 * half - 1, second, 2 * second - 1, first, 2 * first - 1)
    )


def _group(name: str, worse: int, better: int, gap: int, human: NDArray[Any], metric: NDArray[Any]) -> RankGroup:
    all_of_them = agreement_with_order(name, human, metric)
    return RankGroup(
        *(name, worse, better, gap, all_of_them.pairs, all_of_them.metric_ties),
        accuracy=all_of_them.accuracy,
        tie_is_second=all_of_them.tie_is_second,
    )

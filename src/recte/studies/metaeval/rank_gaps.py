"""Sentence level, looked at closer: pairs by the ranks that humans gave them, and figures that hang on the order of
systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError
from recte.signature import Signature
from recte.studies.human.judgments import Judgments
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.sentence_matching import numbered, score_differences

__all__ = ["OrderedAgreement", "RankGroup", "RankGroups", "ordered_agreement", "rank_groups"]


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
    five. `order` is the list of systems that the published figure hangs on; by default the order of their names. Where
    judgments are pairs without ranks, `by_ranks` and `by_gap` are empty.

    >>> from recte.studies.human.judgments import RankedGroup, Ranking
    >>> judged = Judgments.from_rankings([Ranking(0, "ann", (RankedGroup(("heron",), 1), RankedGroup(("wren",), 3)))])
    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.4}, {"heron": [0.8], "wren": [0.4]})
    >>> [(group.gap, group.accuracy) for group in rank_groups(judged, [mine]).by_gap]
    [(2, 1.0)]
    """
    tables = {m.name: m.for_systems(judgments.systems).sentence_table("rank groups") for m in metrics}
    judged = numbered(judgments, list(tables.values()))
    turned = _turned(judged, order)
    decided = judged.outcome != 0
    if not decided.any():
        raise InputError("expected comparisons that judges decided, got none", judgments.name or None)
    ranks = np.sort(judged.ranks[decided], axis=1)
    by_ranks: list[RankGroup] = []
    by_gap: list[RankGroup] = []
    found: list[OrderedAgreement] = []
    for name, table in tables.items():
        metric = np.sign(score_differences(judged, table))[decided] * turned[decided]
        human = judged.outcome[decided] * turned[decided]
        found.append(ordered_agreement(name, human, metric))
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
    return RankGroups(tuple(by_ranks), tuple(by_gap), tuple(found), str(signature), tuple(order or ()))


def _turned(judged: Judgments, order: Sequence[str] | None) -> NDArray[np.int64]:
    """-1 where the second system of a comparison comes first in `order`."""
    if order is None:
        return np.ones(len(judged), dtype=np.int64)
    absent = next((system for system in judged.systems if system not in order), None)
    if absent is not None:
        raise InputError(f"order: expected every judged system, got none for {absent!r}")
    place = np.array([list(order).index(system) for system in judged.systems])
    return np.where(place[judged.first] < place[judged.second], 1, -1)


def ordered_agreement(metric: str, human: NDArray[Any], signs: NDArray[Any]) -> OrderedAgreement:
    """Agreement over decided pairs, given 1 or -1 by humans and 1, 0 or -1 by the metric."""
    pairs, alike, ties = len(human), int((human == signs).sum()), signs == 0
    to_second, to_first = int((ties & (human < 0)).sum()), int((ties & (human > 0)).sum())
    half, second, first = (alike + int(ties.sum()) / 2) / pairs, (alike + to_second) / pairs, (alike + to_first) / pairs
    return OrderedAgreement(
        *(metric, pairs, int(ties.sum())), *(half, 2 * half - 1, second, 2 * second - 1, first, 2 * first - 1)
    )


def _group(name: str, worse: int, better: int, gap: int, human: NDArray[Any], metric: NDArray[Any]) -> RankGroup:
    all_of_them = ordered_agreement(name, human, metric)
    return RankGroup(
        *(name, worse, better, gap, all_of_them.pairs, all_of_them.metric_ties),
        accuracy=all_of_them.accuracy,
        tie_is_second=all_of_them.tie_is_second,
    )

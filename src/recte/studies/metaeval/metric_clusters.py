"""Metrics in rank clusters: those that no better metric of the same cluster surely beats (WMT's metrics tasks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError
from recte.signature import Signature
from recte.studies.metaeval.metric_tests import MetricTest

__all__ = ["ClusteredMetric", "MetricClusters", "clustered", "rank_clusters"]


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
    found: list[int] = []
    start, current = 0, 1
    for place in range(len(p_values)):
        if any(p_values[above][place] <= alpha for above in range(start, place)):
            start, current = place, current + 1
        found.append(current)
    return found


def clustered(
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

"""Window analysis: does a metric still rank systems as humans do among neighbours in the human ranking?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError
from recte.signature import Signature
from recte.statistics.bootstrap import Interval, bootstrap_weights, percentile_interval
from recte.statistics.correlation import correlation
from recte.studies.human.human_scores import HumanScores
from recte.studies.human.judgment_resampling import check_drawing
from recte.studies.metaeval.scores import MetricScores
from recte.studies.metaeval.system_correlation import number_like

__all__ = ["Window", "WindowStudy", "window_analysis"]

_KINDS = ("pearson", "spearman")
_FEWEST = 3
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """One metric among systems that are neighbours in the human ranking, ranks from 1.

    Correlations are None where humans or the metric give all of them the same score.
    """

    metric: str
    first_rank: int
    last_rank: int
    systems: tuple[str, ...]
    pearson: float | None
    spearman: float | None
    intervals: Mapping[str, Interval]


@dataclass(frozen=True)
class WindowStudy:
    """Every window of `size` systems, from the best down, for every metric."""

    human: str
    size: int
    systems: tuple[str, ...]
    windows: tuple[Window, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """As plain dicts, lists, numbers and text."""
        return asdict(self)


def window_analysis(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    *,
    size: int = 4,
    intervals: bool = False,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
) -> WindowStudy:
    """Correlate inside every window of `size` systems in the order of human scores (SEEDA; Kobayashi et al. 2024).

    Systems with equal human scores keep their order by name. `intervals` resamples sentences, for humans and metrics;
    the windows stay those of the observed order. Few systems say little: with four, ρ has a standard deviation of .58
    where there is no correlation at all.

    >>> human = HumanScores.of("human", {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0})
    >>> mine = MetricScores.of("mine", {"a": 0.4, "b": 0.3, "c": 0.1, "d": 0.2})
    >>> [round(window.spearman, 1) for window in window_analysis(human, [mine], size=3).windows]
    [1.0, 0.5]
    """
    check_drawing(resamples, level, seed)
    count = len(human.systems)
    if not _FEWEST <= size <= count:
        raise OptionError(f"windows: expected {_FEWEST} to {count} systems in a window, got {size}")
    order = np.argsort(-human.scores, kind="stable")
    ordered = [metric.for_systems(human.systems) for metric in metrics]
    drawn = _draw(human, ordered, resamples, seed) if intervals else None
    places = np.stack([order[start : start + size] for start in range(count - size + 1)])
    windows = []
    for number, metric in enumerate(ordered):
        values = {kind: correlation(kind, human.scores[places], metric.scores[places]) for kind in _KINDS}
        resampled = None if drawn is None else [side[:, places] for side in (drawn[0], drawn[1][number])]
        many = {} if resampled is None else {kind: correlation(kind, *resampled) for kind in _KINDS}
        for start, inside in enumerate(places):
            windows.append(
                Window(
                    metric=metric.name,
                    first_rank=start + 1,
                    last_rank=start + size,
                    systems=tuple(human.systems[i] for i in inside),
                    pearson=_plain(values["pearson"][start]),
                    spearman=_plain(values["spearman"][start]),
                    intervals={
                        kind: _interval(of_window[:, start], level, resamples, seed)
                        for kind, of_window in many.items()
                        if not np.isnan(of_window[:, start]).all()
                    },
                )
            )
    signature = Signature.of("windows", human.signed, systems=count, size=size)
    if intervals:
        signature = signature.add(resample="inputs", resamples=resamples, level=level, seed=seed)
    return WindowStudy(
        human=human.name,
        size=size,
        systems=tuple(human.systems[i] for i in order),
        windows=tuple(windows),
        signature=str(signature),
    )


def _draw(
    human: HumanScores, metrics: Sequence[MetricScores], resamples: int, seed: int
) -> tuple[Floats, list[Floats]]:
    """Scores of humans and of each metric, one row per resample of the sentences."""
    judged = number_like(human, metrics)
    weights = bootstrap_weights(metrics[0].sentence_table("windows").shape[1], resamples, seed)
    scores = []
    for metric in metrics:
        if metric.resampled is None:
            raise OptionError(f"{metric.name}: windows: expected scores computed here, or sentence means, got a file's")
        scores.append(metric.resampled(weights))
    return judged.resampled(weights), scores


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _interval(values: Floats, level: float, resamples: int, seed: int) -> Interval:
    interval = percentile_interval(values[~np.isnan(values)], level, seed=seed)
    return replace(interval, resamples=resamples, unit="inputs")

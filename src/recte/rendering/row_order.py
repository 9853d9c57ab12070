"""In which order systems stand in tables: as given, by name, or by a figure, the best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recte.errors import OptionError, did_you_mean
from recte.metrics.base import Column, Metric, Score

__all__ = ["in_order"]


def in_order(by_metric: Mapping[Metric, Sequence[Score]], key: str) -> dict[Metric, list[Score]]:
    """Each metric's scores in order of the `key`, the best first; a system's parts stay behind it.

    The key is `name`; `score`, each metric by its own score; a metric's name; or a metric's name and one of the
    headers of its table, as in `m2:R`. A system without that figure goes last.
    """
    if key == "name":
        names = sorted({score.system for scores in by_metric.values() for score in scores})
        return {metric: _placed(scores, names) for metric, scores in by_metric.items()}
    if key == "score":
        return {metric: _placed(scores, _best_first(scores, ("score",))) for metric, scores in by_metric.items()}
    name, _, header = key.partition(":")
    metric = next((metric for metric in by_metric if metric.name == name), None)
    if metric is None:
        wanted = ", ".join(("name", "score", *(metric.name for metric in by_metric)))
        raise OptionError(f"--sort: expected one of {wanted}, got {key!r}{did_you_mean(name, wanted.split(', '))}")
    column = _column(metric, header) if header else Column("", ("score",))
    order = _best_first(by_metric[metric], column.path)
    return {other: _placed(scores, order) for other, scores in by_metric.items()}


def _column(metric: Metric, header: str) -> Column:
    found = next((column for column in metric.columns if column.header.lower() == header.lower()), None)
    if found is None:
        known = ", ".join(column.header for column in metric.columns)
        raise OptionError(f"--sort: expected a column of {metric.name} ({known}), got {header!r}")
    return found


def _best_first(scores: Sequence[Score], path: Sequence[str]) -> list[str]:
    """Systems from the highest figure to the lowest, or the other way round where a lower score is better."""
    figures = {score.system: score.figure(path) for score in scores if not score.subset}
    known = {system: figure for system, figure in figures.items() if figure is not None}
    lowest_first = tuple(path) == ("score",) and not scores[0].higher_is_better
    return sorted(known, key=lambda system: known[system] if lowest_first else -known[system])


def _placed(scores: Sequence[Score], order: Sequence[str]) -> list[Score]:
    place = {system: number for number, system in enumerate(order)}
    return sorted(scores, key=lambda score: place.get(score.system, len(place)))

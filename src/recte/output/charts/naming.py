"""How charts call things: metrics' figures, percentages, systems best first."""

from __future__ import annotations

from collections.abc import Sequence

from recte.metrics.base import Metric, Score

__all__ = ["axis_name", "best_first", "figure_name", "listed", "percentage", "printed_score"]


def figure_name(metric: Metric) -> str:
    """What a metric's score is called: F0.5, I, GLEU.

    >>> import recte
    >>> figure_name(recte.MaxMatch(beta=1.0))
    'F1'
    """
    return next((column.header for column in metric.columns if column.path == ("score",)), metric.title)


def best_first(scores: Sequence[Score]) -> list[Score]:
    """Scores in order, ties by name."""
    return sorted(scores, key=lambda s: (-s.score if s.higher_is_better else s.score, s.system))


def percentage(fraction: float) -> float:
    """A fraction as tables print it, short enough to be embedded.

    >>> percentage(0.123456)
    12.3456
    """
    return round(100 * fraction, 6)


def printed_score(metric: Metric, score: float) -> float:
    """A score, or a difference of scores, as tables print it: as a percentage unless the metric says otherwise."""
    return round(metric.score_factor * score, 6)


def axis_name(metric: Metric, name: str) -> str:
    """What an axis of a metric's scores is called, with % where they are percentages."""
    return f"{name} (%)" if metric.score_factor == 100 else name


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

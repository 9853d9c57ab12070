"""What stands between a metric and its callers: counts that are not its own are refused, and its faults carry its name.

A metric may come from another package, and a counts file from anywhere. Neither may end in a traceback, nor in a number
that nobody counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from recte.counts import Counts, is_present, stretches
from recte.errors import InputError, MetricError, RecteError

if TYPE_CHECKING:
    from recte.metrics.base import Metric

__all__ = ["GuardedMetric", "GuardedScorer", "check_counts", "check_rows"]

# What callers ask of a metric and its scorer, and what it is doing then.
_METRIC_METHODS = {
    "prepare": "reading the gold",
    "prepare_with": "reading the gold",
    "score_counts": "scoring",
    "sentence_scores": "scoring",
    "_score_many": "scoring",
}
_SCORER_METHODS = {
    "_count_system": "counting",
    "_count": "counting",
    "count_types": "counting error types",
    "judged_edits": "judging edits",
    "explain": "explaining",
}


class GuardedMetric:
    """What a metric's subclasses define of these methods is guarded."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _guard(cls, _METRIC_METHODS)


class GuardedScorer:
    """The same for scorers."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _guard(cls, _SCORER_METHODS)


def _guard(cls: type, methods: dict[str, str]) -> None:
    """Let the methods that this class itself defines check the counts they get, and name the metric when they fail."""
    for name, doing in methods.items():
        found = vars(cls).get(name)
        if isinstance(found, FunctionType):
            setattr(cls, name, _guarded(found, doing))


def _guarded(method: Callable[..., Any], doing: str) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        metric = getattr(self, "metric", self)  # of a scorer, or the metric itself
        if doing == "scoring":
            counts: Any = args[0] if args else kwargs.get("counts")
            check_counts(metric, counts)
            if method.__name__ == "score_counts":  # what all else begins with, and once is enough
                check_rows(metric, counts)
        with _blamed(metric, doing):
            return method(self, *args, **kwargs)

    return call


@contextmanager
def _blamed(metric: Metric, doing: str) -> Iterator[None]:
    try:
        yield
    except (RecteError, MemoryError):
        raise
    except Exception as error:
        raise MetricError(f"{metric.name}: failed while {doing}: {type(error).__name__}: {error}") from error


def check_counts(metric: Metric, counts: Any) -> None:
    """Refuse what are no counts of this metric."""
    if not isinstance(counts, Counts):
        raise InputError(f"counts: expected Counts of {metric.name}, got {type(counts).__name__}")
    if counts.metric != metric.name:
        raise InputError(f"counts: expected those of {metric.name}, got those of {counts.metric}")
    if counts.rows.shape[2:] != metric.cells or counts.rows.dtype != metric.dtype:
        raise InputError(
            f"counts: expected {metric.cells} cells of {np.dtype(metric.dtype)} in a row of {metric.name}, "
            f"got {counts.rows.shape[2:]} of {counts.rows.dtype}"
        )


def check_rows(metric: Metric, counts: Counts) -> None:
    """Refuse rows that the metric says it cannot have counted."""
    for part in stretches(len(counts)):
        present = is_present(counts.rows[part])
        rows = counts.rows[part][present].reshape(-1, int(np.prod(metric.cells)))
        odd = np.flatnonzero(~metric.possible(rows))
        if odd.size:
            sentence = counts.index[part][np.argwhere(present)[odd[0], 0]] + 1
            cells = ", ".join(f"{cell:g}" for cell in rows[odd[0]].tolist())
            raise InputError(f"counts: expected rows that {metric.name} can count, got {cells} for sentence {sentence}")

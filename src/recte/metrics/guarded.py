"""What stands between a metric and its callers: counts that are not its own are refused, what it gives is looked at,
and its faults carry its name.

A metric may come from another package, and a counts file from anywhere. Neither may end in a traceback, nor in a number
that nobody counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recte.counts import Counts, is_present, stretches
from recte.errors import InputError, MetricError, RecteError
from recte.metrics.score import Score

if TYPE_CHECKING:
    from recte.metrics.base import Metric

__all__ = ["GuardedMetric", "GuardedScorer", "check_counts", "check_rows"]


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


class _Asked(NamedTuple):
    """A method that callers ask: what the metric is doing then, and what looks at its answer.

    `look` has the metric, the answer and the arguments by position. Counts come first where there are some.
    """

    doing: str
    look: Callable[[Metric, Any, tuple[Any, ...]], None] | None = None
    of_counts: bool = False


def _guard(cls: type, methods: Mapping[str, _Asked]) -> None:
    """Let the methods that this class itself defines check what they get and give, and name the metric when they fail.

    The class' functions are replaced, so that a call through `super()` is guarded too.
    """
    for name, asked in methods.items():
        found = vars(cls).get(name)
        if isinstance(found, FunctionType):
            setattr(cls, name, _guarded(found, asked))


def _guarded(method: FunctionType, asked: _Asked) -> Callable[..., Any]:
    names = method.__code__.co_varnames[1 : method.__code__.co_argcount]

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        metric = getattr(self, "metric", self)  # of a scorer, or the metric itself
        try:
            if asked.of_counts:
                check_counts(metric, args[0] if args else kwargs.get("counts"))
            found = method(self, *args, **kwargs)
            if asked.look is not None:
                asked.look(metric, found, (*args, *(kwargs[name] for name in names[len(args) :] if name in kwargs)))
        except (RecteError, MemoryError):
            raise
        except Exception as error:
            raise MetricError(f"{metric.name}: failed while {asked.doing}: {type(error).__name__}: {error}") from error
        return found

    return call


def check_counts(metric: Metric, counts: Any) -> None:
    """Refuse what are no counts of this metric with its options, or cannot be. What passed is not looked at again."""
    if not isinstance(counts, Counts):
        raise InputError(f"counts: expected Counts of {metric.name}, got {type(counts).__name__}")
    if counts.passed_by is metric:
        return
    if counts.metric != metric.name:
        raise InputError(f"counts: expected those of {metric.name}, got those of {counts.metric}")
    if counts.rows.shape[2:] != metric.cells or counts.rows.dtype != metric.dtype:
        raise InputError(
            f"counts: expected {metric.cells} cells of {np.dtype(metric.dtype)} in a row of {metric.name}, "
            f"got {counts.rows.shape[2:]} of {counts.rows.dtype}"
        )
    changed = metric.recount_needed(counts.options)
    if changed:
        wanted = f"with {changed} {getattr(metric, changed)!r}" if hasattr(metric, changed) else f"without {changed}"
        got = repr(counts.options[changed]) if changed in counts.options else "others"
        raise InputError(f"counts: expected those made {wanted}, got {got}; count the system again")
    check_rows(metric, counts)


def check_rows(metric: Metric, counts: Counts) -> None:
    """Refuse rows that the metric says it cannot have counted, and sentences without any."""
    for part in stretches(len(counts)):
        _check_part(metric, counts, part)
    counts.pass_by(metric)


def _check_part(metric: Metric, counts: Counts, part: slice) -> None:
    found = counts.rows[part]
    present = is_present(found)
    rows = found.reshape(-1, math.prod(metric.cells))
    if not present.all():
        alone = np.flatnonzero(~present.any(axis=1))
        if alone.size:
            sentence = counts.index[part][alone[0]] + 1
            raise InputError(f"counts: expected a row that {metric.name} can count, got none for sentence {sentence}")
        rows = rows.take(np.flatnonzero(present), axis=0)
    possible = metric.possible(rows)
    if not possible.all():
        odd = np.flatnonzero(~possible)[0]
        sentence = counts.index[part][np.argwhere(present)[odd, 0]] + 1
        cells = ", ".join(f"{cell:g}" for cell in rows[odd].tolist())
        raise InputError(f"counts: expected rows that {metric.name} can count, got {cells} for sentence {sentence}")


def _is_scorer(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    if not isinstance(found, GuardedScorer):
        raise MetricError(f"{metric.name}: expected a Scorer from prepare, got {type(found).__name__}")


def _is_counts(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    if not isinstance(found, Counts):
        raise MetricError(f"{metric.name}: expected Counts where it counts, got {type(found).__name__}")


def _is_row_each(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    _is_counts(metric, found, given)
    if len(found) != len(given[1]):
        raise MetricError(f"{metric.name}: expected {len(given[1])} rows, one for each hypothesis, got {len(found)}")


def _is_score(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    """A score, whose figure is a number, and which has what the metric's table shows."""
    if not isinstance(found, Score):
        raise MetricError(f"{metric.name}: expected a Score from score_counts, got {type(found).__name__}")
    if not isinstance(found.score, (int, float)):
        raise MetricError(f"{metric.name}: expected a number as score, got {type(found.score).__name__}")
    for path in (("score",), *(column.path for column in metric.columns)):
        try:
            figure = found.figure(path)
        except (AttributeError, LookupError, TypeError):
            wanted = f"expected scores with the figure {'.'.join(path)!r} that its columns show"
            raise MetricError(f"{metric.name}: {wanted}, got none") from None
        if isinstance(figure, float) and not math.isfinite(figure):
            raise MetricError(f"{metric.name}: expected a finite {'.'.join(path)}, got {figure}")


def _for_sentences(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    _check_numbers(metric, found, len(given[0]), "sentence")


def _for_weightings(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    _check_numbers(metric, found, len(given[1]), "weighting of the sentences")


def _for_resamples(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    _check_numbers(metric, found, given[1].resamples, "resample")


def _for_sums(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    _check_numbers(metric, found, len(given[0]), "row of sums")


def _check_numbers(metric: Metric, found: Any, size: int, each: str) -> None:
    """Whether there is one finite number for each."""
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "fiu":
        got = f"an array of {found.dtype}" if isinstance(found, np.ndarray) else type(found).__name__
    elif found.shape != (size,):
        got = f"an array of shape {found.shape}"
    elif not np.isfinite(found).all():
        odd = np.flatnonzero(~np.isfinite(found))[0]
        got = f"{found[odd]} for number {odd + 1}"
    else:
        return
    raise MetricError(f"{metric.name}: expected an array with a finite score for each {each} ({size}), got {got}")


def _are_remarks(metric: Metric, found: Any, given: tuple[Any, ...]) -> None:
    """Texts by places of rows."""
    for place, text in found.items():
        if not isinstance(text, str) or not isinstance(place, int) or not 0 <= place < len(given[0]):
            raise MetricError(f"{metric.name}: expected remarks as texts by places of rows, got {place!r}: {text!r}")


# What callers ask of a metric and its scorer.
_METRIC_METHODS = {
    "prepare": _Asked("reading the gold", _is_scorer),
    "prepare_with": _Asked("reading the gold", _is_scorer),
    "score_counts": _Asked("scoring", _is_score, of_counts=True),
    "sentence_scores": _Asked("scoring", _for_sentences, of_counts=True),
    "paired_scores": _Asked("scoring", _for_sentences, of_counts=True),
    "baseline_scores": _Asked("scoring", _for_sentences, of_counts=True),
    "score_many": _Asked("scoring", of_counts=True),
    "_score_many": _Asked("scoring", _for_weightings, of_counts=True),
    "score_resamples": _Asked("scoring", _for_resamples, of_counts=True),
    "scores_of_sums": _Asked("scoring", _for_sums),
    "type_scores": _Asked("scoring error types", of_counts=True),
    "chosen_columns": _Asked("scoring", of_counts=True),
    "remarks": _Asked("remarking on sentences", _are_remarks, of_counts=True),
}
_SCORER_METHODS = {
    "_count_system": _Asked("counting", _is_counts),
    "_count": _Asked("counting", _is_row_each),
    "_count_texts": _Asked("counting", _is_row_each),
    "count_types": _Asked("counting error types", _is_counts),
    "judged_edits": _Asked("judging edits"),
    "explain": _Asked("explaining"),
}

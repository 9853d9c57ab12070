"""Validates the counts that metrics receive, and all that metrics of other packages return.

A counts file may come from anywhere: every metric refuses counts that are not its own, once (`check_counts`). A metric
of another package may return anything: its methods are replaced where its class is defined, by methods that check
arguments and results and name the metric when it fails. recte's own metrics run as they are written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple
from warnings import warn

import numpy as np

from recte.corpus.counts import Counts, is_present, stretches
from recte.errors import InputError, MetricError, RecteError
from recte.metrics.score import Score

if TYPE_CHECKING:
    from recte.metrics.base import Metric

__all__ = [
    "check_counts",
    "check_rows",
    "is_foreign",
    "naming_faults",
    "validate_metric_class",
    "validate_scorer_class",
]


def is_foreign(cls: type) -> bool:
    """Whether a class comes from another package than recte.

    >>> is_foreign(Counts)
    False
    """
    return cls.__module__.partition(".")[0] != "recte"


def validate_metric_class(cls: type) -> None:
    """Let the methods of a foreign metric check what they receive and return; recte's own stay as they are."""
    if not is_foreign(cls):
        return
    if "possible" in vars(cls) and "valid_rows" not in vars(cls):
        warn(f"{cls.__name__}.possible: rename it to valid_rows; the old name ends with 0.4", DeprecationWarning, 4)
        cls.valid_rows = vars(cls)["possible"]  # type: ignore[attr-defined]
    _validate_methods(cls, _METRIC_METHODS)


def validate_scorer_class(cls: type) -> None:
    """The same for a scorer."""
    if is_foreign(cls):
        _validate_methods(cls, _SCORER_METHODS)


@contextmanager
def naming_faults(metric: Metric, activity: str) -> Iterator[None]:
    """Turn an error of foreign code inside the block into one line with the metric's name."""
    try:
        yield
    except (RecteError, MemoryError):
        raise
    except Exception as error:
        raise MetricError(f"{metric.name}: failed while {activity}: {type(error).__name__}: {error}") from error


class _Rule(NamedTuple):
    """How to validate a method: what the metric does in it, and the check of its result.

    `check` receives the metric, the result and the arguments by position. Counts come first where there are some.
    """

    activity: str
    check: Callable[[Metric, Any, tuple[Any, ...]], None] | None = None
    takes_counts: bool = False


def _validate_methods(cls: type, rules: Mapping[str, _Rule]) -> None:
    """Replace these methods of a foreign class, inherited ones included, unless a foreign parent has replaced them."""
    for name, rule in rules.items():
        method = getattr(cls, name, None)
        if isinstance(method, FunctionType) and not hasattr(method, "_validated"):
            setattr(cls, name, _validate_method(cls, name, method, rule))


def _validate_method(cls: type, name: str, method: FunctionType, rule: _Rule) -> Callable[..., Any]:
    inherited = name not in vars(cls)
    names = method.__code__.co_varnames[1 : method.__code__.co_argcount]

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        metric = getattr(self, "metric", self)  # of a scorer, or the metric itself
        with naming_faults(metric, rule.activity):
            if rule.takes_counts:
                check_counts(metric, args[0] if args else kwargs.get("counts"))
            # An inherited method is found at each call: with several parents another may come before it.
            run = getattr(super(cls, self), name) if inherited else method.__get__(self)
            result = run(*args, **kwargs)
            if rule.check is not None:
                rule.check(metric, result, (*args, *(kwargs[key] for key in names[len(args) :] if key in kwargs)))
        return result

    call._validated = True  # type: ignore[attr-defined]
    return call


def check_counts(metric: Metric, counts: Any) -> None:
    """Refuse counts of other metrics or options, and rows that cannot be; once for each metric and counts."""
    if not isinstance(counts, Counts):
        raise InputError(f"counts: expected Counts of {metric.name}, got {type(counts).__name__}")
    if counts.validated_by is metric:
        return
    if counts.metric != metric.name:
        raise InputError(f"counts: expected those of {metric.name}, got those of {counts.metric}")
    if counts.row_shape[1:] != metric.cells or counts.dtype != metric.dtype:
        raise InputError(
            f"counts: expected {metric.cells} cells of {np.dtype(metric.dtype)} in a row of {metric.name}, "
            f"got {counts.row_shape[1:]} of {counts.dtype}"
        )
    changed = metric.recount_needed(counts.options)
    if changed:
        expected = f"with {changed} {getattr(metric, changed)!r}" if hasattr(metric, changed) else f"without {changed}"
        got = repr(counts.options[changed]) if changed in counts.options else "others"
        raise InputError(f"counts: expected those made {expected}, got {got}; count the system again")
    check_rows(metric, counts)


def check_rows(metric: Metric, counts: Counts) -> None:
    """Refuse rows that the metric cannot have counted, and sentences without a row."""
    for part in stretches(len(counts)):
        _check_part(metric, counts.part(part))
    counts.mark_validated(metric)


def _check_part(metric: Metric, counts: Counts) -> None:
    rows = counts.rows
    present = is_present(rows)
    rows = rows.reshape(-1, math.prod(metric.cells))
    if not present.all():
        without_row = np.flatnonzero(~present.any(axis=1))
        if without_row.size:
            sentence = counts.index[without_row[0]] + 1
            raise InputError(f"counts: expected a row that {metric.name} can count, got none for sentence {sentence}")
        rows = rows.take(np.flatnonzero(present), axis=0)
    valid = metric.valid_rows(rows)
    if not valid.all():
        invalid = np.flatnonzero(~valid)[0]
        sentence = counts.index[np.argwhere(present)[invalid, 0]] + 1
        cells = ", ".join(f"{cell:g}" for cell in rows[invalid].tolist())
        raise InputError(f"counts: expected rows that {metric.name} can count, got {cells} for sentence {sentence}")


def _check_scorer(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    from recte.metrics.scorer import Scorer

    if not isinstance(result, Scorer):
        raise MetricError(f"{metric.name}: expected a Scorer from prepare, got {type(result).__name__}")


def _check_is_counts(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    if not isinstance(result, Counts):
        raise MetricError(f"{metric.name}: expected Counts where it counts, got {type(result).__name__}")


def _check_row_each(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    _check_is_counts(metric, result, arguments)
    if len(result) != len(arguments[1]):
        raise MetricError(
            f"{metric.name}: expected {len(arguments[1])} rows, one for each hypothesis, got {len(result)}"
        )


def _check_score(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    """Check that the score is a number, and that there are all figures of the metric's table."""
    if not isinstance(result, Score):
        raise MetricError(f"{metric.name}: expected a Score from score_counts, got {type(result).__name__}")
    if not isinstance(result.score, (int, float)):
        raise MetricError(f"{metric.name}: expected a number as score, got {type(result.score).__name__}")
    for path in (("score",), *(column.path for column in metric.columns)):
        try:
            figure = result.figure(path)
        except (AttributeError, LookupError, TypeError):
            expected = f"expected scores with the figure {'.'.join(path)!r} that its columns show"
            raise MetricError(f"{metric.name}: {expected}, got none") from None
        if isinstance(figure, float) and not math.isfinite(figure):
            raise MetricError(f"{metric.name}: expected a finite {'.'.join(path)}, got {figure}")


def _check_sentence_scores(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    _check_numbers(metric, result, len(arguments[0]), "sentence")


def _check_weightings(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    _check_numbers(metric, result, len(arguments[1]), "weighting of the sentences")


def _check_resamples(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    _check_numbers(metric, result, arguments[1].resamples, "resample")


def _check_sums(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    _check_numbers(metric, result, len(arguments[0]), "row of sums")


def _check_numbers(metric: Metric, result: Any, size: int, each: str) -> None:
    """Check that there is one finite number for each."""
    if not isinstance(result, np.ndarray) or result.dtype.kind not in "fiu":
        got = f"an array of {result.dtype}" if isinstance(result, np.ndarray) else type(result).__name__
    elif result.shape != (size,):
        got = f"an array of shape {result.shape}"
    elif not np.isfinite(result).all():
        invalid = np.flatnonzero(~np.isfinite(result))[0]
        got = f"{result[invalid]} for number {invalid + 1}"
    else:
        return
    raise MetricError(f"{metric.name}: expected an array with a finite score for each {each} ({size}), got {got}")


def _check_remarks(metric: Metric, result: Any, arguments: tuple[Any, ...]) -> None:
    """Check that remarks are texts by places of rows."""
    for place, text in result.items():
        if not isinstance(text, str) or not isinstance(place, int) or not 0 <= place < len(arguments[0]):
            raise MetricError(f"{metric.name}: expected remarks as texts by places of rows, got {place!r}: {text!r}")


# The methods of metrics and scorers that recte calls.
_METRIC_METHODS = {
    "prepare": _Rule("reading the gold", _check_scorer),
    "prepare_with": _Rule("reading the gold", _check_scorer),
    "score_counts": _Rule("scoring", _check_score, takes_counts=True),
    "sentence_scores": _Rule("scoring", _check_sentence_scores, takes_counts=True),
    "paired_scores": _Rule("scoring", _check_sentence_scores, takes_counts=True),
    "baseline_scores": _Rule("scoring", _check_sentence_scores, takes_counts=True),
    "score_many": _Rule("scoring", takes_counts=True),
    "_score_many": _Rule("scoring", _check_weightings, takes_counts=True),
    "score_resamples": _Rule("scoring", _check_resamples, takes_counts=True),
    "summands": _Rule("scoring", takes_counts=True),
    "signature_parts": _Rule("writing the signature"),
    "takes_fractions": _Rule("scoring"),
    "scores_of_sums": _Rule("scoring", _check_sums),
    "type_scores": _Rule("scoring error types", takes_counts=True),
    "chosen_columns": _Rule("scoring", takes_counts=True),
    "remarks": _Rule("remarking on sentences", _check_remarks, takes_counts=True),
}
_SCORER_METHODS = {
    "_count_system": _Rule("counting", _check_is_counts),
    "_count": _Rule("counting", _check_row_each),
    "count_types": _Rule("counting error types", _check_is_counts),
    "judged_edits": _Rule("judging edits"),
    "explain": _Rule("explaining"),
}

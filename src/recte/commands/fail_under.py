"""`--fail-under m2=35.0 gleu=58`: scores that a test of one's own system must not fall below."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recte.corpus.corpus import DO_NOTHING
from recte.errors import OptionError
from recte.messages import report
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.options import option

__all__ = ["FAILED", "count_failures", "fail_under_option", "read_limits"]

FAILED = 1  # the exit code


def fail_under_option(group: str = "") -> Any:
    """Limits for use in tests of one's own system."""
    return option((), "exit with 1 below X %% (m2=35.0 gleu=58)", kind=str, metavar="METRIC=X", group=group)


def read_limits(texts: Sequence[str], metrics: Iterable[Metric]) -> dict[str, float]:
    """The limit of each metric in per cent; a number alone is for a metric alone."""
    known = {metric.name for metric in metrics}
    limits = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            limit = float(number)
            if not math.isfinite(limit):
                raise ValueError
        except ValueError:
            raise OptionError(f"--fail-under: expected METRIC=NUMBER such as m2=35.0, got {text!r}") from None
        if not equals and len(known) > 1:
            raise OptionError(f"--fail-under: expected a metric before the number, as in m2={number}, got {text!r}")
        metric = name if name in known else metric_class(name).name if equals else next(iter(known))
        if metric not in known:
            raise OptionError(f"--fail-under: expected one of {', '.join(sorted(known))}, got {name!r}")
        limits[metric] = limit
    return limits


def count_failures(scores: Sequence[Score], limits: Mapping[str, float]) -> int:
    """How many scores of systems miss their limit; each is reported."""
    failures = 0
    for score in scores:
        limit = limits.get(score.metric)
        if limit is None or score.subset or score.system == DO_NOTHING:
            continue
        value = score.score_factor * score.score
        if value < limit if score.higher_is_better else value > limit:
            failures += 1
            side = "below" if score.higher_is_better else "above"
            report(f"{score.system}: {score.metric} {value:.4g} is {side} {limit:g}")
    return failures

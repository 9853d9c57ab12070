"""Tests between systems: what `compare` and `score --baseline` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recte.cli.arguments import GoldOptions
from recte.corpus.corpus import DO_NOTHING
from recte.errors import OptionError, check_choice
from recte.evaluation.counting import SystemCounts
from recte.formats.counts import is_counts_file
from recte.metrics.base import Metric
from recte.options import option
from recte.output.terminal import progress_bar
from recte.statistics.intervals import Resampling
from recte.statistics.paired import DEFAULT_TEST, TESTS, TestName

if TYPE_CHECKING:
    from recte.statistics.comparison import Comparison

__all__ = ["TestOptions", "baseline_option", "check_baseline", "compare_counted", "is_do_nothing_baseline"]


def baseline_option(help: str) -> Any:
    """The system that others are compared with; `help` says what that does."""
    return option(None, help, kind=str, metavar="SYSTEM", group="tests")


@dataclass(frozen=True, kw_only=True)
class TestOptions:
    """How systems are compared."""

    __test__ = False  # no test of pytest's

    test: TestName | None = option(
        None, f"(default {DEFAULT_TEST}; systems with --runs have a test of their own)", kind=str, choices=TESTS
    )
    trials: int | None = option(None, "random trials (default 1,000; for randomisation 10,000)", kind=int, metavar="N")
    alpha: float = option(0.05, "significant below (default 0.05)", metavar="X")
    holm: bool = option(True, "let p be corrected for many tests by Holm (default yes)")


def is_do_nothing_baseline(baseline: str | None, gold: GoldOptions) -> bool:
    """Whether the baseline is the source left alone, which counts files do not hold."""
    if baseline != DO_NOTHING:
        return False
    if any(is_counts_file(path) for path in gold.files):
        raise OptionError("--baseline do-nothing: expected gold and texts, got counts files, which hold no source")
    return True


def check_baseline(baseline: str | None, systems: Sequence[str]) -> None:
    """Refuse a baseline that is none of the systems before they are counted, which can take hours."""
    if baseline not in (None, DO_NOTHING):
        check_choice("baseline", baseline, systems)


def compare_counted(
    counted: Sequence[SystemCounts],
    options: TestOptions,
    *,
    baseline: str | None,
    resampling: Resampling,
    power: bool = False,
) -> list[Comparison]:
    """Compare the systems of each metric, all pairs or each with the baseline."""
    from recte.statistics.comparison import compare_systems

    by_metric: dict[Metric, list[SystemCounts]] = {}
    for of_system in counted:
        by_metric.setdefault(of_system.metric, []).append(of_system)
    with progress_bar("pairs") as advance:
        return [
            compare_systems(
                [of_system.runs for of_system in systems],
                metric=metric,
                baseline=baseline,
                test=options.test,
                trials=options.trials,
                alpha=options.alpha,
                corrected=options.holm,
                power=power,
                resampling=resampling,
                progress=advance,
            )
            for metric, systems in by_metric.items()
        ]

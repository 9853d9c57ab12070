"""Tests between systems: what `compare` and `score --baseline` share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recte.cli.counted_systems import resampling_of
from recte.corpus import DO_NOTHING
from recte.counting import SystemCounts
from recte.errors import OptionError
from recte.formats.counts import is_counts_file
from recte.inference.paired import TESTS
from recte.metrics.base import Metric
from recte.rendering.terminal import progress_bar

if TYPE_CHECKING:
    from recte.inference.comparison import Comparison

__all__ = ["add_tests", "against_do_nothing", "check_baseline", "compared"]


def add_tests(parser: argparse.ArgumentParser, baseline: str) -> argparse._ArgumentGroup:
    """How systems are compared; `baseline` says what that flag does."""
    group = parser.add_argument_group("tests")
    group.add_argument("--baseline", metavar="SYSTEM", help=baseline)
    group.add_argument("--test", choices=TESTS, default="randomisation", help="(default randomisation)")
    group.add_argument(
        "--trials", type=int, metavar="N", help="random trials (default 10,000; for the bootstrap 1,000)"
    )
    group.add_argument("--alpha", type=float, default=0.05, metavar="X", help="significant below (default 0.05)")
    group.add_argument(
        "--holm",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="let p be corrected for many tests by Holm (default yes)",
    )
    return group


def against_do_nothing(arguments: argparse.Namespace) -> bool:
    """Whether the baseline is the source left alone, which counts files do not hold."""
    if arguments.baseline != DO_NOTHING:
        return False
    if any(is_counts_file(path) for path in arguments.files):
        raise OptionError("--baseline do-nothing: expected gold and texts, got counts files, which hold no source")
    return True


def check_baseline(arguments: argparse.Namespace, systems: Sequence[str]) -> None:
    """Refuse a baseline that is none of the systems before they are counted, which can take hours."""
    if arguments.baseline not in (None, DO_NOTHING, *systems):
        raise OptionError(f"baseline: expected one of {', '.join(systems)}, got {arguments.baseline!r}")


def compared(
    arguments: argparse.Namespace, counted: Sequence[SystemCounts], *, power: bool = False
) -> list[Comparison]:
    """The systems of each metric, all pairs or each with the baseline."""
    from recte.inference.comparison import compare_systems

    by_metric: dict[Metric, list[SystemCounts]] = {}
    for one in counted:
        by_metric.setdefault(one.metric, []).append(one)
    with progress_bar("pairs", quiet=arguments.quiet) as advance:
        return [
            compare_systems(
                [one.counts for one in systems],
                metric=metric,
                baseline=arguments.baseline,
                test=arguments.test,
                trials=arguments.trials,
                alpha=arguments.alpha,
                corrected=arguments.holm,
                power=power,
                resampling=resampling_of(arguments),
                progress=advance,
            )
            for metric, systems in by_metric.items()
        ]

"""`recte compare GOLD SYSTEM...`: who beats whom, and whether it could be chance."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_format, add_gold, add_names, add_width, check_width
from recte.cli.counted_systems import add_resampling, counted_systems, resampling_of
from recte.cli.input_warnings import add_strict, tell
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.parser import Parser
from recte.corpus import DO_NOTHING
from recte.counting import SystemCounts
from recte.errors import OptionError
from recte.formats.counts import is_counts_file
from recte.inference.comparison import Comparison, compare_systems
from recte.inference.paired import TESTS
from recte.metrics.base import Metric
from recte.plausibility.finding import as_plain
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.rendering.comparison import comparison_tables, comparison_to_dict, pair_table
from recte.rendering.document import document
from recte.rendering.terminal import print_tables, progress_bar


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    add_resampling(parser)
    group = parser.add_argument_group("tests")
    group.add_argument("--baseline", metavar="SYSTEM", help="compare each with this one, not all pairs; or do-nothing")
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
    group.add_argument("--power", action="store_true", help="also the smallest difference this test set would show")
    output = parser.add_argument_group("output")
    output.add_argument("--pairs", action="store_true", help="a line for every pair, below the matrix")
    add_names(output)
    add_strict(output)
    add_width(output)
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    add_format(output)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    if arguments.baseline == DO_NOTHING and any(is_counts_file(path) for path in arguments.files):
        raise OptionError("--baseline do-nothing: expected gold and texts, got counts files, which hold no source")
    check_width(arguments)
    check = PlausibilityCheck()
    counted = counted_systems(arguments, check, do_nothing=arguments.baseline == DO_NOTHING, do_nothing_always=True)
    found = check.findings()
    tell(found, arguments)
    by_metric: dict[Metric, list[SystemCounts]] = {}
    for one in counted:
        by_metric.setdefault(one.metric, []).append(one)
    with progress_bar("pairs", quiet=arguments.quiet) as advance:
        comparisons: list[Comparison] = [
            compare_systems(
                [one.counts for one in systems],
                metric=metric,
                baseline=arguments.baseline,
                test=arguments.test,
                trials=arguments.trials,
                alpha=arguments.alpha,
                corrected=arguments.holm,
                power=arguments.power,
                resampling=resampling_of(arguments),
                progress=advance,
            )
            for metric, systems in by_metric.items()
        ]
    if arguments.format == "json":
        print(
            document(
                comparisons=[comparison_to_dict(comparison) for comparison in comparisons], warnings=as_plain(found)
            )
        )
    elif arguments.format == "csv":
        print_tables([pair_table(comparison, arguments.width) for comparison in comparisons], "csv")
    else:
        tables = [
            table
            for comparison in comparisons
            for table in comparison_tables(comparison, digits=arguments.width, pairs=arguments.pairs)
        ]
        print_tables(tables, arguments.format)

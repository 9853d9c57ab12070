"""`recte compare GOLD SYSTEM...`: who beats whom, and whether it could be chance."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_format, add_gold, add_names, add_width, check_width
from recte.cli.cluster import add_cluster
from recte.cli.counted_systems import add_resampling, counted_systems
from recte.cli.input_warnings import add_strict, expected_tokens, main_scores_out_of_range, tell, tell_all
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.paired_tests import add_tests, against_do_nothing, check_baseline, compared
from recte.cli.parser import Parser
from recte.plausibility.finding import as_plain
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.rendering.comparison import comparison_tables, comparison_to_dict, pair_table
from recte.rendering.document import document
from recte.rendering.terminal import print_tables


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    add_resampling(parser)
    group = add_tests(parser, "compare each with this one, not all pairs; or do-nothing")
    group.add_argument("--power", action="store_true", help="also the smallest difference this test set would show")
    output = parser.add_argument_group("output")
    output.add_argument("--pairs", action="store_true", help="a line for every pair, below the matrix")
    add_names(output)
    add_strict(output)
    add_width(output)
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    add_format(output)
    add_cluster(parser)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    do_nothing = against_do_nothing(arguments)
    check_width(arguments)
    check = PlausibilityCheck(expected=expected_tokens(arguments))
    counted = counted_systems(
        arguments,
        check,
        do_nothing=do_nothing,
        do_nothing_always=True,
        refuse=lambda metrics, systems: check_baseline(arguments, systems),
    )
    found = check.findings()
    tell(found, arguments)
    comparisons = compared(arguments, counted, power=arguments.power)
    odd = main_scores_out_of_range(counted)
    beyond = [finding for of_metric in odd.values() for finding in of_metric]
    if arguments.format == "json":
        plain = [comparison_to_dict(comparison) for comparison in comparisons]
        print(document(comparisons=plain, warnings=as_plain((*found, *beyond))))
    elif arguments.format == "csv":
        tell_all(beyond, arguments)  # pairs have no place for them
        print_tables([pair_table(comparison, arguments.width) for comparison in comparisons], "csv")
    else:
        tables = [
            table
            for comparison in comparisons
            for table in comparison_tables(
                comparison,
                digits=arguments.width,
                pairs=arguments.pairs,
                notes=[str(finding) for finding in odd[comparison.metric]],
            )
        ]
        print_tables(tables, arguments.format)

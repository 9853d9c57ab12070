"""`recte count GOLD SYSTEM -o FILE`: counts without texts, and the merging of them."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_gold, check_one_system
from recte.cli.cluster import add_cluster, check_cluster, counted_files, gold_and_named_systems
from recte.cli.input_warnings import add_strict, expected_tokens, tell
from recte.cli.metric_flags import add_metrics, metrics_of
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.formats.counts import read_counts, write_counts
from recte.formats.files import check_folder_of
from recte.merging import merge
from recte.plausibility.plausibility_check import PlausibilityCheck


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    parser.add_argument("-o", "--output", required=True, metavar="COUNTS", help="the file to write")
    parser.add_argument("--by-type", action="store_true", help="count error types too (metrics over edits)")
    parser.add_argument(
        "--first", type=int, default=1, metavar="N", help="number of the first sentence, where GOLD is a part"
    )
    parser.add_argument(
        "--merge", action="store_true", help="FILEs are counts of parts of one corpus: put them together"
    )
    parser.add_argument("--names", nargs=1, default=[], metavar="NAME", help="name of the system, for its file's")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    add_strict(parser)
    add_cluster(parser)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    check_folder_of("-o", arguments.output)
    if arguments.merge:
        files = [*arguments.files, *arguments.input]
        if not files:
            raise OptionError("--merge: expected counts files, got none")
        write_counts(arguments.output, merge([read_counts(path) for path in files]))
        return
    if arguments.first < 1:
        raise OptionError(f"--first: expected a number from 1, got {arguments.first}")
    check_cluster(arguments)
    metrics = metrics_of(arguments)
    if len(metrics) != 1:
        raise OptionError(f"count: expected one metric, got {len(metrics)}")
    gold, systems = gold_and_named_systems(arguments, ())
    check_one_system("count", list(systems), metrics[0])
    named = dict(zip([*arguments.names, *list(systems)[len(arguments.names) :]], systems.values(), strict=True))
    check = PlausibilityCheck(expected=expected_tokens(arguments))
    counted = counted_files(arguments, gold, named, metrics, check, types=arguments.by_type, first=arguments.first - 1)
    tell(check.findings(), arguments)
    write_counts(arguments.output, counted[0].counts)

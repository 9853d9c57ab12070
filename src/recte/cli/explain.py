"""`recte explain GOLD SYSTEM --sentence N`: one sentence as the metric saw it."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace

from recte.cli.arguments import add_gold, check_one_system, gold_and_systems
from recte.cli.input_warnings import add_strict, expected_tokens, tell
from recte.cli.metric_flags import add_judges, add_metrics, metrics_of
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.inputs import read_corpus_and_systems, system_names
from recte.metrics.attribution import attribute
from recte.metrics.explanation import explain
from recte.plausibility.finding import as_plain
from recte.plausibility.plausibility_check import findings, refuse
from recte.rendering.document import plain_json
from recte.rendering.explanation import print_explanation


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    parser.add_argument(
        "-n", "--sentence", type=int, required=True, metavar="N", help="its number, from 1, as lines in a file"
    )
    parser.add_argument("-f", "--format", choices=["text", "json"], default="text", help="how to print")
    parser.add_argument(
        "--attribute", action="store_true", help="what each edit is worth: without it, alone, and by Shapley's values"
    )
    parser.add_argument(
        "--edit-orders", type=int, default=1000, metavar="N", help="orders drawn beyond 12 edits (default 1000)"
    )
    parser.add_argument("--seed", type=int, default=12345, metavar="N", help="of what is drawn (default 12345)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    add_strict(parser)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    gold, systems = gold_and_systems(arguments)
    metrics = metrics_of(arguments)
    if len(metrics) != 1:
        raise OptionError(f"explain: expected one metric, got {len(metrics)}")
    check_one_system("explain", systems, metrics[0])
    corpus, read = read_corpus_and_systems(gold, system_names(systems))
    found = findings(corpus, read, expected=expected_tokens(arguments))
    if arguments.strict:
        refuse(found)
    tell(found, arguments)
    scorer = metrics[0].prepare_with(corpus, {system.name: system for system in read})
    explanation = explain(scorer, read[0], arguments.sentence)
    if arguments.attribute:
        worth = attribute(scorer, read[0], arguments.sentence, orders=arguments.edit_orders, seed=arguments.seed)
        explanation = replace(explanation, attribution=worth)
    metrics[0].all_counted()
    if arguments.format == "json":
        shown = {key: value for key, value in asdict(explanation).items() if key != "attribution" or value is not None}
        print(plain_json({**shown, "warnings": as_plain(found)}))
    else:
        print_explanation(explanation)

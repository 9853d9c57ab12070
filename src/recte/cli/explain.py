"""`recte explain GOLD SYSTEM --sentence N`: one sentence as the metric saw it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from recte.cli.arguments import add_gold, add_metrics, gold_and_systems, metrics_of
from recte.errors import OptionError
from recte.metrics.explanation import explain
from recte.report.explanation import print_explanation
from recte.scoring import read_corpus_and_system


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser)
    parser.add_argument(
        "-n", "--sentence", type=int, required=True, metavar="N", help="its number, from 1, as lines in a file"
    )
    parser.add_argument("-f", "--format", choices=["text", "json"], default="text", help="how to print")
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    gold, systems = gold_and_systems(arguments)
    if len(systems) != 1:
        raise OptionError(f"explain: expected one system, got {len(systems)}")
    metrics = metrics_of(arguments)
    if len(metrics) != 1:
        raise OptionError(f"explain: expected one metric, got {len(metrics)}")
    corpus, system = read_corpus_and_system(gold, systems[0])
    explanation = explain(metrics[0].prepare(corpus), system, arguments.sentence)
    if arguments.format == "json":
        print(json.dumps(asdict(explanation), ensure_ascii=False, indent=2))
    else:
        print_explanation(explanation)

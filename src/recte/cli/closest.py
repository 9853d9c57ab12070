"""`recte closest GOLD SYSTEM... --closest FILE...`: systems on references that follow their output."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_format, add_gold, add_names, add_width, check_width, gold_and_systems
from recte.cli.metric_flags import DEFAULT_METRIC, add_judges, add_metrics, metrics_of
from recte.cli.parser import Parser
from recte.coverage.closest_gold import closest_gold_study
from recte.errors import OptionError
from recte.formats.parallel import read_system
from recte.inputs import read_corpus_and_systems, system_names
from recte.rendering.closest_gold import closest_gold_tables
from recte.rendering.document import document
from recte.rendering.terminal import print_tables, progress_bar


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    parser.add_argument(
        "--closest",
        nargs="+",
        required=True,
        metavar="FILE",
        help="corrections that somebody made of each system's output, in the order of the systems",
    )
    parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="for intervals (default 1000)")
    parser.add_argument("--level", type=float, default=0.95, metavar="X", help="of intervals (default 0.95)")
    parser.add_argument("--seed", type=int, default=12345, metavar="N", help="of everything drawn (default 12345)")
    output = parser.add_argument_group("output")
    add_names(output)
    add_width(output)
    add_format(output)
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    gold, paths = gold_and_systems(arguments)
    if len(arguments.closest) != len(paths):
        raise OptionError(f"--closest: expected {len(paths)} files, one for each system, got {len(arguments.closest)}")
    named = system_names(paths, arguments.names)
    arguments.metrics = arguments.metrics or [
        DEFAULT_METRIC
    ]  # judges in files take no references: they cannot replace it
    asked = metrics_of(arguments)
    metrics, judges = ([m for m in asked if m.needs_references is wanted] for wanted in (True, False))
    if not metrics:
        names = ", ".join(judge.name for judge in judges)
        raise OptionError(f"closest: expected a metric that compares with references, such as -m m2, got {names} alone")
    corpus, systems = read_corpus_and_systems(gold, named)
    closest = {
        name: list(read_system(path, name=name).outputs) for name, path in zip(named, arguments.closest, strict=True)
    }
    with progress_bar("metrics", quiet=arguments.quiet) as advance:
        studies = []
        for metric in metrics:
            studies.append(
                closest_gold_study(
                    corpus,
                    {system.name: system.outputs for system in systems},
                    closest,
                    metric=metric,
                    judges=judges,
                    resamples=arguments.resamples,
                    level=arguments.level,
                    seed=arguments.seed,
                )
            )
            advance(1)
    if arguments.format == "json":
        print(document(closest_gold=[study.to_dict() for study in studies]))
    else:
        tables = [table for study in studies for table in closest_gold_tables(study, arguments.width)]
        print_tables(tables, arguments.format)

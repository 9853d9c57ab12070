"""`recte metaeval HUMAN [GOLD SYSTEM...]`: which metric agrees with humans, and how surely."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from recte.cli.arguments import add_charts, add_format, add_gold, add_metrics, draw_charts
from recte.cli.counting import counted_systems
from recte.cli.human_arguments import add_judging, add_method, add_resampling, judgments_of
from recte.counts import Counts
from recte.errors import InputError, OptionError
from recte.formats.judgments import is_judgments
from recte.formats.metric_scores import read_metric_scores
from recte.human.judgments import UNITS, Judgments
from recte.metaeval.ceiling import Ceiling, human_ceiling
from recte.metaeval.permutation import PERMUTED
from recte.metaeval.scores import HumanScores, MetricScores, metrics_from_files
from recte.metaeval.sentence_level import SentenceLevel, sentence_level
from recte.metaeval.system_level import RESAMPLED, SystemLevel, system_level
from recte.metrics.base import Metric
from recte.report.charts.metaeval import metaeval_charts
from recte.report.document import document
from recte.report.human_tables import (
    difference_table,
    left_out_table,
    permutation_table,
    sentence_level_table,
    system_level_table,
    williams_table,
)
from recte.report.tables import Table
from recte.report.terminal import print_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("human", metavar="HUMAN", help="judgments (XML, CSV, TSV), or human scores of systems (TSV)")
    add_gold(parser)
    parser.add_argument(
        "--scores", nargs="+", default=[], metavar="TSV", help="metric scores from files, WMT's columns"
    )
    humans = parser.add_argument_group("humans")
    add_method(humans)
    add_judging(humans)
    study = parser.add_argument_group("what to compare, and how surely")
    study.add_argument("--only", choices=("system", "sentence"), help="systems or sentences alone (default: both)")
    study.add_argument("--sentence-means", action="store_true", help="a system's score is the mean of its sentences'")
    study.add_argument(
        "--intervals", choices=RESAMPLED, help="intervals of correlations: draw systems, inputs or both anew"
    )
    study.add_argument("--permute", nargs="+", choices=PERMUTED, default=[], help="permutation tests between metrics")
    study.add_argument("--trials", type=int, default=1000, metavar="N", help="of permutations (default 1000)")
    study.add_argument("--leave-one-out", action="store_true", help="correlations without each system")
    study.add_argument("--differences", action="store_true", help="paired differences between metrics over sentences")
    add_resampling(study, UNITS)
    output = parser.add_argument_group("output")
    add_format(output)
    add_charts(output)
    output.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names of the systems, for their files")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    judgments = judgments_of(arguments, arguments.human) if is_judgments(arguments.human) else None
    if judgments is None and arguments.only == "sentence":
        raise OptionError("--only sentence: expected judgments, got scores of systems")
    humans = _human_scores(arguments, judgments)
    metrics = _metrics(arguments)
    if arguments.differences and len(metrics) == 1:
        raise OptionError(f"--differences: expected two metrics or more to compare, got {metrics[0].name} alone")
    if arguments.sentence_means:
        metrics = [metric.with_sentence_means() for metric in metrics]
    systems = [] if arguments.only == "sentence" else [_system_level(arguments, human, metrics) for human in humans]
    sentences = None
    if judgments is not None and arguments.only != "system":
        sentences = _sentence_level(arguments, judgments.without(arguments.without), metrics)
    ceiling = None if judgments is None else human_ceiling(judgments.without(arguments.without))
    draw_charts(arguments, lambda: metaeval_charts(systems))
    if arguments.format == "json":
        print(
            document(
                system_level=[result.to_dict() for result in systems],
                sentence_level=None if sentences is None else sentences.to_dict(),
                human_ceiling=None if ceiling is None else asdict(ceiling),
            )
        )
    else:
        tables = [table for result in systems for table in _system_tables(arguments, result, ceiling)]
        if sentences is not None:
            tables.append(sentence_level_table(sentences, ceiling))
            if arguments.differences:
                tables.append(difference_table(sentences))
        print_tables(tables, arguments.format)


def _human_scores(arguments: argparse.Namespace, judgments: Judgments | None) -> list[HumanScores]:
    if judgments is not None:
        if arguments.only == "sentence":
            return []
        humans = [
            HumanScores.from_judgments(judgments, method, runs=arguments.resamples, seed=arguments.seed)
            for method in arguments.method
        ]
    else:
        by_name = read_metric_scores(arguments.human).systems
        if not by_name:
            raise InputError("expected human scores of systems, got scores of sentences", arguments.human)
        humans = [HumanScores.of(name, scores) for name, scores in by_name.items()]
    return [human.without(arguments.without) for human in humans]


def _metrics(arguments: argparse.Namespace) -> list[MetricScores]:
    found = metrics_from_files([read_metric_scores(path) for path in arguments.scores])
    files = [*arguments.files, *arguments.input]
    if not files:
        if arguments.metrics:
            raise OptionError("-m: expected GOLD and systems to score, got none")
        if not found:
            raise OptionError("expected GOLD and systems to score, or --scores, got neither")
        return found
    if len(files) == 1 and arguments.source is None:
        raise OptionError(f"expected systems to score beside the gold, got {files[0]} alone")
    by_metric: dict[Metric, list[Counts]] = {}
    for one in counted_systems(arguments):
        by_metric.setdefault(one.metric, []).append(one.counts)
    return found + [MetricScores.from_counts(metric, counts) for metric, counts in by_metric.items()]


def _system_level(arguments: argparse.Namespace, human: HumanScores, metrics: list[MetricScores]) -> SystemLevel:
    return system_level(
        human,
        metrics,
        intervals=arguments.intervals,
        permute=arguments.permute,
        leave_one_out=arguments.leave_one_out,
        resamples=arguments.resamples,
        trials=arguments.trials,
        level=arguments.level,
        seed=arguments.seed,
    )


def _sentence_level(
    arguments: argparse.Namespace, judgments: Judgments, metrics: list[MetricScores]
) -> SentenceLevel | None:
    known = [metric for metric in metrics if metric.sentences is not None]
    if not known and arguments.only != "sentence":
        return None
    return sentence_level(
        judgments,
        known or metrics,
        resample=arguments.resample,
        resamples=arguments.resamples,
        level=arguments.level,
        seed=arguments.seed,
    )


def _system_tables(arguments: argparse.Namespace, result: SystemLevel, ceiling: Ceiling | None) -> list[Table]:
    tables = [system_level_table(result, ceiling if result.human == "expected-wins" else None)]
    if any(test.p is not None for test in result.williams):
        tables += [williams_table(result, kind) for kind in ("pearson", "spearman")]
    if arguments.permute:
        tables.append(permutation_table(result))
    if arguments.leave_one_out:
        tables.append(left_out_table(result))
    return tables

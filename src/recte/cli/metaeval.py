"""`recte metaeval HUMAN [GOLD SYSTEM...]`: which metric agrees with humans, and how surely."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from recte.cli.arguments import add_format, add_gold, add_names
from recte.cli.chart_files import add_charts, draw_charts
from recte.cli.counted_systems import counted_systems
from recte.cli.human_arguments import (
    Humans,
    add_judging,
    add_method,
    add_protocol,
    add_rating,
    add_resampling,
    humans_of,
)
from recte.cli.input_warnings import add_strict, main_scores_out_of_range, tell
from recte.cli.metric_flags import add_metrics
from recte.cli.parser import Parser
from recte.counts import Counts
from recte.errors import OptionError
from recte.formats.metric_scores import read_metric_scores
from recte.human.judgments import UNITS, Judgments
from recte.human.ratings import RaterAgreement, Ratings, rater_agreement
from recte.metaeval.aggregation import AGGREGATIONS, aggregated_metric
from recte.metaeval.ceiling import Ceiling, human_ceiling
from recte.metaeval.metric_clusters import MetricClusters
from recte.metaeval.metric_comparison import sentence_clusters, system_clusters
from recte.metaeval.permutation import PERMUTED
from recte.metaeval.protocols import PROTOCOLS
from recte.metaeval.rank_gaps import RankGroups, rank_groups
from recte.metaeval.rating_correlation import RatingLevel, rating_level
from recte.metaeval.scores import HumanScores, MetricScores, metrics_from_files
from recte.metaeval.sentence_correlation import SentenceLevel, sentence_level
from recte.metaeval.system_correlation import RESAMPLED, SystemLevel, system_level
from recte.metaeval.windows import WindowStudy, window_analysis
from recte.metrics.base import Metric
from recte.plausibility.finding import Finding, as_plain
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.rendering.charts.metaeval import metaeval_charts
from recte.rendering.charts.metric_clusters import cluster_charts
from recte.rendering.charts.windows import rank_gap_chart, window_charts
from recte.rendering.document import document
from recte.rendering.human_tables import (
    difference_table,
    left_out_table,
    permutation_table,
    sentence_level_table,
    system_level_table,
    williams_table,
)
from recte.rendering.metaeval_tables import (
    metric_cluster_table,
    rank_gap_table,
    rater_table,
    rating_level_table,
    tie_rule_table,
    window_table,
)
from recte.rendering.tables import Table
from recte.rendering.terminal import print_tables


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "human", metavar="HUMAN", help="judgments (XML, CSV, TSV), ratings of outputs, or human scores of systems (TSV)"
    )
    add_gold(parser)
    parser.add_argument(
        "--scores", nargs="+", default=[], metavar="TSV", help="metric scores from files, WMT's columns"
    )
    humans = parser.add_argument_group("humans")
    add_method(humans)
    add_judging(humans)
    add_rating(humans)
    add_protocol(humans)
    study = parser.add_argument_group("what to compare, and how surely")
    study.add_argument("--only", choices=("system", "sentence"), help="systems or sentences alone (default: both)")
    study.add_argument("--sentence-means", action="store_true", help="a system's score is the mean of its sentences'")
    study.add_argument(
        "--intervals", choices=RESAMPLED, help="intervals of correlations: draw systems, inputs or both anew"
    )
    study.add_argument("--permute", nargs="+", choices=PERMUTED, default=[], help="permutation tests between metrics")
    study.add_argument("--trials", type=int, default=1000, metavar="N", help="of permutations (default 1000)")
    study.add_argument("--leave-one-out", action="store_true", help="correlations without each system")
    study.add_argument(
        "--windows", type=int, metavar="N", help="correlations inside every N neighbours of the human ranking"
    )
    study.add_argument(
        "--rank-gaps", action="store_true", help="pairs by how far apart judges ranked them; figures of both tie rules"
    )
    study.add_argument(
        "--aggregate",
        nargs="+",
        choices=AGGREGATIONS,
        default=[],
        metavar="METHOD",
        help=f"score systems by sentence scores as humans do, beside averages: {', '.join(AGGREGATIONS)}",
    )
    study.add_argument("--clusters", action="store_true", help="rank clusters of metrics, by tests of each two of them")
    study.add_argument("--differences", action="store_true", help="paired differences between metrics over sentences")
    add_resampling(study, UNITS)
    output = parser.add_argument_group("output")
    add_format(output)
    add_charts(output)
    add_names(output)
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    add_strict(output)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    humans = humans_of(arguments)
    metrics, found = _metrics(arguments)
    for option in ("differences", "clusters"):
        if getattr(arguments, option) and len(metrics) == 1:
            raise OptionError(f"--{option}: expected two metrics or more to compare, got {metrics[0].name} alone")
    if arguments.sentence_means:
        metrics = [metric.with_sentence_means() for metric in metrics]
    metrics = [humans.judged_part(metric) for metric in metrics]
    study = _study(arguments, humans, metrics)
    draw_charts(arguments, lambda: _charts(study))
    if arguments.format == "json":
        print(
            document(
                system_level=[result.to_dict() for result in study.systems],
                sentence_level=None if study.sentences is None else study.sentences.to_dict(),
                rating_level=None if study.ratings is None else study.ratings.to_dict(),
                windows=[one.to_dict() for one in study.windows],
                rank_groups=None if study.rank_groups is None else study.rank_groups.to_dict(),
                metric_clusters=[one.to_dict() for one in study.clusters],
                human_ceiling=None if study.ceiling is None else asdict(study.ceiling),
                rater_agreement=None if study.raters is None else asdict(study.raters),
                warnings=as_plain(found),
            )
        )
    else:
        print_tables(list(_tables(arguments, study)), arguments.format)


@dataclass
class Study:
    """What was asked for, of every kind."""

    systems: list[SystemLevel] = field(default_factory=list)
    sentences: SentenceLevel | None = None
    ratings: RatingLevel | None = None
    windows: list[WindowStudy] = field(default_factory=list)
    rank_groups: RankGroups | None = None
    clusters: list[MetricClusters] = field(default_factory=list)
    ceiling: Ceiling | None = None
    raters: RaterAgreement | None = None


def _study(arguments: argparse.Namespace, humans: Humans, metrics: list[MetricScores]) -> Study:
    study = Study()
    of_systems = arguments.only != "sentence"
    known = [metric for metric in metrics if metric.sentences is not None]
    protocol = PROTOCOLS.get(arguments.protocol)
    size = arguments.windows or (protocol.window if protocol else None)
    if of_systems:
        rows = metrics + [
            aggregated_metric(metric.for_systems(humans.scores[0].systems), method, seed=arguments.seed)
            for method in arguments.aggregate
            for metric in known
        ]
        study.systems = [_system_level(arguments, human, rows) for human in humans.scores]
        if size is not None:
            study.windows = [_windows(arguments, human, metrics, size) for human in humans.scores]
        if arguments.clusters and not (humans.judgments is None and humans.ratings is None):
            study.clusters += [
                system_clusters(human, known, trials=arguments.trials, seed=arguments.seed)
                for human in humans.scores[:1]
            ]
    drawn = {"trials": arguments.trials, "seed": arguments.seed}
    if humans.judgments is not None:
        study.ceiling = human_ceiling(humans.judgments)
        if arguments.only != "system" and (known or not of_systems):
            study.sentences = _sentence_level(arguments, humans.judgments, known or metrics)
            if arguments.rank_gaps or protocol:
                study.rank_groups = rank_groups(humans.judgments, known or metrics)
            if arguments.clusters:
                study.clusters.append(sentence_clusters(humans.judgments, known, swap=arguments.resample, **drawn))
    if humans.ratings is not None:
        study.raters = rater_agreement(humans.ratings)
        if arguments.only != "system" and (known or not of_systems):
            study.ratings = _rating_level(arguments, humans.ratings, known or metrics)
            study.clusters += [] if study.ratings.clusters is None else [study.ratings.clusters]
    return study


def _tables(arguments: argparse.Namespace, study: Study) -> Iterator[Table]:
    for result in study.systems:
        yield from _system_tables(arguments, result, study.ceiling)
    if study.sentences is not None:
        yield sentence_level_table(study.sentences, study.ceiling)
        if arguments.differences:
            yield difference_table(study.sentences)
    if study.rank_groups is not None:
        yield tie_rule_table(study.rank_groups)
        if study.rank_groups.by_gap:
            yield rank_gap_table(study.rank_groups)
    for windows in study.windows:
        yield window_table(windows)
    if study.ratings is not None:
        yield rating_level_table(study.ratings)
    if study.raters is not None:
        yield rater_table(study.raters)
    for clusters in study.clusters:
        yield metric_cluster_table(clusters)


def _metrics(arguments: argparse.Namespace) -> tuple[list[MetricScores], tuple[Finding, ...]]:
    """What is compared with humans, and what looks wrong with it."""
    found = metrics_from_files([read_metric_scores(path) for path in arguments.scores])
    files = [*arguments.files, *arguments.input]
    if not files:
        if arguments.metrics:
            raise OptionError("-m: expected GOLD and systems to score, got none")
        if not found:
            raise OptionError("expected GOLD and systems to score, or --scores, got neither")
        return found, ()
    if len(files) == 1 and arguments.source is None:
        raise OptionError(f"expected systems to score beside the gold, got {files[0]} alone")
    by_metric: dict[Metric, list[Counts]] = {}
    check = PlausibilityCheck()
    counted = counted_systems(arguments, check)
    for one in counted:
        by_metric.setdefault(one.metric, []).append(one.counts)
    odd = check.findings()
    tell(odd, arguments)
    beyond = (finding for of_metric in main_scores_out_of_range(counted).values() for finding in of_metric)
    return found + [MetricScores.from_counts(m, counts) for m, counts in by_metric.items()], (*odd, *beyond)


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


def _sentence_level(arguments: argparse.Namespace, judgments: Judgments, metrics: list[MetricScores]) -> SentenceLevel:
    return sentence_level(
        judgments,
        metrics,
        resample=arguments.resample,
        resamples=arguments.resamples,
        level=arguments.level,
        seed=arguments.seed,
    )


def _windows(arguments: argparse.Namespace, human: HumanScores, metrics: list[MetricScores], size: int) -> WindowStudy:
    """With intervals over sentences wherever both sides can be scored anew."""
    judged = human.judgments is not None or human.ratings is not None
    return window_analysis(
        human,
        metrics,
        size=size,
        intervals=judged and all(m.resampled is not None and m.sentences is not None for m in metrics),
        resamples=arguments.resamples,
        level=arguments.level,
        seed=arguments.seed,
    )


def _charts(study: Study) -> dict[str, dict[str, Any]]:
    charts = {**metaeval_charts(study.systems), **window_charts(study.windows), **cluster_charts(study.clusters)}
    if study.rank_groups is not None and study.rank_groups.by_gap:
        charts["rank-gaps"] = rank_gap_chart(study.rank_groups)
    return charts


def _rating_level(arguments: argparse.Namespace, ratings: Ratings, metrics: list[MetricScores]) -> RatingLevel:
    return rating_level(
        ratings,
        metrics,
        average=arguments.average,
        rater_scale=arguments.rater_scale,
        clusters=arguments.clusters,
        swap="pairs" if arguments.resample == "pairs" else "items",
        resamples=arguments.resamples,
        trials=arguments.trials,
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

"""`recte metaeval HUMAN [GOLD SYSTEM...]`: which metric agrees with humans, and how surely."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields

from recte.cli.arguments import add_format, add_gold, add_names, gold_and_systems
from recte.cli.chart_files import add_charts, draw_charts
from recte.cli.cluster import gold_and_named_systems
from recte.cli.counted_systems import counted_systems
from recte.cli.human_arguments import add_humans, add_resampling, hinting_at_ids
from recte.cli.human_side import Humans, read_humans
from recte.cli.input_warnings import add_strict, main_scores_out_of_range, note, tell
from recte.cli.metric_flags import add_metrics, metrics_of
from recte.cli.parser import Parser
from recte.counts import Counts
from recte.errors import OptionError, did_you_mean
from recte.formats.counts import is_counts_file
from recte.formats.metric_scores import read_metric_scores
from recte.human.judgments import UNITS
from recte.metaeval.aggregation import AGGREGATIONS
from recte.metaeval.ceiling import Ceiling
from recte.metaeval.permutation import PERMUTED
from recte.metaeval.scores import MetricScores, check_all_scored, metrics_from_files
from recte.metaeval.study import Study, StudyOptions, study_metrics
from recte.metaeval.system_correlation import RESAMPLED, SystemLevel
from recte.metrics.base import Metric
from recte.plausibility.finding import Finding, as_plain
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.rendering.charts.human import study_charts
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
from recte.sentence_names import SentenceNames


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "human",
        metavar="HUMAN",
        help="judgments (XML, CSV, TSV), ratings of outputs, human scores of systems (TSV), or a protocol's folder",
    )
    add_gold(parser)
    parser.add_argument(
        "--scores", nargs="+", default=[], metavar="FILE", help="metric scores from files (TSV, JSON lines)"
    )
    add_humans(parser.add_argument_group("humans"))
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
        "--rank-gaps", action="store_true", help="pairs by how far apart judges ranked them; figures of both tie rules"
    )
    study.add_argument(
        "--system-order",
        nargs="+",
        default=[],
        metavar="SYSTEM",
        help="of the published tie rule, which depends on it: all systems (default: by name)",
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
    humans = read_humans(arguments, arguments.human)
    arguments.subset = humans.ids
    _check_order(arguments, humans)
    with hinting_at_ids(humans):
        metrics, names, found = _metrics(arguments, humans)
    for option in ("differences", "clusters"):
        if getattr(arguments, option) and len(metrics) == 1:
            raise OptionError(f"--{option}: expected two metrics or more to compare, got {metrics[0].name} alone")
    if arguments.sentence_means:
        metrics = [metric.with_sentence_means() for metric in metrics]
    side, metrics = humans.beside(arguments, metrics, names)
    study = study_metrics(side, metrics, _options(arguments, humans))
    if study.rank_groups is not None and not study.rank_groups.by_gap:
        note("these judgments are pairs without ranks, so there is nothing by rank gap", arguments)
    draw_charts(arguments, lambda: study_charts(study))
    if arguments.format == "json":
        print(document(**study.to_dict(), warnings=as_plain(found)))
    else:
        print_tables(list(_tables(arguments, study)), arguments.format)


def _check_order(arguments: argparse.Namespace, humans: Humans) -> None:
    """All systems that are compared, and nobody whom no judge saw."""
    order = arguments.system_order
    if not order or humans.judgments is None:
        return
    unknown = next((system for system in order if system not in humans.systems), None)
    if unknown is not None:
        near = did_you_mean(unknown, humans.systems)
        raise OptionError(f"--system-order: expected judged systems, got {unknown!r}{near}")
    absent = next((s for s in humans.systems if s not in order and s not in humans.outside), None)
    if absent is not None:
        raise OptionError(f"--system-order: expected every judged system, got none for {absent!r}")


def _options(arguments: argparse.Namespace, humans: Humans) -> StudyOptions:
    """What the flags ask for; a protocol asks for windows and rank gaps."""
    given = {one.name: getattr(arguments, one.name) for one in fields(StudyOptions)}
    if arguments.protocol:
        given |= {"windows": arguments.windows or humans.window, "rank_gaps": True}
    return StudyOptions(**given)


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


def _metrics(
    arguments: argparse.Namespace, humans: Humans
) -> tuple[list[MetricScores], SentenceNames | None, tuple[Finding, ...]]:
    """What is compared with humans, what the sentences of the gold are called (if there is one), what looks wrong."""
    found = metrics_from_files([read_metric_scores(path) for path in arguments.scores])
    files = [*arguments.files, *arguments.input]
    if not files:
        if arguments.metrics:
            raise OptionError("-m: expected GOLD and systems to score, got none")
        if not found:
            raise OptionError("expected GOLD and systems to score, or --scores, got neither")
        return found, None, ()
    if len(files) == 1 and arguments.source is None and arguments.test_set is None:
        raise OptionError(f"expected systems to score beside the gold, got {files[0]} alone")
    of_counts = is_counts_file(files[-1])
    if not of_counts:  # before models are asked, and judges paid
        judged = set(humans.systems).difference(humans.outside)
        check_all_scored(metrics_of(arguments)[0].name, judged, gold_and_named_systems(arguments, arguments.names)[1])
    by_metric: dict[Metric, list[Counts]] = {}
    check = PlausibilityCheck()
    counted = counted_systems(arguments, check)
    for one in counted:
        by_metric.setdefault(one.metric, []).append(one.counts)
    odd = check.findings()
    tell(odd, arguments)
    beyond = (finding for of_metric in main_scores_out_of_range(counted).values() for finding in of_metric)
    found += [MetricScores.from_counts(metric, counts) for metric, counts in by_metric.items()]
    names = None if of_counts else SentenceNames.of(gold_and_systems(arguments)[0].sentences())
    return found, names, (*odd, *beyond)


def _system_tables(arguments: argparse.Namespace, result: SystemLevel, ceiling: Ceiling | None) -> list[Table]:
    tables = [system_level_table(result, ceiling if result.human == "expected-wins" else None)]
    if any(test.p is not None for test in result.williams):
        tables += [williams_table(result, kind) for kind in ("pearson", "spearman")]
    if arguments.permute:
        tables.append(permutation_table(result))
    if arguments.leave_one_out:
        tables.append(left_out_table(result))
    return tables

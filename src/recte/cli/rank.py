"""`recte rank JUDGMENTS`: systems as human judges rank them."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from recte.cli.arguments import add_format
from recte.cli.chart_files import add_charts, draw_charts
from recte.cli.human_arguments import add_judging, add_resampling
from recte.cli.human_side import read_humans
from recte.cli.input_warnings import note
from recte.errors import OptionError
from recte.formats.judgments import write_judgments
from recte.human.judge_agreement import summarise
from recte.human.rank_clusters import CLUSTER_RULES
from recte.human.ranking import RESAMPLES, rank_systems
from recte.rendering.charts.ranking import ranking_chart
from recte.rendering.document import document
from recte.rendering.human_tables import head_to_head_table, judge_table, ranking_table
from recte.rendering.terminal import print_tables, progress_bar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "judgments",
        metavar="JUDGMENTS",
        help="rankings as XML, WMT's CSV, or our TSV (.gz will do), or a protocol's folder",
    )
    add_judging(parser)
    add_resampling(parser, RESAMPLES, "; runs repeats TrueSkill's matches, as published")
    parser.add_argument(
        "--cluster-rule",
        choices=CLUSTER_RULES,
        default=CLUSTER_RULES[0],
        help="a cluster ends where no range overlaps a later one (strict, default), or by its last range (published)",
    )
    output = parser.add_argument_group("output")
    add_format(output)
    output.add_argument("--judges", action="store_true", help="who judged how much, and how far judges agree")
    output.add_argument("--head-to-head", action="store_true", help="how each system fared against each other one")
    output.add_argument("-o", "--output", metavar="TSV", help="write the comparisons, as our own table")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no notes")
    add_charts(output)


def run(arguments: argparse.Namespace) -> None:
    humans = read_humans(arguments, arguments.judgments, judged=True)
    assert humans.judgments is not None
    methods, judgments = humans.methods, humans.judgments.without(humans.outside)
    if len(judgments.documents) > 1:
        named = ", ".join(judgments.documents)
        note(f"judgments of {len(judgments.documents)} documents are pooled: {named}; --document takes one", arguments)
    if arguments.resample == "runs" and "trueskill" not in methods:
        raise OptionError("--resample runs: expected --method trueskill, got another")
    if arguments.output:
        write_judgments(arguments.output, judgments)
    with progress_bar("ranking", quiet=arguments.quiet):  # a thousand runs of TrueSkill take a while
        rankings = [
            rank_systems(
                judgments,
                method=method,
                resample=arguments.resample if method == "trueskill" or arguments.resample != "runs" else "pairs",
                resamples=arguments.resamples,
                level=arguments.level,
                seed=arguments.seed,
                cluster_rule=arguments.cluster_rule,
            )
            for method in methods
        ]
    judges = summarise(judgments) if arguments.judges or arguments.format == "json" else None
    draw_charts(arguments, lambda: {f"ranking-{ranking.method}": ranking_chart(ranking) for ranking in rankings})
    if arguments.format == "json":
        print(document(judgments=None if judges is None else asdict(judges), rankings=[r.to_dict() for r in rankings]))
    else:
        tables = [ranking_table(ranking, apart=arguments.format == "csv") for ranking in rankings]
        if arguments.head_to_head:
            tables += [head_to_head_table(rankings[0])]
        if judges is not None:
            tables += [judge_table(judges)]
        print_tables(tables, arguments.format)

"""`recte rank JUDGMENTS`: systems as human judges rank them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from recte.cli.arguments import TO, format_option, quiet_option
from recte.cli.chart_files import ChartOptions, draw_charts
from recte.cli.command import Command
from recte.errors import OptionError
from recte.messages import note
from recte.options import argument, option, part
from recte.output.document import document
from recte.output.terminal import print_tables, progress_bar
from recte.statistics.rank_clusters import CLUSTER_RULES
from recte.studies.human.arguments import HumanOptions, JudgingOptions, resample_option
from recte.studies.human.charts import ranking_chart
from recte.studies.human.human_scores import read_human_data
from recte.studies.human.judge_agreement import summarise
from recte.studies.human.judgment_files import write_judgments
from recte.studies.human.ranking import RESAMPLES, rank_systems
from recte.studies.human.tables import head_to_head_table, judge_table, ranking_table


@dataclass(frozen=True, kw_only=True)
class RankOptions:
    judgments: str = argument(
        "rankings as XML, WMT's CSV, or our TSV (.gz will do), or a protocol's folder", metavar="JUDGMENTS"
    )
    judging: JudgingOptions = part(JudgingOptions)
    resample: str = resample_option(RESAMPLES, "; runs repeats TrueSkill's matches, as published")
    resamples: int = option(1000, "how often (default 1000)", metavar="N")
    level: float = option(0.95, "of intervals (default 0.95)", metavar="X")
    seed: int = option(12345, "of every random step (default 12345)", metavar="N")
    cluster_rule: str = option(
        CLUSTER_RULES[0],
        "a cluster ends where no range overlaps a later one (strict, default), or by its last range (published)",
        choices=CLUSTER_RULES,
    )
    format: str = format_option(group="output")
    judges: bool = option(False, "who judged how much, and how far judges agree", group="output")
    head_to_head: bool = option(False, "how each system fared against each other one", group="output")
    output: str | None = option(
        None,
        "write the comparisons, as our own table",
        kind=str,
        flags=(*TO, "--output"),
        metavar="TSV",
        group="output",
    )
    quiet: bool = quiet_option("no progress, no notes", "output")
    charts: ChartOptions = part(ChartOptions, "output")


def run(options: RankOptions) -> None:
    humans = read_human_data(options.judgments, HumanOptions(judging=options.judging), seed=options.seed, judged=True)
    assert humans.judgments is not None
    methods, judgments = humans.methods, humans.judgments.without(humans.left_out)
    if len(judgments.documents) > 1:
        named = ", ".join(judgments.documents)
        note(f"judgments of {len(judgments.documents)} documents are pooled: {named}; --document takes one")
    if options.resample == "runs" and "trueskill" not in methods:
        raise OptionError("--resample runs: expected --method trueskill, got another")
    if options.output:
        write_judgments(options.output, judgments)
    with progress_bar("ranking"):  # a thousand runs of TrueSkill take a while
        rankings = [
            rank_systems(
                judgments,
                method=method,
                resample=options.resample if method == "trueskill" or options.resample != "runs" else "pairs",
                resamples=options.resamples,
                level=options.level,
                seed=options.seed,
                cluster_rule=options.cluster_rule,
            )
            for method in methods
        ]
    judges = summarise(judgments) if options.judges or options.format == "json" else None
    draw_charts(options.charts, lambda: {f"ranking-{ranking.method}": ranking_chart(ranking) for ranking in rankings})
    if options.format == "json":
        print(document(judgments=None if judges is None else asdict(judges), rankings=[r.to_dict() for r in rankings]))
    else:
        tables = [ranking_table(ranking, apart=options.format == "csv") for ranking in rankings]
        if options.head_to_head:
            tables += [head_to_head_table(rankings[0])]
        if judges is not None:
            tables += [judge_table(judges)]
        print_tables(tables, options.format)


COMMAND = Command(
    run=run,
    options=RankOptions,
    forms=("JUDGMENTS",),
    examples=(
        ("recte rank sample/judgments.tsv", "systems with their ranges of ranks and clusters"),
        ("recte rank sample/judgments.tsv --method trueskill --judges", "by TrueSkill, and who judged"),
    ),
    common=(
        *("--method", "--without", "--document", "--resample", "--resamples", "--seed", "-f", "--judges"),
        *("--head-to-head", "--output", "--charts"),
    ),
)

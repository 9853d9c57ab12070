"""`recte metaeval HUMAN [GOLD SYSTEM...]`: which metric agrees with humans, and how surely."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from recte.cli.arguments import GoldOptions, format_option, names_option, quiet_option, strict_option
from recte.cli.chart_files import ChartOptions, draw_charts
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.input_warnings import find_main_scores_out_of_range, print_findings
from recte.cli.metric_flags import CountedMetricOptions, MetricOptions
from recte.corpus.counts import Counts
from recte.corpus.sentence_names import SentenceNames
from recte.errors import OptionError, did_you_mean
from recte.evaluation.counting import CountRequest
from recte.evaluation.plausibility.finding import Finding, as_plain
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.formats.counts import is_counts_file
from recte.formats.metric_scores import read_metric_scores
from recte.messages import note
from recte.metrics.base import Metric
from recte.options import argument, option, part, same_option
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables
from recte.studies.human.arguments import HumanOptions, explain_subsets
from recte.studies.human.human_scores import HumanData, read_human_data
from recte.studies.metaeval.ceiling import CorrelationCeiling
from recte.studies.metaeval.charts import study_charts
from recte.studies.metaeval.human_side import match_human_data
from recte.studies.metaeval.scores import MetricScores, check_all_scored, metrics_from_files
from recte.studies.metaeval.study import Study, StudyOptions, study_metrics
from recte.studies.metaeval.system_correlation import SystemLevel
from recte.studies.metaeval.tables import (
    difference_table,
    metric_cluster_table,
    permutation_table,
    rank_gap_table,
    rater_table,
    rating_level_table,
    sentence_level_table,
    system_level_table,
    table_without_each,
    tie_rule_table,
    williams_table,
    window_table,
)

_STUDY = "what to compare, and how surely"


@dataclass(frozen=True, kw_only=True)
class MetaevalOptions:
    human: str = argument(
        "judgments (XML, CSV, TSV), ratings of outputs, human scores of systems (TSV), or a protocol's folder",
        metavar="HUMAN",
    )
    gold: GoldOptions = part(GoldOptions)
    scores: tuple[str, ...] = option((), "metric scores from files (TSV, JSON lines)", kind=str, metavar="FILE")
    humans: HumanOptions = part(HumanOptions, "humans")
    only: str | None = same_option(StudyOptions, "only", group=_STUDY)
    sentence_means: bool = option(False, "a system's score is the mean of its sentences'", group=_STUDY)
    intervals: str | None = same_option(StudyOptions, "intervals", group=_STUDY)
    permute: tuple[str, ...] = same_option(StudyOptions, "permute", group=_STUDY)
    trials: int = same_option(StudyOptions, "trials", group=_STUDY)
    leave_one_out: bool = same_option(StudyOptions, "leave_one_out", group=_STUDY)
    rank_gaps: bool = same_option(StudyOptions, "rank_gaps", group=_STUDY)
    system_order: tuple[str, ...] = same_option(StudyOptions, "system_order", group=_STUDY)
    aggregate: tuple[str, ...] = same_option(StudyOptions, "aggregate", group=_STUDY)
    clusters: bool = same_option(StudyOptions, "clusters", group=_STUDY)
    differences: bool = option(False, "paired differences between metrics over sentences", group=_STUDY)
    resample: str = same_option(StudyOptions, "resample", group=_STUDY)
    resamples: int = same_option(StudyOptions, "resamples", group=_STUDY)
    level: float = same_option(StudyOptions, "level", group=_STUDY)
    seed: int = same_option(StudyOptions, "seed", group=_STUDY)
    format: str = format_option(group="output")
    charts: ChartOptions = part(ChartOptions, "output")
    names: tuple[str, ...] = names_option("output")
    quiet: bool = quiet_option("no progress, no warnings", "output")
    strict: bool = strict_option("output")
    metrics: MetricOptions = part(CountedMetricOptions)

    def study_options(self, humans: HumanData) -> StudyOptions:
        """What the flags ask for; a protocol asks for windows and rank gaps, or for what intervals draw."""
        rating = self.humans.rating
        of_rating = {f.name: getattr(rating, f.name) for f in fields(rating)}
        names = {f.name for f in fields(StudyOptions)} - of_rating.keys()
        options = StudyOptions(**{name: getattr(self, name) for name in names}, **of_rating)
        if self.humans.judging.protocol:
            windows = options.windows or humans.window
            resample = humans.resample or options.resample
            options = replace(options, windows=windows, rank_gaps=windows is not None, resample=resample)
        return options


def run(options: MetaevalOptions) -> None:
    humans = read_human_data(options.human, options.humans, seed=options.seed, only=options.only)
    _check_order(options.system_order, humans)
    with explain_subsets(humans):
        metrics, names, findings = _read_metrics(options, humans)
    for flag, is_set in (("--differences", options.differences), ("--clusters", options.clusters)):
        if is_set and len(metrics) == 1:
            raise OptionError(f"{flag}: expected two metrics or more to compare, got {metrics[0].name} alone")
    if options.sentence_means:
        metrics = [metric.with_sentence_means() for metric in metrics]
    study_options = options.study_options(humans)
    side, metrics = match_human_data(humans, metrics, names, study_options)
    study = study_metrics(side, metrics, study_options)
    if study.rank_groups is not None and not study.rank_groups.by_gap:
        note("these judgments are pairs without ranks, so there is nothing by rank gap")
    draw_charts(options.charts, lambda: study_charts(study))
    if options.format == "json":
        print(document(**study.to_dict(), warnings=as_plain(findings)))
    else:
        print_tables(list(_make_tables(options, study)), options.format)


def _check_order(order: tuple[str, ...], humans: HumanData) -> None:
    """Refuse an order that leaves out a compared system, or names one that was not judged."""
    if not order or humans.judgments is None:
        return
    unknown = next((system for system in order if system not in humans.systems), None)
    if unknown is not None:
        near = did_you_mean(unknown, humans.systems)
        raise OptionError(f"--system-order: expected judged systems, got {unknown!r}{near}")
    absent = next((s for s in humans.systems if s not in order and s not in humans.left_out), None)
    if absent is not None:
        raise OptionError(f"--system-order: expected every judged system, got none for {absent!r}")


def _make_tables(options: MetaevalOptions, study: Study) -> Iterator[Table]:
    for result in study.systems:
        yield from _make_system_tables(options, result, study.ceiling)
    if study.sentences is not None:
        yield sentence_level_table(study.sentences, study.ceiling)
        if options.differences:
            yield difference_table(study.sentences)
    if study.rank_groups is not None:
        yield tie_rule_table(study.rank_groups)
        if study.rank_groups.by_gap:
            yield rank_gap_table(study.rank_groups)
    if study.ratings is not None:
        yield rating_level_table(study.ratings)
    if study.raters is not None:
        yield rater_table(study.raters)
    for clusters in study.clusters:
        yield metric_cluster_table(clusters)
    for windows in study.windows:  # many rows, after all that answers the question
        yield window_table(windows)


def _read_metrics(
    options: MetaevalOptions, humans: HumanData
) -> tuple[list[MetricScores], SentenceNames | None, tuple[Finding, ...]]:
    """What is compared with humans, what the sentences of the gold are called (if there is one), what looks wrong."""
    metrics = metrics_from_files([read_metric_scores(path) for path in options.scores])
    gold, files = options.gold, options.gold.all_files
    if not files:
        if options.metrics.names:
            raise OptionError("-m: expected GOLD and systems to score, got none")
        if not metrics:
            raise OptionError("expected GOLD and systems to score, or --scores, got neither")
        return metrics, None, ()
    if len(files) == 1 and gold.source is None and gold.test_set is None:
        raise OptionError(f"expected systems to score with the gold, got {files[0]} alone")
    selection = SystemSelection(
        gold=gold, metrics=options.metrics, names=options.names, strict=options.strict, subset=humans.ids
    )
    of_counts = is_counts_file(files[-1])
    if not of_counts:  # before models are asked, and judges paid
        judged = set(humans.systems).difference(humans.left_out)
        check_all_scored(selection.make_metrics()[0].name, judged, selection.name_systems()[1])
    by_metric: dict[Metric, list[Counts]] = {}
    check = PlausibilityCheck()
    counted = selection.count(check, CountRequest())
    for of_system in counted:
        by_metric.setdefault(of_system.metric, []).append(of_system.counts)
    findings = check.findings()
    print_findings(findings)
    by_name = find_main_scores_out_of_range(counted)
    range_findings = (finding for of_metric in by_name.values() for finding in of_metric)
    metrics += [MetricScores.from_counts(metric, counts) for metric, counts in by_metric.items()]
    names = None if of_counts else SentenceNames.of(selection.read_files()[0].sentences())
    return metrics, names, (*findings, *range_findings)


def _make_system_tables(
    options: MetaevalOptions, result: SystemLevel, ceiling: CorrelationCeiling | None
) -> list[Table]:
    tables = [system_level_table(result, ceiling if result.human == "expected-wins" else None)]
    if any(test.p is not None for test in result.williams):
        tables += [williams_table(result, kind) for kind in ("pearson", "spearman")]
    if options.permute:
        tables.append(permutation_table(result))
    if options.leave_one_out:
        tables.append(table_without_each(result))
    return tables


COMMAND = Command(
    run=run,
    options=MetaevalOptions,
    forms=("HUMAN GOLD SYSTEM... -m METRIC...", "HUMAN --scores FILE..."),
    examples=(
        (
            "recte metaeval sample/judgments.tsv sample/gold.m2 sample/systems/*.txt -m m2 gleu",
            "who agrees with people?",
        ),
        (
            "recte metaeval sample/ratings.tsv sample/gold.m2 sample/systems/*.txt -m m2 --only system",
            "with ratings",
        ),
    ),
    common=(
        *("-m", "--scores", "--method", "--ids", "--only", "--windows", "--clusters"),
        *("-f", "--charts"),
    ),
)

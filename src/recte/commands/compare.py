"""`recte compare GOLD SYSTEM...`: who beats whom, and whether it could be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from recte.cli.arguments import (
    GoldOptions,
    format_option,
    names_option,
    quiet_option,
    runs_option,
    strict_option,
    width_option,
)
from recte.cli.cluster_counting import ClusterOptions
from recte.cli.command import Command
from recte.cli.counted_systems import ResamplingOptions, SystemSelection
from recte.cli.input_warnings import (
    find_expected_tokens,
    find_main_scores_out_of_range,
    print_all_findings,
    print_findings,
)
from recte.cli.metric_flags import CountedMetricOptions, MetricOptions, ScoreFileOptions
from recte.cli.paired_tests import TestOptions, baseline_option, check_baseline, compare_counted, is_do_nothing_baseline
from recte.errors import OptionError
from recte.evaluation.counting import CountRequest
from recte.evaluation.differences import DifferingSentence, differing_sentences
from recte.evaluation.plausibility.finding import as_plain
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.metrics.base import Metric
from recte.options import option, part
from recte.output.comparison import comparison_tables, comparison_to_dict, pair_table, sentence_table
from recte.output.document import document
from recte.output.terminal import print_tables


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    gold: GoldOptions = part(GoldOptions)
    score_files: ScoreFileOptions = part(ScoreFileOptions)
    resampling: ResamplingOptions = part(ResamplingOptions, "intervals")
    baseline: str | None = baseline_option("compare each with this one, not all pairs; or do-nothing")
    tests: TestOptions = part(TestOptions, "tests")
    power: bool = option(False, "also the smallest difference this test set would show", group="tests")
    sentences: int = option(
        0, "the N sentences where two systems differ most, with their edits", group="output", metavar="N", least=0
    )
    pairs: bool = option(False, "a line for every pair, below the matrix", group="output")
    names: tuple[str, ...] = names_option("output")
    runs: tuple[str, ...] = runs_option("output")
    strict: bool = strict_option("output")
    width: int = width_option(group="output")
    quiet: bool = quiet_option("no progress, no warnings", "output")
    format: str = format_option(group="output")
    cluster: ClusterOptions = part(ClusterOptions, "cluster")
    metrics: MetricOptions = part(CountedMetricOptions)


def run(options: CompareOptions) -> None:
    do_nothing = is_do_nothing_baseline(options.baseline, options.gold)
    selection = SystemSelection(
        gold=options.gold,
        metrics=options.metrics,
        score_files=options.score_files,
        cluster=options.cluster,
        names=options.names,
        strict=options.strict,
        runs=options.runs,
    )
    shows_sentences = options.sentences > 0
    if shows_sentences and options.runs:
        raise OptionError("--sentences: expected two outputs, got --runs")

    def refuse(metrics: Sequence[Metric], systems: Sequence[str]) -> None:
        check_baseline(options.baseline, systems)
        if shows_sentences and len(systems) + do_nothing != 2:
            raise OptionError(f"--sentences: expected two systems, got {len(systems)}")

    check = PlausibilityCheck(expected=find_expected_tokens(options.metrics.preset))
    counted = selection.count(
        check,
        CountRequest(
            do_nothing="always" if do_nothing else "never",
            edits=shows_sentences and any(metric.judges_edits for metric in selection.make_metrics()),
            texts=shows_sentences,
        ),
        refuse=refuse,
    )
    findings = check.findings()
    print_findings(findings)
    comparisons = compare_counted(
        counted,
        options.tests,
        baseline=options.baseline,
        resampling=options.resampling.resampling,
        power=options.power,
    )
    out_of_range = find_main_scores_out_of_range(counted)
    differing: dict[str, list[DifferingSentence]] = {}
    for comparison in comparisons if shows_sentences else ():
        of_metric = {c.counts.system: c for c in counted if c.metric.name == comparison.metric}
        sides = of_metric[comparison.pairs[0].first], of_metric[comparison.pairs[0].second]
        differing[comparison.metric] = differing_sentences(*sides, options.sentences)
    headings = {c.metric.name: c.metric.heading for c in counted}
    sentence_tables = [
        sentence_table(comparison, headings[comparison.metric], differing[comparison.metric], options.width)
        for comparison in comparisons
        if comparison.metric in differing
    ]
    range_findings = [finding for of_metric in out_of_range.values() for finding in of_metric]
    if options.format == "json":
        plain = [comparison_to_dict(comparison) for comparison in comparisons]
        for of_comparison in plain if shows_sentences else ():
            of_comparison["sentences"] = [asdict(sentence) for sentence in differing[of_comparison["metric"]]]
        print(document(comparisons=plain, warnings=as_plain((*findings, *range_findings))))
    elif options.format == "csv":
        print_all_findings(range_findings)  # pairs have no place for them
        tables = [pair_table(comparison, options.width) for comparison in comparisons]
        print_tables([*tables, *sentence_tables], "csv")
    else:
        tables = [
            table
            for comparison in comparisons
            for table in comparison_tables(
                comparison,
                headings[comparison.metric],
                digits=options.width,
                pairs=options.pairs,
                notes=[str(finding) for finding in out_of_range[comparison.metric]],
            )
        ]
        print_tables([*tables, *sentence_tables], options.format)


COMMAND = Command(
    run=run,
    options=CompareOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE -r REF... -i SYSTEM..."),
    examples=(
        ("recte compare sample/gold.m2 sample/systems/*.txt", "every pair of systems, by randomisation"),
        (
            "recte compare sample/gold.m2 sample/systems/*.txt -m gleu --baseline do-nothing --test bootstrap",
            "each against one",
        ),
    ),
    common=(
        *("-m", "-s", "-r", "-i", "--names", "--baseline", "--test", "--trials", "--alpha", "--holm"),
        *("--pairs", "-f", "-q"),
    ),
)

"""`recte compare GOLD SYSTEM...`: who beats whom, and whether it could be chance."""

from __future__ import annotations

from dataclasses import dataclass

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
from recte.cli.metric_flags import MetricOptions, ScoreFileOptions
from recte.cli.paired_tests import TestOptions, baseline_option, check_baseline, compare_counted, is_do_nothing_baseline
from recte.evaluation.counting import CountRequest
from recte.evaluation.plausibility.finding import as_plain
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.options import option, part
from recte.output.comparison import comparison_tables, comparison_to_dict, pair_table
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
    pairs: bool = option(False, "a line for every pair, below the matrix", group="output")
    names: tuple[str, ...] = names_option("output")
    runs: tuple[str, ...] = runs_option("output")
    strict: bool = strict_option("output")
    width: int = width_option(group="output")
    quiet: bool = quiet_option("no progress, no warnings", "output")
    format: str = format_option(group="output")
    cluster: ClusterOptions = part(ClusterOptions, "cluster")
    metrics: MetricOptions = part(MetricOptions)


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
    check = PlausibilityCheck(expected=find_expected_tokens(options.metrics.preset))
    counted = selection.count(
        check,
        CountRequest(do_nothing="always" if do_nothing else "never"),
        refuse=lambda metrics, systems: check_baseline(options.baseline, systems),
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
    range_findings = [finding for of_metric in out_of_range.values() for finding in of_metric]
    if options.format == "json":
        plain = [comparison_to_dict(comparison) for comparison in comparisons]
        print(document(comparisons=plain, warnings=as_plain((*findings, *range_findings))))
    elif options.format == "csv":
        print_all_findings(range_findings)  # pairs have no place for them
        print_tables([pair_table(comparison, options.width) for comparison in comparisons], "csv")
    else:
        tables = [
            table
            for comparison in comparisons
            for table in comparison_tables(
                comparison,
                digits=options.width,
                pairs=options.pairs,
                notes=[str(finding) for finding in out_of_range[comparison.metric]],
            )
        ]
        print_tables(tables, options.format)


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
        *("--pairs", "-f", "-w", "-q"),
    ),
)

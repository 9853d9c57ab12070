"""`recte score GOLD SYSTEM...`: a table of scores.

`--fail-under m2=35.0 gleu=58`: scores that a test of one's own system must not fall below.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

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
from recte.cli.counted_systems import SET_LABEL, ResamplingOptions, SystemSelection
from recte.cli.input_warnings import find_expected_tokens, print_all_findings, print_findings
from recte.cli.metric_flags import CountedMetricOptions, MetricOptions, ScoreFileOptions
from recte.cli.paired_tests import TestOptions, baseline_option, check_baseline, compare_counted, is_do_nothing_baseline
from recte.cli.parser import Version
from recte.corpus.corpus import DO_NOTHING
from recte.errors import OptionError, describe_choices
from recte.evaluation.counting import GOLD_TEXT, CountRequest, SystemCounts
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.evaluation.plausibility.score_range import below_full_score, out_of_range
from recte.evaluation.scoring import macro_average, score_systems
from recte.files import stem
from recte.formats.counts import is_counts_file
from recte.messages import note, report, warn
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.options import option, part
from recte.output.score_tables import (
    BETTER,
    WORSE,
    choose_columns,
    convention_table,
    in_order,
    one_table,
    part_table,
    score_table,
    sentence_table,
)
from recte.output.tables import Table
from recte.output.terminal import TABLE_FORMATS, print_lines, print_tables
from recte.output.tidy import TIDY_FORMATS, tidy_lines

if TYPE_CHECKING:
    from recte.evaluation.part_comparison import PartComparison, TypeDifference
    from recte.statistics.comparison import Comparison

__all__ = ["FAILED", "count_failures", "fail_under_option", "read_limits"]

FAILED = 1  # the exit code


def fail_under_option(group: str = "") -> Any:
    """Limits for use in tests of one's own system."""
    return option((), "exit with 1 below X %% (m2=35.0 gleu=58)", kind=str, metavar="METRIC=X", group=group)


def read_limits(texts: Sequence[str], metrics: Iterable[Metric]) -> dict[str, float]:
    """The limit of each metric in per cent; a number alone is for a metric alone."""
    known = {metric.name for metric in metrics}
    limits = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            limit = float(number)
            if not math.isfinite(limit):
                raise ValueError
        except ValueError:
            raise OptionError(f"--fail-under: expected METRIC=NUMBER such as m2=35.0, got {text!r}") from None
        if not equals and len(known) > 1:
            raise OptionError(f"--fail-under: expected a metric before the number, as in m2={number}, got {text!r}")
        metric = name if name in known else metric_class(name).name if equals else next(iter(known))
        if metric not in known:
            raise OptionError(f"--fail-under: {describe_choices(sorted(known), name)}")
        limits[metric] = limit
    return limits


def count_failures(scores: Sequence[Score], limits: Mapping[str, float]) -> int:
    """How many scores of systems miss their limit; each is reported."""
    failures = 0
    for score in scores:
        limit = limits.get(score.metric)
        if limit is None or score.subset or score.system == DO_NOTHING:
            continue
        value = score.score_factor * score.score
        if value < limit if score.higher_is_better else value > limit:
            failures += 1
            side = "below" if score.higher_is_better else "above"
            report(f"{score.system}: {score.metric} {value:.4g} is {side} {limit:g}")
    return failures


def _output(default: Any, help: str, **settings: Any) -> Any:
    return option(default, help, group="output", **settings)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    gold: GoldOptions = part(GoldOptions)
    score_files: ScoreFileOptions = part(ScoreFileOptions)
    one_table: bool = _output(False, "one row per system, all metrics side by side")
    columns: tuple[str, ...] = _output(
        (), "figures of a metric to show (m2:P,R,F imeasure:WAcc,I)", kind=str, metavar="METRIC:COLUMNS"
    )
    notes: bool = _output(True, "notes and signatures below tables (default yes)")
    caption: str | None = _output(
        None, "of the table, in place of its title; in LaTeX a float", kind=str, metavar="TEXT"
    )
    sort: str | None = _output(None, "rows by score, name, a metric, or its column (m2:R)", kind=str, metavar="BY")
    format: str = format_option(*TIDY_FORMATS, group="output")
    width: int = width_option(group="output")
    score_only: bool = _output(False, "print the bare score, one line per system", flags=("-b", "--score-only"))
    sentence_level: bool = _output(False, "every sentence's score", flags=("-sl", "--sentence-level"))
    by_type: bool = _output(False, "by error type, precision where known (metrics over edits)")
    by: tuple[str, ...] = _output(
        (), "a score for each value of a label (or of several), too", kind=str, metavar="LABEL"
    )
    edits: bool = _output(False, "every sentence's edits with their verdicts (JSON; metrics over edits)")
    each: tuple[str, ...] = _output(
        (),
        "several golds in one run: names of sets, for {} in every file's name; each set, all, and the macro average",
        kind=str,
        metavar="SET",
    )
    with_texts: bool = _output(False, "with -sl or --edits: source, references and output (JSON, CSV)")
    conventions: bool = _output(False, "one output by every way to count it (csc)")
    do_nothing: bool | None = _output(
        None, "a row for leaving the source alone, for metrics that it can win (default: in tables)", kind=bool
    )
    names: tuple[str, ...] = names_option("output")
    runs: tuple[str, ...] = runs_option("output")
    fail_under: tuple[str, ...] = fail_under_option("output")
    strict: bool = strict_option("output")
    quiet: bool = quiet_option("no progress, no warnings", "output")
    version: bool = _output(False, "print it and end", flags=("-V", "--version"), action=Version)
    list_metrics: bool = _output(False, "list the metrics and end", flags=("--list",))
    citation: bool = _output(False, "print what to cite, as BibTeX, and end")
    resampling: ResamplingOptions = part(ResamplingOptions, "intervals")
    no_ci: bool = option(False, "no intervals", group="intervals")
    baseline: str | None = baseline_option("† better, ‡ worse than this system (or do-nothing)")
    tests: TestOptions = part(TestOptions, "tests")
    cluster: ClusterOptions = part(ClusterOptions, "cluster")
    metrics: MetricOptions = part(CountedMetricOptions)

    @property
    def parts_by(self) -> tuple[str, ...]:
        """The labels whose values are parts: the set first, where there are several."""
        return (SET_LABEL, *self.by) if self.each else self.by

    @property
    def needs_counts(self) -> bool:
        """Whether what was asked for needs a row for each sentence."""
        return bool(self.sentence_level or self.edits or self.by_type or self.by or self.baseline)

    @property
    def shows_do_nothing(self) -> bool:
        """In every table unless told otherwise; not among bare scores or in what programs read."""
        if self.do_nothing is not None:
            return self.do_nothing
        return self.format not in ("json", *TIDY_FORMATS) and not self.score_only

    @property
    def shows_intervals(self) -> bool:
        """Unless told otherwise; one table for all metrics has them on request, since it is wide enough."""
        if self.no_ci or self.score_only:
            return False
        return self.resampling.ci is not None or not (self.one_table and self.format in TABLE_FORMATS)


def run(options: ScoreOptions) -> int:
    if options.list_metrics or options.citation:
        from recte.cli.about import print_citations, print_metrics

        if options.list_metrics:
            print_metrics(options.metrics.names, options.format)
        else:
            print_citations(options.metrics.names)
        return 0
    prints_tables = options.format in TABLE_FORMATS and not options.score_only
    if prints_tables and options.one_table and (options.sentence_level or options.edits):
        raise OptionError("--one-table: expected scores of systems, got -sl or --edits, which are of sentences")
    if options.runs and options.sentence_level:
        raise OptionError("--runs: expected no -sl with it, got both: a sentence has a score in each run")
    if options.with_texts and not ((options.sentence_level or options.edits) and options.format in ("json", "csv")):
        raise OptionError("--with-texts: expected -sl or --edits with it, and -f json or csv; add what is missing")
    check = PlausibilityCheck(expected=find_expected_tokens(options.metrics.preset))
    against_do_nothing = is_do_nothing_baseline(options.baseline, options.gold)
    resampling = options.resampling.resampling if options.shows_intervals else None
    request = CountRequest(
        types=options.by_type,
        edits=options.edits,
        do_nothing="always" if against_do_nothing else "can-win" if options.shows_do_nothing else "never",
        gold_text=not options.score_only,
        texts=options.with_texts,
    )
    selection = SystemSelection(
        gold=options.gold,
        metrics=options.metrics,
        score_files=options.score_files,
        cluster=options.cluster,
        names=options.names,
        strict=options.strict,
        limits=options.fail_under,
        runs=options.runs,
        by=options.by,
        each=options.each,
    )
    counted: list[SystemCounts] = []
    by_metric: dict[Metric, list[Score]] = {}
    if options.cluster.cluster is not None and not options.needs_counts:
        for metric, score in selection.score(check, request, resampling):
            by_metric.setdefault(metric, []).append(score)
    else:

        def refuse(metrics: Sequence[Metric], systems: Sequence[str]) -> None:
            check_baseline(options.baseline, systems)
            read_limits(options.fail_under, metrics)
            choose_columns(metrics, options.columns)

        counted = selection.count(check, request, refuse=refuse)
    of_gold = [of_system for of_system in counted if of_system.counts.system == GOLD_TEXT]
    counted = [of_system for of_system in counted if of_system.counts.system != GOLD_TEXT]
    ceilings = below_full_score((c.metric.score_counts(c.counts) for c in of_gold), [c.metric for c in of_gold])
    findings = (*check.findings(), *ceilings)
    print_findings(findings)
    if options.edits and options.format != "json":
        note("--edits: edits are printed by -f json alone; other formats have sentence scores")
    limits = read_limits(options.fail_under, {*by_metric, *(of_system.metric for of_system in counted)})
    scored = score_systems(counted, sentences=options.sentence_level, by=options.parts_by, resampling=resampling)
    for of_system, of_system_scores in zip(counted, scored, strict=True):
        if len(options.each) > 1 and not options.by:
            of_system_scores.append(macro_average(of_system_scores[1:], SET_LABEL))
        by_metric.setdefault(of_system.metric, []).extend(of_system_scores)
    if options.sort is not None:
        first = next(iter(by_metric)).name
        by_metric = in_order(by_metric, first if options.one_table and options.sort == "score" else options.sort)
    scores = [score for of_metric in by_metric.values() for score in of_metric]
    if options.conventions and not any(hasattr(score, "conventions") for score in scores):
        raise OptionError("--conventions: none of the metrics has it; csc does")
    comparisons: dict[str, Comparison] = {}
    tested: list[SystemCounts] = []
    if options.baseline is not None:
        tested = [of_system for of_system in counted if of_system.counts.system != DO_NOTHING or against_do_nothing]
        results = compare_counted(
            tested, options.tests, baseline=options.baseline, resampling=options.resampling.resampling
        )
        comparisons = {comparison.metric: comparison for comparison in results}
    parts, type_differences = _compare_by(tested, options) if comparisons else ({}, {})
    _warn_of_fallbacks(scores)
    range_findings = [f for metric, of_metric in by_metric.items() for f in out_of_range(of_metric, metric.columns)]
    if options.score_only or options.format in TIDY_FORMATS:  # no place for notes there
        print_all_findings(range_findings)
    if options.score_only:
        for score in (score for score in scores if not score.subset):
            print(f"{score.score_factor * score.score:.{options.width}f}")
    elif options.format == "json":
        from recte.output.document import json_pieces

        warnings = (*findings, *range_findings)
        for piece in json_pieces(scores, warnings, list(comparisons.values()), parts, type_differences):
            print(piece, end="")
        print()
    elif options.format in TIDY_FORMATS:
        delimiter = TIDY_FORMATS[options.format]
        print_lines(tidy_lines(scores, comparisons, delimiter, conventions=options.conventions))
    else:
        tables = _make_tables(by_metric, comparisons, parts, type_differences, options)
        if options.caption and len(tables) > 1:
            raise OptionError(f"--caption: expected one table, got {len(tables)}; --one-table makes one")
        if options.caption:
            tables = [replace(tables[0], caption=options.caption)]
        print_tables(tables if options.notes else [table.without_notes() for table in tables], options.format)
    return FAILED if count_failures(scores, limits) else 0


def _compare_by(
    tested: Sequence[SystemCounts], options: ScoreOptions
) -> tuple[dict[str, list[PartComparison]], dict[str, list[TypeDifference]]]:
    """Each system against the baseline in each part and by each type, by metric."""
    from recte.evaluation.part_comparison import compare_parts, compare_types
    from recte.statistics.comparison import compare_systems

    parts: dict[str, list[PartComparison]] = {}
    types: dict[str, list[TypeDifference]] = {}
    resampling, tests = options.resampling.resampling, options.tests
    for metric in dict.fromkeys(of_system.metric for of_system in tested):
        of_metric = [of_system for of_system in tested if of_system.metric == metric]
        if options.parts_by:
            compare = partial(
                compare_systems,
                metric=metric,
                baseline=options.baseline,
                test=tests.test,
                trials=tests.trials,
                alpha=tests.alpha,
                corrected=tests.holm,
                resampling=resampling,
            )
            parts[metric.name] = compare_parts(of_metric, options.parts_by, resampling, compare)
        if options.by_type and options.baseline is not None and all(c.counts.types is not None for c in of_metric):
            counts = [of_system.counts for of_system in of_metric]
            types[metric.name] = compare_types(counts, metric, options.baseline, resampling)
    return parts, types


def _type_signs(differences: Sequence[TypeDifference], options: ScoreOptions) -> tuple[dict[tuple[str, str], str], str]:
    """† or ‡ of systems and types, and what they mean."""
    tests = options.tests
    signs = {
        (d.system, d.type): BETTER if d.difference > 0 else WORSE
        for d in differences
        if (d.p_holm if tests.holm else d.p) < tests.alpha
    }
    corrected = f", corrected by Holm over {len(differences)} tests of systems and types" if tests.holm else ""
    how = f"paired bootstrap, by the normal distribution{corrected}"
    note = f"{BETTER} better, {WORSE} worse than {options.baseline}: p < {tests.alpha:g} by {how}"
    return signs, note if differences else ""


def _warn_of_fallbacks(scores: Sequence[Score]) -> None:
    for score in scores:
        if score.fallback_sentences and not score.subset:
            listed = ", ".join(map(str, score.fallback_sentences[:5]))
            more = ", ..." if len(score.fallback_sentences) > 5 else ""
            warn(
                f"{score.system}: {len(score.fallback_sentences)} sentence(s) "
                f"{metric_class(score.metric).inexact}: {listed}{more}"
            )


def _make_tables(
    by_metric: Mapping[Metric, Sequence[Score]],
    comparisons: Mapping[str, Comparison],
    parts: Mapping[str, Sequence[PartComparison]],
    type_differences: Mapping[str, Sequence[TypeDifference]],
    options: ScoreOptions,
) -> list[Table]:
    """Metric by metric or all metrics in one table, then parts and error types; as CSV one table."""
    digits, apart = options.width, options.format == "csv"
    by_sentence = options.sentence_level or options.edits
    columns_of = choose_columns(list(by_metric), options.columns)
    if apart and not (options.one_table and not options.by_type and not options.conventions):
        from recte.output.spreadsheet import spreadsheet_table

        return [
            spreadsheet_table(
                _title(options),
                by_metric,
                digits,
                sentences=by_sentence,
                texts=options.with_texts,
                conventions=options.conventions,
                comparisons=comparisons,
                columns_of=columns_of,
            )
        ]
    tables = []
    whole_of = {metric: [score for score in scores if not score.subset] for metric, scores in by_metric.items()}
    if options.one_table:
        intervals = options.shows_intervals
        tables.append(
            one_table(
                _title(options),
                by_metric if apart else whole_of,
                digits,
                intervals=intervals,
                apart=apart,
                comparisons=comparisons,
                columns_of=columns_of,
            )
        )
    for metric, scores in by_metric.items():
        whole = whole_of[metric]
        if by_sentence:
            tables.append(sentence_table(f"{metric.heading}, sentence by sentence", whole, digits))
        elif not options.one_table:
            comparison = comparisons.get(metric.name)
            tables.append(
                score_table(
                    metric.heading, whole, columns_of.get(metric.name, metric.columns), digits, comparison=comparison
                )
            )
        if options.parts_by and not by_sentence and not apart:
            title = f"{metric.heading} by {' and '.join(options.parts_by)}, with the number of sentences"
            shown = columns_of.get(metric.name, metric.main_columns)
            tested = [(part.subset, part.comparison) for part in parts.get(metric.name, ())]
            tables.append(part_table(title, scores, shown, digits, comparisons=tested))
        for score in scores:
            conventions = getattr(score, "conventions", None)
            if options.conventions and conventions is not None:
                tables.append(convention_table(score, conventions, digits))
        typed = [score for score in scores if score.types is not None and score.system != DO_NOTHING]
        if typed:
            from recte.output.score_tables import type_table

            title = f"{typed[0].full_name if len(typed) == 1 else metric.heading} by error type"
            signs, note = _type_signs(type_differences.get(metric.name, ()), options)
            intervals = options.resampling.ci is not None
            tables.append(type_table(title, typed, digits, intervals=intervals, signs=signs, sign_note=note))
            with_inner = [replace(score, types=inner) for score in typed if (inner := _types_with_inner(score))]
            if with_inner:
                tables.append(type_table(f"{title}, with edits inside word-order edits", with_inner, digits))
    return tables


def _types_with_inner(score: Score) -> Mapping[str, Mapping[str, Any]] | None:
    """The second table by type of a metric that has one."""
    types: Mapping[str, Mapping[str, Any]] | None = getattr(score, "types_with_inner", None)
    return types


def _title(options: ScoreOptions) -> str:
    """What one table of all metrics is called: after the gold, which counts files do not name."""
    named = options.gold.source or next(iter(options.gold.all_files), "")
    return "Scores" if not named or is_counts_file(named) else f"Scores on {stem(named)}"


COMMAND = Command(
    run=run,
    options=ScoreOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE -r REF... -i SYSTEM..."),
    examples=(
        ("recte score sample/gold.m2 sample/systems/wren.txt", "MaxMatch of one system, with its interval"),
        (
            "recte score sample/gold.m2 sample/systems/*.txt -m m2 gleu --one-table -f latex",
            "a table for a paper",
        ),
    ),
    common=(
        *("-m", "-s", "-r", "-i", "--one-table", "--sort", "--baseline", "-f", "-b", "-sl"),
        *("--by-type", "--by", "--no-ci", "--list"),
    ),
)

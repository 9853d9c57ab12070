"""`recte score GOLD SYSTEM...`: a table of scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from recte.cli.arguments import add_format, add_gold, add_names, add_width, check_width
from recte.cli.cluster import add_cluster
from recte.cli.counted_systems import add_resampling, counted_systems, resampling_of, summed_scores
from recte.cli.fail_under import FAILED, add_fail_under, count_failures, limits_of
from recte.cli.input_warnings import add_strict, expected_tokens, tell, tell_all
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.paired_tests import add_tests, against_do_nothing, check_baseline, compared
from recte.cli.parser import Parser, Version
from recte.corpus import DO_NOTHING
from recte.counting import SystemCounts
from recte.errors import OptionError
from recte.formats.counts import is_counts_file
from recte.formats.files import stem
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.plausibility.score_range import out_of_range
from recte.rendering.document import to_json
from recte.rendering.row_order import in_order
from recte.rendering.score_tables import convention_table, one_table, score_table, sentence_table
from recte.rendering.tables import Table
from recte.rendering.terminal import TABLE_FORMATS, print_tables
from recte.rendering.tidy import TIDY_FORMATS, to_tidy
from recte.scoring import score_counts
from recte.visible_text import visible

if TYPE_CHECKING:
    from recte.inference.comparison import Comparison


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--one-table", action="store_true", help="one row per system, all metrics side by side")
    output.add_argument("--sort", metavar="BY", help="rows by score, name, a metric, or its column (m2:R)")
    add_format(output, *TIDY_FORMATS)
    add_width(output)
    output.add_argument("-b", "--score-only", action="store_true", help="print the bare score, one line per system")
    output.add_argument("-sl", "--sentence-level", action="store_true", help="every sentence's score")
    output.add_argument(
        "--by-type", action="store_true", help="by error type, precision where known (metrics over edits)"
    )
    output.add_argument("--by", metavar="LABEL", help="a score for each value of a label, too")
    output.add_argument(
        "--edits", action="store_true", help="every sentence's edits with their verdicts (JSON; metrics over edits)"
    )
    output.add_argument("--conventions", action="store_true", help="one output by every way to count it (csc)")
    output.add_argument(
        "--do-nothing",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="a row for leaving the source alone, for metrics that it can win (default: in tables)",
    )
    add_names(output)
    add_fail_under(output)
    add_strict(output)
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    output.add_argument("-V", "--version", action=Version, nargs=0, help="print it and end")
    output.add_argument("--list", action="store_true", help="list the metrics and end")
    output.add_argument("--citation", action="store_true", help="print what to cite, as BibTeX, and end")
    add_resampling(parser).add_argument("--no-ci", action="store_true", help="no intervals")
    add_tests(parser, "† better, ‡ worse than this system (or do-nothing)")
    add_cluster(parser)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> int:
    check_width(arguments)
    prints_tables = arguments.format in TABLE_FORMATS and not arguments.score_only
    if prints_tables and arguments.one_table and (arguments.sentence_level or arguments.edits):
        raise OptionError("--one-table: expected scores of systems, got -sl or --edits, which are of sentences")
    check = PlausibilityCheck(expected=expected_tokens(arguments))
    idle = against_do_nothing(arguments)
    resampling = resampling_of(arguments) if _wants_intervals(arguments) else None
    counted: list[SystemCounts] = []
    by_metric: dict[Metric, list[Score]] = {}
    if arguments.cluster is not None and not _wants_counts(arguments):
        for metric, score in summed_scores(arguments, check, resampling, do_nothing=_wants_do_nothing(arguments)):
            by_metric.setdefault(metric, []).append(score)
    else:
        counted = counted_systems(
            arguments,
            check,
            types=arguments.by_type,
            edits=arguments.edits,
            do_nothing=idle or _wants_do_nothing(arguments),
            do_nothing_always=idle,
            refuse=lambda metrics, systems: _refuse(arguments, metrics, systems),
        )
    found = check.findings()
    tell(found, arguments)
    limits = limits_of(arguments, {*by_metric, *(one.metric for one in counted)})
    for of_system in counted:
        by_metric.setdefault(of_system.metric, []).extend(
            score_counts(of_system, sentences=arguments.sentence_level, by=arguments.by, resampling=resampling)
        )
    if arguments.sort is not None:
        first = next(iter(by_metric)).name
        by_metric = in_order(by_metric, first if arguments.one_table and arguments.sort == "score" else arguments.sort)
    scores = [score for of_metric in by_metric.values() for score in of_metric]
    if arguments.conventions and not any(hasattr(score, "conventions") for score in scores):
        raise OptionError("--conventions: none of the metrics has it; csc does")
    comparisons: dict[str, Comparison] = {}
    if arguments.baseline is not None:
        tested = [one for one in counted if one.counts.system != DO_NOTHING or idle]
        comparisons = {comparison.metric: comparison for comparison in compared(arguments, tested)}
    _warn(scores, arguments.quiet)
    beyond = [f for metric, of_metric in by_metric.items() for f in out_of_range(of_metric, metric.columns)]
    if arguments.score_only or arguments.format in TIDY_FORMATS:  # no place for notes there
        tell_all(beyond, arguments)
    if arguments.score_only:
        for score in (score for score in scores if not score.subset):
            print(f"{score.score_factor * score.score:.{arguments.width}f}")
    elif arguments.format == "json":
        print(to_json(scores, (*found, *beyond), list(comparisons.values())))
    elif arguments.format in TIDY_FORMATS:
        delimiter = TIDY_FORMATS[arguments.format]
        print(to_tidy(scores, comparisons, delimiter, conventions=arguments.conventions))
    else:
        print_tables(_tables(by_metric, comparisons, arguments), arguments.format)
    return FAILED if count_failures(scores, limits) else 0


def _refuse(arguments: argparse.Namespace, metrics: Sequence[Metric], systems: Sequence[str]) -> None:
    """Refuse what does not fit together before anything is counted."""
    check_baseline(arguments, systems)
    limits_of(arguments, metrics)


def _wants_counts(arguments: argparse.Namespace) -> bool:
    """Whether what was asked for needs a row for each sentence."""
    wanted = (arguments.sentence_level, arguments.edits, arguments.by_type, arguments.by, arguments.baseline)
    return any(wanted)


def _wants_do_nothing(arguments: argparse.Namespace) -> bool:
    """Beside the systems in every table, unless told otherwise; not among bare scores or in what programs read."""
    if arguments.do_nothing is not None:
        return bool(arguments.do_nothing)
    return arguments.format not in ("json", *TIDY_FORMATS) and not arguments.score_only


def _wants_intervals(arguments: argparse.Namespace) -> bool:
    """Unless told otherwise; one table for all metrics has them on request, since it is wide enough."""
    if arguments.no_ci or arguments.score_only:
        return False
    return arguments.ci is not None or not (arguments.one_table and arguments.format in TABLE_FORMATS)


def _warn(scores: Sequence[Score], quiet: bool) -> None:
    for score in scores:
        if score.fallback_sentences and not quiet and not score.subset:
            listed = ", ".join(map(str, score.fallback_sentences[:5]))
            more = ", ..." if len(score.fallback_sentences) > 5 else ""
            print(
                f"recte: warning: {visible(score.system)}: {len(score.fallback_sentences)} sentence(s) "
                f"{metric_class(score.metric).inexact}: {listed}{more}",
                file=sys.stderr,
            )


def _tables(
    by_metric: Mapping[Metric, Sequence[Score]], comparisons: Mapping[str, Comparison], arguments: argparse.Namespace
) -> list[Table]:
    """What was asked for, metric by metric or all metrics in one table, and error types below."""
    digits, apart = arguments.width, arguments.format == "csv"
    by_sentence = arguments.sentence_level or arguments.edits
    tables = []
    if arguments.one_table:
        intervals = _wants_intervals(arguments)
        tables.append(
            one_table(_title(arguments), by_metric, digits, intervals=intervals, apart=apart, comparisons=comparisons)
        )
    for metric, scores in by_metric.items():
        if by_sentence:
            whole = [score for score in scores if not score.subset]
            tables.append(sentence_table(f"{metric.title}, sentence by sentence", whole, digits))
        elif not arguments.one_table:
            comparison = comparisons.get(metric.name)
            tables.append(score_table(metric.title, scores, metric.columns, digits, apart=apart, comparison=comparison))
        for score in scores:
            conventions = getattr(score, "conventions", None)
            if arguments.conventions and conventions is not None:
                tables.append(convention_table(score, conventions, digits))
        typed = [score for score in scores if score.types is not None and score.system != DO_NOTHING]
        if typed:
            from recte.rendering.type_tables import type_table

            title = f"{typed[0].full_name if len(typed) == 1 else metric.title} by error type"
            tables.append(type_table(title, typed, digits, intervals=arguments.ci is not None))
    return tables


def _title(arguments: argparse.Namespace) -> str:
    """What one table of all metrics is called: after the gold, which counts files do not name."""
    named = arguments.source or next(iter([*arguments.files, *arguments.input]), "")
    return "Scores" if not named or is_counts_file(named) else f"Scores on {stem(named)}"

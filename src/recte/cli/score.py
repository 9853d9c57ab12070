"""`recte score GOLD SYSTEM...`: a table of scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from recte._version import __version__
from recte.cli.arguments import add_format, add_gold, add_names, add_width, check_width
from recte.cli.counted_systems import add_resampling, counted_systems, resampling_of
from recte.cli.input_warnings import add_strict, tell
from recte.cli.metric_flags import add_judges, add_metrics
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.metrics import metric_class
from recte.metrics.base import Score
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.rendering.document import to_json
from recte.rendering.tables import Table, convention_table, score_table, sentence_table, type_table
from recte.rendering.terminal import print_tables
from recte.scoring import score_counts
from recte.visible_text import visible


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    add_judges(parser)
    add_resampling(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--no-ci", action="store_true", help="no intervals")
    add_format(output)
    output.add_argument("-b", "--score-only", action="store_true", help="print the bare score, one line per system")
    add_width(output)
    output.add_argument("-sl", "--sentence-level", action="store_true", help="every sentence's score")
    output.add_argument("--edits", action="store_true", help="every sentence's edits with their verdicts (JSON; m2)")
    output.add_argument("--by-type", action="store_true", help="recall, and precision where known, by error type (m2)")
    output.add_argument("--conventions", action="store_true", help="one output by every way to count it (csc)")
    output.add_argument("--by", metavar="LABEL", help="a score for each value of a label, too")
    output.add_argument(
        "--do-nothing",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="a row for leaving the source alone, for metrics that it can win (default: in tables)",
    )
    add_names(output)
    add_strict(output)
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    output.add_argument("-V", "--version", action="version", version=f"recte {__version__}", help="print it and end")
    output.add_argument("--list", action="store_true", help="list the metrics and end")
    output.add_argument("--citation", action="store_true", help="print what to cite, as BibTeX, and end")
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    check = PlausibilityCheck()
    counted = counted_systems(
        arguments, check, types=arguments.by_type, edits=arguments.edits, do_nothing=_wants_do_nothing(arguments)
    )
    found = check.findings()
    tell(found, arguments)
    resampling = None if arguments.no_ci or arguments.score_only else resampling_of(arguments)
    scores = [
        score
        for of_system in counted
        for score in score_counts(of_system, sentences=arguments.sentence_level, by=arguments.by, resampling=resampling)
    ]
    if arguments.conventions and not any(hasattr(score, "conventions") for score in scores):
        raise OptionError("--conventions: none of the metrics has it; csc does")
    _warn(scores, arguments.quiet)
    if arguments.score_only:
        for score in (score for score in scores if not score.subset):
            print(f"{100 * score.score:.{arguments.width}f}")
    elif arguments.format == "json":
        print(to_json(scores, found))
    else:
        print_tables(_tables(scores, arguments), arguments.format)


def _wants_do_nothing(arguments: argparse.Namespace) -> bool:
    """Beside the systems in every table, unless told otherwise; not among bare scores or in JSON, unless asked for."""
    if arguments.do_nothing is not None:
        return bool(arguments.do_nothing)
    return arguments.format != "json" and not arguments.score_only


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


def _tables(scores: Sequence[Score], arguments: argparse.Namespace) -> list[Table]:
    tables = []
    for name in dict.fromkeys(score.metric for score in scores):
        of_metric = [score for score in scores if score.metric == name]
        metric = metric_class(name).from_options(of_metric[0].options)
        if arguments.sentence_level or arguments.edits:
            whole = [score for score in of_metric if not score.subset]
            tables.append(sentence_table(f"{metric.title}, sentence by sentence", whole, arguments.width))
        else:
            tables.append(
                score_table(metric.title, of_metric, metric.columns, arguments.width, apart=arguments.format == "csv")
            )
        for score in of_metric:
            conventions = getattr(score, "conventions", None)
            if arguments.conventions and conventions is not None:
                tables.append(convention_table(score, conventions, arguments.width))
            types = getattr(score, "types", None)
            if types is not None:
                tables.append(type_table(score, types, arguments.width))
    return tables

"""`errata score GOLD SYSTEM...`: a table of scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from errata._version import __version__
from errata.cli.arguments import (
    add_format,
    add_gold,
    add_metrics,
    add_width,
    check_width,
    given_options,
    gold_and_systems,
    metrics_of,
)
from errata.errors import InputError, OptionError
from errata.formats.counts import is_counts_file, read_counts
from errata.metrics import metric_class
from errata.metrics.base import Metric, Score
from errata.report.document import to_json
from errata.report.tables import Table, score_table, sentence_table, type_table
from errata.report.terminal import print_tables, progress_bar
from errata.scoring import SystemCounts, count_files, score_counts, system_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser)
    add_metrics(parser)
    output = parser.add_argument_group("output")
    add_format(output)
    output.add_argument("-b", "--score-only", action="store_true", help="print the bare score, a line a system")
    add_width(output)
    output.add_argument("-sl", "--sentence-level", action="store_true", help="every sentence's score")
    output.add_argument("--edits", action="store_true", help="every sentence's edits with their verdicts (JSON; m2)")
    output.add_argument("--by-type", action="store_true", help="recall, and precision where known, by error type (m2)")
    output.add_argument("--by", metavar="LABEL", help="a score for each value of a label, too")
    output.add_argument(
        "--do-nothing",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="a row for leaving the source alone, for metrics that it can win (default: in tables)",
    )
    output.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names of the systems, for their files")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    output.add_argument("-V", "--version", action="version", version=f"errata {__version__}", help="print it and end")
    output.add_argument("--list", action="store_true", help="list the metrics and end")
    output.add_argument("--citation", action="store_true", help="print what to cite, as BibTeX, and end")


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    counted = _counted(arguments)
    scores = [
        score
        for of_system in counted
        for score in score_counts(of_system, sentences=arguments.sentence_level, by=arguments.by)
    ]
    _warn(scores, arguments.quiet)
    if arguments.score_only:
        for score in (score for score in scores if not score.subset):
            print(f"{100 * score.score:.{arguments.width}f}")
    elif arguments.format == "json":
        print(to_json(scores))
    else:
        print_tables(_tables(scores, arguments), arguments.format)


def _counted(arguments: argparse.Namespace) -> list[SystemCounts]:
    files = [*arguments.files, *arguments.input]
    counts_files = [path for path in files if is_counts_file(path)]
    if counts_files and len(counts_files) == len(files) and arguments.source is None:
        return _from_counts_files(files, arguments)
    if counts_files:
        raise InputError("expected counts files alone, without gold or texts, got both", counts_files[0])
    metrics = metrics_of(arguments)
    _check_requests(arguments, metrics)
    gold, systems = gold_and_systems(arguments)
    named = system_names(systems or ["-"], arguments.names)
    with progress_bar("sentences", quiet=arguments.quiet) as advance:
        return count_files(
            gold,
            named,
            metrics,
            types=arguments.by_type,
            edits=arguments.edits,
            do_nothing=_wants_do_nothing(arguments),
            progress=advance,
        )


def _wants_do_nothing(arguments: argparse.Namespace) -> bool:
    """Beside the systems in every table, unless told otherwise; not among bare scores or in JSON, unless asked for."""
    if arguments.do_nothing is not None:
        return bool(arguments.do_nothing)
    return arguments.format != "json" and not arguments.score_only


def _check_requests(arguments: argparse.Namespace, metrics: Sequence[Metric]) -> None:
    for flag, wanted in (("--by-type", arguments.by_type), ("--edits", arguments.edits)):
        if wanted and not any(metric.has_edits for metric in metrics):
            raise OptionError(f"{flag}: none of the metrics {', '.join(m.name for m in metrics)} has it; m2 does")


def _from_counts_files(files: Sequence[str], arguments: argparse.Namespace) -> list[SystemCounts]:
    """Counts scored anew: options that do not change what was counted may differ from those they were made with."""
    if arguments.edits or (arguments.by_type and any(read_counts(path).types is None for path in files)):
        raise OptionError("counts files hold no edits, and error types only where they were counted with --by-type")
    wanted = {metric_class(name).name for name in arguments.metrics or ()}
    counted = []
    for name, path in system_names(files, arguments.names).items():
        counts = read_counts(path)
        if wanted and counts.metric not in wanted:
            raise OptionError(f"{path}: expected counts of {', '.join(sorted(wanted))}, got those of {counts.metric}")
        metric = metric_class(counts.metric).from_options({**counts.options, **given_options(arguments)})
        if counts.rows.shape[2:] != metric.cells:
            raise InputError("expected a counts file made by errata count, got something else", path)
        changed = metric.recount_needed(counts.options)
        if changed:
            raise OptionError(f"{path}: counted with another {changed}; count the system again")
        counted.append(SystemCounts(metric, replace(counts, system=name if arguments.names else counts.system)))
    return counted


def _warn(scores: Sequence[Score], quiet: bool) -> None:
    for score in scores:
        if score.fallback_sentences and not quiet and not score.subset:
            listed = ", ".join(map(str, score.fallback_sentences[:5]))
            more = ", ..." if len(score.fallback_sentences) > 5 else ""
            print(
                f"errata: warning: {score.system}: {len(score.fallback_sentences)} sentence(s) "
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
            tables.append(score_table(metric.title, of_metric, metric.columns, arguments.width))
        for score in of_metric:
            types = getattr(score, "types", None)
            if types is not None:
                tables.append(type_table(score, types, arguments.width))
    return tables

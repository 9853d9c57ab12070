"""Systems into counts, from texts or from counts files: what `score` and `compare` share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace

from recte.cli.cluster import check_cluster, counted_files, gold_and_named_systems, scored_files
from recte.cli.metric_flags import given_options, metrics_of
from recte.counting import SystemCounts
from recte.errors import InputError, OptionError
from recte.formats.counts import is_counts_file, read_counts
from recte.inference.bootstrap import INTERVAL_METHODS
from recte.inference.intervals import UNITS, Resampling
from recte.inputs import system_names
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.metrics.guarded import check_counts
from recte.plausibility.plausibility_check import PlausibilityCheck

__all__ = ["add_resampling", "counted_systems", "resampling_of", "summed_scores"]


def add_resampling(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """How intervals are made."""
    group = parser.add_argument_group("intervals")
    group.add_argument("--ci", choices=INTERVAL_METHODS, default=None, help="bootstrap interval (default percentile)")
    group.add_argument("--level", type=float, default=0.95, metavar="X", help="how sure (default 0.95)")
    group.add_argument("--resamples", type=int, default=1000, metavar="N", help="how many (default 1000)")
    group.add_argument("--seed", type=int, default=12345, metavar="N", help="of everything drawn (default 12345)")
    group.add_argument(
        "--unit", choices=UNITS, default="auto", help="what is drawn (default auto: documents if there are ten or more)"
    )
    return group


def resampling_of(arguments: argparse.Namespace) -> Resampling:
    method = arguments.ci or INTERVAL_METHODS[0]
    return Resampling(method, arguments.level, arguments.resamples, arguments.seed, arguments.unit)


def counted_systems(
    arguments: argparse.Namespace,
    check: PlausibilityCheck,
    *,
    types: bool = False,
    edits: bool = False,
    do_nothing: bool = False,
    do_nothing_always: bool = False,
    refuse: Callable[[Sequence[Metric], Sequence[str]], None] = lambda metrics, systems: None,
) -> list[SystemCounts]:
    """Every system by every metric; `do_nothing` adds the source left alone, for metrics that it can win or for all.

    `check` looks at the texts; counts files have none. `refuse` gets the metrics and the systems' names before texts
    are counted: what can be refused then costs no time and no money.
    """
    check_cluster(arguments)
    files = [*arguments.files, *arguments.input]
    counts_files = [path for path in files if is_counts_file(path)]
    if counts_files and len(counts_files) == len(files) and arguments.source is None:
        return _from_counts_files(files, arguments, types=types, edits=edits)
    if counts_files:
        raise InputError("expected counts files alone, without gold or texts, got both", counts_files[0])
    metrics = metrics_of(arguments)
    _check_requests(metrics, types=types, edits=edits)
    gold, systems = gold_and_named_systems(arguments, arguments.names)
    refuse(metrics, list(systems))
    return counted_files(
        arguments,
        gold,
        systems,
        metrics,
        check,
        types=types,
        edits=edits,
        do_nothing=do_nothing,
        do_nothing_always=do_nothing_always,
    )


def summed_scores(
    arguments: argparse.Namespace, check: PlausibilityCheck, resampling: Resampling | None, *, do_nothing: bool
) -> list[tuple[Metric, Score]]:
    """Scores that a cluster gives without counts: nothing but scores and intervals of whole systems is asked for."""
    check_cluster(arguments)
    metrics = metrics_of(arguments)
    gold, systems = gold_and_named_systems(arguments, arguments.names)
    return scored_files(arguments, gold, systems, metrics, check, resampling=resampling, do_nothing=do_nothing)


def _check_requests(metrics: Sequence[Metric], *, types: bool, edits: bool) -> None:
    for flag, refused in (
        ("--by-type", types and not any(metric.counts_types for metric in metrics)),
        ("--edits", edits and not any(metric.judges_edits for metric in metrics)),
    ):
        if refused:
            raise OptionError(
                f"{flag}: none of the metrics {', '.join(m.name for m in metrics)} has it; m2 and errant do"
            )


def _from_counts_files(
    files: Sequence[str], arguments: argparse.Namespace, *, types: bool, edits: bool
) -> list[SystemCounts]:
    """Counts scored anew: options that do not change what was counted may differ from those they were made with."""
    if edits or (types and any(read_counts(path).types is None for path in files)):
        raise OptionError("counts files hold no edits, and error types only where they were counted with --by-type")
    wanted = {metric_class(name).name for name in arguments.metrics or ()}
    seen: set[str] = set()
    counted = []
    for name, path in system_names(files, arguments.names).items():
        counts = read_counts(path)
        if wanted and counts.metric not in wanted:
            raise OptionError(f"{path}: expected counts of {', '.join(sorted(wanted))}, got those of {counts.metric}")
        cls = metric_class(counts.metric)
        metric = cls.from_options({**counts.options, **given_options(arguments, cls)})
        try:
            check_counts(metric, counts)
        except InputError as error:
            raise InputError(str(error), path) from None
        seen.add(counts.metric)
        counted.append(SystemCounts(metric, replace(counts, system=name if arguments.names else counts.system)))
    if wanted - seen:
        missing = ", ".join(sorted(wanted - seen))
        raise OptionError(f"-m: expected metrics that were counted ({', '.join(sorted(seen))}), got {missing} too")
    return counted

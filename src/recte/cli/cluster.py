"""Counting here or on a cluster: what `score`, `compare` and `count` share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recte.cli.arguments import gold_and_systems
from recte.counting import SystemCounts, count_files
from recte.errors import OptionError
from recte.inputs import GoldFiles, system_names
from recte.metrics.base import Metric
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.rendering.terminal import progress_bar
from recte.visible_text import visible

if TYPE_CHECKING:
    from recte.cluster.corpus_parts import Part
    from recte.cluster.counting_run import CountingRun
    from recte.cluster.part_counting import CountingJob
    from recte.inference.intervals import Resampling
    from recte.metrics.base import Score

__all__ = ["add_cluster", "check_cluster", "counted_files", "gold_and_named_systems", "scored_files"]


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Where parts are counted."""
    group = parser.add_argument_group("cluster")
    group.add_argument(
        "--cluster",
        metavar="WHERE",
        help="count on Dask's workers: a scheduler's address, or local[:N]; GOLD and SYSTEMs are then quoted globs or "
        "folders of part files",
    )
    group.add_argument("--checkpoint", metavar="FOLDER", help="keep finished parts, and take them from there")
    group.add_argument("--skip-bad-parts", action="store_true", help="leave out parts that cannot be read, and say so")


def _address(arguments: argparse.Namespace) -> str | None:
    """Where the cluster is; None on one machine, where commands stay that have no such flag."""
    address: str | None = getattr(arguments, "cluster", None)
    return address


def check_cluster(arguments: argparse.Namespace) -> None:
    """Whether the flags of a cluster fit together, before anything is read."""
    if _address(arguments) is None:
        for flag in ("checkpoint", "skip_bad_parts"):
            if getattr(arguments, flag, False):
                raise OptionError(f"--{flag.replace('_', '-')}: expected --cluster with it")
        return
    for flag, given, why in (
        ("--edits", getattr(arguments, "edits", False), "a cluster gives back counts alone"),
        ("--scores", getattr(arguments, "judges", ()), "a file of scores is no part of a corpus"),
    ):
        if given:
            raise OptionError(f"{flag}: expected one machine, since {why}, got --cluster")


def gold_and_named_systems(arguments: argparse.Namespace, names: Sequence[str]) -> tuple[GoldFiles, dict[str, str]]:
    """The gold, and the systems' files by name; on a cluster a name is that of a folder or a glob."""
    gold, systems = gold_and_systems(arguments)
    if _address(arguments) is None or names:
        return gold, system_names(systems or ["-"], names)
    from recte.cluster.corpus_parts import collection_name

    return gold, system_names(systems or ["-"], [collection_name(path) for path in systems])


def counted_files(
    arguments: argparse.Namespace,
    gold: GoldFiles,
    systems: Mapping[str, str],
    metrics: Sequence[Metric],
    check: PlausibilityCheck,
    *,
    types: bool = False,
    edits: bool = False,
    do_nothing: bool = False,
    do_nothing_always: bool = False,
    first: int = 0,
) -> list[SystemCounts]:
    """Every system by every metric, counted here or where `--cluster` says; `check` takes in what looks odd.

    The other parameters are those of `count_files`.
    """
    if _address(arguments) is None:
        with progress_bar("sentences", quiet=arguments.quiet, total=gold.expected_sentences) as advance:
            return count_files(
                gold,
                systems,
                metrics,
                types=types,
                edits=edits,
                do_nothing=do_nothing,
                do_nothing_always=do_nothing_always,
                first=first,
                look=check.look,
                refuse=check.refuse if arguments.strict else None,
                progress=advance,
            )
    job = _job(arguments, metrics, types, do_nothing, do_nothing_always)
    with _run(arguments, _paired(gold, systems), job, first) as run:
        corpus = run.counts()
    _restored(corpus.restored, arguments)
    check.join(corpus.check)
    if arguments.strict:
        check.refuse()
    return corpus.counted


def scored_files(
    arguments: argparse.Namespace,
    gold: GoldFiles,
    systems: Mapping[str, str],
    metrics: Sequence[Metric],
    check: PlausibilityCheck,
    *,
    resampling: Resampling | None,
    do_nothing: bool = False,
) -> list[tuple[Metric, Score]]:
    """The score of every system by every metric, where `--cluster` says, from sums where sums are enough."""
    from recte.cluster.scoring_run import ScoringRun

    job = _job(arguments, metrics, False, do_nothing, False)
    with _run(arguments, _paired(gold, systems), job) as run:
        corpus = ScoringRun(run, resampling).scores()
    _restored(corpus.restored, arguments)
    check.join(corpus.check)
    if arguments.strict:
        check.refuse()
    return corpus.scores


def _paired(gold: GoldFiles, systems: Mapping[str, str]) -> Sequence[Part]:
    """The parts, before any worker is started."""
    from recte.cluster.corpus_parts import paired_parts

    return paired_parts(gold, systems)


def _job(
    arguments: argparse.Namespace, metrics: Sequence[Metric], types: bool, do_nothing: bool, do_nothing_always: bool
) -> CountingJob:
    from recte.cluster.counting_run import checkpoint_folder
    from recte.cluster.part_counting import CountingJob

    for metric in metrics:
        if metric.one_machine:
            raise OptionError(f"{metric.name}: expected one machine, since {metric.one_machine}, got --cluster")
    return CountingJob(
        tuple(metrics),
        types=types,
        do_nothing=do_nothing,
        do_nothing_always=do_nothing_always,
        checkpoint=checkpoint_folder(arguments.checkpoint),
    )


@contextmanager
def _run(
    arguments: argparse.Namespace, parts: Sequence[Part], job: CountingJob, first: int = 0
) -> Iterator[CountingRun]:
    """A run on the cluster that was asked for, which shows how far it is."""
    from recte.cluster.counting_run import CountingRun
    from recte.cluster.dask_engine import connected

    with connected(_address(arguments) or "local") as engine:
        _tell(f"dashboard at {engine.dashboard}", arguments)
        with progress_bar("sentences", quiet=arguments.quiet, lines=True) as progress:
            yield CountingRun(
                engine,
                parts,
                job,
                first=first,
                skip_bad_parts=arguments.skip_bad_parts,
                expect=progress.expect,
                progress=progress,
                tell=lambda line: _tell(line, arguments),
            )


def _restored(parts: int, arguments: argparse.Namespace) -> None:
    if parts:
        _tell(f"parts taken from the checkpoint: {parts}", arguments)


def _tell(line: str, arguments: argparse.Namespace) -> None:
    if not arguments.quiet:
        print(f"recte: {visible(line)}", file=sys.stderr)

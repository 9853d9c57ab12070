"""Counting on a cluster: its options, and a run that shows how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recte.errors import OptionError
from recte.evaluation.counting import CountRequest, SystemCounts
from recte.evaluation.inputs import GoldFiles
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.messages import is_quiet, report
from recte.metrics.base import Metric
from recte.options import option
from recte.output.terminal import progress_bar

if TYPE_CHECKING:
    from recte.evaluation.cluster.counting_run import CountingRun
    from recte.metrics.base import Score
    from recte.statistics.intervals import Resampling

__all__ = ["ClusterOptions", "count_on_cluster", "score_on_cluster"]


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """Where parts are counted."""

    cluster: str | None = option(
        None,
        "count on Dask's workers: a scheduler's address or FILE.json, or local[:N]; GOLD and SYSTEMs are then quoted "
        "globs or folders of part files",
        kind=str,
        metavar="WHERE",
    )
    checkpoint: str | None = option(None, "keep finished parts, and take them from there", kind=str, metavar="FOLDER")
    skip_bad_parts: bool = option(False, "leave out parts that cannot be read, and say so")

    def check(self) -> None:
        """Refuse what has no meaning on one machine."""
        if self.cluster is None:
            for flag, is_set in (("--checkpoint", self.checkpoint), ("--skip-bad-parts", self.skip_bad_parts)):
                if is_set:
                    raise OptionError(f"{flag}: expected --cluster with it")


def count_on_cluster(
    options: ClusterOptions,
    gold: GoldFiles,
    systems: Mapping[str, str],
    metrics: Sequence[Metric],
    check: PlausibilityCheck,
    request: CountRequest,
    *,
    first: int = 0,
) -> list[SystemCounts]:
    """The counts of every system by every metric; `check` takes in what looks odd."""
    with _start_run(options, gold, systems, metrics, request, first) as run:
        corpus = run.counts()
    _report_restored(corpus.restored)
    check.join(corpus.check)
    return corpus.counted


def score_on_cluster(
    options: ClusterOptions,
    gold: GoldFiles,
    systems: Mapping[str, str],
    metrics: Sequence[Metric],
    check: PlausibilityCheck,
    request: CountRequest,
    resampling: Resampling | None,
) -> list[tuple[Metric, Score]]:
    """The score of every system by every metric, from sums where sums are enough."""
    from recte.evaluation.cluster.scoring_run import ScoringRun

    with _start_run(options, gold, systems, metrics, request) as run:
        corpus = ScoringRun(run, resampling).scores()
    _report_restored(corpus.restored)
    check.join(corpus.check)
    return corpus.scores


@contextmanager
def _start_run(
    options: ClusterOptions,
    gold: GoldFiles,
    systems: Mapping[str, str],
    metrics: Sequence[Metric],
    request: CountRequest,
    first: int = 0,
) -> Iterator[CountingRun]:
    """A run on the cluster that was asked for, which shows how far it is; files are paired before a worker starts."""
    from recte.evaluation.cluster.corpus_parts import pair_parts
    from recte.evaluation.cluster.counting_run import CountingRun, checkpoint_folder
    from recte.evaluation.cluster.dask_engine import connect
    from recte.evaluation.cluster.part_counting import CountingJob

    for metric in metrics:
        if metric.one_machine:
            raise OptionError(f"{metric.name}: expected one machine, since {metric.one_machine}, got --cluster")
    job = CountingJob(tuple(metrics), request, checkpoint=checkpoint_folder(options.checkpoint))
    parts = pair_parts(gold, systems)
    with connect(options.cluster or "local") as engine:
        _report_unless_quiet(f"workers: {engine.workers}; dashboard at {engine.dashboard}")
        with progress_bar("sentences", lines=True) as progress:
            yield CountingRun(
                engine,
                parts,
                job,
                first=first,
                skip_bad_parts=options.skip_bad_parts,
                expect=progress.expect,
                progress=progress,
                tell=_report_unless_quiet,
            )


def _report_restored(parts: int) -> None:
    if parts:
        _report_unless_quiet(f"parts taken from the checkpoint: {parts}")


def _report_unless_quiet(line: str) -> None:
    if not is_quiet():
        report(line)

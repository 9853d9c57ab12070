"""What a worker does: read a part, count it, keep the counts of finished parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from recte.cluster.corpus_parts import Part
from recte.corpus import DO_NOTHING
from recte.counting import SystemCounts, count_files
from recte.errors import InputError, RecteError
from recte.formats.file_formats import Survey
from recte.metrics.base import Metric
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.scoring import with_files
from recte.threads import at_most_threads

__all__ = ["BadPart", "CountedPart", "CountingJob", "count_part", "survey_part"]

Found = TypeVar("Found")


@dataclass(frozen=True)
class CountingJob:
    """What is counted of every part; the fields are those of `count_files`. `checkpoint` is a folder that all workers
    can write to.
    """

    metrics: tuple[Metric, ...]
    types: bool = False
    do_nothing: bool = False
    do_nothing_always: bool = False
    checkpoint: str | None = None

    def with_do_nothing(self, metric: Metric) -> bool:
        """Whether the source left alone is scored, too."""
        return self.do_nothing and (metric.do_nothing_can_win or self.do_nothing_always)

    def scored(self, metric: Metric, systems: Iterable[str]) -> list[str]:
        """Whose counts by a metric each part has, in order."""
        return list(dict.fromkeys([*systems, *([DO_NOTHING] if self.with_do_nothing(metric) else [])]))


@dataclass(frozen=True)
class CountedPart:
    """A part's counts, one for each system and metric, what looked odd in it, and whether a former run counted it."""

    part: Part
    counted: tuple[SystemCounts, ...]
    check: PlausibilityCheck
    restored: bool = False


@dataclass(frozen=True)
class BadPart:
    """A part that cannot be counted, and why."""

    part: Part
    error: RecteError

    @property
    def reason(self) -> InputError:
        """The error, which says in which part it is."""
        if isinstance(self.error, InputError) and self.error.file is not None:
            return self.error
        return InputError(str(self.error), self.part.name)


def survey_part(part: Part) -> Survey | BadPart:
    """What others must know of a part: how many sentences it has, to number those behind it, and whose gold."""
    return _or_bad(part, part.gold.survey)


def count_part(part: Part, job: CountingJob) -> CountedPart | BadPart:
    """Count a part, or take it from the checkpoint."""
    return _or_bad(part, lambda: _counted(part, job))


def _or_bad(part: Part, find: Callable[[], Found]) -> Found | BadPart:
    try:
        return find()
    except RecteError as error:
        return BadPart(part, error)


def _counted(part: Part, job: CountingJob) -> CountedPart:
    from recte.cluster.checkpoints import Checkpoint

    checkpoint = None if job.checkpoint is None else Checkpoint.of(part, job)
    if checkpoint is not None and (found := checkpoint.read()) is not None:
        return found
    check = PlausibilityCheck(part.first)
    with at_most_threads(1):
        counted = count_files(
            part.gold,
            part.systems,
            [with_files(metric) for metric in job.metrics],
            types=job.types,
            do_nothing=job.do_nothing,
            do_nothing_always=job.do_nothing_always,
            first=part.first,
            look=check.look,
        )
    for one in counted:
        if len(one.counts) != part.size:
            raise InputError(f"expected {part.size} sentences, as a first look found, got {len(one.counts)}", part.name)
    done = CountedPart(part, tuple(counted), check)
    if checkpoint is not None:
        checkpoint.write(done)
    return done

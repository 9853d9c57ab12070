"""What a worker does: read a part, count it, and store the counts of finished parts as checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, TypeVar

from recte._version import __version__
from recte.corpus.corpus import DO_NOTHING
from recte.errors import InputError, RecteError
from recte.evaluation.cluster.corpus_parts import Part
from recte.evaluation.counting import CountRequest, SystemCounts, count_files
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.evaluation.scoring import with_files
from recte.files import open_bytes, write_bytes
from recte.formats.counts import read_counts, write_counts
from recte.formats.file_formats import Survey
from recte.metrics.base import Metric
from recte.remote_files import file_stamp
from recte.threads import at_most_threads

__all__ = ["BadPart", "Checkpoint", "CountedPart", "CountingJob", "count_part", "or_bad_part", "survey_part"]

Found = TypeVar("Found")


@dataclass(frozen=True)
class CountingJob:
    """What is counted of every part. `checkpoint` is a folder that all workers can write to."""

    metrics: tuple[Metric, ...]
    request: CountRequest = CountRequest()
    checkpoint: str | None = None

    def systems_of(self, metric: Metric, systems: Iterable[str]) -> list[str]:
        """Whose counts by a metric each part has, in order."""
        return list(dict.fromkeys([*systems, *([DO_NOTHING] if self.request.adds_do_nothing(metric) else [])]))


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
    return or_bad_part(part, part.gold.survey)


def count_part(part: Part, job: CountingJob) -> CountedPart | BadPart:
    """Count a part, or take it from the checkpoint."""
    return or_bad_part(part, lambda: _count(part, job))


def or_bad_part(part: Part, find: Callable[[], Found]) -> Found | BadPart:
    """What the function returns, or the part with what is wrong in it: a task that raises would be run again."""
    try:
        return find()
    except RecteError as error:
        return BadPart(part, error)


def _count(part: Part, job: CountingJob) -> CountedPart:

    checkpoint = None if job.checkpoint is None else Checkpoint.of(part, job)
    if checkpoint is not None and (stored := checkpoint.read()) is not None:
        return stored
    check = PlausibilityCheck(part.first)
    with at_most_threads(1):
        counted = count_files(
            part.gold,
            part.systems,
            [with_files(metric) for metric in job.metrics],
            replace(job.request, is_part=True),
            first=part.first,
            look=check.look,
        )
    for system_counts in counted:
        if len(system_counts.counts) != part.size:
            raise InputError(
                f"expected {part.size} sentences, as a first look found, got {len(system_counts.counts)}", part.name
            )
    done = CountedPart(part, tuple(counted), check)
    if checkpoint is not None:
        checkpoint.write(done)
    return done


@dataclass(frozen=True)
class Checkpoint:
    """Where the counts of one part are kept. Its name holds a hash of all that had a say: files with their sizes and
    times, options, the version of recte; so that whatever changed is counted again.
    """

    part: Part
    job: CountingJob
    stem: str

    @classmethod
    def of(cls, part: Part, job: CountingJob) -> Checkpoint:
        job_values = {
            "version": __version__,
            "files": [[path, *file_stamp(path)] for path in part.files()],
            "systems": list(part.systems),
            "first": part.first,
            "gold": [
                part.gold.lenient,
                part.gold.tokens,
                part.gold.normalise,
                part.gold.annotators,
                part.gold.reading_used,
                part.gold.outputs,
                part.gold.output_tokens,
            ],
            "metrics": [[metric.name, metric.options(), *_load(metric)] for metric in job.metrics],
            "types": job.request.types,
            "do_nothing": [job.request.adds_do_nothing(metric) for metric in job.metrics],
        }
        key = blake2b(json.dumps(job_values, default=str).encode(), digest_size=8).hexdigest()
        return cls(part, job, f"{str(job.checkpoint).rstrip('/')}/part-{part.number:06}-{key}")

    def read(self) -> CountedPart | None:
        """The part as a former run counted it; None where none did, or where it was not finished."""
        try:
            with open_bytes(f"{self.stem}.json") as stream:
                values = json.loads(stream.read())
            counted = [
                SystemCounts(self.job.metrics[metric], read_counts(f"{self.stem}-{number}.counts"))
                for number, metric in enumerate(values["metrics"])
            ]
            return CountedPart(self.part, tuple(counted), PlausibilityCheck.from_plain(values["check"]), restored=True)
        except (InputError, ValueError, KeyError, TypeError, IndexError):
            return None

    def write(self, done: CountedPart) -> None:
        """The counts first, then what says that they are whole."""
        for number, system_counts in enumerate(done.counted):
            write_counts(f"{self.stem}-{number}.counts", system_counts.counts)
        values = {
            "metrics": [self.job.metrics.index(system_counts.metric) for system_counts in done.counted],
            "check": done.check.to_plain(),
        }
        write_bytes(f"{self.stem}.json", json.dumps(values).encode())


def _load(metric: Metric) -> list[Any]:
    """Files that options name, such as weights of edits, with their sizes and times."""
    stamps = []
    for f in metric.option_fields:
        if f.metadata.get("loader") and getattr(metric, f.name):
            try:
                stamps.append(file_stamp(getattr(metric, f.name)))
            except InputError:  # a function, not a file
                stamps.append([])
    return stamps

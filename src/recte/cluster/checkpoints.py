"""Finished parts in a folder: counts files, and one small JSON file that says the part is whole."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any

from recte._version import __version__
from recte.cluster.corpus_parts import Part
from recte.cluster.part_counting import CountedPart, CountingJob
from recte.counting import SystemCounts
from recte.errors import InputError
from recte.formats.addresses import file_stamp
from recte.formats.counts import read_counts, write_counts
from recte.formats.files import open_bytes, write_bytes
from recte.metrics.base import Metric
from recte.plausibility.plausibility_check import PlausibilityCheck

__all__ = ["Checkpoint"]


@dataclass(frozen=True)
class Checkpoint:
    """Where the counts of one part are kept. Its name holds a hash of all that had a say: files with their sizes and
    times, options, the version of recte; so that whatever changed is counted anew.
    """

    part: Part
    job: CountingJob
    stem: str

    @classmethod
    def of(cls, part: Part, job: CountingJob) -> Checkpoint:
        said = {
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
            ],
            "metrics": [[metric.name, metric.options(), *_loaded(metric)] for metric in job.metrics],
            "types": job.types,
            "do_nothing": [job.with_do_nothing(metric) for metric in job.metrics],
        }
        key = blake2b(json.dumps(said, default=str).encode(), digest_size=8).hexdigest()
        return cls(part, job, f"{str(job.checkpoint).rstrip('/')}/part-{part.number:06}-{key}")

    def read(self) -> CountedPart | None:
        """The part as a former run counted it; None where none did, or where it was not finished."""
        try:
            with open_bytes(f"{self.stem}.json") as stream:
                said = json.loads(stream.read())
            counted = [
                SystemCounts(self.job.metrics[metric], read_counts(f"{self.stem}-{number}.counts"))
                for number, metric in enumerate(said["metrics"])
            ]
            return CountedPart(self.part, tuple(counted), PlausibilityCheck.from_plain(said["check"]), restored=True)
        except (InputError, ValueError, KeyError, TypeError, IndexError):
            return None

    def write(self, done: CountedPart) -> None:
        """The counts first, then what says that they are whole."""
        for number, one in enumerate(done.counted):
            write_counts(f"{self.stem}-{number}.counts", one.counts)
        said = {
            "metrics": [self.job.metrics.index(one.metric) for one in done.counted],
            "check": done.check.to_plain(),
        }
        write_bytes(f"{self.stem}.json", json.dumps(said).encode())


def _loaded(metric: Metric) -> list[Any]:
    """Files that options name, such as weights of edits, with their sizes and times."""
    stamps = []
    for f in fields(metric):
        if f.metadata.get("loader") and getattr(metric, f.name):
            try:
                stamps.append(file_stamp(getattr(metric, f.name)))
            except InputError:  # a function, not a file
                stamps.append([])
    return stamps

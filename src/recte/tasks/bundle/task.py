"""A shared task in the organisers' words: phases, test sets, metrics, and where their files are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from recte.evaluation.inputs import GoldFiles
from recte.metrics.base import Metric
from recte.text.segmenters import segmenter_package

__all__ = [
    "SET_NAME",
    "ChosenMetric",
    "FactSheetQuestion",
    "Phase",
    "PhaseData",
    "Task",
    "TaskPage",
    "TaskTestSet",
    "python_of_image",
]

SET_NAME = re.compile("[a-z][a-z0-9_]{0,15}")  # columns are named after test sets, and the platform has 36 characters


@dataclass(frozen=True)
class TaskPage:
    """A page of the competition."""

    title: str
    file: Path


@dataclass(frozen=True)
class TaskTestSet:
    """What every phase has data for: a language, a domain, a track. `submission` is the file that participants send.

    One that is `optional` may be left out of a submission; its sources, unchanged, then count for it.
    """

    __test__ = False  # no test, whatever pytest thinks of its name

    name: str
    title: str
    submission: str
    tokens: str | None = None
    normalise: tuple[str, ...] = ()
    reading: str | None = None
    optional: bool = False


@dataclass(frozen=True)
class ChosenMetric:
    """A metric with its options; the test sets that it scores; further figures of it that the leaderboard shows."""

    metric: Metric
    test_sets: tuple[str, ...]
    figures: tuple[str, ...] = ()
    title: str | None = None


@dataclass(frozen=True)
class PhaseData:
    """The gold of one test set in one phase, and outputs of fixed baselines by name.

    `sample` is a submission that changes nothing; without it, the sources serve, one per line.
    """

    gold: GoldFiles
    sample: Path | None = None
    baselines: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Phase:
    """When and how often participants may send, and what they are scored on. Times are in UTC.

    With `hide_scores` the platform scores nothing: its logs and its board have no figures, and it gets no gold.
    """

    name: str
    description: str
    start: datetime
    end: datetime | None
    submissions_per_day: int | None
    submissions: int | None
    seconds: int
    hide_scores: bool
    public_sources: bool
    detailed_results: bool
    data: Mapping[str, PhaseData]

    def baselines_of(self, test_sets: Sequence[TaskTestSet]) -> list[str]:
        """The names of baselines that have outputs for all these sets."""
        first, *others = (self.data[test_set.name].baselines for test_set in test_sets)
        return [name for name in first if all(name in of_set for of_set in others)]


@dataclass(frozen=True)
class FactSheetQuestion:
    """What participants are asked about each submission; `selection` are the answers of a select."""

    key: str
    kind: str  # checkbox, text, select
    title: str
    selection: tuple[str, ...]
    required: bool
    on_leaderboard: bool


@dataclass(frozen=True)
class Task:
    """Everything a bundle is made from. `file` is the task file; other paths are found."""

    file: Path
    title: str
    description: str
    terms: Path
    logo: Path
    pages: tuple[TaskPage, ...]
    image: str
    python: str
    queue: str | None
    email: str | None
    reward: str | None
    open_registration: bool
    leaderboard: str  # whose submission it shows: best, last, chosen
    hidden_leaderboard: bool
    forum: bool
    public_submissions: bool
    fact_sheet: tuple[FactSheetQuestion, ...]
    refuse: tuple[str, ...]  # kinds of findings by which a submission fails
    digits: int
    intervals: bool
    memory: int
    largest_file: int | None
    longest_line: int | None
    packages: tuple[str, ...]
    test_sets: tuple[TaskTestSet, ...]
    metrics: tuple[ChosenMetric, ...]
    phases: tuple[Phase, ...]

    @property
    def needed_packages(self) -> tuple[str, ...]:
        """Those that the task names, and those that cut its texts."""
        cutting = (segmenter_package(test_set.tokens) for test_set in self.test_sets)
        return tuple(dict.fromkeys([*self.packages, *(name for name in cutting if name is not None)]))

    def metrics_of(self, test_set: TaskTestSet) -> tuple[ChosenMetric, ...]:
        """The metrics of a test set, the main one first."""
        return tuple(chosen for chosen in self.metrics if test_set.name in chosen.test_sets)

    def is_ranked(self, *test_sets: TaskTestSet) -> bool:
        """Whether every phase has a baseline with outputs for all these sets, so that submissions can be ranked."""
        return all(phase.baselines_of(test_sets) for phase in self.phases)


def python_of_image(image: str) -> str | None:
    """The Python of an official image, from its tag.

    >>> python_of_image("python:3.12-slim"), python_of_image("debian:12")
    ('3.12', None)
    """
    name, _, tag = image.partition("@")[0].rpartition(":")
    parts = tag.split("-")[0].split(".")
    if name.rpartition("/")[2] != "python" or len(parts) < 2 or not all(part.isdecimal() for part in parts[:2]):
        return None
    return ".".join(parts[:2])

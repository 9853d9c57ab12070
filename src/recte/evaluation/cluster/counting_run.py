"""A corpus in parts, counted by an engine: parts are sized, numbered, counted, and their counts merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recte.corpus.corpus import annotator_order
from recte.corpus.count_merging import merge
from recte.errors import InputError, OptionError
from recte.evaluation.cluster.corpus_parts import Part
from recte.evaluation.cluster.engines import Engine
from recte.evaluation.cluster.part_counting import BadPart, CountedPart, CountingJob, count_part, survey_part
from recte.evaluation.counting import SystemCounts
from recte.evaluation.plausibility.finding import Sighting
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.formats.file_formats import Survey
from recte.remote_files import is_address

__all__ = ["CountedCorpus", "CountingRun", "checkpoint_folder"]


@dataclass(frozen=True)
class CountedCorpus:
    """Every system by every metric, what looked odd, and how many parts a former run had counted."""

    counted: list[SystemCounts]
    check: PlausibilityCheck
    restored: int


@dataclass
class CountingRun:
    """Counts a gold and systems part by part; `listed` are the parts, as `pair_parts` finds them.

    `first` is the place of the first sentence. `skip_bad_parts` leaves out parts that cannot be read, instead of
    ending at the first; their sentences keep their numbers. `expect` is told how many sentences there are, `progress`
    how many more are done, and `tell` what is wrong with a part that is skipped.
    """

    engine: Engine
    listed: Sequence[Part]
    job: CountingJob
    first: int = 0
    skip_bad_parts: bool = False
    expect: Callable[[int], None] = lambda sentences: None
    progress: Callable[[int], None] = lambda sentences: None
    tell: Callable[[str], None] = lambda line: None
    bad: list[BadPart] = field(default_factory=list)

    def parts(self) -> list[Part]:
        """The parts, their sentences numbered, each with the annotators of all."""
        tasks = {self.engine.submit(survey_part, part): part.number for part in self.listed}
        surveys: dict[int, Survey] = {}
        for task, survey in self.engine.as_finished(list(tasks)):
            if isinstance(survey, BadPart):
                self.skip(survey)
            else:
                surveys[tasks[task]] = survey
        everyone = {name for survey in surveys.values() for name in survey.annotators}
        annotators = tuple(sorted(everyone, key=annotator_order))
        documents = any(survey.documents for survey in surveys.values())
        numbered, first = [], self.first
        for part in self.listed:
            size = surveys[part.number].sentences if part.number in surveys else 0
            if size:
                gold = replace(part.gold, annotators=annotators)
                numbered.append(replace(part, gold=gold, first=first, size=size, documents=documents))
                first += size
            elif part.number in surveys:
                self.skip(BadPart(part, InputError("expected at least one sentence, got none", part.name)))
        self.check_some(numbered)
        self.expect(sum(part.size for part in numbered))
        return numbered

    def skip(self, bad: BadPart) -> None:
        """Leave a part out, or end with what is wrong with it."""
        if not self.skip_bad_parts:
            raise bad.reason
        self.bad.append(bad)
        self.tell(f"skipped a part: {bad.reason}")

    def check_some(self, parts: Sequence[object]) -> None:
        """Refuse a corpus of which nothing is left."""
        if not parts:
            raise self.bad[0].reason

    def counts(self) -> CountedCorpus:
        """All counts, brought here and merged."""
        parts = self.parts()
        tasks: dict[Any, int] = {self.engine.submit(count_part, part, self.job): part.number for part in parts}
        done: dict[int, CountedPart] = {}
        for task, outcome in self.engine.as_finished(list(tasks)):
            number = tasks.pop(task)
            if isinstance(outcome, BadPart):
                self.skip(outcome)
            else:
                done[number] = outcome
                self.progress(outcome.part.size)
        in_order = [done[number] for number in sorted(done)]
        self.check_some(in_order)
        check = self.join_checks([part.check for part in in_order])
        return CountedCorpus(_merge(in_order), check, sum(part.restored for part in in_order))

    def join_checks(self, checks: Sequence[PlausibilityCheck]) -> PlausibilityCheck:
        """What looked odd in all parts, and how many were skipped."""
        check = PlausibilityCheck()
        for part_check in checks:
            check.join(part_check)
        if self.bad:
            bad = sorted(self.bad, key=lambda one: one.part.number)
            numbers = tuple(part_check.part.number + 1 for part_check in bad)
            check.add([Sighting("bad-parts", "gold", numbers, len(checks) + len(bad), str(bad[0].reason))])
        return check


def _merge(parts: Sequence[CountedPart]) -> list[SystemCounts]:
    """Part by part the same systems and metrics, in the same order."""
    return [
        SystemCounts(of_all[0].metric, merge([part.counts for part in of_all]))
        for of_all in zip(*(p.counted for p in parts), strict=True)
    ]


def checkpoint_folder(path: str | Path | None) -> str | None:
    """The folder as workers find it, made where it is not there."""
    if path is None or is_address(path):
        return None if path is None else str(path)
    try:
        Path(path).mkdir(exist_ok=True)
    except OSError as error:
        raise OptionError(f"checkpoint: cannot make the folder {path}: {error.strerror}") from None
    return str(Path(path).resolve())

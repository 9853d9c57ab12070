"""A bundle tried offline: would the platform read it as meant, and what does a submission to one of its phases get?"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recte.errors import InputError, OptionError, describe_choices
from recte.evaluation.counting import CHUNK
from recte.evaluation.plausibility.finding import WARNING
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.tasks.bundle.bundle_files import BundleFiles, read_yaml, zip_files
from recte.tasks.bundle.codabench import UNPACKED, find_foreign_file, list_scored_sets, sample_submission
from recte.tasks.bundle.competition_check import COMPETITION, check_competition, competition_warnings
from recte.tasks.bundle.leaderboard_columns import explain_missing_ranks
from recte.tasks.bundle.program.submission_check import BadSubmissionError
from recte.tasks.bundle.task import Task, python_of_image
from recte.tasks.bundle.worker import BAD_ZIP, Outcome, interpreter, run_submission

__all__ = ["CheckedBundle", "read_bundle", "task_warnings", "try_samples", "visibility_warnings"]


@dataclass(frozen=True)
class CheckedBundle:
    """A bundle that the platform reads as it is meant."""

    files: BundleFiles
    competition: Mapping[str, Any]
    warnings: tuple[str, ...]

    @property
    def phases(self) -> Sequence[str]:
        return [phase["name"] for phase in self.competition["phases"]]

    @property
    def columns(self) -> dict[str, str]:
        """Titles of the columns that a submission's scores fill, by key; the platform itself fills computed ones."""
        columns = self.competition["leaderboards"][0]["columns"]
        return {column["key"]: column["title"] for column in columns if "computation" not in column}

    def phase(self, name: str | None) -> Mapping[str, Any]:
        """A phase by its name; the first where none is named."""
        phases = self.competition["phases"]
        matching = [phase for phase in phases if name is None or phase["name"] == name]
        if not matching:
            raise OptionError(f"phase: {describe_choices(self.phases, name)}")
        chosen: Mapping[str, Any] = matching[0]
        return chosen

    def task(self, phase: Mapping[str, Any]) -> Mapping[str, Any]:
        """The task of a phase; the first where there are several."""
        index = phase["tasks"][0]
        task: Mapping[str, Any] = next(entry for entry in self.competition["tasks"] if entry["index"] == index)
        if "key" in task or "ingestion_program" in task:
            raise InputError(f"task {index}: expected a program and data inside the bundle, without ingestion")
        return task

    def sample(self, phase: Mapping[str, Any]) -> bytes | None:
        """The sample submission of a phase, if the bundle has one."""
        for solution in self.competition.get("solutions") or ():
            if phase["tasks"][0] in solution["tasks"] and solution.get("path", "").endswith(".zip"):
                return self.files.read(solution["path"])
        return None

    def submit(
        self,
        submission: str | Path,
        phase_name: str | None = None,
        *,
        python: str | None = None,
        run_code: bool = False,
    ) -> Outcome:
        """How a submission to a phase ends; `python` is the image's version, where its name does not say it.

        A scoring program with code that is not recte's own, or a submission with a command, runs with `run_code` only.
        """
        phase = self.phase(phase_name)
        task = self.task(phase)
        program = self.files.data(task["scoring_program"])
        foreign = None if run_code else find_foreign_file(program)
        if foreign is not None:
            build = Path(foreign).name.startswith("recte-")
            what = "another build of recte" if build else "code that is not recte's own"
            remedy = "make the bundle again by recte bundle codabench; or " if build else ""
            raise OptionError(
                f"{self.files.name}: the scoring program has {what} ({foreign}): {remedy}--run-code runs it here, with "
                "your rights"
            )
        image = self.competition.get("docker_image", "")
        version = python or python_of_image(image)
        if version is None:
            raise OptionError(f"--python: expected the version of Python in {image or 'the image'}, got nothing")
        if Path(submission).is_dir():
            raise InputError("expected the zip of a submission, got a folder: make a zip of its files", str(submission))
        if not Path(submission).is_file():
            raise InputError("no such file", str(submission))
        reference = task.get("reference_data")
        with tempfile.TemporaryDirectory(prefix="recte-") as folder:
            try:
                outcome = run_submission(
                    program,
                    BundleFiles("no data", {}) if reference is None else self.files.data(reference),
                    Path(submission),
                    Path(folder),
                    python=version,
                    seconds=phase.get("execution_time_limit", 600),
                    largest=UNPACKED,
                    run_code=run_code,
                )
            except BadSubmissionError as error:
                raise InputError(str(error)) from None
        if outcome.tooltip == BAD_ZIP:
            return replace(outcome, details=f"expected a zip with {self._list_files(task)}")
        return outcome

    def _list_files(self, task: Mapping[str, Any]) -> str:
        """The files of a submission, where the bundle's task is recte's own."""
        try:
            files = json.loads(self.files.data(task["reference_data"]).read("task.json"))["files"]
            return " and ".join(file["file"] for file in files)
        except (KeyError, TypeError, ValueError):
            return "the files that the pages of the task name"


def try_samples(task: Task, bundle: CheckedBundle) -> None:
    """Score a submission that changes nothing in every phase: whatever cannot run is found before the task begins."""
    if interpreter(task.python) is None:
        raise InputError(
            f"expected Python {task.python} here, to try the bundle, found none (--no-try writes it untried)",
            str(task.file),
        )
    for phase in task.phases:
        with tempfile.TemporaryDirectory(prefix="recte-") as folder:
            sample = Path(folder, "sample_submission.zip")
            sample.write_bytes(zip_files(sample_submission(task, phase)))
            outcome = bundle.submit(sample, phase.name, python=task.python, run_code=True)  # made just now
            refusal = outcome.refusal(bundle.columns)
        if refusal is not None:
            raise InputError(f"{phase.name}: the sample submission: {refusal}", str(task.file))


def task_warnings(task: Task) -> list[str]:
    """What looks wrong with gold or baselines of the task, and which columns it has to go without."""
    lines = explain_missing_ranks(task)
    for phase in task.phases:
        for scored_set in list_scored_sets(task, phase):
            check = PlausibilityCheck()
            for corpus, baselines in scored_set.gold.chunks(scored_set.baselines, CHUNK):
                check.look(corpus, baselines)
            place = f"{phase.name}: {scored_set.name}"
            lines += [f"{place}: {finding}" for finding in check.findings() if finding.level == WARNING]
    return lines


def visibility_warnings(task: Task) -> list[str]:
    """What others can see of the task's data and scores before they should, by what Codabench 1.25 is known to do."""
    lines = []
    for phase in task.phases[1:]:
        if phase.public_sources:
            lines.append(
                f"{phase.name}: its sentences are public from the first day, in the starting kit; "
                "public_sources = false keeps them out of it"
            )
    last = task.phases[-1]
    if not last.hide_scores:
        lines.append(
            f"{last.name}: its gold is in the bundle, and Codabench 1.25 gives it to anybody who asks its API; "
            "hide_scores = true leaves it out, and recte bundle leaderboard scores offline"
        )
        if task.hidden_leaderboard:
            lines.append(
                "hidden_leaderboard: Codabench shows it to anybody who asks its API; "
                f"hide_scores = true in {last.name} shows no figure"
            )
    return lines


def read_bundle(files: BundleFiles) -> CheckedBundle:
    """Read a bundle; refused where the platform would refuse or misread it."""
    if COMPETITION not in files:
        raise InputError(f"expected {COMPETITION} at the root of the zip, found none", files.name)
    competition = read_yaml(files.read(COMPETITION), f"{files.name}: {COMPETITION}")
    if isinstance(competition, dict) and str(competition.get("version", 1)) in ("1", "1.0", "1.5"):
        raise InputError(
            "expected a bundle of version 2, got one of the older CodaLab (version 1): recte reads none of these; "
            "Codabench converts them when they are uploaded",
            f"{files.name}: {COMPETITION}",
        )
    check_competition(competition, files)
    return CheckedBundle(files, competition, tuple(competition_warnings(competition)))

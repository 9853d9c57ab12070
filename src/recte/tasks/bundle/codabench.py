"""A task as a competition bundle for Codabench: every file of it, checked before anything is written.

A task as competition.yaml, version 2, for Codabench: one task for each phase, times in quotes and UTC.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from recte.errors import InputError
from recte.evaluation.inputs import GoldFiles
from recte.extras import optional
from recte.formats.file_formats import output_format
from recte.metrics.base import Metric
from recte.tasks.bundle.bundle_files import BundleFiles, zip_files
from recte.tasks.bundle.competition_check import COMPETITION, check_competition
from recte.tasks.bundle.leaderboard_columns import LeaderboardColumn, leaderboard_columns
from recte.tasks.bundle.program.submission_check import ExpectedFile
from recte.tasks.bundle.scoring_task import ScoredSet, ScoringTask
from recte.tasks.bundle.task import Phase, PhaseData, Task, TaskTestSet
from recte.tasks.bundle.task_file import LEADERBOARD
from recte.tasks.bundle.wheels import Wheel, is_installed

__all__ = [
    "PROGRAM",
    "UNPACKED",
    "bundle_files",
    "competition",
    "find_foreign_file",
    "kit_path",
    "list_expected_files",
    "list_scored_sets",
    "page_path",
    "reference_path",
    "sample_path",
    "sample_submission",
    "to_yaml",
]

PROGRAM = "scoring_program/"


def reference_path(number: int) -> str:
    return f"reference_data/{number}/"


def kit_path(number: int) -> str:
    return f"starting_kit/{number}/"


def sample_path(number: int) -> str:
    return f"{kit_path(number)}sample_submission.zip"


def page_path(task: Task, number: int) -> str:
    """A page's place; the terms are number 0."""
    file = task.terms if number == 0 else task.pages[number - 1].file
    return f"pages/{number}{file.suffix or '.md'}"


def competition(task: Task, columns: Sequence[LeaderboardColumn], image: str) -> dict[str, Any]:
    """What competition.yaml says; `image` is the place of the logo."""
    phases = list(enumerate(task.phases))
    about = {"queue": task.queue, "contact_email": task.email, "reward": task.reward}
    return {
        "version": 2,
        "title": task.title,
        "description": task.description,
        "image": image,
        "terms": page_path(task, 0),
        "docker_image": task.image,
        **{key: value for key, value in about.items() if value is not None},
        "registration_auto_approve": task.open_registration,
        "enable_detailed_results": any(phase.detailed_results for phase in task.phases),
        "forum_enabled": task.forum,
        "can_participants_make_submissions_public": task.public_submissions,
        **({"fact_sheet": _fact_sheet(task)} if task.fact_sheet else {}),
        "make_programs_available": False,
        "make_input_data_available": False,
        "pages": [{"title": page.title, "file": page_path(task, n)} for n, page in enumerate(task.pages, 1)],
        "tasks": [
            {
                "index": number,
                "name": phase.name,
                "description": phase.description,
                "scoring_program": PROGRAM,
                "reference_data": reference_path(number),
            }
            for number, phase in phases
        ],
        "solutions": [
            {"index": number, "name": f"Do nothing ({phase.name})", "path": sample_path(number), "tasks": [number]}
            for number, phase in phases
            if phase.public_sources
        ],
        "phases": [_phase(number, phase) for number, phase in phases],
        "leaderboards": [
            {
                "title": "Results",
                "key": "results",
                "hidden": task.hidden_leaderboard,
                "primary_index": 0,
                "submission_rule": LEADERBOARD[task.leaderboard],
                "columns": [column.entry(index) for index, column in enumerate(columns)],
            }
        ],
    }


def _fact_sheet(task: Task) -> dict[str, Any]:
    """The questions as the platform wants them: six fields each, truths as texts where it has texts."""
    return {
        question.key: {
            "key": question.key,
            "type": question.kind,
            "title": question.title,
            "selection": {"checkbox": [True, False], "text": ""}.get(question.kind, list(question.selection)),
            "is_required": str(question.required).lower(),
            "is_on_leaderboard": str(question.on_leaderboard).lower(),
        }
        for question in task.fact_sheet
    }


def _phase(number: int, phase: Phase) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "index": number,
        "name": phase.name,
        "description": phase.description,
        "start": _time(phase.start),
        "end": None if phase.end is None else _time(phase.end),
        "max_submissions_per_day": phase.submissions_per_day,
        "max_submissions": phase.submissions,
        "execution_time_limit": phase.seconds,
        "hide_output": False,  # it would hide from participants why a submission failed
        "hide_score_output": phase.hide_scores,
        "starting_kit": kit_path(number),
        "tasks": [number],
    }
    return entry


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"


def to_yaml(values: dict[str, Any]) -> bytes:
    """YAML by the platform's own library, which quotes what it would else read as a time."""
    yaml = optional("yaml", extra="bundle", purpose="writing competition.yaml")
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=100)
    return text.encode()


# Names of a submission's files are given, so the kit's check can say how large all of them may be together.
UNPACKED = 1 << 30
_LONGER_THAN_SOURCE = 10  # a correction ten times as long as the longest source is none
_LEAST_LINE, _LEAST_FILE = 10_000, 1_000_000


def bundle_files(task: Task, wheels: Sequence[Wheel]) -> BundleFiles:
    """The whole bundle; refused where the platform would refuse or misread it."""
    columns = leaderboard_columns(task)
    logo = f"logo{task.logo.suffix}"
    contents = {COMPETITION: to_yaml(competition(task, columns, logo)), logo: _content(task.logo)}
    contents[page_path(task, 0)] = _content(task.terms)
    for number, page in enumerate(task.pages, 1):
        contents[page_path(task, number)] = _content(page.file)
    for number, phase in enumerate(task.phases):
        contents.update(_phase_files(task, number, phase, columns))
    contents |= {f"{PROGRAM}{name}": content for name, content in _program_files().items()}
    for wheel in wheels:
        contents[f"{PROGRAM}wheels/{wheel.file}"] = wheel.content
    made = BundleFiles(str(task.file), contents)
    check_competition(competition(task, columns, logo), made)
    return made


def _program_files() -> dict[str, bytes]:
    """The files of the scoring program, without the wheels."""
    modules = {name: _program(name) for name in ("run_scoring.py", "submission_check.py")}
    return {**modules, "metadata.yaml": b"command: python3 run_scoring.py\n"}


def find_foreign_file(program: BundleFiles) -> str | None:
    """The first file of a scoring program that is not recte's own or from a package installed here; None if all are."""
    expected = _program_files()
    for name in program:
        content = program.read(name)
        is_wheel = name.startswith("wheels/") and name.endswith(".whl")
        if not (is_installed(name, content) if is_wheel else content == expected.get(name)):
            return str(name)
    return None


def _program(name: str) -> bytes:
    return files("recte.tasks.bundle.program").joinpath(name).read_bytes()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path)) from None


def _phase_files(task: Task, number: int, phase: Phase, columns: Sequence[LeaderboardColumn]) -> dict[str, bytes]:
    """Reference data and starting kit of a phase. References and baselines stand in the reference data alone."""
    expected = list_expected_files(task, phase)
    reference: dict[str, bytes] = {}
    sets = tuple(_move_files(task, phase, test_set, reference) for test_set in task.test_sets)
    told = ScoringTask(
        phase.name,
        sets,
        tuple(columns),
        tuple(asdict(test_set) for test_set in expected),
        phase.seconds,
        task.memory,
        task.refuse,
        phase.hide_scores,
        phase.detailed_results,
    )
    reference["task.json"] = _json(told.to_dict())
    rules = {"files": [asdict(test_set) for test_set in expected], "unpacked": UNPACKED}
    kit = {
        "README.md": _kit_readme(task, phase, expected).encode(),
        "submission_check.py": _program("submission_check.py"),
        "expected.json": _json(rules),
    }
    if phase.public_sources:
        sample = sample_submission(task, phase)
        kit |= {f"sources/{name}": content for name, content in sample.items()}
        kit[sample_path(number).removeprefix(kit_path(number))] = zip_files(sample)
    return {
        **{f"{reference_path(number)}{name}": content for name, content in reference.items()},
        **{f"{kit_path(number)}{name}": content for name, content in kit.items()},
    }


def sample_submission(task: Task, phase: Phase) -> dict[str, bytes]:
    """A submission that changes nothing, by file."""
    return {file.submission: _sample(phase, file) for file in task.test_sets}


def _sample(phase: Phase, test_set: TaskTestSet) -> bytes:
    sample = phase.data[test_set.name].sample
    if sample is not None:
        return _content(sample)
    return "".join(f"{text}\n" for text in _sources(phase, test_set)).encode()


def list_expected_files(task: Task, phase: Phase) -> list[ExpectedFile]:
    """What a submission to the phase must hold."""
    return [_describe_expected(task, phase, test_set) for test_set in task.test_sets]


def list_scored_sets(task: Task, phase: Phase) -> tuple[ScoredSet, ...]:
    """The test sets of a phase with their files where the organiser has them."""
    return tuple(_make_scored_set(task, test_set, phase.data[test_set.name]) for test_set in task.test_sets)


def _make_scored_set(task: Task, test_set: TaskTestSet, data: PhaseData) -> ScoredSet:
    metrics = tuple(chosen.metric for chosen in task.metrics_of(test_set))
    return ScoredSet(test_set.name, test_set.title, test_set.submission, data.gold, metrics, data.baselines)


def _move_files(task: Task, phase: Phase, test_set: TaskTestSet, reference: dict[str, bytes]) -> ScoredSet:
    """A test set whose files have gone into the reference data; a blind phase has its sources alone there."""
    data = phase.data[test_set.name]
    unchanged = None
    if test_set.optional or phase.hide_scores:
        unchanged = Path(test_set.name, "unchanged", test_set.submission)
        reference[unchanged.as_posix()] = _sample(phase, test_set)
    if phase.hide_scores:
        sources = GoldFiles(
            source=unchanged,
            references=() if unchanged is None else (unchanged,),  # by which their format is known
            tokens=test_set.tokens,
            normalise=test_set.normalise,
            reading=None if data.gold.source is None else test_set.reading,
        )
        return ScoredSet(test_set.name, test_set.title, test_set.submission, sources, (), {}, unchanged)

    def move(path: str | Path | None, folder: str = "") -> Path | None:
        if path is None:
            return None
        content, inner = _content(Path(path)), f"{test_set.name}/{folder}{Path(path).name}"
        if reference.setdefault(inner, content) != content:
            raise InputError(f"expected files of different names for {test_set.name}, got two of this one", str(path))
        return Path(inner)

    gold = replace(
        data.gold,
        gold=move(data.gold.gold),
        source=move(data.gold.source),
        references=tuple(_find_moved(move(path)) for path in data.gold.references),
        labels=move(data.gold.labels),
    )
    baselines = {name: _find_moved(move(path, "baselines/")) for name, path in data.baselines.items()}
    scored = _make_scored_set(task, test_set, PhaseData(gold, data.sample, baselines))
    return replace(
        scored, metrics=tuple(_with_moved_files(metric, move) for metric in scored.metrics), unchanged=unchanged
    )


def _find_moved(path: Path | None) -> Path:
    assert path is not None, "a path that was given stays one"
    return path


def _with_moved_files(metric: Metric, moved: Callable[[str, str], Path | None]) -> Metric:
    """The metric with files of its options that lie in the reference data; they are read where it scores."""
    changed = {
        f.name: _find_moved(moved(getattr(metric, f.name), "options/")).as_posix()
        for f in metric.option_fields
        if f.metadata.get("loader") and getattr(metric, f.name) and Path(getattr(metric, f.name)).is_file()
    }
    return metric.with_options(**changed)


def _sources(phase: Phase, test_set: TaskTestSet) -> list[str]:
    """The source texts of a test set, one line each; as many lines as a submission must have."""
    gold: GoldFiles = phase.data[test_set.name].gold
    texts = [" ".join(sentence.text.split("\n")) for sentence in gold.sentences()]
    if not texts:
        raise InputError("expected at least one sentence, got none", gold.name)
    return texts


def _describe_expected(task: Task, phase: Phase, test_set: TaskTestSet) -> ExpectedFile:
    sample, sources = phase.data[test_set.name].sample, _sources(phase, test_set)
    sizes = [len(text.encode()) for text in sources]
    line = task.longest_line or max(_LEAST_LINE, _LONGER_THAN_SOURCE * max(sizes))
    file = task.largest_file or max(_LEAST_FILE, _LONGER_THAN_SOURCE * sum(sizes))
    is_text = sample is None or output_format(sample).name == "text"
    return ExpectedFile(test_set.submission, len(sources) if is_text else None, file, line, test_set.optional)


def _json(values: Any) -> bytes:
    return json.dumps(values, ensure_ascii=False, indent=1).encode() + b"\n"


def _kit_readme(task: Task, phase: Phase, expected: Sequence[ExpectedFile]) -> str:
    file_list = "\n".join(
        f"- `{file.file}`"
        + (f": {file.lines} lines of UTF-8, one for each source sentence" if file.lines else "")
        + (" (may be left out: the sources, unchanged, then count for it)" if file.optional else "")
        for file in expected
    )
    beginning = (
        "`sources/` has the sentences to correct, under the names that a submission must have. "
        "`sample_submission.zip` is a submission that changes nothing.\n\n"
        if phase.public_sources
        else ""
    )
    return (
        f"# {task.title}: {phase.name}\n\n{beginning}A submission is a zip with these files:\n\n{file_list}\n\n"
        "Before you send it, ask whether it can be scored:\n\n    python3 submission_check.py submission.zip\n"
    )

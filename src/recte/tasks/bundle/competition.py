"""A task as competition.yaml, version 2, for Codabench: one task for each phase, times in quotes and UTC."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from recte.extras import optional
from recte.tasks.bundle.leaderboard_columns import LeaderboardColumn
from recte.tasks.bundle.task import Phase, Task
from recte.tasks.bundle.task_file import LEADERBOARD

__all__ = ["PROGRAM", "competition", "kit_path", "page_path", "reference_path", "sample_path", "to_yaml"]

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
        "enable_detailed_results": False,
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

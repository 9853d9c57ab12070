"""Would the platform take this competition.yaml, and read it as it is meant? What keys alone cannot say.

Files exist, indexes point at something, phases follow each other; and what the platform takes but reads otherwise
(a limit that it caps, a leaderboard without its main column, a command that needs a shell) is refused as well.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from recte.errors import InputError
from recte.tasks.bundle.bundle_files import BundleFiles
from recte.tasks.bundle.competition_keys import Problem, key_problems
from recte.tasks.bundle.task_file import SHARED_QUEUE_SECONDS

__all__ = ["COMPETITION", "check_competition", "competition_warnings", "problems"]

COMPETITION = "competition.yaml"
_LONGEST_RUN = 3600  # seconds that no run on the platform's own queue was ever meant to take
_SHELL = {"&&", "||", "|", ">", ">>", "<", ";", "&", "2>&1"}


def check_competition(competition: Any, files: BundleFiles) -> None:
    """Refuse a bundle that the platform would refuse or misread: the first problem, in one line."""
    found = next(problems(competition, files), None)
    if found is not None:
        raise InputError(str(found), f"{files.name}: {COMPETITION}")


def problems(competition: Any, files: BundleFiles) -> Iterator[Problem]:
    """Everything that is wrong; where keys are wrong, nothing else is looked at."""
    found = list(key_problems(competition))
    yield from found
    if found:
        return
    yield from _file_problems(competition, files)
    yield from _index_problems(competition)
    yield from _phase_problems(competition["phases"])
    yield from _limit_problems(competition)


def competition_warnings(competition: Mapping[str, Any]) -> list[str]:
    """What is as the platform wants it, and yet a surprise for many."""
    found = []
    for number, phase in enumerate(competition["phases"]):
        place = f"phases[{number}]"
        if competition.get("queue") is None and phase.get("execution_time_limit", 0) > SHARED_QUEUE_SECONDS:
            found.append(f"{place}.execution_time_limit: the platform's own queue stops after {SHARED_QUEUE_SECONDS} s")
        if phase.get("hide_output"):
            found.append(f"{place}.hide_output: participants will not see why a submission failed")
        if len(phase["tasks"]) > 1:
            found.append(f"{place}.tasks: with several, the leaderboard shows n/a for tasks left out; one is safer")
    if competition.get("queue") is not None:
        found.append("queue: whether it exists, and is yours to use, only the platform knows")
    if "docker_image" not in competition:
        found.append("docker_image: without it the platform takes an image with Python 3.7")
    if competition.get("enable_detailed_results"):
        found.append("enable_detailed_results: anybody can read the detailed results of any submission")
    return found


def _file_problems(competition: Mapping[str, Any], files: BundleFiles) -> Iterator[Problem]:
    image = competition["image"]
    if image not in files:
        yield Problem("image", f"expected a file of the bundle, found no {image}")
    elif not _is_image(files.read(image)):
        yield Problem("image", f"expected a picture (PNG, JPEG, GIF, WebP), got something else in {image}")
    texts = [("terms", competition["terms"])]
    texts += [(f"pages[{n}].file", page["file"]) for n, page in enumerate(competition["pages"])]
    for place, name in texts:
        if name not in files:
            yield Problem(place, f"expected a file of the bundle, found no {name}")
        elif not files.read(name).strip():
            yield Problem(place, f"expected a text, got the empty file {name}")
    named = [
        (f"{table}[{n}].{key}", entry[key])
        for table, keys in (
            ("tasks", ("scoring_program", "reference_data", "input_data", "ingestion_program")),
            ("solutions", ("path",)),
            ("phases", ("public_data", "starting_kit")),
        )
        for n, entry in enumerate(competition.get(table) or ())
        for key in keys
        if key in entry
    ]
    for place, name in named:
        if not files.has_data(name):
            yield Problem(place, f"expected a file or folder of the bundle, found no {name}")
        elif place.endswith("scoring_program"):
            yield from _program_problems(place, files.data(name))


def _program_problems(place: str, program: BundleFiles) -> Iterator[Problem]:
    """Without a command nothing runs, and every submission fails for want of scores."""
    command = program.command()
    if command is None:
        yield Problem(place, "expected metadata.yaml with a command at the root of the program, found none")
        return
    try:
        words = shlex.split(command)
    except ValueError as error:
        yield Problem(place, f"expected a command line, got {command[:60]!r}: {error}")
        return
    shell = next((word for word in words if word in _SHELL), None)
    if shell is not None:
        yield Problem(place, f"no shell runs the command: expected none of its signs, got {shell!r}; use bash -c '...'")


def _is_image(content: bytes) -> bool:
    png = content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR" and b"IEND" in content[-16:]
    jpeg = content.startswith(b"\xff\xd8\xff")
    webp = content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    return png or jpeg or webp or content[:6] in (b"GIF87a", b"GIF89a")


def _index_problems(competition: Mapping[str, Any]) -> Iterator[Problem]:
    tasks = [task["index"] for task in competition["tasks"]]
    yield from _repeated("tasks", "index", tasks)
    for table in ("phases", "solutions"):
        for number, entry in enumerate(competition.get(table) or ()):
            unknown = next((index for index in entry["tasks"] if index not in tasks), None)
            if unknown is not None:
                yield Problem(f"{table}[{number}].tasks", f"expected indexes of tasks {tasks}, got {unknown}")
    leaderboard = competition["leaderboards"][0]
    columns = leaderboard["columns"]
    indexes = [column["index"] for column in columns]
    yield from _repeated("leaderboards[0].columns", "index", indexes)
    yield from _repeated("leaderboards[0].columns", "key", [column["key"] for column in columns])
    if leaderboard.get("primary_index", 0) not in indexes:
        primary = leaderboard.get("primary_index", 0)
        yield Problem("leaderboards[0].primary_index", f"expected the index of a column {indexes}, got {primary}")
    for number, column in enumerate(columns):
        for index in column.get("computation_indexes", ()):
            if index not in indexes or index == column["index"]:
                place = f"leaderboards[0].columns[{number}].computation_indexes"
                yield Problem(place, f"expected indexes of other columns, got {index}")


def _repeated(place: str, key: str, values: Sequence[Any]) -> Iterator[Problem]:
    repeated = next((value for value in values if values.count(value) > 1), None)
    if repeated is not None:
        yield Problem(f"{place}.{key}", f"expected each once, got {repeated!r} twice")


def _phase_problems(phases: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    ordered = sorted(enumerate(phases), key=lambda item: item[1].get("index", 0))
    for number, phase in ordered:
        for key in ("start", "end"):
            if phase.get(key) is not None and _moment(phase[key]) is None:
                yield Problem(f"phases[{number}].{key}", f"expected a time that exists, got {phase[key]!r}")
                return
        end = _moment(phase.get("end"))
        if end is not None and end <= _known(phase["start"]):
            yield Problem(f"phases[{number}].end", f"expected a time after its start, got {phase['end']!r}")
    if ordered[0][1].get("auto_migrate_to_this_phase"):
        yield Problem(f"phases[{ordered[0][0]}].auto_migrate_to_this_phase", "expected a phase before it")
    for (number, one), (following, next_one) in pairwise(ordered):
        end = _moment(one.get("end"))
        if end is None:
            yield Problem(f"phases[{number}].end", "expected a time, since another phase follows")
        elif _known(next_one["start"]) <= end:
            place = f"phases[{following}].start"
            yield Problem(place, f"expected a time after the end of the phase before, {one['end']!r}")


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def _known(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _limit_problems(competition: Mapping[str, Any]) -> Iterator[Problem]:
    for number, phase in enumerate(competition["phases"]):
        seconds = phase.get("execution_time_limit", SHARED_QUEUE_SECONDS)
        if seconds > _LONGEST_RUN and competition.get("queue") is None:
            yield Problem(
                f"phases[{number}].execution_time_limit",
                f"expected a queue of your own: the platform's stops after {SHARED_QUEUE_SECONDS} s, got {seconds}",
            )

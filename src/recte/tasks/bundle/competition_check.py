"""Would the platform take this competition.yaml, and read it as it is meant? What keys alone cannot say.

Files exist, indexes point at something, phases follow each other; and what the platform takes but reads otherwise
(a limit that it caps, a leaderboard without its main column, a command that needs a shell) is refused as well.

The keys of competition.yaml, version 2, as the platform's unpacker reads them, and what each may hold.

The platform drops keys that it does not know without a word; here they are refused.
"""

from __future__ import annotations

import re
import shlex
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from recte.errors import InputError
from recte.tasks.bundle.bundle_files import BundleFiles
from recte.tasks.bundle.task_file import SHARED_QUEUE_SECONDS

__all__ = ["COMPETITION", "Problem", "check_competition", "competition_warnings", "key_problems", "problems"]

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?)?")
_RULES = ("Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best")
_MOST = 2**31 - 1


class Problem(NamedTuple):
    """A place in competition.yaml, and what is wrong there."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


Check = Callable[[Any, str], Iterator[Problem]]


class Key(NamedTuple):
    """What a key may hold, and whether it must be there."""

    check: Check
    required: bool = False


def _expecting(expected: str, holds: Callable[[Any], bool], *, nullable: bool = False) -> Check:
    def find_problems(value: Any, place: str) -> Iterator[Problem]:
        if not (holds(value) or (nullable and value is None)):
            yield Problem(place, f"expected {expected}, got {_show(value)}")

    return find_problems


def _show(value: Any) -> str:
    return "nothing" if value is None else repr(value)[:60]


def _text(longest: int = 0, *, nullable: bool = False, empty: bool = False) -> Check:
    def holds(value: Any) -> bool:
        return isinstance(value, str) and (empty or bool(value)) and (not longest or len(value) <= longest)

    return _expecting(f"a text of at most {longest} characters" if longest else "a text", holds, nullable=nullable)


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _whole(least: int = -_MOST, most: int = _MOST) -> Check:
    expected = "a whole number" if least < 0 else f"a whole number from {least}"
    return _expecting(expected, lambda value: _is_whole(value, least, most))


def _choice(*choices: str) -> Check:
    return _expecting(f"one of {', '.join(choices)}", lambda value: isinstance(value, str) and value in choices)


def _is_uuid(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(uuid.UUID(value))
    except ValueError:
        return False


def _limit(value: Any, place: str) -> Iterator[Problem]:
    if value is not None and not _is_whole(value, 1, _MOST):
        yield Problem(place, f"expected a whole number from 1, or nothing for no limit, got {_show(value)}")


def _time(value: Any, place: str) -> Iterator[Problem]:
    if value is not None and not isinstance(value, str):
        yield Problem(place, "expected a time in quotes: the platform drops the time of day of one without them")
    elif value is None or not _TIME.fullmatch(value):
        expected = 'a time in UTC such as "2027-03-01 12:00:00"; the platform reads others as it likes and drops zones'
        yield Problem(place, f"expected {expected}, got {_show(value)}")


def _optional_time(value: Any, place: str) -> Iterator[Problem]:
    if value is not None:
        yield from _time(value, place)


def _list(check: Check, least: int = 0, most: int = _MOST, *, nullable: bool = False) -> Check:
    def find_problems(value: Any, place: str) -> Iterator[Problem]:
        if value is None and nullable:
            return
        if not isinstance(value, list) or not least <= len(value) <= most:
            number = {(1, 1): "a list of exactly one", (1, _MOST): "a list of at least one"}.get(
                (least, most), "a list"
            )
            yield Problem(place, f"expected {number}, got {_show(value)}")
            return
        for number_of, item in enumerate(value):
            yield from check(item, f"{place}[{number_of}]")

    return find_problems


def _table(keys: Mapping[str, Key], *, unread: Mapping[str, str] | None = None) -> Check:
    def find_problems(value: Any, place: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(place, f"expected keys with values, got {_show(value)}")
            return
        dot = f"{place}." if place else ""
        for name in value:
            if name not in keys:
                hint = (unread or {}).get(name, "the platform drops keys that it does not know")
                yield Problem(f"{dot}{name}", f"no such key: {hint}")
        for name, key in keys.items():
            if name in value:
                yield from key.check(value[name], f"{dot}{name}")
            elif key.required:
                yield Problem(f"{dot}{name}", "expected this key, found none")

    return find_problems


def _anything(value: Any, place: str) -> Iterator[Problem]:
    return iter(())


def _task(value: Any, place: str) -> Iterator[Problem]:
    stored = isinstance(value, dict) and "key" in value
    yield from _table(_STORED_TASK if stored else _TASK)(value, place)


def _solution(value: Any, place: str) -> Iterator[Problem]:
    yield from _table(_SOLUTION)(value, place)
    if isinstance(value, dict) and not {"path", "key"} & set(value):
        yield Problem(place, "expected a path or a key, found neither")


def _column(value: Any, place: str) -> Iterator[Problem]:
    yield from _table(_COLUMN)(value, place)
    if isinstance(value, dict) and ("computation" in value) != ("computation_indexes" in value):
        yield Problem(place, "expected computation and computation_indexes together, or neither")


def _fact_sheet(value: Any, place: str) -> Iterator[Problem]:
    if value is None:
        return
    if not isinstance(value, dict):
        yield Problem(place, f"expected questions by name, got {_show(value)}")
        return
    for name, question in value.items():
        yield from _table(_QUESTION)(question, f"{place}.{name}")
        if isinstance(question, dict) and question.get("key") != name:
            yield Problem(f"{place}.{name}.key", f"expected {name!r}, as the question is called")


_truth = _expecting("true or false", lambda value: isinstance(value, bool))
_path = _text()
_uuid = _expecting("a UUID", _is_uuid)
_words = _choice("true", "false")
_indexes = _list(_whole())
_STORED_TASK = {"index": Key(_whole(), True), "key": Key(_uuid, True)}
_TASK = {
    "index": Key(_whole(), True),
    "name": Key(_text(256), True),
    "scoring_program": Key(_path, True),
    "description": Key(_text(nullable=True, empty=True)),
    "input_data": Key(_path),
    "reference_data": Key(_path),
    "ingestion_program": Key(_path),
    "ingestion_only_during_scoring": Key(_truth),
    "is_public": Key(_truth),  # in the platform's own dumps
}
_SOLUTION = {
    "index": Key(_whole(), True),
    "tasks": Key(_indexes, True),
    "path": Key(_path),
    "key": Key(_uuid),
    "name": Key(_text(256, nullable=True)),
    "description": Key(_text(nullable=True, empty=True)),
}
_PHASE = {
    "name": Key(_text(256), True),
    "start": Key(_time, True),
    "tasks": Key(_list(_whole(), 1), True),
    "end": Key(_optional_time),
    "index": Key(_whole()),
    "description": Key(_text(nullable=True, empty=True)),
    "max_submissions_per_day": Key(_limit),
    "max_submissions": Key(_limit),
    "execution_time_limit": Key(_whole(1)),
    **{name: Key(_truth) for name in ("auto_migrate_to_this_phase", "hide_output", "hide_prediction_output")},
    "hide_score_output": Key(_truth),
    "public_data": Key(_path),
    "starting_kit": Key(_path),
    "solutions": Key(_indexes),  # in the platform's own dumps
}
_UNREAD = {
    "max_submissions_per_person": "the platform drops it, and allows 100; max_submissions is meant",
    "accepts_only_result_submissions": "the platform does not read it, though it is documented",
}
_COLUMN = {
    "title": Key(_text(36), True),
    "key": Key(_text(36), True),
    "index": Key(_whole(0), True),
    "sorting": Key(_choice("desc", "asc")),
    "precision": Key(_whole()),
    "hidden": Key(_truth),
    "computation": Key(_choice("avg", "sum", "min", "max")),
    "computation_indexes": Key(_list(_whole(0), 1)),
}
_LEADERBOARD = {
    "title": Key(_text(64), True),
    "key": Key(_text(36), True),
    "columns": Key(_list(_column, 1), True),
    "hidden": Key(_truth),
    "primary_index": Key(_whole(0)),
    "submission_rule": Key(_choice(*_RULES)),
    "index": Key(_whole()),  # in the platform's own dumps
}
_QUESTION = {
    "key": Key(_text(), True),
    "type": Key(_choice("checkbox", "text", "select"), True),
    "title": Key(_text(empty=True), True),
    "selection": Key(_anything, True),
    "is_required": Key(_words, True),
    "is_on_leaderboard": Key(_words, True),
}
_COMPETITION = {
    "version": Key(_expecting("2", lambda value: value == "2" or (type(value) is int and value == 2)), True),
    "title": Key(_text(256), True),
    "image": Key(_path, True),
    "terms": Key(_path, True),
    "pages": Key(_list(_table({"title": Key(_text(), True), "file": Key(_path, True)})), True),
    "tasks": Key(_list(_task, 1), True),
    "phases": Key(_list(_table(_PHASE, unread=_UNREAD), 1), True),
    "leaderboards": Key(_list(_table(_LEADERBOARD), 1, 1), True),
    "solutions": Key(_list(_solution, nullable=True)),
    "description": Key(_text(nullable=True, empty=True)),
    "docker_image": Key(_text(128)),
    "queue": Key(_expecting("a UUID", _is_uuid, nullable=True)),
    **{
        name: Key(_truth)
        for name in (
            "registration_auto_approve",
            "enable_detailed_results",
            "show_detailed_results_in_submission_panel",
            "show_detailed_results_in_leaderboard",
            "auto_run_submissions",
            "can_participants_make_submissions_public",
            "make_programs_available",
            "make_input_data_available",
            "forum_enabled",
        )
    },
    "competition_type": Key(_choice("competition", "benchmark")),
    "reward": Key(_text(256, nullable=True)),
    "contact_email": Key(
        _expecting(
            "an e-mail address",
            lambda value: isinstance(value, str) and len(value) <= 256 and bool(_EMAIL.fullmatch(value)),
            nullable=True,
        )
    ),
    "fact_sheet": Key(_fact_sheet),
}


def key_problems(competition: Any) -> Iterator[Problem]:
    """Keys that are missing, unknown or hold what they must not."""
    yield from _table(_COMPETITION)(competition, "")


COMPETITION = "competition.yaml"
_LONGEST_RUN = 3600  # seconds that no run on the platform's own queue was ever meant to take
_SHELL = {"&&", "||", "|", ">", ">>", "<", ";", "&", "2>&1"}


def check_competition(competition: Any, files: BundleFiles) -> None:
    """Refuse a bundle that the platform would refuse or misread: the first problem, in one line."""
    problem = next(problems(competition, files), None)
    if problem is not None:
        raise InputError(str(problem), f"{files.name}: {COMPETITION}")


def problems(competition: Any, files: BundleFiles) -> Iterator[Problem]:
    """Everything that is wrong; where keys are wrong, nothing else is looked at."""
    of_keys = list(key_problems(competition))
    yield from of_keys
    if of_keys:
        return
    yield from _file_problems(competition, files)
    yield from _index_problems(competition)
    yield from _phase_problems(competition["phases"])
    yield from _limit_problems(competition)


def competition_warnings(competition: Mapping[str, Any]) -> list[str]:
    """What is as the platform wants it, and yet a surprise for many."""
    warnings = []
    for number, phase in enumerate(competition["phases"]):
        place = f"phases[{number}]"
        if competition.get("queue") is None and phase.get("execution_time_limit", 0) > SHARED_QUEUE_SECONDS:
            warnings.append(
                f"{place}.execution_time_limit: the platform's own queue stops after {SHARED_QUEUE_SECONDS} s"
            )
        if phase.get("hide_output"):
            warnings.append(f"{place}.hide_output: participants will not see why a submission failed")
        if len(phase["tasks"]) > 1:
            warnings.append(f"{place}.tasks: with several, the leaderboard shows n/a for tasks left out; one is safer")
    if competition.get("queue") is not None:
        warnings.append("queue: whether it exists, and is yours to use, only the platform knows")
    if "docker_image" not in competition:
        warnings.append("docker_image: without it the platform takes an image with Python 3.7")
    if competition.get("enable_detailed_results"):
        warnings.append("enable_detailed_results: anybody can read the detailed results of any submission")
    return warnings


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
    yield from _find_repeated("tasks", "index", tasks)
    for table in ("phases", "solutions"):
        for number, entry in enumerate(competition.get(table) or ()):
            unknown = next((index for index in entry["tasks"] if index not in tasks), None)
            if unknown is not None:
                yield Problem(f"{table}[{number}].tasks", f"expected indexes of tasks {tasks}, got {unknown}")
    leaderboard = competition["leaderboards"][0]
    columns = leaderboard["columns"]
    indexes = [column["index"] for column in columns]
    yield from _find_repeated("leaderboards[0].columns", "index", indexes)
    yield from _find_repeated("leaderboards[0].columns", "key", [column["key"] for column in columns])
    if leaderboard.get("primary_index", 0) not in indexes:
        primary = leaderboard.get("primary_index", 0)
        yield Problem("leaderboards[0].primary_index", f"expected the index of a column {indexes}, got {primary}")
    for number, column in enumerate(columns):
        for index in column.get("computation_indexes", ()):
            if index not in indexes or index == column["index"]:
                place = f"leaderboards[0].columns[{number}].computation_indexes"
                yield Problem(place, f"expected indexes of other columns, got {index}")


def _find_repeated(place: str, key: str, values: Sequence[Any]) -> Iterator[Problem]:
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
        if end is not None and end <= _parse_time(phase["start"]):
            yield Problem(f"phases[{number}].end", f"expected a time after its start, got {phase['end']!r}")
    if ordered[0][1].get("auto_migrate_to_this_phase"):
        yield Problem(f"phases[{ordered[0][0]}].auto_migrate_to_this_phase", "expected a phase before it")
    for (number, earlier), (following, next_one) in pairwise(ordered):
        end = _moment(earlier.get("end"))
        if end is None:
            yield Problem(f"phases[{number}].end", "expected a time, since another phase follows")
        elif _parse_time(next_one["start"]) <= end:
            place = f"phases[{following}].start"
            yield Problem(place, f"expected a time after the end of the phase before, {earlier['end']!r}")


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _limit_problems(competition: Mapping[str, Any]) -> Iterator[Problem]:
    for number, phase in enumerate(competition["phases"]):
        seconds = phase.get("execution_time_limit", SHARED_QUEUE_SECONDS)
        if seconds > _LONGEST_RUN and competition.get("queue") is None:
            yield Problem(
                f"phases[{number}].execution_time_limit",
                f"expected a queue of your own: the platform's stops after {SHARED_QUEUE_SECONDS} s, got {seconds}",
            )

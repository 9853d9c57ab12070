"""TASK.toml: the one file that an organiser writes. Its keys are promises; docs/shared-tasks.md explains them.

A TOML table whose keys are asked for one by one: each with its type, and none left over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from recte.errors import InputError, OptionError, describe_choices
from recte.evaluation.inputs import GoldFiles
from recte.evaluation.plausibility.plausibility_check import KINDS
from recte.evaluation.scoring import with_files
from recte.files import byte_blocks, display_name, stem
from recte.formats.file_formats import output_format
from recte.formats.toml_values import toml_values
from recte.metrics import metric_class
from recte.tasks.bundle.program.submission_check import METADATA, NOT_SENT
from recte.tasks.bundle.task import (
    SET_NAME,
    ChosenMetric,
    FactSheetQuestion,
    Phase,
    PhaseData,
    Task,
    TaskPage,
    TaskTestSet,
    python_of_image,
)
from recte.text.normalisation import NORMALISATIONS
from recte.text.segmenters import segmenter_named

__all__ = ["SHARED_QUEUE_SECONDS", "TomlTable", "read_task"]

_UNITS = {"KB": 1000, "MB": 1000**2, "GB": 1000**3}
_LARGEST_FILE = 1 << 22


class TomlTable:
    """Keys of one table, and where it stands: a message names file, table and key."""

    def __init__(self, values: Mapping[str, Any], file: Path, place: str = "") -> None:
        self._left = dict(values)
        self.file, self.place = file, place

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """A whole file."""
        content = b""
        for block in byte_blocks(path):
            content += block
            if len(content) > _LARGEST_FILE:
                raise InputError(f"expected a task file of at most {_LARGEST_FILE >> 20} MB, got more", str(path))
        return cls(toml_values(content, display_name(path)), Path(path))

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{self.place}{key}: {message}", str(self.file))

    def _take(self, key: str, type_: type | tuple[type, ...], expected: str, default: Any) -> Any:
        value = self._left.pop(key, default)
        if value is ...:
            raise self.error(key, f"expected {expected}, got nothing")
        is_stray_bool = isinstance(value, bool) and type_ is not bool
        if value is not default and (not isinstance(value, type_) or is_stray_bool):
            raise self.error(key, f"expected {expected}, got {_show(value)}")
        return value

    def text(self, key: str, default: Any = ..., *, longest: int = 0) -> Any:
        value = self._take(key, str, "a text", default)
        if value is not default and (not value.strip() or not value.isprintable()):
            raise self.error(key, f"expected one line of text, got {value[:40]!r}")
        if longest and value is not default and len(value) > longest:
            raise self.error(key, f"expected at most {longest} characters, got {len(value)}")
        return value

    def long_text(self, key: str, default: str = "") -> str:
        value: str = self._take(key, str, "a text", default)
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        value: str = self.text(key, default)
        if value not in choices:
            raise self.error(key, describe_choices(choices, value))
        return value

    def truth(self, key: str, default: bool) -> bool:
        value: bool = self._take(key, bool, "true or false", default)
        return value

    def whole(self, key: str, default: Any = ..., *, least: int = 1, most: int = 2**31 - 1) -> Any:
        value = self._take(key, int, "a whole number", default)
        if value is not default and not least <= value <= most:
            raise self.error(key, f"expected a whole number from {least} to {most}, got {value}")
        return value

    def size(self, key: str, default: int | None) -> int | None:
        """Bytes, as a number or a text such as "20 MB"."""
        value = self._take(key, (int, str), 'a size such as "20 MB"', default)
        if isinstance(value, str):
            number, _, unit = value.strip().partition(" ")
            if not (number.isascii() and number.isdecimal() and len(number) < 16) or unit not in _UNITS:
                raise self.error(key, f'expected a size such as "20 MB", got {value[:40]!r}')
            value = int(number) * _UNITS[unit]
        if value is not None and not 0 < value < 2**50:
            raise self.error(key, f'expected a size such as "20 MB", got {value}')
        return None if value is None else int(value)

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", default)
        wrong = next((value for value in values if not isinstance(value, str) or not value), None)
        if wrong is not None:
            raise self.error(key, f"expected a list of texts, got {_show(wrong)} in it")
        return tuple(values)

    def time(self, key: str, default: Any = ...) -> Any:
        """A time with its zone, in UTC: what has no zone would be read as UTC by the platform, whatever was meant."""
        expected = "a time with its zone, such as 2027-03-01T12:00:00Z"
        value = self._take(key, (str, date), expected, default)
        if value is default:
            return value
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value)
            except ValueError:
                raise self.error(key, f"expected {expected}, got {value[:40]!r}") from None
        if not isinstance(value, datetime) or value.tzinfo is None:
            raise self.error(key, f"expected {expected}, got {value.isoformat()}")
        try:
            return value.astimezone(UTC)
        except OverflowError:
            raise self.error(key, f"expected a time in the years 1 to 9999 of UTC, got {value.isoformat()}") from None

    def table(self, key: str) -> TomlTable:
        values = self._take(key, dict, "a table", ...)
        return TomlTable(values, self.file, f"{self.place}{key}.")

    def tables(self, key: str) -> list[TomlTable]:
        """A list of tables, at least one."""
        values = self._take(key, list, f"at least one [[{self.place}{key}]]", ...)
        if not values or not all(isinstance(value, dict) for value in values):
            raise self.error(key, f"expected at least one [[{self.place}{key}]], got {_show(values)}")
        return [TomlTable(value, self.file, f"{self.place}{key}[{n}].") for n, value in enumerate(values, 1)]

    def rest(self) -> dict[str, Any]:
        """Whatever is left, for keys that others know."""
        left, self._left = self._left, {}
        return left

    def has(self, key: str) -> bool:
        return key in self._left

    def existing(self, key: str, default: Any = ...) -> Any:
        """A file, next to the task file unless its path is absolute."""
        value = self.text(key, default)
        return value if value is default else self.path(key, value)

    def existing_text(self, key: str) -> Path:
        """A file of text, such as a page."""
        path: Path = self.existing(key)
        try:
            if "\0" in path.read_bytes().decode("utf-8"):
                raise self.error(key, f"expected a text, got something else in {path}")
        except OSError as error:
            raise self.error(key, f"expected a text, but {path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise self.error(key, f"expected a text in UTF-8, got something else in {path}") from None
        return path

    def path(self, key: str, value: str) -> Path:
        """The file that a value of the key names."""
        path = self.file.parent / value
        if not path.is_file():
            raise self.error(key, f"expected a file, found none at {path}")
        return path

    def end(self) -> None:
        """Refuse keys that nobody asked for: a misspelt one would otherwise be dropped without a word."""
        if self._left:
            raise self.error(next(iter(self._left)), "no such key; see docs/shared-tasks.md for those there are")


def _show(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text[:40]}"


SHARED_QUEUE_SECONDS = 600  # the platform's own queue stops every run then, whatever a phase says
LEADERBOARD = {"best": "Force_Best", "last": "Force_Last", "chosen": "Add"}
_PACKAGE = re.compile("[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*")
_OLDEST_PYTHON = (3, 11)


def read_task(path: str | Path) -> Task:
    """Read and check a task file; nothing is left to the platform to find."""
    table = TomlTable.read(path)
    test_sets = _test_sets(table)
    names = [entry.name for entry in test_sets]
    image, python = _image(table)
    queue = table.text("queue", None)
    task = Task(
        file=Path(path),
        title=table.text("title", longest=256),
        description=table.long_text("description"),
        terms=table.existing_text("terms"),
        logo=table.existing("logo"),
        pages=tuple(_page(entry) for entry in table.tables("pages")),
        image=image,
        python=python,
        queue=queue,
        email=table.text("email", None, longest=256),
        reward=table.text("reward", None, longest=256),
        open_registration=table.truth("open_registration", False),
        leaderboard=table.choice("leaderboard", tuple(LEADERBOARD), "best"),
        hidden_leaderboard=table.truth("hidden_leaderboard", False),
        forum=table.truth("forum", True),
        public_submissions=table.truth("public_submissions", True),
        fact_sheet=_fact_sheet(table),
        refuse=_kinds_to_refuse(table),
        digits=table.whole("digits", 2, least=0, most=10),
        intervals=table.truth("intervals", True),
        memory=table.size("memory", 4 * 1000**3) or 0,
        largest_file=table.size("largest_file", None),
        longest_line=table.size("longest_line", None),
        packages=_packages(table),
        test_sets=test_sets,
        metrics=tuple(_metric(entry, names) for entry in table.tables("metrics")),
        phases=tuple(_phase(entry, test_sets, queue) for entry in table.tables("phases")),
    )
    table.end()
    for entry in test_sets:
        if not task.metrics_of(entry):
            raise table.error("metrics", f"expected at least one for the test set {entry.name}, got none")
    _check_times(task, table)
    return task


def _fact_sheet(table: TomlTable) -> tuple[FactSheetQuestion, ...]:
    questions: list[FactSheetQuestion] = []
    for entry in table.tables("fact_sheet") if table.has("fact_sheet") else ():
        key = entry.text("key", longest=36)
        kind = entry.choice("type", ("checkbox", "text", "select"), "text")
        selection = entry.texts("selection")
        if (kind == "select") != bool(selection):
            raise entry.error("selection", f"expected answers for select and for no other type, got {list(selection)}")
        if key in (other.key for other in questions):
            raise entry.error("key", f"expected another than those before, got {key!r}")
        required, on_leaderboard = entry.truth("required", False), entry.truth("on_leaderboard", False)
        questions.append(FactSheetQuestion(key, kind, entry.text("title", key), selection, required, on_leaderboard))
        entry.end()
    return tuple(questions)


def _kinds_to_refuse(table: TomlTable) -> tuple[str, ...]:
    kinds = table.texts("refuse")
    unknown = next((kind for kind in kinds if kind not in KINDS), None)
    if unknown is not None:
        raise table.error("refuse", describe_choices(tuple(KINDS), unknown))
    return kinds


def _packages(table: TomlTable) -> tuple[str, ...]:
    packages = table.texts("packages")
    wrong = next((name for name in packages if not _PACKAGE.fullmatch(name)), None)
    if wrong is not None:
        raise table.error("packages", f"expected names of packages, such as jieba, got {wrong!r}")
    return packages


def _image(table: TomlTable) -> tuple[str, str]:
    """The image, pinned, and its Python: what `latest` is changes while a task runs."""
    image = table.text("image", longest=128)
    tag = image.rpartition("/")[2].partition(":")[2]
    if ("@sha256:" not in image and not tag) or tag == "latest":
        raise table.error("image", f"expected a fixed version, such as python:3.12-slim, got {image!r}")
    python = table.text("python", python_of_image(image))
    if python is None:
        raise table.error("python", f"expected the version of Python in {image}, such as 3.12, got nothing")
    numbers = python.split(".")
    if len(numbers) != 2 or not all(n.isdecimal() for n in numbers) or tuple(map(int, numbers)) < _OLDEST_PYTHON:
        raise table.error("python", f"expected a version from 3.11 on, such as 3.12, got {python!r}")
    return image, python


def _page(table: TomlTable) -> TaskPage:
    page = TaskPage(table.text("title", longest=100), table.existing_text("file"))
    table.end()
    return page


def _test_sets(table: TomlTable) -> tuple[TaskTestSet, ...]:
    test_sets: list[TaskTestSet] = []
    for entry in table.tables("test_sets"):
        name = entry.text("name")
        if not SET_NAME.fullmatch(name):
            raise entry.error("name", f"expected small letters, digits and _, at most 16, got {name!r}")
        submission = entry.text("submission", f"{name}.txt", longest=100)
        unusual = Path(submission).name != submission or submission.startswith(".") or not submission.isascii()
        # The platform would take it for a program, or the check would pass over it; \\ parts folders on Windows.
        if unusual or submission in (*METADATA, *NOT_SENT) or "\\" in submission:
            raise entry.error("submission", f"expected a plain file name, such as {name}.txt, got {submission!r}")
        title = entry.text("title", name)
        normalise = entry.texts("normalise")
        unknown = next((step for step in normalise if step not in NORMALISATIONS), None)
        if unknown is not None:
            raise entry.error("normalise", f"expected steps of {', '.join(NORMALISATIONS)}, got {unknown!r}")
        reading, optional = entry.text("reading", None), entry.truth("optional", False)
        test_set = TaskTestSet(name, title, submission, _tokens(entry), normalise, reading, optional)
        for key in ("name", "title", "submission"):
            taken = [getattr(other, key).casefold() for other in test_sets]  # some disks know no capitals
            if getattr(test_set, key).casefold() in taken:
                raise entry.error(key, f"expected another than that of the sets before, got {getattr(test_set, key)!r}")
        entry.end()
        test_sets.append(test_set)
    return tuple(test_sets)


def _tokens(table: TomlTable) -> str | None:
    tokens: str | None = table.text("tokens", None)
    if tokens is not None:
        try:
            segmenter_named(tokens)
        except OptionError as error:
            raise table.error("tokens", str(error).removeprefix("tokens: ")) from None
    return tokens


def _metric(table: TomlTable, test_sets: Sequence[str]) -> ChosenMetric:
    name = table.text("name")
    names = table.texts("test_sets", tuple(test_sets))
    unknown = next((test_set_name for test_set_name in names if test_set_name not in test_sets), None)
    if unknown is not None:
        raise table.error("test_sets", f"expected some of {', '.join(test_sets)}, got {unknown!r}")
    figures, title = table.texts("figures"), table.text("title", None, longest=36)
    options = table.rest()
    try:
        cls = metric_class(name)
        strange = next((key for key in options if key not in {f.name for f in fields(cls)}), None)
        if strange is not None:
            known = ", ".join(f.name for f in fields(cls))
            raise OptionError(f"{strange}: expected test_sets, figures, title, or an option of {name} ({known})")
        metric = with_files(cls(**_find_option_files(options, cls, table)))
    except OptionError as error:
        raise InputError(f"{table.place[:-1]}: {error}", str(table.file)) from None
    return ChosenMetric(metric, names, figures, title)


def _find_option_files(options: Mapping[str, Any], cls: type, table: TomlTable) -> dict[str, Any]:
    """Options, files among them found next to the task file."""
    loaded = {f.name for f in fields(cls) if f.metadata.get("loader")}
    return {
        key: str(table.file.parent / value)
        if key in loaded and isinstance(value, str) and (table.file.parent / value).is_file()
        else value
        for key, value in options.items()
    }


def _phase(table: TomlTable, test_sets: Sequence[TaskTestSet], queue: str | None) -> Phase:
    seconds = table.whole("seconds", SHARED_QUEUE_SECONDS, least=30)
    if seconds > SHARED_QUEUE_SECONDS and queue is None:
        raise table.error(
            "seconds", f"expected at most {SHARED_QUEUE_SECONDS} on the platform's own queue, got {seconds}"
        )
    phase = Phase(
        name=table.text("name", longest=256),
        description=table.long_text("description"),
        start=table.time("start"),
        end=table.time("end", None),
        submissions_per_day=table.whole("submissions_per_day", None),
        submissions=table.whole("submissions", None),
        seconds=seconds,
        hide_scores=table.truth("hide_scores", False),
        public_sources=table.truth("public_sources", True),
        detailed_results=table.truth("detailed_results", False),
        data=_phase_data(table.table("data"), test_sets),
    )
    table.end()
    if phase.hide_scores and phase.detailed_results:
        raise table.error("detailed_results", "expected false where hide_scores is true, since anybody can read them")
    return phase


def _phase_data(table: TomlTable, test_sets: Sequence[TaskTestSet]) -> dict[str, PhaseData]:
    data = {}
    for test_set in test_sets:
        entry = table.table(test_set.name)
        if entry.has("gold") == entry.has("source"):
            raise entry.error("gold", "expected a gold file, or source and references")
        gold = GoldFiles(
            gold=entry.existing("gold", None),
            source=entry.existing("source", None),
            references=tuple(entry.path("references", path) for path in entry.texts("references")),
            labels=entry.existing("labels", None),
            lenient=entry.truth("lenient", False),
            tokens=test_set.tokens,
            normalise=test_set.normalise,
            reading=test_set.reading,
        )
        if test_set.reading is not None:
            try:
                gold = replace(gold, reading=gold.reading_used)
            except OptionError as error:
                raise entry.error("gold" if gold.source is None else "references", str(error)) from None
        if (gold.source is None) != (not gold.references):
            raise entry.error("references", "expected references where there is a source, and no others")
        baselines: dict[str, Path] = {}
        for value in entry.texts("baselines"):
            if stem(value) in baselines:
                raise entry.error("baselines", f"expected files of different names, got {stem(value)!r} twice")
            baselines[stem(value)] = entry.path("baselines", value)
        data[test_set.name] = PhaseData(gold, _sample(entry, test_set, gold), baselines)
        entry.end()
    table.end()
    return data


def _sample(table: TomlTable, test_set: TaskTestSet, gold: GoldFiles) -> Path | None:
    """A submission that changes nothing, where it is no plain text: the sources, if they have its format."""
    sample: Path | None = table.existing("sample", None)
    format_name = output_format(test_set.submission).name
    if sample is not None or format_name == "text":
        return sample
    if gold.source is None or output_format(gold.source).name != format_name:
        raise table.error("sample", f"expected one, since {test_set.submission} is no plain text, got nothing")
    return Path(gold.source)


def _check_times(task: Task, table: TomlTable) -> None:
    for number, phase in enumerate(task.phases, 1):
        if phase.end is not None and phase.end <= phase.start:
            raise table.error(f"phases[{number}].end", f"expected a time after its start, got {phase.end.isoformat()}")
    for number, (earlier, following) in enumerate(pairwise(task.phases), 1):
        if earlier.end is None:
            raise table.error(f"phases[{number}].end", "expected a time, since another phase follows, got nothing")
        if following.start <= earlier.end:
            raise table.error(
                f"phases[{number + 1}].start",
                f"expected a time after the end of {earlier.name}, {earlier.end.isoformat()}, "
                f"got {following.start.isoformat()}",
            )
    names = [phase.name for phase in task.phases]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise table.error("phases", f"expected different names, got {repeated!r} twice")

"""A first task file from gold, with pages and a logo with it: everything a bundle needs, to be edited."""

from __future__ import annotations

import json
import os.path
import re
import struct
import sys
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

from recte.errors import InputError, OptionError
from recte.evaluation.inputs import GoldFiles
from recte.files import stem
from recte.formats.file_formats import output_format
from recte.metrics import metric_class
from recte.statistics.intervals import FEWEST_UNITS
from recte.tasks.bundle.task import SET_NAME

__all__ = ["plain_logo", "task_draft"]


def task_draft(
    golds: Sequence[GoldFiles],
    folder: Path,
    *,
    title: str = "A task in grammatical error correction",
    names: Sequence[str] = (),
    metric: str = "m2",
    development: Sequence[GoldFiles] = (),
    start: datetime | None = None,
) -> dict[Path, bytes]:
    """The files of a new task, by their places: TASK.toml, pages, logo.

    `golds` are those of the test sets, named by `names` or by their files; `development` are those of a phase before,
    in the same order. The first phase begins at `start`, by default next month. All of it is read and checked first:
    what is made here can be bundled.
    """
    if not golds:
        raise OptionError("expected at least one gold file, or a source with references, got none")
    if names and len(names) != len(golds):
        raise OptionError(f"--names: expected {len(golds)}, one for each test set, got {len(names)}")
    if development and len(development) != len(golds):
        raise OptionError(f"--development: expected {len(golds)}, one for each test set, got {len(development)}")
    sets = list(names) or _names([str(gold.gold or gold.source) for gold in golds])
    _check_names(sets)
    metric = metric_class(metric).name
    intervals = all(_sentences(gold) >= FEWEST_UNITS for gold in (*golds, *development))
    toml = _toml(golds, sets, folder, title, metric, development, start or _next_month(), intervals=intervals)
    return {
        folder / "TASK.toml": toml.encode(),
        folder / "pages" / "overview.md": _overview(title, sets).encode(),
        folder / "pages" / "evaluation.md": _evaluation(metric).encode(),
        folder / "pages" / "terms.md": _TERMS.encode(),
        folder / "logo.png": plain_logo(),
    }


def _check_names(names: Sequence[str]) -> None:
    strange = next((name for name in names if not SET_NAME.fullmatch(name)), None)
    if strange is not None:
        raise OptionError(f"--names: expected small letters, digits and _, at most 16, got {strange!r}")
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"--names: expected different ones, got {repeated!r} twice")


def _sentences(gold: GoldFiles) -> int:
    """How many sentences are scored; all are read, so that whatever is wrong with the files is said now."""
    count = sum(sentence.scored for sentence in gold.sentences())
    if not count:
        raise InputError("expected at least one sentence that can be scored, got none", gold.name)
    return count


def _names(paths: Sequence[str]) -> list[str]:
    """A name for each test set: its file's, or where these repeat its folder's."""
    names = [_plain(stem(path)) for path in paths]
    if len(set(names)) < len(names):
        names = [_plain(Path(path).resolve().parent.name) for path in paths]
    return names if len(set(names)) == len(names) else [f"set{n}" for n in range(1, len(paths) + 1)]


def _plain(name: str) -> str:
    plain = re.sub("[^a-z0-9]+", "_", name.casefold()).strip("_")[:16].strip("_")
    return plain if plain[:1].isalpha() else f"set_{plain}".rstrip("_")[:16]


def _next_month() -> datetime:
    first = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)


def _text(value: str) -> str:
    """A text as TOML writes it: JSON's quoting is TOML's, but for one sign."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _from(folder: Path, path: str | Path) -> str:
    """The path of a file as seen from the task file."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _toml(
    golds: Sequence[GoldFiles],
    names: Sequence[str],
    folder: Path,
    title: str,
    metric: str,
    development: Sequence[GoldFiles],
    start: datetime,
    *,
    intervals: bool,
) -> str:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    lines = [
        "# A shared task. docs/shared-tasks.md explains every key; paths are relative to this file.",
        f"title = {_text(title)}",
        'description = ""',
        'terms = "pages/terms.md"',
        'logo = "logo.png"',
        f'image = "python:{python}-slim"  # where submissions are scored; a fixed version',
        'leaderboard = "best"  # which submission of a team it shows: best, last, chosen',
        'refuse = ["misaligned", "empty"]  # what makes a submission fail: lines of other sentences, empty lines',
        "digits = 2",
        *([] if intervals else ["intervals = false  # there are too few sentences for them"]),
        "",
        "[[pages]]",
        'title = "Overview"',
        'file = "pages/overview.md"',
        "",
        "[[pages]]",
        'title = "Evaluation"',
        'file = "pages/evaluation.md"',
    ]
    for name, gold in zip(names, golds, strict=True):
        lines += ["", "[[test_sets]]", f"name = {_text(name)}", f"title = {_text(name)}"]
        lines += [f'submission = "{name}{_ending(gold)}"  # the file that participants send']
    lines += ["", "[[metrics]]", f"name = {_text(metric)}  # its options may follow, one per line"]
    phases = [("Test", golds, 7, 2, 5)]
    if development:
        phases.insert(0, ("Development", development, 28, 10, 100))
    for phase, files, days, daily, total in phases:
        end = start + timedelta(days=days)
        lines += _phase_lines(phase, start, end - timedelta(seconds=1), daily, total)
        if phase == "Test":
            lines += _TEST_LINES
        for name, gold in zip(names, files, strict=True):
            lines += ["", f"[phases.data.{name}]", *_gold_lines(gold, folder)]
            lines += ['# baselines = ["baseline.txt"]  # outputs that are ranked with every submission']
        start = end
    return "\n".join([*lines, ""])


def _ending(gold: GoldFiles) -> str:
    """How the file is named that participants send: as the sources, where these are no plain text."""
    plain = gold.source is None or output_format(gold.source).name == "text"
    return ".txt" if plain else Path(gold.source or "").suffix


def _gold_lines(gold: GoldFiles, folder: Path) -> list[str]:
    if gold.gold is not None:
        return [f"gold = {_text(_from(folder, gold.gold))}", *(["lenient = true"] if gold.lenient else [])]
    references = ", ".join(_text(_from(folder, path)) for path in gold.references)
    return [f"source = {_text(_from(folder, gold.source or ''))}", f"references = [{references}]"]


_TEST_LINES = [
    "hide_scores = true  # the platform gets no gold and shows no figures; score by: recte bundle leaderboard",
    "public_sources = false  # its Files tab shows starting kits of all phases from the first day",
]


def _phase_lines(name: str, start: datetime, end: datetime, daily: int, total: int) -> list[str]:
    return [
        "",
        "[[phases]]",
        f"name = {_text(name)}",
        f"start = {start:%Y-%m-%dT%H:%M:%SZ}",
        f"end = {end:%Y-%m-%dT%H:%M:%SZ}",
        f"submissions_per_day = {daily}",
        f"submissions = {total}",
    ]


def _overview(title: str, names: Sequence[str]) -> str:
    listed = "\n".join(f"- {name}" for name in names)
    return (
        f"# {title}\n\nCorrect the grammatical errors in these texts:\n\n{listed}\n\nThe starting kit has the "
        "sentences, a sample submission, and a program that says whether a submission can be scored.\n"
    )


def _evaluation(metric: str) -> str:
    return (
        f"# Evaluation\n\nSubmissions are scored by recte (metric {metric}). A submission is a zip with one file for "
        "each test set, in UTF-8, as in the sample submission of the starting kit; in plain text, one line for each "
        "source sentence. The log of a submission says how its figures were made and what looks odd, or in one line "
        "what is wrong with it.\n"
    )


_TERMS = """# Terms

Write here who may take part, what may be used to train systems, and what happens to submissions.
"""


_SIZE = 120
_GROUND, _TICK = (31, 78, 121), (255, 255, 255)
_CORNERS = ((30, 62), (52, 85), (92, 37))
_HALF_WIDTH = 6.0


@cache
def plain_logo() -> bytes:
    """The picture's bytes.

    >>> plain_logo()[1:4]
    b'PNG'
    """
    rows = b"".join(
        b"\0" + b"".join(bytes(_TICK if _in_tick(x, y) else _GROUND) for x in range(_SIZE)) for y in range(_SIZE)
    )
    header = struct.pack(">IIBBBBB", _SIZE, _SIZE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _in_tick(x: int, y: int) -> bool:
    return any(_distance_squared(x, y, a, b) <= _HALF_WIDTH**2 for a, b in pairwise(_CORNERS))


def _distance_squared(x: int, y: int, a: tuple[int, int], b: tuple[int, int]) -> float:
    """From a point to a line between two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)))
    return (x - a[0] - along * dx) ** 2 + (y - a[1] - along * dy) ** 2


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

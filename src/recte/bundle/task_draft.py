"""A first task file from gold files, with pages and a logo beside it: everything a bundle needs, to be edited."""

from __future__ import annotations

import json
import os.path
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recte.bundle.logo import plain_logo
from recte.errors import InputError, OptionError
from recte.formats.files import stem

__all__ = ["task_draft"]


def task_draft(
    golds: Sequence[str],
    folder: Path,
    *,
    title: str = "A task in grammatical error correction",
    names: Sequence[str] = (),
    metric: str = "m2",
    development: Sequence[str] = (),
    start: datetime | None = None,
) -> dict[Path, bytes]:
    """The files of a new task, by their places: TASK.toml, pages, logo.

    `golds` are gold files, one for each test set, named by `names` or by their files; `development` are those of a
    phase before, in the same order. The first phase begins at `start`, by default next month.
    """
    if not golds:
        raise OptionError("expected at least one gold file, got none")
    if names and len(names) != len(golds):
        raise OptionError(f"--names: expected {len(golds)}, one for each gold file, got {len(names)}")
    if development and len(development) != len(golds):
        raise OptionError(f"--development: expected {len(golds)}, one for each test set, got {len(development)}")
    for path in (*golds, *development):
        if not Path(path).is_file():
            raise InputError("no such file", path)
    sets = list(names) or _names(golds)
    return {
        folder / "TASK.toml": _toml(golds, sets, folder, title, metric, development, start or _next_month()).encode(),
        folder / "pages" / "overview.md": _overview(title, sets).encode(),
        folder / "pages" / "evaluation.md": _evaluation(metric).encode(),
        folder / "pages" / "terms.md": _TERMS.encode(),
        folder / "logo.png": plain_logo(),
    }


def _names(golds: Sequence[str]) -> list[str]:
    """A name for each test set: its file's, or where these repeat its folder's."""
    names = [_plain(stem(path)) for path in golds]
    if len(set(names)) < len(names):
        names = [_plain(Path(path).resolve().parent.name) for path in golds]
    return names if len(set(names)) == len(names) else [f"set{n}" for n in range(1, len(golds) + 1)]


def _plain(name: str) -> str:
    plain = re.sub("[^a-z0-9]+", "_", name.casefold()).strip("_")[:16].strip("_")
    return plain if plain[:1].isalpha() else f"set_{plain}".rstrip("_")[:16]


def _next_month() -> datetime:
    first = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (first + timedelta(days=32)).replace(day=1)


def _text(value: str) -> str:
    """A text as TOML writes it: JSON's quoting is TOML's, but for one sign."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _from(folder: Path, path: str) -> str:
    """The path of a file as seen from the task file."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _toml(
    golds: Sequence[str],
    names: Sequence[str],
    folder: Path,
    title: str,
    metric: str,
    development: Sequence[str],
    start: datetime,
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
        "digits = 2",
        "",
        "[[pages]]",
        'title = "Overview"',
        'file = "pages/overview.md"',
        "",
        "[[pages]]",
        'title = "Evaluation"',
        'file = "pages/evaluation.md"',
    ]
    for name in names:
        lines += ["", "[[test_sets]]", f"name = {_text(name)}", f"title = {_text(name)}"]
        lines += [f'submission = "{name}.txt"  # the file that participants send']
    lines += ["", "[[metrics]]", f"name = {_text(metric)}  # its options may follow, one per line"]
    phases = [("Test", golds, 7, 2, 5)]
    if development:
        phases.insert(0, ("Development", development, 28, 10, 100))
    for phase, files, days, daily, total in phases:
        end = start + timedelta(days=days)
        lines += _phase_lines(phase, start, end - timedelta(seconds=1), daily, total)
        for name, gold in zip(names, files, strict=True):
            lines += ["", f"[phases.data.{name}]", f"gold = {_text(_from(folder, gold))}"]
            lines += ['# baselines = ["baseline.txt"]  # outputs that every submission is ranked beside']
        start = end
    return "\n".join([*lines, ""])


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
        "each test set: one line of UTF-8 for each source sentence. The log of a submission says how its figures were "
        "made, or in one line what is wrong with it.\n"
    )


_TERMS = """# Terms

Write here who may take part, what may be used to train systems, and what happens to submissions.
"""

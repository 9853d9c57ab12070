"""What the platform's worker does with a submission, offline: its folders, its steps, its words.

Each step is as the worker's own code does it: a zip's names are made harmless, a file `metadata` is added to the
submission, no shell runs the command, a missing or bad scores file fails, and a score that is no number is dropped in
silence. Only what it unpacks has a limit here.

A command in a fresh environment: a Python without packages, few variables, no network where it can be turned off.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import IO, Any

from recte.errors import InputError, OptionError
from recte.tasks.bundle.bundle_files import BundleFiles, read_yaml
from recte.tasks.bundle.program.submission_check import METADATA, unpack

__all__ = ["Finished", "FreshEnvironment", "Outcome", "interpreter", "network_can_be_off", "run_submission"]

_KEPT = ("PATH", "LANG", "TMPDIR", "SYSTEMROOT")
_LONGEST_OUTPUT = 1 << 20


@dataclass(frozen=True)
class Finished:
    """How a command ended; None where it took too long."""

    code: int | None
    stdout: str
    stderr: str


@cache
def network_can_be_off() -> bool:
    """Whether a process can be started in a network of its own, which leads nowhere."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    return subprocess.run([unshare, "-rn", "true"], capture_output=True).returncode == 0


class FreshEnvironment:
    """A folder with a Python of its own; `python` is a version such as 3.12."""

    def __init__(self, folder: Path, python: str) -> None:
        self._home = folder
        python_path = interpreter(python)
        if python_path is None:
            raise InputError(f"expected Python {python}, which the task's image has, on this machine too, found none")
        if python_path == Path(sys.executable):
            venv.create(folder / "python", symlinks=True)
        else:
            made = subprocess.run(
                [python_path, "-m", "venv", "--without-pip", folder / "python"], capture_output=True, text=True
            )
            if made.returncode:
                raise InputError(f"cannot make a fresh environment of {python_path}: {made.stderr.strip()[-200:]}")

    def run(self, command: list[str], folder: Path, seconds: int) -> Finished:
        """Run in the folder; no shell looks at the command."""
        program = self._home / "python" / "bin"
        variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
        variables |= {"PATH": f"{program}{os.pathsep}{variables.get('PATH', '')}", "HOME": str(self._home)}
        variables["PYTHONUNBUFFERED"] = "1"
        apart = [str(shutil.which("unshare")), "-rn", "--"] if network_can_be_off() else []
        executable = shutil.which(command[0], path=variables["PATH"]) or command[0]
        with open(self._home / "stdout", "w+b") as out, open(self._home / "stderr", "w+b") as err:
            process = subprocess.Popen(
                [*apart, executable, *command[1:]],
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            try:
                code: int | None = process.wait(seconds)
            except BaseException as error:
                _end(process)
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                code = None
            return Finished(code, _text(out), _text(err))


def _end(process: subprocess.Popen[bytes]) -> None:
    """The process and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(_LONGEST_OUTPUT).decode("utf-8", "replace")


def interpreter(python: str) -> Path | None:
    """A Python of that version: this one, or one on the path."""
    if python == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    path = shutil.which(f"python{python}")
    works = path is not None and not subprocess.run([path, "--version"], capture_output=True).returncode
    return Path(path) if path is not None and works else None


_OLD_NAMES = ("input", "output", "program", "hidden", "shared", "predictions", "tmp")
BAD_ZIP = "Bad or empty zip file"  # shown, too, where the worker says that metadata or their command are missing
_NOT_ZERO = "Child task failed or non-zero return code"
_NO_SCORES = "Could not find scores file, did the scoring program output it?"
_BAD_JSON = "Could not decode scores json properly, it contains an error."
_OWN_METADATA = "Error, the output directory already contains a metadata file. This file is used to store exitCode"


@dataclass(frozen=True)
class Outcome:
    """How a submission ends on the platform: Finished or Failed, what the participant is told, and the scores sent."""

    status: str
    tooltip: str = ""
    stdout: str = ""
    stderr: str = ""
    scores: Mapping[str, Any] | None = None
    kept: tuple[str, ...] = ()  # files of the scoring output
    notes: tuple[str, ...] = ()
    details: str = ""  # what our scoring program tells organisers alone

    def problems(self, columns: Mapping[str, str]) -> list[str]:
        """What the platform takes in silence: scores that it drops, and columns (by key) that it would show as n/a."""
        if self.status != "Finished":
            return []
        problems = []
        sent = self.scores or {}
        for key, title in columns.items():
            value = sent.get(key)
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
            if key not in sent:
                problems.append(f"{title} ({key}): expected a number, got none; n/a would rank first")
            elif not number:
                problems.append(f"{title} ({key}): expected a number, got {value!r}; the platform drops it in silence")
        return problems

    def refusal(self, columns: Mapping[str, str]) -> str | None:
        """One line for a submission that fails, or that the platform takes and shows n/a for; None if all is well."""
        if self.status != "Finished":
            last_line = next((line for line in self.stdout.splitlines()[::-1] if line.strip()), "")
            details = f" ({self.details})" if self.details else ""
            return f"{self.status}: {last_line or self.tooltip}{details}"
        return next(iter(self.problems(columns)), None)


def run_submission(
    program: BundleFiles,
    reference: BundleFiles,
    submission: Path,
    folder: Path,
    *,
    python: str,
    seconds: int,
    largest: int,
    run_code: bool = False,
) -> Outcome:
    """Unpack, lay out, run and read as the worker does, below an empty `folder`.

    `python` is the image's version, `seconds` the phase's limit, `largest` how many bytes may be unpacked. A submission
    with a command of its own is run only with `run_code`.
    """
    app = folder / "app"
    for name in ("program", "input/ref", "input/res", "output", "shared", "data"):
        (app / name).mkdir(parents=True)
    environment = FreshEnvironment(folder, python)
    sent = app / "input" / "res"
    if not zipfile.is_zipfile(submission):
        return Outcome("Failed", BAD_ZIP)
    strange = unpack(submission, sent, largest)
    notes = tuple(f"{name}: leads out of the zip; the platform takes it without" for name in strange[:5])
    files = [path for path in sent.rglob("*") if path.is_file()]
    metadata = next((sent / name for name in METADATA if (sent / name).is_file()), None)
    if metadata is not None:
        command = _command(metadata)
        if command is None:
            return Outcome("Failed", BAD_ZIP, notes=notes)
        if not run_code:
            raise OptionError(
                f"{submission}: has a command of its own, which the platform runs: --run-code runs it here"
            )
        _run_prediction(environment, command, app, seconds)
    elif not files:
        return Outcome("Failed", BAD_ZIP, notes=notes)
    (sent / "metadata").write_text("exitCode: 0\nelapsedTime: 0.1\n")
    program.write_to(app / "program")
    reference.write_to(app / "input" / "ref")
    command = program.command()
    if command is None:
        return Outcome("Failed", _NO_SCORES, notes=notes)
    done = environment.run(_words(command, app), app / "program", seconds)
    failure = app / "program" / "failure.txt"
    details = failure.read_text("utf-8") if failure.is_file() else ""
    return replace(_read_back(done, app / "output", seconds, notes), details=details)


def _run_prediction(environment: FreshEnvironment, command: str, app: Path, seconds: int) -> None:
    """The command of a submission, which sees no references; what it writes becomes the submission."""
    sent, ingested = app / "input" / "res", app / "ingested_program"
    sent.rename(ingested)
    sent.mkdir()
    paths = {"program": ingested, "output": sent, "input": app / "input_data"}
    words = [_with_paths(word, paths) for word in shlex.split(command)]
    environment.run(words, ingested, seconds)
    (sent / "metadata").unlink(missing_ok=True)


def _command(metadata: Path) -> str | None:
    try:
        content = read_yaml(metadata.read_bytes(), str(metadata))
    except InputError:
        return None
    command = content.get("command") if isinstance(content, dict) else None
    return command if isinstance(command, str) and command.strip() else None


def _words(command: str, app: Path) -> list[str]:
    """The command's words; names and places of the platform's folders are those of ours."""
    paths = {"input": app / "input", "output": app / "output", "program": app / "program", "shared": app / "shared"}
    paths |= {"hidden": app / "input" / "ref", "predictions": app / "input" / "res", "tmp": app / "shared"}
    try:
        return [_with_paths(word, paths).replace("/app/", f"{app}/") for word in shlex.split(command)]
    except ValueError:
        return command.split()


def _with_paths(word: str, paths: Mapping[str, Path]) -> str:
    for name in _OLD_NAMES:
        word = word.replace(f"${name}", str(paths.get(name, f"${name}")))
    return word


def _read_back(done: Finished, output: Path, seconds: int, notes: tuple[str, ...]) -> Outcome:
    """What the worker sends of the scoring output, and how the submission ends."""
    ended = partial(Outcome, stdout=done.stdout, stderr=done.stderr, notes=notes)
    if done.code is None:
        return ended("Failed", f"Execution Time Limit exceeded. Limit was {seconds} seconds")
    if done.code != 0:
        return ended("Failed", _NOT_ZERO)
    as_json, as_text = output / "scores.json", output / "scores.txt"
    scores: Any
    if as_json.is_file():
        try:
            scores = json.loads(as_json.read_text("utf-8"))
        except (ValueError, RecursionError) as error:
            return ended("Failed", f"{_BAD_JSON} {error}")
    elif as_text.is_file():
        scores = read_yaml(as_text.read_bytes(), "scores.txt")
    else:
        return ended("Failed", _NO_SCORES)
    if isinstance(scores, dict) and not _can_be_sent(scores):
        scores = {}  # the HTTP library refuses to send any
    sent = scores if isinstance(scores, dict) else None
    if (output / "metadata").exists():
        return ended("Failed", _OWN_METADATA, scores=sent)
    files = tuple(sorted(["metadata", *(path.relative_to(output).as_posix() for path in output.rglob("*"))]))
    return ended("Finished", scores=sent, kept=files)


def _can_be_sent(scores: Mapping[str, Any]) -> bool:
    return all(math.isfinite(value) for value in scores.values() if isinstance(value, float))

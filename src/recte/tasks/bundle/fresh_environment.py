"""A command in a fresh environment: a Python without packages, few variables, no network where it can be turned off."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import venv
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from recte.errors import InputError

__all__ = ["Finished", "FreshEnvironment", "interpreter", "network_can_be_off"]

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
        found = interpreter(python)
        if found is None:
            raise InputError(f"expected Python {python}, which the task's image has, on this machine too, found none")
        if found == Path(sys.executable):
            venv.create(folder / "python", symlinks=True)
        else:
            made = subprocess.run(
                [found, "-m", "venv", "--without-pip", folder / "python"], capture_output=True, text=True
            )
            if made.returncode:
                raise InputError(f"cannot make a fresh environment of {found}: {made.stderr.strip()[-200:]}")

    def run(self, command: list[str], folder: Path, seconds: int) -> Finished:
        """Run in the folder; no shell looks at the command."""
        program = self._home / "python" / "bin"
        variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
        variables |= {"PATH": f"{program}{os.pathsep}{variables.get('PATH', '')}", "HOME": str(self._home)}
        variables["PYTHONUNBUFFERED"] = "1"
        apart = [str(shutil.which("unshare")), "-rn", "--"] if network_can_be_off() else []
        found = shutil.which(command[0], path=variables["PATH"]) or command[0]
        with open(self._home / "stdout", "w+b") as out, open(self._home / "stderr", "w+b") as err:
            process = subprocess.Popen(
                [*apart, found, *command[1:]],
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
    found = shutil.which(f"python{python}")
    works = found is not None and not subprocess.run([found, "--version"], capture_output=True).returncode
    return Path(found) if found is not None and works else None

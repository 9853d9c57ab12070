"""The scoring program's start: looks at the submission, unpacks the wheels next to it, scores in a process of its own.

The platform calls it in /app/program; references are in /app/input/ref, the submission in /app/input/res. Whatever goes
wrong is one ASCII line on both streams, exit code 1 and no scores file. What the scoring process prints is never shown:
it could hold references. Nothing is downloaded.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

if __package__:
    from recte.tasks.bundle.program.submission_check import BadSubmissionError, ExpectedFile, find_files, one_line
else:  # in the scoring program the module stands next to this one
    from submission_check import (  # type: ignore[import-not-found, no-redef, unused-ignore]
        BadSubmissionError,
        ExpectedFile,
        find_files,
        one_line,
    )

_START = 15  # seconds that unpacking and starting may take of the platform's limit
_THREADS = 8


def main() -> int:
    """Score the submission that lies in the platform's folders."""
    program = Path(__file__).resolve().parent
    reference, submission = program.parent / "input" / "ref", program.parent / "input" / "res"
    output = program.parent / "output"
    try:
        task = json.loads((reference / "task.json").read_text("utf-8"))
        files, notes = find_files(submission, [ExpectedFile(**values) for values in task["files"]], by_worker=True)
        result = run_scoring(program / "wheels", reference, files, task)
        scores = {column["key"]: finite(column, result["scores"]) for column in task["columns"]}
        for line in [*notes, *result["lines"]]:
            print(one_line(line, 2000), flush=True)
        if result["page"] is not None:
            (output / "detailed_results.html").write_text(result["page"], "utf-8")
        (output / "scores.json").write_text(json.dumps(scores, indent=1) + "\n", "ascii")
    except BadSubmissionError as error:
        return report_failure(str(error))
    except Exception as error:  # nothing that an exception says may reach the participant
        return report_failure(f"the scoring program failed; please tell the organisers: {type(error).__name__}")
    return 0


def run_scoring(wheels: Path, reference: Path, files: dict[str, Path], task: dict[str, Any]) -> dict[str, Any]:
    """What the scoring process found, within the task's limits of time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        packages, answer = Path(folder, "packages"), Path(folder, "answer.json")
        for wheel in sorted(wheels.glob("*.whl")):
            with zipfile.ZipFile(wheel) as opened:
                opened.extractall(packages)
        environment = {
            **os.environ,
            "PYTHONPATH": str(packages),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MALLOC_ARENA_MAX": "2",
            "RECTE_THREADS": str(min(_THREADS, os.cpu_count() or 1)),
        }
        named = json.dumps({name: str(path) for name, path in files.items()})
        command = [
            sys.executable,
            "-P",
            "-m",
            "recte.tasks.bundle.submission_scores",
            str(reference),
            named,
            str(answer),
        ]
        seconds = max(task["seconds"] - _START, 1)
        try:
            done = subprocess.run(
                command,
                env=environment,
                timeout=seconds,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise BadSubmissionError(
                f"scoring took longer than {seconds} seconds; are there very long lines?"
            ) from None
        if not answer.exists():
            raise BadSubmissionError(
                f"the scoring process ended with code {done.returncode} and no answer, perhaps for want of memory; "
                "please tell the organisers"
            )
        result: dict[str, Any] = json.loads(answer.read_text("utf-8"))
    if "error" in result:
        if "details" in result:  # the platform shows nobody what stands in the program's folder; an offline check does
            (wheels.parent / "failure.txt").write_text(result["details"], "utf-8")
        raise BadSubmissionError(result["error"])
    return result


def finite(column: dict[str, Any], scores: dict[str, Any]) -> float:
    """The score as the platform stores it, ten digits behind the point; a missing one would be ranked first.

    Ranks and counts are whole numbers.
    """
    value = scores.get(column["key"])
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise BadSubmissionError(f"{column['key']}: expected a number, got none; please tell the organisers")
    return int(value) if not column["precision"] and value == int(value) else round(float(value), 10)


def report_failure(message: str) -> int:
    """One line on both streams: participants see standard output first, organisers look at standard error."""
    line = one_line(message)
    print(line, flush=True)
    print(line, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())

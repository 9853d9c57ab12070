"""Tries the recte of this interpreter from an empty folder: help, the sample's score and, with its extra, a report.

`make wheel` and the workflow that builds wheels run it in a fresh environment.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

SCORE = "81.30"  # of the sample's system heron, F0.5 in percent


def recte(*arguments: str, folder: str) -> str:
    command = [sys.executable, "-m", "recte", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(recte("--version", folder=folder).strip(), "on Python", sys.version.split()[0])
        if "score" not in recte("--help", folder=folder):
            raise SystemExit("recte --help does not name the command score")
        recte("sample", ".", folder=folder)
        score = recte("score", "gold.m2", "systems/heron.txt", "-b", folder=folder).strip()
        if score != SCORE:
            raise SystemExit(f"the sample's score: expected {SCORE}, got {score}")
        print(f"recte score: {score}")
        if importlib.util.find_spec("vl_convert"):
            recte("report", "gold.m2", "systems/heron.txt", "--to", "report.html", folder=folder)
            print(f"recte report: {Path(folder, 'report.html').stat().st_size / 1e6:.1f} MB")


main()

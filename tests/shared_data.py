"""The corpora and golden results that stay outside the repository: RECTE_SHARED, or ../shared beside the checkout."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(os.environ.get("RECTE_SHARED", Path(__file__).parents[2] / "shared"))


def shared(*parts: str) -> Path:
    """A file or folder of the shared data; the test is skipped where it is absent."""
    path = ROOT.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {Path(*parts)} of the shared data (set RECTE_SHARED): not at {ROOT}")
    return path


def rows(*parts: str) -> list[dict[str, str]]:
    """A golden table, one dict a line."""
    with shared(*parts).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def json_lines(*parts: str) -> Iterator[dict[str, Any]]:
    with shared(*parts).open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)

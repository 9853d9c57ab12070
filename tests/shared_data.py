"""Corpora and golden results.

Corpora and the results of others stay outside the repository: RECTE_SHARED, or ../shared next to the checkout. Goldens
of our own making (random cases) are also in tests/data, compressed, so that a public checkout has them.
"""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import os
from pathlib import Path
from typing import IO, Any

import pytest

ROOT = Path(os.environ.get("RECTE_SHARED", Path(__file__).parents[2] / "shared"))
COPIES = Path(__file__).parent / "data"
_OPENERS = {".gz": gzip.open, ".xz": lzma.open}


def shared(*parts: str) -> Path:
    """A file or folder of the shared data; the test is skipped where it is absent."""
    path = ROOT.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {Path(*parts)} of the shared data (set RECTE_SHARED): not at {ROOT}")
    return path


def golden(name: str) -> Path:
    """A golden file or folder by its path under `golden/`, e.g. `errant/random-cases.jsonl.gz`.

    The shared data come first, because some copies in tests/data are a part of the whole; then the copy; else the test
    is skipped. The name may end in .gz or .xz or not: a file is found however it is compressed. Read it with
    `golden_lines`, `golden_json`, `golden_rows` or `opened`.
    """
    for folder in (ROOT / "golden", COPIES):
        for suffix in ("", ".gz", ".xz"):
            path = folder / f"{bare_name(name)}{suffix}"
            if path.exists():
                return path
    pytest.skip(f"needs golden/{name} of the shared data (set RECTE_SHARED): not at {ROOT}, and it may not be copied")


def bare_name(name: str) -> str:
    """The name without the ending of a compressed file."""
    return name.removesuffix(".gz").removesuffix(".xz")


def opened(path: Path) -> IO[str]:
    """A text file, decompressed by its ending."""
    stream: IO[str] = _OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8", newline="")  # type: ignore[operator]
    return stream


def golden_lines(name: str) -> list[Any]:
    """A golden file of one JSON value per line."""
    with opened(golden(name)) as stream:
        return [json.loads(line) for line in stream]


def golden_json(name: str) -> Any:
    with opened(golden(name)) as stream:
        return json.load(stream)


def golden_rows(name: str) -> list[dict[str, str]]:
    """A golden table, one dict per line."""
    with opened(golden(name)) as stream:
        return list(csv.DictReader(stream, delimiter="\t"))

"""Counts files: a system's counts without its texts, to merge, re-score and test later.

A zip archive of NumPy arrays (`rows`, `index`, `fallbacks`) and a JSON `header` with everything else. `version` is
raised when an older errata could misread a newer file.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from errata.errors import InputError
from errata.formats.files import display_name, open_bytes, write_bytes
from errata.metrics.counts import Counts, TypeCount

__all__ = ["is_counts_file", "read_counts", "write_counts"]

FORMAT = "errata counts"
VERSION = 1
_MAGIC = b"PK\x03\x04"


def is_counts_file(path: str | Path) -> bool:
    """Whether the file is one of ours, by its first bytes."""
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def write_counts(path: str | Path, counts: Counts) -> None:
    """Save the counts, whole or not at all."""
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "metric": counts.metric,
        "options": dict(counts.options),
        "system": counts.system,
        "columns": counts.columns,
        "data": counts.data,
        "labels": dict(counts.labels),
        "types": counts.types,
        "system_types": counts.system_types,
    }
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        header=np.frombuffer(json.dumps(header, ensure_ascii=False).encode(), dtype=np.uint8),
        rows=counts.rows,
        index=counts.index,
        fallbacks=counts.fallbacks,
    )
    write_bytes(path, buffer.getvalue())


def read_counts(path: str | Path) -> Counts:
    """Read a file that `write_counts` wrote."""
    name = display_name(path)
    with open_bytes(path) as stream:
        content = stream.read()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in ("header", "rows", "index", "fallbacks")}
        header = json.loads(arrays["header"].tobytes())
        if header["format"] != FORMAT:
            raise KeyError("format")
    except (ValueError, KeyError, OSError, zipfile.BadZipFile):
        raise InputError("expected a counts file made by errata count, got something else", name) from None
    if header["version"] > VERSION:
        raise InputError(f"expected counts of version {VERSION} or older, got version {header['version']}", name)
    return Counts(
        metric=header["metric"],
        options=header["options"],
        system=header["system"],
        columns=tuple(header["columns"]),
        rows=arrays["rows"],
        index=arrays["index"],
        fallbacks=arrays["fallbacks"],
        data=header["data"],
        labels={key: tuple(values) for key, values in header["labels"].items()},
        types=None if header["types"] is None else tuple(TypeCount(*cell) for cell in header["types"]),
        system_types=header["system_types"],
    )

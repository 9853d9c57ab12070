"""Counts files: a system's counts without its texts, to merge, re-score and test later.

A zip archive of NumPy arrays (`rows`, `index`, `fallbacks`) and a JSON `header` with everything else. `version` is
raised when an older recte could misread a newer file.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.counts import Counts, TypeCount
from recte.errors import InputError
from recte.formats.files import display_name, open_bytes, write_bytes

__all__ = ["is_counts_file", "read_counts", "write_counts"]

FORMAT = "recte counts"
VERSION = 1
_MAGIC = b"PK\x03\x04"


def is_counts_file(path: str | Path) -> bool:
    """Whether the file is one of ours, by its first bytes. What is no regular file can be read only once: it is not."""
    if not Path(path).is_file():
        return False
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def write_counts(path: str | Path, counts: Counts) -> None:
    """Save the counts, whole or not at all.

    >>> import recte, tempfile
    >>> counts = recte.MaxMatch().prepare(recte.Corpus.from_references(["a"], [["b"]])).count(["b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_counts(f"{folder}/mine.counts", counts)
    """
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "metric": counts.metric,
        "options": dict(counts.options),
        "system": counts.system,
        "columns": counts.columns,
        "data": counts.data,
        "tokens": counts.tokens,
        "made_with": dict(counts.made_with),
        "labels": dict(counts.labels),
        "types": counts.types,
        "system_types": counts.system_types,
        "ties": counts.ties,
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
    """Read a file that `write_counts` wrote.

    >>> import recte, tempfile
    >>> counts = recte.MaxMatch().prepare(recte.Corpus.from_references(["a"], [["b"]])).count(["b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_counts(f"{folder}/mine.counts", counts)
    ...     read_counts(f"{folder}/mine.counts").rows.tolist()
    [[[1, 1, 1]]]
    """
    name = display_name(path)
    try:
        with open_bytes(path) as stream:
            content = stream.read()
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in ("header", "rows", "index", "fallbacks")}
        header = json.loads(arrays["header"].tobytes())
        if header["format"] != FORMAT:
            raise InputError(f"expected {FORMAT!r}, got {str(header['format'])[:40]!r}: count again with recte", name)
        version = int(header["version"])
        if version <= VERSION:
            return _checked(header, arrays)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, zipfile.BadZipFile, zlib.error):
        raise InputError("expected a counts file made by recte count, got something else", name) from None
    raise InputError(f"expected counts of version {VERSION} or older, got version {version}", name)


def _checked(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Counts:
    """Counts whose parts fit together; a ValueError where they do not."""
    rows, index, fallbacks = arrays["rows"], arrays["index"], arrays["fallbacks"]
    columns, labels, types, ties = header["columns"], header["labels"], header["types"], header["ties"]
    fits = (
        rows.dtype == np.int32
        and rows.ndim >= 3
        and len(rows) > 0
        and rows.shape[1] == len(columns) > 0
        and index.shape == fallbacks.shape == rows.shape[:1]
        and index.dtype == np.int64
        and fallbacks.dtype == np.bool_
        and all(len(values) == len(rows) for values in labels.values())
        and (rows.reshape(len(rows), -1) >= 0).any(axis=1).all()
    )
    if not fits:
        raise ValueError("parts do not fit")
    return Counts(
        metric=header["metric"],
        options=dict(header["options"]),
        system=str(header["system"]),
        columns=tuple(map(str, columns)),
        rows=rows,
        index=index,
        fallbacks=fallbacks,
        data=int(header["data"]),
        tokens=str(header["tokens"]),
        made_with={str(key): str(value) for key, value in header.get("made_with", {}).items()},
        labels={key: tuple(values) for key, values in labels.items()},
        types=None if types is None else tuple(TypeCount(*cell) for cell in types),
        system_types=bool(header["system_types"]),
        ties=None if ties is None else tuple((sentence, tuple(map(tuple, outcomes))) for sentence, outcomes in ties),
    )

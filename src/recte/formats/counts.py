"""Counts files: a system's counts without its texts, to merge, re-score and test later.

A zip archive of NumPy arrays and a JSON `header` with everything else. Arrays: `rows`, `index`, `fallbacks`,
`fingerprints`; `label-0`, … in the order of the header's `labels`; `types-sentence`, `types-column`, `types-type`,
`types-cells` where types were counted; `ties-sentence`, `ties-outcomes`. `version` is raised whenever another recte
could misread the file.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from recte.counts import Counts, TieTable, TypeTable, is_present
from recte.errors import InputError
from recte.formats.files import display_name, open_bytes, write_bytes

__all__ = ["is_counts_file", "read_counts", "write_counts"]

FORMAT = "recte counts"
VERSION = 2
_COLUMNS = ("rows", "index", "fallbacks", "fingerprints")
_TYPES = ("sentence", "column", "type", "cells")
_TIES = ("sentence", "outcomes")
_MOST_BYTES = 1 << 30  # unpacked: some ten million sentences of MaxMatch
# Whatever a file that is none of ours can make the readers of zip, NumPy and JSON raise.
_ODD = (
    *(ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, OverflowError, MemoryError, RecursionError),
    *(RuntimeError, NotImplementedError, SyntaxError, zipfile.BadZipFile, zlib.error),
)
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
        "tokens": counts.tokens,
        "reading": counts.reading,
        "made_with": dict(counts.made_with),
        "labels": list(counts.labels),
        "types": None if counts.types is None else counts.types.names,
        "system_types": counts.system_types,
        "ties": counts.ties is not None,
    }
    arrays: dict[str, NDArray[Any]] = {
        "header": np.frombuffer(
            json.dumps(header, ensure_ascii=False).encode("utf-8", "surrogatepass"), dtype=np.uint8
        ),
        **{name: getattr(counts, name) for name in _COLUMNS},
        **{f"label-{number}": values for number, values in enumerate(counts.labels.values())},
    }
    if counts.types is not None:
        arrays |= {f"types-{name}": getattr(counts.types, name) for name in _TYPES}
    if counts.ties is not None:
        arrays |= {f"ties-{name}": getattr(counts.ties, name) for name in _TIES}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **cast(dict[str, Any], arrays))
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
            content = stream.read(_MOST_BYTES + 1)
        _check_size(content, name)
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
        header = json.loads(arrays["header"].tobytes(), parse_constant=_no_number)
        if header["format"] != FORMAT:
            raise InputError(f"expected {FORMAT!r}, got {str(header['format'])[:40]!r}: count again with recte", name)
        version = int(header["version"])
        if version == VERSION:
            return _checked(header, arrays)
    except InputError:
        raise
    except _ODD:
        raise InputError("expected a counts file made by recte count, got something else", name) from None
    raise InputError(f"expected counts of version {VERSION}, got version {version}: count again with this recte", name)


def _check_size(content: bytes, name: str) -> None:
    """Whether the archive unpacks to no more than the stated size, before any of it is unpacked."""
    unpacked = len(content)
    if unpacked <= _MOST_BYTES:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > _MOST_BYTES:
        raise InputError(f"expected counts of at most {_MOST_BYTES >> 20:,} MB unpacked, got more", name)


def _no_number(constant: str) -> float:
    raise ValueError(f"expected a number, got {constant}")


def _checked(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Counts:
    """Counts whose parts fit together; a ValueError where they do not."""
    rows, index = arrays["rows"], arrays["index"]
    made_with = header.get("made_with", {})
    if not _types_of_header_fit(header, made_with):
        raise ValueError("a header with other types")
    columns = tuple(header["columns"])
    labels = {key: arrays[f"label-{number}"] for number, key in enumerate(header["labels"])}
    types = None if header["types"] is None else TypeTable(tuple(header["types"]), *_part(arrays, "types", _TYPES))
    ties = TieTable(*_part(arrays, "ties", _TIES)) if header["ties"] else None
    fits = (
        rows.dtype in (np.int32, np.float64)
        and rows.ndim >= 3
        and len(rows) > 0
        and rows.shape[1] == len(columns) > 0
        and rows[0, 0].size > 0
        and all(arrays[name].shape == rows.shape[:1] for name in _COLUMNS[1:])
        and [arrays[name].dtype for name in _COLUMNS[1:]] == [np.int64, np.bool_, np.uint32]
        and all(values.shape == rows.shape[:1] and values.dtype.kind == "U" for values in labels.values())
        and is_present(rows).any(axis=1).all()
        and index[0] >= 0
        and bool((index[1:] > index[:-1]).all())
    )
    if not fits or not _types_fit(types, len(columns)) or not _ties_fit(ties):
        raise ValueError("parts do not fit")
    return Counts(
        metric=header["metric"],
        options=header["options"],
        system=header["system"],
        columns=columns,
        rows=rows,
        index=index,
        fallbacks=arrays["fallbacks"],
        fingerprints=arrays["fingerprints"],
        tokens=header["tokens"],
        reading=header.get("reading", ""),
        made_with=made_with,
        labels=labels,
        types=types,
        system_types=header["system_types"],
        ties=ties,
    )


def _types_of_header_fit(header: dict[str, Any], made_with: Any) -> bool:
    """Whether texts are texts and so on; JSON holds anything."""
    texts = [header["metric"], header["system"], header["tokens"], header.get("reading", "")]
    for name in ("columns", "labels", "types"):
        of_name = header[name] if header[name] is not None or name != "types" else []
        if not isinstance(of_name, list) or len(set(of_name)) < len(of_name):
            return False
        texts += of_name
    if not isinstance(made_with, dict) or not isinstance(header["options"], dict):
        return False
    flags = (header["system_types"], header["ties"])
    return all(isinstance(t, str) for t in (*texts, *made_with.values())) and all(isinstance(f, bool) for f in flags)


def _part(arrays: dict[str, NDArray[Any]], prefix: str, names: tuple[str, ...]) -> list[NDArray[Any]]:
    return [arrays[f"{prefix}-{name}"] for name in names]


def _types_fit(types: TypeTable | None, columns: int) -> bool:
    if types is None:
        return True
    size = len(types.sentence)
    numbers = ((types.column, columns), (types.type, len(types.names)))
    return (
        types.cells.shape == (size, 4)
        and types.sentence.shape == (size,)
        and all(a.shape == (size,) and a.dtype.kind == "i" for a, _ in numbers)
        and all(bool(((a >= 0) & (a < limit)).all()) for a, limit in numbers)
    )


def _ties_fit(ties: TieTable | None) -> bool:
    if ties is None:
        return True
    whole = ties.sentence.dtype.kind == ties.outcomes.dtype.kind == "i"
    return whole and ties.outcomes.ndim == 2 and ties.sentence.shape == ties.outcomes.shape[:1]

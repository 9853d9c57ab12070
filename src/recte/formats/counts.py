"""Counts files: a system's counts without its texts, to merge, re-score and test later.

A zip archive of NumPy arrays and a JSON `header` with everything else. Arrays: `rows`, `index`, `fallbacks`,
`fingerprints`; `label-0`, … in the order of the header's `labels`; `types-sentence`, `types-column`, `types-type`,
`types-cells` where types were counted; `ties-sentence`, `ties-outcomes`. `version` is raised whenever another recte
could misread the file.
"""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts, TieTable, TypeTable
from recte.corpus.packed_rows import PackedRows
from recte.errors import InputError
from recte.files import display_name, open_bytes, write_bytes

__all__ = ["is_counts_file", "read_counts", "write_counts"]

FORMAT = "recte counts"
VERSION = 2
_COLUMNS = ("index", "fallbacks", "fingerprints")
_TYPES = ("sentence", "column", "type", "cells")
_TIES = ("sentence", "outcomes")
_ROWS = "rows.npy"
_ROWS_TOGETHER, _BYTES_TOGETHER = 10_000, 1 << 26  # that are read at once
_HEADER_BYTES = 128  # of an array in the file
_MOST_BYTES = 1 << 30  # of the file, and unpacked of all arrays but the rows: some thirty million sentences
_MOST_ROW_BYTES = 1 << 34  # unpacked: never there at once, so the limit is for time: some seven million of CLEME
_MAGIC = b"PK\x03\x04"  # of an archive, whose first member's name stands from byte 30 on
_FIRST_MEMBER = b"header.npy"


def is_counts_file(path: str | Path) -> bool:
    """Whether the file is one of ours, by its first bytes. What is no regular file can be read only once: it is not."""
    if not Path(path).is_file():
        return False
    try:
        with open(path, "rb") as stream:
            beginning = stream.read(30 + len(_FIRST_MEMBER))
            return beginning.startswith(_MAGIC) and beginning.endswith(_FIRST_MEMBER)
    except OSError:
        return False


def write_counts(path: str | Path, counts: Counts) -> None:
    """Save the counts, whole or not at all.

    >>> import recte, tempfile
    >>> counts = recte.MaxMatch().prepare(recte.Corpus.from_references(["a"], [["b"]])).count(["b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_counts(f"{folder}/mine.counts", counts)
    """
    _check_sentences(counts)
    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "metric": counts.metric,
        "options": dict(counts.options),
        "system": counts.system,
        "columns": counts.columns,
        "tokens": counts.tokens,
        "reading": counts.reading,
        "outputs": counts.outputs,
        "made_with": dict(counts.made_with),
        "labels": list(counts.labels),
        "types": None if counts.types is None else counts.types.names,
        "system_types": counts.system_types,
        "ties": counts.ties is not None,
    }
    try:
        text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError) as error:
        raise InputError(f"counts: expected options of text and finite numbers to save, got another: {error}") from None
    arrays: dict[str, NDArray[Any]] = {
        "header": np.frombuffer(text, dtype=np.uint8),
        **{name: getattr(counts, name) for name in _COLUMNS},
        **{f"label-{number}": values for number, values in enumerate(counts.labels.values())},
    }
    if counts.types is not None:
        arrays |= {f"types-{name}": getattr(counts.types, name) for name in _TYPES}
    if counts.ties is not None:
        arrays |= {f"ties-{name}": getattr(counts.ties, name) for name in _TIES}
    _check_size(
        sum(array.nbytes + _HEADER_BYTES for array in arrays.values()),
        counts.size * counts.dtype.itemsize + _HEADER_BYTES,
        display_name(path),
    )
    write_bytes(path, _archive_of(arrays, counts))


def _archive_of(arrays: dict[str, NDArray[Any]], counts: Counts) -> bytes:
    """What `numpy.savez_compressed` would write of the arrays and the rows, of which only a block is unpacked."""
    from zipfile import ZIP_DEFLATED, ZipFile

    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
        with archive.open(_ROWS, "w", force_zip64=True) as member:
            shape, descr = (len(counts), *counts.row_shape), np.lib.format.dtype_to_descr(counts.dtype)
            np.lib.format.write_array_header_1_0(member, {"descr": descr, "fortran_order": False, "shape": shape})
            for block in counts.row_blocks():
                member.write(block.tobytes())
    return buffer.getvalue()


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
        _check_archive_size(content, name)
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files if key != "rows"}
            rows = _read_rows(archive, name)
        header = json.loads(arrays["header"].tobytes(), parse_constant=_no_number)
        if header["format"] != FORMAT:
            raise InputError(f"expected {FORMAT!r}, got {str(header['format'])[:40]!r}: count again with recte", name)
        version = int(header["version"])
    except InputError:
        raise
    except _odd_errors():
        raise _no_counts(name) from None
    if version != VERSION:
        expected = f"expected counts of version {VERSION}, got version {version}"
        raise InputError(f"{expected}: count again with this recte", name)
    try:
        counts = _counts_of(header, arrays, rows)
        _check_sentences(counts)
    except _odd_errors():  # our own refusal among them
        raise _no_counts(name) from None
    return counts


def _odd_errors() -> tuple[type[Exception], ...]:
    """Whatever a file that is none of ours can make the readers of zip, NumPy and JSON raise."""
    from zipfile import BadZipFile
    from zlib import error

    usual = (ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, OverflowError, MemoryError)
    return (*usual, RecursionError, RuntimeError, NotImplementedError, SyntaxError, BadZipFile, error)


def _no_counts(name: str) -> InputError:
    return InputError("expected a counts file made by recte count, got something else", name)


def _check_archive_size(content: bytes, name: str) -> None:
    """Whether the archive unpacks to no more than the stated sizes, before any of it is unpacked."""
    _check_size(len(content), 0, name)
    from zipfile import ZipFile

    with ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    row_size = sum(member.file_size for member in members if member.filename == _ROWS)
    _check_size(sum(member.file_size for member in members) - row_size, row_size, name)


def _check_size(size: int, row_size: int, name: str) -> None:
    """Whether arrays and rows have no more than the stated numbers of bytes."""
    for what, got, most in (("rows", row_size, _MOST_ROW_BYTES), ("other arrays", size, _MOST_BYTES)):
        if got > most:
            raise InputError(
                f"expected counts with at most {most >> 20:,} MB of {what} unpacked, got {got >> 20:,} MB; "
                "recte score GOLD SYSTEM needs no counts file",
                name,
            )


def _check_sentences(counts: Counts) -> None:
    """Refuse counts of no sentence, of one without a row, or of sentences in disorder."""
    counts.check_some()
    there = counts.present().any(axis=1)
    if not there.all():
        sentence = counts.index[np.flatnonzero(~there)[0]] + 1
        raise InputError(f"counts: expected a row for each sentence, got none for sentence {sentence}")
    if counts.index[0] < 0 or not (counts.index[1:] > counts.index[:-1]).all():
        raise InputError("counts: expected the places of sentences in their order, each once, got others")


def _no_number(constant: str) -> float:
    raise ValueError(f"expected a number, got {constant}")


def _read_rows(archive: Any, name: str) -> PackedRows:
    """The rows of an open archive, some at a time."""
    with archive.zip.open(_ROWS) as member:
        if np.lib.format.read_magic(member) != (1, 0):
            raise ValueError("rows with another header")
        shape, by_column, dtype = np.lib.format.read_array_header_1_0(member)
        if by_column or dtype.kind not in "if" or len(shape) < 3 or not all(shape[1:]):
            _check_size(archive.zip.getinfo(_ROWS).file_size, 0, name)  # these are read at once
            return PackedRows(archive["rows"])
        rows = PackedRows(np.zeros((0, *shape[1:]), dtype=dtype))
        row_size = math.prod(shape[1:]) * dtype.itemsize
        while len(rows) < shape[0]:
            count = min(_ROWS_TOGETHER, max(1, _BYTES_TOGETHER // row_size), shape[0] - len(rows))
            cells = member.read(count * row_size)
            rows.append(np.frombuffer(cells, dtype=dtype).reshape(count, *shape[1:]))
        return rows


def _counts_of(header: dict[str, Any], arrays: dict[str, NDArray[Any]], rows: PackedRows) -> Counts:
    """The counts that a header and arrays make, which see to it that they fit together."""
    made_with = header.get("made_with", {})
    if not _types_of_header_fit(header, made_with):
        raise ValueError("a header with other types")
    columns = tuple(header["columns"])
    labels = {key: arrays[f"label-{number}"] for number, key in enumerate(header["labels"])}
    types = None if header["types"] is None else TypeTable(tuple(header["types"]), *_part(arrays, "types", _TYPES))
    ties = TieTable(*_part(arrays, "ties", _TIES)) if header["ties"] else None
    return Counts(
        metric=header["metric"],
        options=header["options"],
        system=header["system"],
        columns=columns,
        rows=rows,  # type: ignore[arg-type]  # packed: read as an array
        index=arrays["index"],
        fallbacks=arrays["fallbacks"],
        fingerprints=arrays["fingerprints"],
        tokens=header["tokens"],
        reading=header.get("reading", ""),
        outputs=header.get("outputs", ""),
        made_with=made_with,
        labels=labels,
        types=types,
        system_types=header["system_types"],
        ties=ties,
    )


def _types_of_header_fit(header: dict[str, Any], made_with: Any) -> bool:
    """Whether texts are texts and so on; JSON holds anything."""
    texts = [header["metric"], header["system"], header["tokens"], header.get("reading", ""), header.get("outputs", "")]
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

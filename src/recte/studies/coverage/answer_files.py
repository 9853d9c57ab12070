"""Many answers a sentence, as JSON lines or as a table.

    {"source": "He go .", "corrections": ["He goes .", "He went ."], "rejected": ["go"], "id": "1", "level": "B1"}

    source      correction      id      rejected
    He go .     He goes .       1       no

In JSON lines a line is a sentence: `source` and `corrections` must be there, `rejected` and `id` may be, and any other
text, number or truth value is a label. A table (TSV with a header) has one answer per line; answers of one `id`, or of
one `source` where there is no `id`, belong together. `rejected` is yes or no there, and other columns are labels.

What UNSEENEST takes and gives, as its users store it.

A fingerprint has a number a line: how many corrections were seen once, twice, … A distribution has a header, then a
frequency and a number of corrections a line.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recte.errors import InputError
from recte.files import display_name, read_lines
from recte.formats.labels import iterate_table
from recte.studies.coverage.kinds import AnsweredSentence
from recte.studies.coverage.unseen_corrections import Distribution

__all__ = ["read_answers", "read_fingerprint", "read_histogram"]

_YES, _NO = ("yes", "true", "1"), ("no", "false", "0", "")
_OWN_COLUMNS = ("source", "correction", "id", "rejected")


def read_answers(path: str | Path) -> tuple[AnsweredSentence, ...]:
    """The sentences of a file with their answers; JSON lines where the file begins with {, else a table.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "a.tsv").write_text("source\\tcorrection\\nHe go\\tHe goes\\nHe go\\tHe went\\n")
    ...     read_answers(f"{folder}/a.tsv")[0].answers
    ('He goes', 'He went')
    """
    lines = list(read_lines(path))
    json_lines = any(line.lstrip().startswith("{") for line in lines[:1])
    name = display_name(path)
    sentences = tuple(_from_json_lines(lines, name) if json_lines else _from_table(lines, name))
    if not sentences:
        raise InputError("expected at least one sentence with answers, got none", name, 1)
    twice = [id for id, times in Counter(sentence.id for sentence in sentences).items() if times > 1]
    if twice:
        raise InputError(f"expected an id of its own for each sentence, got {twice[0]!r} more than once", name)
    return sentences


def _from_json_lines(lines: list[str], name: str) -> Iterator[AnsweredSentence]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"expected a JSON object a line, got {line[:40]!r}", name, number) from None
        if not isinstance(row, dict):
            raise InputError(f"expected a JSON object, got {line[:40]!r}", name, number)
        yield AnsweredSentence(
            source=_text(row, "source", name, number),
            answers=_texts(row, "corrections", name, number),
            rejected=_texts(row, "rejected", name, number) if "rejected" in row else (),
            id=str(row.get("id", number)),
            labels={
                key: _label(value)
                for key, value in row.items()
                if key not in ("source", "corrections", "rejected", "id") and isinstance(value, (str, int, float))
            },
        )


def _label(value: str | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(row: dict[str, Any], key: str, name: str, number: int) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise InputError(f"expected a text as {key!r}, got {_short(value)}", name, number)
    return value


def _texts(row: dict[str, Any], key: str, name: str, number: int) -> tuple[str, ...]:
    value = row.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"expected a list of texts as {key!r}, got {_short(value)}", name, number)
    return tuple(value)


def _short(value: Any) -> str:
    return "nothing" if value is None else repr(value)[:40]


def _from_table(lines: list[str], name: str) -> Iterator[AnsweredSentence]:
    if not lines:
        raise InputError(
            "expected JSON lines, or a table with the columns 'source' and 'correction', got nothing", name, 1
        )
    header = lines[0].split("\t")
    for column in ("source", "correction"):
        if column not in header:
            raise InputError(f"expected JSON lines, or a table with the column {column!r}, got {header}", name, 1)
    grouped: dict[str, list[dict[str, str]]] = {}
    for number, row in enumerate(iterate_table(iter(lines), name), 2):
        key = row.get("id", row["source"])
        together = grouped.setdefault(key, [])
        if together and together[0]["source"] != row["source"]:
            raise InputError(f"expected the source of {key!r} to stay, got {row['source'][:40]!r}", name, number)
        if row.get("rejected", "no").lower() not in (*_YES, *_NO):
            raise InputError(f"rejected: expected yes or no, got {row['rejected'][:40]!r}", name, number)
        together.append(row)
    for number, (key, rows) in enumerate(grouped.items(), 1):
        rejected = [row.get("rejected", "no").lower() in _YES for row in rows]
        yield AnsweredSentence(
            source=rows[0]["source"],
            answers=tuple(row["correction"] for row, out in zip(rows, rejected, strict=True) if not out),
            rejected=tuple(row["correction"] for row, out in zip(rows, rejected, strict=True) if out),
            id=key if "id" in rows[0] else str(number),
            labels={column: value for column, value in rows[0].items() if column not in _OWN_COLUMNS},
        )


_NUMBER = re.compile("[0-9]{1,15}")


def read_fingerprint(path: str | Path) -> tuple[int, ...]:
    """How many corrections were seen once, twice, and so on."""
    seen = []
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            if not _NUMBER.fullmatch(line.strip()):
                raise InputError(f"expected a number of corrections, got {line[:40]!r}", str(path), number)
            seen.append(int(line.strip()))
    return tuple(seen)


def read_histogram(path: str | Path) -> Distribution:
    """The distribution in one file."""
    pairs = []
    for number, line in enumerate(list(read_lines(path))[1:], 2):
        if not line.strip():
            continue
        try:
            frequency, variants = map(float, line.split())
        except ValueError:
            raise InputError(
                f"expected a frequency and a number of corrections, got {line!r}", str(path), number
            ) from None
        pairs.append((frequency, variants))
    return Distribution.of((x for x, _ in pairs), (h for _, h in pairs))

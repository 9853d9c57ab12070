"""What is said of edits, in a TSV file with a header: weights, or verdicts.

    sentence    start   end     correction      weight
    1           1       2       goes            0.75

Sentences count from 1; `start` and `end` are token offsets as in M2. The last column is `weight` (a number of 0 or
more) or `verdict` (valid, better or wrong); other columns are passed over. How many systems were right on GoToScorer's
chunks is a text file: the number of systems, then one line of numbers for each sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TypeVar

from recte.edits.difficulty import Difficulty, register_difficulty
from recte.edits.edit_context import EditKey
from recte.edits.edit_verdicts import EDIT_VERDICTS, EditVerdict, TableJudge, register_edit_verdicts
from recte.edits.edit_weights import TableWeigher, register_edit_weights
from recte.errors import InputError
from recte.files import display_name, read_lines, stem, write_lines
from recte.formats.labels import iterate_table

__all__ = [
    "load_difficulty",
    "load_edit_verdicts",
    "load_edit_weights",
    "read_difficulty",
    "read_edit_verdicts",
    "read_edit_weights",
    "write_difficulty",
]

Value = TypeVar("Value")


def read_edit_weights(path: str | Path) -> TableWeigher:
    """Weights of edits, named after the file and its content.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "mine.tsv")
    ...     _ = file.write_text("sentence\\tstart\\tend\\tcorrection\\tweight\\n1\\t1\\t2\\tgoes\\t0.75\\n")
    ...     list(read_edit_weights(file).weights.values())
    [0.75]
    """

    def weight(text: str) -> float:
        value = float(text)
        if not (math.isfinite(value) and value >= 0):
            raise ValueError
        return value

    values = _read(path, "weight", weight, "a number of 0 or more")
    return TableWeigher(_name(path, values), values)


def read_edit_verdicts(path: str | Path) -> TableJudge:
    """Verdicts on edits, named after the file and its content."""

    def verdict(text: str) -> EditVerdict:
        return next(v for v in EDIT_VERDICTS if v == text)

    values = _read(path, "verdict", verdict, f"one of {', '.join(EDIT_VERDICTS)}")
    return TableJudge(_name(path, values), values)


def _read(path: str | Path, column: str, parse: Callable[[str], Value], expected: str) -> dict[EditKey, Value]:
    name, lines = display_name(path), read_lines(path)
    values: dict[EditKey, Value] = {}
    header = next(lines, "")
    missing = next((c for c in ("sentence", "start", "end", "correction", column) if c not in header.split("\t")), None)
    if missing is not None:
        raise InputError(f"expected a column {missing!r}, got {', '.join(header.split(chr(9)))!r}", name, 1)
    for number, row in enumerate(iterate_table(chain([header], lines), name), 2):
        try:
            sentence, start, end = (int(row[c]) for c in ("sentence", "start", "end"))
            if sentence < 1 or not 0 <= start <= end:
                raise ValueError
        except ValueError:
            got = " ".join(row[c] for c in ("sentence", "start", "end"))
            raise InputError(f"expected a sentence from 1 and offsets in order, got {got!r}", name, number) from None
        try:
            value = parse(row[column])
        except (ValueError, StopIteration):
            raise InputError(f"expected {expected}, got {row[column]!r}", name, number) from None
        key = EditKey(sentence - 1, start, end, " ".join(row["correction"].split()))
        if values.setdefault(key, value) != value:
            raise InputError(f"expected one {column} of an edit, got {value!r} after {values[key]!r}", name, number)
    return values


def _name(path: str | Path, values: object) -> str:
    digest = blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{stem(path)}-{digest}"


def read_difficulty(path: str | Path) -> Difficulty:
    """How many systems were right on each of GoToScorer's chunks; numbers stand apart by blanks or commas."""
    name = display_name(path)
    rows: list[tuple[int, ...]] = []
    for number, line in enumerate(read_lines(path), 1):
        try:
            row = tuple(int(n) for n in line.replace(",", " ").split())
        except ValueError:
            raise InputError(f"expected whole numbers, got {line[:40]!r}", name, number) from None
        if number == 1 and (len(row) != 1 or row[0] < 1):
            raise InputError(f"expected the number of systems, got {line[:40]!r}", name, number)
        if rows and not all(0 <= n <= rows[0][0] for n in row):
            raise InputError(
                f"expected numbers from 0 to {rows[0][0]}, the systems there are, got others", name, number
            )
        rows.append(row)
    if not rows:
        raise InputError("expected the number of systems and a line for each sentence, got an empty file", name)
    return Difficulty(_name(path, rows), rows[0][0], tuple(rows[1:]))


def write_difficulty(path: str | Path, difficulty: Difficulty) -> None:
    """Write the table that a score's weights come from, to be published with it."""
    lines = (" ".join(map(str, counts)) + "\n" for counts in difficulty.counts)
    write_lines(path, [f"{difficulty.systems}\n", *lines])


def load_edit_weights(path: str) -> None:
    """Make a file of weights known by its name, for the option `edit_weights`."""
    register_edit_weights(path, read_edit_weights(path))


def load_edit_verdicts(path: str) -> None:
    """Make a file of verdicts known by its name, for the option `edit_verdicts`."""
    register_edit_verdicts(path, read_edit_verdicts(path))


def load_difficulty(path: str) -> None:
    """Make a published table known by its name, for the option `difficulty`."""
    register_difficulty(path, read_difficulty(path))

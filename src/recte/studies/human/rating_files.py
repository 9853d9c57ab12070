"""Human ratings of single outputs, from whichever file holds them.

Ours is a TSV with a header and one rating per line, sentences numbered from 1 or called by any text:

    sentence	rater	system	rating
    1	ann	heron	82

The others are GMEG's tables (CSV: the systems in the header, one sentence per line, mean ratings; an empty cell is a
missing one), and mt-metrics-eval's: `.seg.score` (system and score, one block of lines per system, `None` where there
is no rating), `.seg.rating` (system, marked errors as JSON, rater) and JSON lines with the same errors. Marked errors
become a rating by their scores: the sum of their sizes, below zero.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from recte.errors import InputError, LengthError
from recte.files import display_name, read_lines, stem, write_lines
from recte.formats.labels import csv_cells
from recte.studies.human.ratings import Rating, Ratings

__all__ = ["is_ratings", "read_ratings", "write_ratings"]

_COLUMNS = ("sentence", "rater", "system", "rating")
_MISSING = "None"
_MEAN = "mean"  # the rater of a file that holds means over raters
Numbered = Iterator[tuple[int, str]]


def read_ratings(path: str | Path, *more: str | Path) -> Ratings:
    """Read ratings in any of the formats; several files hold ratings of the same corpus by other raters.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "scores.csv").write_text("heron,wren\\n80,71.5\\n,\\n")
    ...     read_ratings(f"{folder}/scores.csv").table().tolist()
    [[80.0, nan], [71.5, nan]]
    """
    all_ratings: list[Rating] = []
    length = 0
    for file in (path, *more):
        ratings, lines = _read(file)
        all_ratings += ratings
        if length and lines and lines != length:
            raise LengthError(f"expected {length} lines for each system as in {path}, got {lines}", display_name(file))
        length = length or lines
    return Ratings.of(all_ratings, length=length, name=display_name(path), by_line=length > 0)


def is_ratings(path: str | Path) -> bool:
    """Whether a file looks like ratings, by its name or its first line."""
    if not Path(path).is_file():
        return False
    if _kind(path) != "table":
        return True
    header = next(read_lines(path), "")
    columns = set(header.split("\t"))
    if {"rater", "rating"} & columns and "score" not in columns:  # where another is missing, the reader says which
        return True
    return "\t" not in header and "," in header and not {"system1Id", "system1", "score"} & set(header.split(","))


def write_ratings(path: str | Path, ratings: Ratings) -> None:
    """Write the ratings as our own table, whole or not at all.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_ratings(f"{folder}/rated.tsv", Ratings.of([Rating(0, "ann", "wren", 70.0)]))
    ...     read_ratings(f"{folder}/rated.tsv").systems
    ('wren',)
    """
    rows = (
        (r.sentence if isinstance(r.sentence, str) else r.sentence + 1, r.rater, r.system, f"{r.rating:.12g}")
        for r in ratings.ratings()
    )
    write_lines(path, ("\t".join(map(str, row)) + "\n" for row in (_COLUMNS, *rows)))


def _kind(path: str | Path) -> str:
    name = Path(path).name.removesuffix(".gz")
    for ending, kind in ((".seg.score", "scores"), (".seg.rating", "marked"), (".jsonl", "json")):
        if name.endswith(ending):
            return kind
    return "table"


def _read(path: str | Path) -> tuple[list[Rating], int]:
    """The ratings of one file, and the number of sentences it tells of."""
    name = display_name(path)
    lines = enumerate(read_lines(path), 1)
    kind = _kind(path)
    if kind == "scores":
        return _in_blocks(_scores(lines, name), name)
    if kind == "marked":
        return _in_blocks(_iterate_lines(lines, stem(Path(stem(path))), name), name)
    if kind == "json":
        return [_json(text, name, line) for line, text in lines if text], 0
    _, header = next(lines, (1, ""))
    columns = header.split("\t")
    if set(_COLUMNS) <= set(columns):
        return list(_own(lines, columns, name)), 0
    if {"rater", "rating"} & set(columns):
        absent = next(column for column in _COLUMNS if column not in columns)
        raise InputError(f"expected the columns {', '.join(_COLUMNS)}, got none called {absent}", name, 1)
    if "," in header and "\t" not in header:
        return _gmeg(header, lines, name)
    raise InputError(
        f"expected ratings: a table with the columns {', '.join(_COLUMNS)}, a CSV of systems, .seg.score, .seg.rating "
        f"or JSON lines, got {header[:60]!r}",
        name,
        1,
    )


def _number(text: str, name: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) <= 1e50:
        raise InputError(f"expected a number as rating, got {text[:40]!r}", name, line)
    return value


def _own(lines: Numbered, columns: list[str], name: str) -> Iterator[Rating]:
    for line, text in lines:
        values = text.split("\t")
        if len(values) != len(columns):
            raise InputError(f"expected {len(columns)} columns as in the header, got {len(values)}", name, line)
        row = dict(zip(columns, values, strict=True))
        number = row["sentence"]
        if number.lstrip("-").isdecimal() and not (len(number) <= 10 and 1 <= int(number) < 2**31):
            raise InputError(f"expected the number of a sentence, from 1, got {number[:40]!r}", name, line)
        if not number.strip():
            raise InputError("expected the number, the id or the text of a sentence, got none", name, line)
        yield Rating(
            int(number) - 1 if number.isdecimal() else number,
            row["rater"],
            row["system"],
            _number(row["rating"], name, line),
        )


def _gmeg(header: str, lines: Numbered, name: str) -> tuple[list[Rating], int]:
    systems = csv_cells(header, name, 1)
    if len(set(systems)) < len(systems) or not all(systems):
        raise InputError(f"expected the names of different systems, got {header[:60]!r}", name, 1)
    ratings, length = [], 0
    for sentence, (line, text) in enumerate(lines):
        cells = csv_cells(text, name, line) if text else [""] * len(systems)
        if len(cells) != len(systems):
            raise InputError(f"expected {len(systems)} cells as in the header, got {len(cells)}", name, line)
        length = sentence + 1
        ratings += [
            Rating(sentence, _MEAN, system, _number(cell, name, line))
            for system, cell in zip(systems, cells, strict=True)
            if cell.strip()
        ]
    return ratings, length


def _scores(lines: Numbered, name: str) -> Iterator[tuple[int, str, Rating | None]]:
    for line, text in lines:
        if not text.strip():
            continue
        cells = text.split()
        if len(cells) != 2:
            raise InputError(f"expected a system and its score, got {len(cells)} columns", name, line)
        system, score = cells
        yield line, system, None if score == _MISSING else Rating(0, _MEAN, system, _number(score, name, line))


def _iterate_lines(lines: Numbered, rater: str, name: str) -> Iterator[tuple[int, str, Rating | None]]:
    for line, text in lines:
        if not text.strip():
            continue
        cells = text.split("\t")
        if not 2 <= len(cells) <= 3:
            raise InputError(f"expected a system, its marked errors and a rater, got {len(cells)} columns", name, line)
        system, marked = cells[:2]
        if marked == _MISSING:
            yield line, system, None
        else:
            by = cells[2] if len(cells) == 3 else rater
            yield line, system, Rating(0, by, system, _rating_of(_load_json(marked, name, line), name, line))


def _in_blocks(rows: Iterable[tuple[int, str, Rating | None]], name: str) -> tuple[list[Rating], int]:
    """One block of lines per system, sentence after sentence; every block as long as the first."""
    ratings: list[Rating] = []
    seen: dict[str, int] = {}
    for _, system, rating in rows:
        sentence = seen.get(system, 0)
        seen[system] = sentence + 1
        if rating is not None:
            ratings.append(rating._replace(sentence=sentence))
    if len(set(seen.values())) > 1:
        shortest, longest = min(seen, key=seen.__getitem__), max(seen, key=seen.__getitem__)
        raise InputError(
            f"expected as many lines for each system, got {seen[longest]} of {longest} and {seen[shortest]} of "
            f"{shortest}",
            name,
        )
    return ratings, max(seen.values(), default=0)


def _load_json(text: str, name: str, line: int) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, got {text[:40]!r}", name, line)
    return value


def _json(text: str, name: str, line: int) -> Rating:
    value = _load_json(text, name, line)
    sentence, system, rater = value.get("segment_id"), value.get("system_id"), value.get("rater_id", _MEAN)
    if not isinstance(sentence, int) or isinstance(sentence, bool) or not 0 <= sentence < 2**31:
        raise InputError(f"expected segment_id, a number from 0, got {str(sentence)[:40]!r}", name, line)
    if not isinstance(system, str) or not isinstance(rater, str):
        raise InputError(f"expected system_id and rater_id as text, got {system!r} and {rater!r}", name, line)
    rating = value.get("rating", value)
    if isinstance(rating, dict):
        return Rating(sentence, rater, system, _rating_of(rating, name, line))
    return Rating(sentence, rater, system, _number(str(rating), name, line))


def _rating_of(marked: dict[str, Any], name: str, line: int) -> float:
    """Marked errors as a rating: what they weigh together, below zero."""
    errors = marked.get("errors")
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise InputError("expected a list of errors, got none", name, line)
    if any(error.get("score") is None for error in errors):
        raise InputError("expected a score for every marked error, got none", name, line)
    return -sum((abs(_number(str(error["score"]), name, line)) for error in errors), 0.0)

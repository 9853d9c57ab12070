"""The JSON of W&I and FCE: one essay per line, with corrections in characters.

The published M2 files were cut into sentences and words by programs of their time, so scores need those. The JSON has
the texts: an essay is one unit with one reference for each annotator, or, in the reading `lines`, each paragraph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from recte.corpus.corpus import Sentence
from recte.errors import InputError
from recte.files import can_be_read_again, display_name, name_without_compression, read_lines
from recte.formats.file_formats import FileFormat

__all__ = ["ESSAY_JSON", "CharacterCorrection", "iterate_essay_corrections"]


class CharacterCorrection(NamedTuple):
    """A correction by its place in the text; with None, something is wrong, and nobody says what is right."""

    start: int
    end: int
    correction: str | None


class _Essay(NamedTuple):
    id: str
    text: str
    annotations: tuple[tuple[CharacterCorrection, ...], ...]

    def apply(self, corrections: Sequence[CharacterCorrection]) -> str:
        """The text with these corrections, the last first, so that places stay true; of two that overlap, the first."""
        applied: list[CharacterCorrection] = []
        for change in sorted(corrections, key=lambda c: (c.start, c.end)):
            if change.correction is not None and (not applied or change.start >= applied[-1].end):
                applied.append(change)
        text = self.text
        for start, end, correction in reversed(applied):
            text = text[:start] + (correction or "") + text[end:]
        return text


def is_essay_json(path: str | Path) -> bool:
    """Whether the file is named `.json` and its first line is an essay."""
    if not name_without_compression(str(path)).endswith(".json") or not can_be_read_again(path):
        return False
    first = next(read_lines(path), "")
    return first.startswith("{") and re.search(r'"text"\s*:', first) is not None and '"edits"' in first


def _essays(path: str | Path) -> Iterator[_Essay]:
    name, number = display_name(path), 0
    for number, line in enumerate(read_lines(path), 1):
        try:
            row = json.loads(line)
            text, identity = row["text"], row["id"]
            annotations = tuple(tuple(_correction(text, *values) for values in edits) for _, edits in row["edits"])
            if not isinstance(text, str) or not annotations:
                raise ValueError
        except (ValueError, TypeError, LookupError, RecursionError):
            expected = "expected an essay with id, text and edits ([annotator, [[start, end, correction], ...]])"
            raise InputError(f"{expected}, got {line[:60]!r}", name, number) from None
        yield _Essay(str(identity), text, annotations)
    if not number:
        raise InputError("expected at least one essay, got an empty file", name, 1)


def _correction(text: str, start: Any, end: Any, correction: Any, *_: Any) -> CharacterCorrection:
    if not 0 <= start <= end <= len(text) or not isinstance(correction, str | None):
        raise ValueError
    return CharacterCorrection(start, end, correction)


def iterate_essay_corrections(path: str | Path) -> Iterator[tuple[str, str, str | None]]:
    """Each correction: the essay's id, what stood there, and what is right, or None where nobody says it."""
    for essay in _essays(path):
        for corrections in essay.annotations:
            yield from ((essay.id, essay.text[c.start : c.end], c.correction) for c in corrections)


def _iterate_whole(path: str | Path) -> Iterator[Sentence]:
    for essay in _essays(path):
        references = tuple(essay.apply(annotation) for annotation in essay.annotations)
        yield Sentence(essay.text, references=references, id=essay.id)


def _iterate_lines(path: str | Path) -> Iterator[Sentence]:
    """Paragraphs; as in the task's own conversion, corrections across paragraphs are lost."""
    for essay in _essays(path):
        inside = tuple(
            tuple(
                c for c in corrections if "\n" not in essay.text[c.start : c.end] and "\n" not in (c.correction or "")
            )
            for corrections in essay.annotations
        )
        columns = [essay.apply(corrections).split("\n") for corrections in inside]
        rows = zip(essay.text.split("\n"), *columns, strict=True)
        nonempty = ((text, references) for text, *references in rows if text.strip())
        for number, (text, references) in enumerate(nonempty, 1):
            yield Sentence(text, references=tuple(references), id=f"{essay.id}:{number}", document=essay.id)


_NAMES = ("essay-json", "the JSON of W&I and FCE", is_essay_json)
_BY_LINES = FileFormat(
    *_NAMES,
    read_gold=lambda path, lenient: _iterate_lines(path),
    reading="lines",
    drops="blank lines, and corrections across lines",
)
ESSAY_JSON = FileFormat(
    *_NAMES, read_gold=lambda path, lenient: _iterate_whole(path), reading="whole", readings=(_BY_LINES,)
)

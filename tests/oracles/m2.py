"""M2 files line by line in plain Python: what the compiled reader must give, sentences and errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from recte.corpus.corpus import Annotation, Edit, Sentence
from recte.errors import InputError
from recte.files import BYTE_ORDER_MARK, display_name, read_raw_lines

_DELETION = "-NONE-"
_NOOP = "noop"
_REQUIRED = "REQUIRED"
_NO_EDIT = Edit(-1, -1, ("",), _NOOP)
_REFUSED = Edit(-1, -1, ("",), "NA")
_IGNORED = BYTE_ORDER_MARK + "\r\n\t "
_FIELDS = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"


def iterate_m2(path: str | Path, *, lenient: bool = False) -> Iterator[Sentence]:
    """The sentences one by one, for files too large to hold."""
    name = display_name(path)
    count = number = 0
    block: list[str] = []
    started = ended = False  # the block has text; an empty line came after it
    for number, line in enumerate(read_raw_lines(path), 1):
        empty = not line.strip(_IGNORED)
        if ended and not empty:
            count += 1
            yield parse_block(block, name, number - len(block), id=str(count), lenient=lenient)
            block, started, ended = [], False, False
        started = started or not empty
        ended = started and empty
        block.append(line)
    if started:
        count += 1
        yield parse_block(block, name, number + 1 - len(block), id=str(count), lenient=lenient)
    if not count:
        raise InputError(
            "expected at least one sentence (a line that starts with 'S '), got none", name, max(number, 1)
        )


def parse_block(
    lines: Iterable[str], file: str = "M2 text", first: int = 1, *, id: str = "", lenient: bool = False
) -> Sentence:
    """One sentence from its lines."""
    kept = tuple(lines)
    text: str | None = None
    tokens: tuple[str, ...] = ()
    edits: dict[str, list[Edit]] = {}
    dropped = False
    refused: set[str] = set()
    for number, raw in enumerate(kept, first):
        line = raw.removesuffix("\n").removesuffix("\r")
        if number == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        kind = line[:2]
        if not line.strip():
            continue
        if kind in ("S ", "S"):
            if text is not None:
                raise InputError("expected an empty line before the next sentence, got a second 'S' line", file, number)
            text = line[2:]
            tokens = tuple(text.split())
        elif text is None:
            raise InputError(f"expected a sentence (a line that starts with 'S '), got {_short(line)}", file, number)
        elif kind == "A ":
            annotator, edit = _parse_edit(line, len(tokens), file, number, lenient)
            of_annotator = edits.setdefault(annotator, [])
            if edit is None:
                dropped = True
            elif edit is _REFUSED:
                refused.add(annotator)
            elif edit is not _NO_EDIT:
                of_annotator.append(edit)
        elif not re.match(r"T[0-9]", line) and not (lenient and line.startswith(("I ", "T"))):
            raise InputError(
                f"expected a line that starts with 'S ', 'A ' or is empty, got {_short(line)}", file, number
            )
    if text is None:
        raise InputError("expected a sentence (a line that starts with 'S '), got an empty block", file, first)
    annotations = tuple(Annotation(a, tuple(edits[a]), not_annotatable=a in refused) for a in edits)
    return Sentence(text, tokens, annotations or (Annotation("0", implied=True),), id=id, lines=() if dropped else kept)


def _parse_edit(line: str, tokens: int, file: str, number: int, lenient: bool) -> tuple[str, Edit | None]:
    """The annotator and the edit: `_NO_EDIT` where there is nothing to correct, None for one that is dropped."""
    if re.search(r"[^| ]\|{4}[^| ]", line):
        raise InputError(
            f"expected three bars between fields, got four in {_short(line)}; put spaces around bars of the text",
            file,
            number,
        )
    fields = line[2:].split("|||")
    if len(fields) != 6:
        raise InputError(f"expected 6 fields, {_FIELDS!r}, got {len(fields)} in {_short(line)}", file, number)
    offsets, type_, correction, required, comment, annotator = fields
    annotator = annotator.strip()
    try:
        if not "".join(offsets.split()).isascii():  # digits of other scripts are numbers to Python alone
            raise ValueError
        start, end = map(int, offsets.split())
    except ValueError:
        raise InputError(f"expected two whole numbers as offsets, got {_short(offsets)}", file, number) from None
    if not annotator:
        raise InputError("expected an annotator in the last field, got none", file, number)
    if start < 0:
        return annotator, _REFUSED if type_ == "NA" else _NO_EDIT
    if type_ == _NOOP and (start < end or correction.strip() not in ("", _DELETION)):
        if lenient:
            return annotator, None
        raise InputError(
            f"expected -1 -1 and -NONE- with the type noop, got an edit in {_short(line)} (--lenient drops it)",
            file,
            number,
        )
    if type_ == _NOOP:
        return annotator, _NO_EDIT
    if start > end:
        raise InputError(f"expected a start before its end, got edit {start} {end}", file, number)
    if end > tokens:
        if lenient:
            return annotator, None
        raise InputError(
            f"edit {start} {end} reaches past the {tokens} tokens of its sentence (--lenient drops it)", file, number
        )
    corrections = tuple("" if c.strip() == _DELETION else c.strip() for c in correction.split("||"))
    comment = "" if comment == _DELETION else comment
    return annotator, Edit(start, end, corrections, type_, required.strip() == _REQUIRED, comment, number)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")

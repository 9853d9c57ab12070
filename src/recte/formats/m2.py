"""M2 files as the NUS, ERRANT and ChERRANT tools write them.

A block is a source line (`S `), its edits (`A `) and an empty line:

    S He go home .
    A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0

Alternatives are separated by `||`; an empty correction or `-NONE-` deletes; `A -1 -1|||noop` says that the annotator
found the sentence correct. `I ` lines, and `T…` lines of ChERRANT, are comments. A sentence without `A` lines has
annotator 0 with no edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from recte.corpus import Annotation, Corpus, Edit, Sentence, System, annotator_order, apply_edits
from recte.errors import InputError
from recte.formats.files import BYTE_ORDER_MARK, display_name, read_raw_lines, stem, write_lines

__all__ = [
    "format_sentence",
    "is_m2_file",
    "iterate_m2",
    "parse_block",
    "read_m2",
    "read_m2_system",
    "write_m2",
]

_DELETION = "-NONE-"
_NOOP = "noop"
_REQUIRED = "REQUIRED"
_NO_EDIT = Edit(-1, -1, ("",), _NOOP)
_IGNORED = BYTE_ORDER_MARK + "\r\n\t "
_FIELDS = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"


def read_m2(path: str | Path, *, lenient: bool = False) -> Corpus:
    """Read a gold file (plain, `.gz`, or `-` for standard input).

    `lenient` drops edits that reach past their sentence, as the published scorer does, instead of refusing them.

    >>> import recte, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_m2(f"{folder}/gold.m2", [Sentence("He go", annotations=(Annotation("0"),))])
    ...     read_m2(f"{folder}/gold.m2").annotators
    ('0',)
    """
    return Corpus(tuple(iterate_m2(path, lenient=lenient)), stem(path))


def iterate_m2(path: str | Path, *, lenient: bool = False) -> Iterator[Sentence]:
    """The sentences one by one, for files too large to hold.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_m2(f"{folder}/gold.m2", [Sentence("He go", annotations=(Annotation("0"),))])
    ...     [sentence.text for sentence in iterate_m2(f"{folder}/gold.m2")]
    ['He go']
    """
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
    """One sentence from its lines.

    >>> sentence = parse_block(["S He go .", "A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0"])
    >>> sentence.annotations[0].edits[0].corrections
    ('goes', 'went')
    """
    kept = tuple(lines)
    text: str | None = None
    tokens: tuple[str, ...] = ()
    edits: dict[str, list[Edit]] = {}
    dropped = False
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
            elif edit is not _NO_EDIT:
                of_annotator.append(edit)
        elif not line.startswith(("I ", "T")):
            raise InputError(
                f"expected a line that starts with 'S ', 'A ' or is empty, got {_short(line)}", file, number
            )
    if text is None:
        raise InputError("expected a sentence (a line that starts with 'S '), got an empty block", file, first)
    annotations = tuple(Annotation(a, tuple(edits[a])) for a in sorted(edits, key=annotator_order))
    return Sentence(text, tokens, annotations or (Annotation("0", implied=True),), id=id, lines=() if dropped else kept)


def _parse_edit(line: str, tokens: int, file: str, number: int, lenient: bool) -> tuple[str, Edit | None]:
    """The annotator and the edit: `_NO_EDIT` where there is nothing to correct, None for one that is dropped."""
    fields = line[2:].split("|||")
    if len(fields) != 6:
        raise InputError(f"expected 6 fields, {_FIELDS!r}, got {len(fields)} in {_short(line)}", file, number)
    offsets, type_, correction, required, comment, annotator = fields
    annotator = annotator.strip()
    try:
        start, end = map(int, offsets.split())
    except ValueError:
        raise InputError(f"expected two whole numbers as offsets, got {_short(offsets)}", file, number) from None
    if not annotator:
        raise InputError("expected an annotator in the last field, got none", file, number)
    if type_ == _NOOP or start < 0:
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


def is_m2_file(path: str | Path) -> bool:
    """Whether the file is named `.m2` (or `.m2.gz`) and begins like one; some plain outputs bear that name."""
    if not str(path).removesuffix(".gz").endswith(".m2") or not Path(path).is_file():
        return False
    first = next((line for line in read_raw_lines(path) if line.strip(_IGNORED)), "")
    return first.removeprefix(BYTE_ORDER_MARK).startswith(("S ", "S\n", "S\r"))


def read_m2_system(path: str | Path, *, name: str | None = None, lenient: bool = False) -> System:
    """A system's output given as an M2 file: its first annotator's edits applied, and kept with their types.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mine.m2")
    ...     _ = path.write_text("S He go\\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\\n")
    ...     read_m2_system(path).outputs
    ('He goes',)
    """
    sentences = list(iterate_m2(path, lenient=lenient))
    own = tuple(s.annotations[0].edits for s in sentences)
    outputs = tuple(apply_edits(s.tokens, edits) for s, edits in zip(sentences, own, strict=True))
    return System(stem(path) if name is None else name, outputs, own)


def write_m2(path: str | Path, sentences: Iterable[Sentence]) -> None:
    """Write a file; sentences that were read from one and are unchanged are written as they stood.

    >>> write_m2("-", [Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",), "SVA"),)),))])
    S He go
    A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0
    <BLANKLINE>
    """
    write_lines(path, (line for sentence in sentences for line in format_sentence(sentence)))


def format_sentence(sentence: Sentence) -> tuple[str, ...]:
    """The sentence's lines with their ends, the empty line behind it included.

    >>> sentence = Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",)),)),))
    >>> print("".join(format_sentence(sentence)))
    S He go
    A 1 2||||||goes|||REQUIRED|||-NONE-|||0
    <BLANKLINE>
    <BLANKLINE>
    """
    if sentence.lines:
        original = parse_block(sentence.lines, lenient=True)
        if (original.text, original.annotations) == (sentence.text, sentence.annotations):
            return sentence.lines
    text = sentence.text if tuple(sentence.text.split()) == sentence.tokens else " ".join(sentence.tokens)
    if "\n" in text:
        raise InputError(f"expected a sentence without line ends, got {_short(text)}")
    if sentence.references and not sentence.annotations:
        raise InputError(f"expected edits to write, got only references for {_short(text)}; turn them into edits first")
    lines = [f"S {text}"]
    for annotation in sentence.annotations:
        lines += [_format_edit(edit, annotation.annotator) for edit in annotation.edits]
        if not annotation.edits and not annotation.implied:
            lines.append(f"A -1 -1|||{_NOOP}|||{_DELETION}|||{_REQUIRED}|||{_DELETION}|||{annotation.annotator}")
    return tuple(line + "\n" for line in (*lines, ""))


def _format_edit(edit: Edit, annotator: str) -> str:
    # An empty alternative beside others would run its bars together with those around the field.
    empty = "" if len(edit.corrections) == 1 else _DELETION
    corrections = "||".join(correction or empty for correction in edit.corrections)
    required = _REQUIRED if edit.required else "OPTIONAL"
    fields = (f"A {edit.start} {edit.end}", edit.type, corrections, required, edit.comment or _DELETION, annotator)
    line = "|||".join(fields)
    # What is written must be read again as it was; bars and line ends in a field, or the type noop, would not be.
    try:
        kept = "\n" not in line and _parse_edit(line, edit.end, "", 0, False) == (annotator, edit)
    except InputError:
        kept = False
    if not kept:
        raise InputError(f"an M2 line cannot hold this edit: {_short(line)}")
    return line

"""M2 files as the NUS, ERRANT and ChERRANT tools write them.

A block is a source line (`S `), its edits (`A `) and an empty line:

    S He go home .
    A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0

Alternatives are separated by `||`; an empty correction or `-NONE-` deletes; `A -1 -1|||noop` says that the annotator
found the sentence correct, and `A -1 -1|||NA` that it could not be annotated. Lines `T0…`, of ChERRANT, are comments,
and so is a first line `# recte edits: retyped errant+en+…`, which says how edits were made (`Corpus.edits_made`);
--lenient passes over others that begin with `T` or `I `. A sentence without `A` lines has annotator 0 with no edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from recte import _kernels
from recte.corpus.corpus import Annotation, Corpus, Edit, Sentence, System, annotator_order, apply_edits
from recte.corpus.gold_columns import Columns, columns_of
from recte.corpus.proposed_edits import edits_of
from recte.corpus.sentence_columns import ColumnSentences, M2Details
from recte.corpus.text_columns import TextColumn
from recte.corpus.vocabulary import Vocabulary
from recte.errors import InputError
from recte.files import (
    BYTE_ORDER_MARK,
    byte_blocks,
    can_be_read_again,
    display_name,
    name_without_compression,
    not_utf8,
    read_raw_lines,
    stem,
    write_lines,
)
from recte.formats.file_formats import FileFormat, Output, Survey
from recte.patterns import compile_later
from recte.text.printable_text import quote
from recte.threads import thread_count

__all__ = [
    "M2",
    "M2Columns",
    "begins_like_m2",
    "edits_made_line",
    "format_sentence",
    "format_sentences",
    "is_m2_file",
    "iterate_m2",
    "m2_chunks",
    "parse_block",
    "parse_m2",
    "read_edits_made",
    "read_m2",
    "read_m2_system",
    "survey_m2",
    "write_m2",
]

_MOST_ANNOTATORS = 1000  # a row has a place for each of them; crowds have some twenty
_DELETION = "-NONE-"
_NOOP = "noop"
_NOT_ANNOTATABLE = "NA"
_REQUIRED = "REQUIRED"
_IMPLIED = "0"  # the annotator of a sentence that the file has none for
_IGNORED = BYTE_ORDER_MARK + "\r\n\t "
_FIELDS = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"
_ALL = 1 << 62
# A line whose fields are surely read as they were written: words with single spaces, no bars, a type in capitals.
_WORDS = r"(?:[^\s|\0\ud800-\udfff]+(?: [^\s|\0\ud800-\udfff]+)*)?"
_EDITS_MADE = "# recte edits: "
_MANNER = compile_later(r"[a-z]+ \S+")
_PLAIN_TYPE = compile_later("[A-Z:]+")
_PLAIN_EDIT = compile_later(rf"A [0-9]+ [0-9]+\|\|\|[A-Z:]+\|\|\|{_WORDS}\|\|\|REQUIRED\|\|\|-NONE-\|\|\|[0-9]+")


def read_m2(path: str | Path, *, lenient: bool = False) -> Corpus:
    """Read a gold file (plain, `.gz`, `.zst`, or `-` for standard input).

    `lenient` drops edits that reach past their sentence, as the published scorer does, instead of refusing them.

    >>> import recte, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_m2(f"{folder}/gold.m2", [Sentence("He go", annotations=(Annotation("0"),))])
    ...     read_m2(f"{folder}/gold.m2").annotators
    ('0',)
    """
    (sentences,) = m2_chunks(path, _ALL, lenient=lenient)
    return Corpus(sentences, stem(path), edits_made=read_edits_made(path))


def parse_m2(text: str, name: str = "text", *, lenient: bool = False) -> Corpus:
    """The same from text at hand, which messages call `name`.

    >>> parse_m2("S He go\\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0").annotators
    ('0',)
    """
    (sentences,) = _chunks(iter([text.encode()]), name, _ALL, lenient)
    return Corpus(sentences, name)


def iterate_m2(path: str | Path, *, lenient: bool = False) -> Iterator[Sentence]:
    """The sentences one by one, for files too large to hold.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_m2(f"{folder}/gold.m2", [Sentence("He go", annotations=(Annotation("0"),))])
    ...     [sentence.text for sentence in iterate_m2(f"{folder}/gold.m2")]
    ['He go']
    """
    for chunk in m2_chunks(path, 1000, lenient=lenient):
        yield from chunk


def m2_chunks(path: str | Path, size: int, *, lenient: bool = False) -> Iterator[ColumnSentences]:
    """The sentences as columns, `size` at a time."""
    return _chunks(byte_blocks(path), display_name(path), size, lenient)


def _chunks(blocks: Iterator[bytes], name: str, size: int, lenient: bool) -> Iterator[ColumnSentences]:
    stream, taken = _kernels.M2Stream(lenient), 0
    annotators: set[str] = set()

    def take() -> Iterator[ColumnSentences]:
        nonlocal taken
        columns, error = stream.take(size, thread_count(size))
        chunk = _sentences(columns, taken + 1)
        annotators.update(chunk.columns.annotators)
        if len(annotators) > _MOST_ANNOTATORS:
            raise InputError(f"expected at most {_MOST_ANNOTATORS:,} annotators, got more", name)
        taken += len(chunk)
        if len(chunk):
            yield chunk
        if error[0]:
            raise _failure(error, name)

    broken: InputError | None = None
    while not stream.failure[0] and broken is None:
        try:
            stream.feed(next(blocks))
        except StopIteration:
            stream.finish()
            break
        except InputError as error:  # what was read before it counts
            broken = error
        while stream.ready >= size:
            yield from take()
    while stream.ready:
        yield from take()
    if broken is not None:
        raise broken
    if stream.failure[0]:
        raise _failure(stream.failure, name)


def _sentences(c: dict[str, Any], number: int) -> ColumnSentences:
    """The reader's columns with their words as numbers."""

    def texts(key: str) -> TextColumn:
        return TextColumn(c["bytes"], *c[key])

    names_seen = _kernels.Interner()
    numbers = names_seen.number(texts("annotators").spans)
    names = [name or _IMPLIED for name in names_seen.texts()]
    ordered = tuple(sorted(set(names), key=annotator_order))
    place_of = {name: number for number, name in enumerate(ordered)}
    place = np.array([place_of[name] for name in names], dtype=np.int32)
    vocabulary = Vocabulary()
    tokens, _ = vocabulary.encode_texts(texts("texts"), extend=True)
    words, _ = vocabulary.encode_texts(texts("corrections"), extend=True)
    size = len(c["dropped"])
    columns = Columns(
        vocabulary=vocabulary,
        tokens=tokens,
        annotators=ordered,
        annotation_offsets=c["annotation_offsets"],
        annotator_columns=place[numbers],
        edit_offsets=c["edit_offsets"],
        starts=c["starts"],
        ends=c["ends"],
        required=c["required"],
        optional=c["required"],
        lines=c["lines"],
        types=texts("types"),
        correction_offsets=c["correction_offsets"],
        corrections=texts("corrections"),
        words=words,
        reference_offsets=np.zeros(size + 1, np.int64),
        references=TextColumn.of(()),
        reference_words=(np.zeros(0, np.int32), np.zeros(1, np.int64)),
    ).with_optional_edits()
    blocks = TextColumn(c["bytes"], c["blocks"][:-1], c["blocks"][1:])
    details = M2Details(blocks, c["dropped"], c["implied"], c["not_annotatable"], texts("comments"))
    return ColumnSentences(texts("texts"), columns, number, details)


def _failure(error: tuple[int, int, int, bytes], name: str) -> InputError:
    """What the reader found wrong, in words; the numbers are those of `M2Fault` in the kernel."""
    fault, line, count, raw = error
    if fault == 1:
        return not_utf8(raw, name, line)
    text = raw.decode("utf-8")
    message = {
        2: "expected at least one sentence (a line that starts with 'S '), got none",
        3: "expected a sentence (a line that starts with 'S '), got an empty block",
        4: "expected an empty line before the next sentence, got a second 'S' line",
        5: f"expected a sentence (a line that starts with 'S '), got {quote(text)}",
        6: f"expected a line that starts with 'S ', 'A ' or is empty, got {quote(text)}",
        7: f"expected 6 fields, {_FIELDS!r}, got {count} in {quote(text)}",
        8: f"expected two whole numbers as offsets, got {quote(text)}",
        9: "expected an annotator in the last field, got none",
        10: f"expected a start before its end, got edit {text}",
        11: f"edit {text} reaches past the {count} tokens of its sentence (--lenient drops it)",
        13: f"expected three bars between fields, got four in {quote(text)}; put spaces around bars of the text",
        14: f"expected -1 -1 and -NONE- with the type noop, got an edit in {quote(text)} (--lenient drops it)",
        12: f"expected a sentence and its edits in at most {count >> 20} MB, got more",
    }[fault]
    return InputError(message, name, line)


def parse_block(lines: Iterable[str], *, id: str = "", lenient: bool = False) -> Sentence:
    """One sentence from its lines.

    >>> sentence = parse_block(["S He go .", "A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0"])
    >>> sentence.annotations[0].edits[0].corrections
    ('goes', 'went')
    """
    of_block = tuple(lines)
    block = "\n".join(line.removesuffix("\n") for line in of_block).encode("utf-8", "surrogatepass")
    (sentences,) = _chunks(iter((block,)), "M2 text", _ALL, lenient)
    (sentence,) = sentences
    return replace(sentence, id=id, lines=of_block if sentence.lines else ())


def survey_m2(path: str | Path) -> Survey:
    """How many sentences a file has, and which annotators, if nothing is wrong in it: edits are not looked at."""
    survey = _kernels.M2Survey()
    for block in byte_blocks(path):
        survey.feed(block)
    survey.finish()
    names = {name.decode("utf-8", "replace") or _IMPLIED for name in survey.annotators}
    return Survey(survey.sentences, tuple(sorted(names, key=annotator_order)))


def is_m2_file(path: str | Path) -> bool:
    """Whether the file is named `.m2` (or `.m2.gz`) and begins like one; some plain outputs bear that name."""
    return name_without_compression(str(path)).endswith(".m2") and begins_like_m2(path)


def begins_like_m2(path: str | Path) -> bool:
    """Whether the first line is a source sentence of an M2 file; not known of a file that can be read but once."""
    if not can_be_read_again(path):
        return False
    try:
        lines = (line for line in read_raw_lines(path) if line.strip(_IGNORED))
        first = next((line for line in lines if not line.removeprefix(BYTE_ORDER_MARK).startswith(_EDITS_MADE)), "")
    except InputError:  # a table in binary, or a fault that whoever reads it will tell
        return False
    return first.removeprefix(BYTE_ORDER_MARK).startswith(("S ", "S\n", "S\r"))


def read_edits_made(path: str | Path) -> str:
    """How a file says that its edits were made: see `edits_made_line`; "" where it does not."""
    if not can_be_read_again(path):
        return ""
    try:
        first = next(iter(read_raw_lines(path)), "").removeprefix(BYTE_ORDER_MARK).rstrip("\r\n")
    except InputError:  # whoever reads the sentences will tell
        return ""
    made = first.removeprefix(_EDITS_MADE)
    return made if made != first and _MANNER.fullmatch(made) else ""


def edits_made_line(corpus: Corpus) -> str:
    """The line for the beginning of a file that says how the corpus's edits were made; "" for edits as given.

    >>> edits_made_line(Corpus((), edits_made="retyped errant+en+builtin-en-2"))
    '# recte edits: retyped errant+en+builtin-en-2\\n'
    """
    return f"{_EDITS_MADE}{corpus.edits_made}\n" if _MANNER.fullmatch(corpus.edits_made) else ""


def read_m2_system(path: str | Path, *, name: str | None = None, lenient: bool = False) -> System:
    """A system's output given as an M2 file: the edits of one annotator made, and kept with their types.

    The annotator is that of the first line; a sentence that has only lines of others is refused.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mine.m2")
    ...     _ = path.write_text("S He go\\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\\n")
    ...     read_m2_system(path).outputs
    ('He goes',)
    """
    sentences = list(_of_one_annotator(iterate_m2(path, lenient=lenient), display_name(path)))
    outputs = tuple(apply_edits(sentence.tokens, edits) for sentence, edits in sentences)
    return System(stem(path) if name is None else name, outputs, tuple(edits for _, edits in sentences))


def _of_one_annotator(sentences: Iterable[Sentence], name: str) -> Iterator[tuple[Sentence, tuple[Edit, ...]]]:
    """Each sentence with the edits of the annotator that the file's first edit line names."""
    annotator: str | None = None
    for number, sentence in enumerate(sentences, 1):
        listed = [a.annotator for a in sentence.annotations if not a.implied]
        annotator = listed[0] if annotator is None and listed else annotator
        if listed and annotator not in listed:
            raise _other_annotators(number, annotator or "", listed, name)
        yield sentence, edits_of(sentence.annotations, annotator or _IMPLIED)


def _other_annotators(number: int, annotator: str, listed: Sequence[str], name: str) -> InputError:
    return InputError(
        f"sentence {number}: expected edits of annotator {annotator}, whose edits come first in the file, got those of "
        f"{', '.join(listed)}; a system is one annotator throughout",
        name,
    )


def write_m2(path: str | Path, sentences: Iterable[Sentence]) -> None:
    """Write a file; sentences that were read from one and are unchanged are written as they stood.

    >>> write_m2("-", [Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",), "SVA"),)),))])
    S He go
    A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0
    <BLANKLINE>
    """
    write_lines(path, _lines(sentences))


def _lines(sentences: Iterable[Sentence]) -> Iterator[str]:
    columns = sentences.sentences if isinstance(sentences, Corpus) else sentences
    if isinstance(columns, ColumnSentences) and columns.m2 is not None and not columns.m2.dropped.any():
        yield from columns.m2.blocks  # as they were read
        return
    if isinstance(sentences, Corpus):
        yield edits_made_line(sentences)
    yield from format_sentences(sentences.sentences if isinstance(sentences, Corpus) else tuple(sentences))


def format_sentences(sentences: Sequence[Sentence]) -> Iterator[str]:
    """The lines of all sentences, as `format_sentence` writes each; texts of several lines where they are columns."""
    lines = _format_columns(sentences) if isinstance(sentences, ColumnSentences) and sentences.m2 is None else None
    if lines is not None:
        yield lines
        return
    for sentence in sentences:
        yield from format_sentence(sentence)


def _format_columns(sentences: ColumnSentences) -> str | None:
    """All lines as one text; None where a field may be read otherwise than it was written."""
    c = sentences.columns
    types = _kernels.Interner()
    types.number(c.types.spans)
    written = c.corrections.buffer.tobytes()
    is_plain = (
        len(c.corrections) == len(c.types)
        and bool(c.required.all())
        and all(map(_PLAIN_TYPE.fullmatch, types.texts()))
        and all(map(str.isdigit, c.annotators))
        and not any(mark in written for mark in (b"|", b"\0", _DELETION.encode(), b"\xed"))
        and bool(_kernels.are_spaced(c.corrections.spans).all())
        and bool((c.annotation_offsets[1:] > c.annotation_offsets[:-1]).all())
    )
    if not is_plain:
        return None
    lines = _kernels.format_edit_lines(
        sentences.texts.spans,
        c.annotation_offsets,
        c.annotator_columns,
        c.edit_offsets,
        c.starts,
        c.ends,
        c.types.spans,
        c.corrections.spans,
        TextColumn.of([f"|||{_REQUIRED}|||{_DELETION}|||{name}\n" for name in c.annotators]).spans,
        f"A -1 -1|||{_NOOP}|||{_DELETION}",  # where an annotator has no edit, a line says so
    )
    return None if lines is None else lines.decode("utf-8", "surrogatepass")


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
        raise InputError(f"expected a sentence without line ends, got {quote(text)}")
    if sentence.references and not sentence.annotations:
        raise InputError(f"expected edits to write, got only references for {quote(text)}; turn them into edits first")
    lines = [f"S {text}"]
    for annotation in sentence.annotations:
        lines += [_format_edit(edit, annotation.annotator) for edit in annotation.edits]
        if not annotation.edits and not annotation.implied:
            type_ = _NOT_ANNOTATABLE if annotation.not_annotatable else _NOOP
            lines.append(f"A -1 -1|||{type_}|||{_DELETION}|||{_REQUIRED}|||{_DELETION}|||{annotation.annotator}")
    return tuple(line + "\n" for line in (*lines, ""))


def _format_edit(edit: Edit, annotator: str) -> str:
    # An empty alternative next to others would run its bars together with those around the field.
    empty = "" if len(edit.corrections) == 1 else _DELETION
    corrections = "||".join(correction or empty for correction in edit.corrections)
    required = _REQUIRED if edit.required else "OPTIONAL"
    fields = (f"A {edit.start} {edit.end}", edit.type, corrections, required, edit.comment or _DELETION, annotator)
    line = "|||".join(fields)
    # What is written must be read again as it was; bars and line ends in a field, or the type noop, would not be.
    if edit.start <= edit.end and _PLAIN_EDIT.fullmatch(line) and _DELETION not in edit.corrections:
        return line  # nothing in it that reading could change
    try:
        again = parse_block(["S" + " x" * edit.end, line]).annotations if "\n" not in line else ()
        survives = again == (Annotation(annotator, (edit,)),)
    except InputError:
        survives = False
    if not survives:
        raise InputError(f"an M2 line cannot hold this edit: {quote(line)}")
    return line


class M2Columns:
    """A system's M2 file as columns, some sentences at a time; fastest where that is `size` each time."""

    def __init__(self, path: str | Path, size: int, lenient: bool) -> None:
        self.name = display_name(path)
        self._chunks = m2_chunks(path, size, lenient=lenient)
        self._rest: ColumnSentences | None = None
        self.annotator: str | None = None  # whose edits the system's are, once one is known

    def take(self, most: int) -> ColumnSentences | TextColumn:
        """The next sentences, fewer only at the end of the file."""
        taken: list[ColumnSentences] = []
        while most > 0 and (chunk := self._rest or next(self._chunks, None)):
            if chunk is not self._rest:
                self._check_annotators(chunk)
            fits = len(chunk) <= most
            taken.append(chunk if fits else chunk[:most])
            self._rest = None if fits else chunk[most:]
            most -= len(taken[-1])
        if len(taken) == 1:
            return taken[0]
        sentences = [sentence for chunk in taken for sentence in chunk]  # words are numbered in each chunk from 0
        texts = TextColumn.of([sentence.text for sentence in sentences])
        return ColumnSentences(texts, columns_of(sentences), taken[0].number) if taken else texts

    def _check_annotators(self, chunk: ColumnSentences) -> None:
        """Refuse a sentence that has only lines of others than the file's first annotator."""
        columns, details = chunk.columns, chunk.m2
        assert details is not None, "a chunk that was read knows its lines"
        named = details.implied == 0
        if self.annotator is None and named.any():
            self.annotator = columns.annotators[columns.annotator_columns[int(np.argmax(named))]]
        sentences = np.repeat(np.arange(len(chunk)), np.diff(columns.annotation_offsets))
        is_chosen = np.array([name == self.annotator for name in columns.annotators])[columns.annotator_columns]
        others = np.setdiff1d(sentences[named], sentences[named & is_chosen])
        if others.size:
            sentence = int(others[0])
            listed = [a.annotator for a in chunk[sentence].annotations]
            raise _other_annotators(chunk.number + sentence, self.annotator or "", listed, self.name)

    def count_rest(self) -> int:
        """How many sentences are left, which are read to know it."""
        left, self._rest = self._rest, None
        return len(left or ()) + sum(map(len, self._chunks))


M2 = FileFormat(
    "m2",
    "M2",
    is_m2_file,
    read_gold=lambda path, lenient: iterate_m2(path, lenient=lenient),
    read_outputs=lambda path, lenient: (
        Output(apply_edits(s.tokens, edits), edits, s.tokens, s.annotations)
        for s, edits in _of_one_annotator(iterate_m2(path, lenient=lenient), display_name(path))
    ),
    lines=lambda sentences, treebank: (line for s in sentences for line in format_sentence(s)),
    gold_columns=lambda path, size, lenient: m2_chunks(path, size, lenient=lenient),
    output_columns=M2Columns,
    survey=survey_m2,
    keeps="\t",
    edits_made=read_edits_made,
)

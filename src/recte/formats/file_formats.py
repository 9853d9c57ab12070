"""Which formats there are for gold and outputs, and which of them a file has.

A format is one file: it says how to tell its files, how to read them as gold or as a system's outputs, and how to write
gold. Whoever reads files asks here and knows no format by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from recte.corpus.corpus import Annotation, Edit, Sentence
from recte.errors import OptionError
from recte.registry import Registry

if TYPE_CHECKING:
    from recte.corpus.sentence_columns import ColumnSentences
    from recte.corpus.text_columns import TextColumn

__all__ = [
    "FileFormat",
    "Losses",
    "Output",
    "OutputColumns",
    "Survey",
    "edits_become_texts",
    "gold_format",
    "gold_formats",
    "gold_formats_to_write",
    "looks_like_gold",
    "no_losses",
    "output_format",
    "reference_format",
    "text_format",
]


class Output(NamedTuple):
    """One hypothesis; where the file has them, also its edits, the source it was made for, and edits of several
    annotators. `made_from` makes the text from its sentence, where the file says only what changes; it is given the
    sentence and the file's name.
    """

    text: str
    edits: tuple[Edit, ...] | None = None
    source: tuple[str, ...] | None = None
    annotations: tuple[Annotation, ...] = ()
    made_from: Callable[[Sentence, str], str] | None = None

    def on(self, sentence: Sentence, name: str) -> Output:
        """The hypothesis, once its sentence is known; `name` is that of its file."""
        return self if self.made_from is None else Output(self.made_from(sentence, name))


class Survey(NamedTuple):
    """What is known of a whole file before any part of it is scored: how many sentences, whose gold, and whether any
    sentence says which document it is from.
    """

    sentences: int
    annotators: tuple[str, ...] = ()
    documents: bool = False


class OutputColumns(Protocol):
    """A system's file, read some sentences at a time as columns: plain texts, or sentences with its edits."""

    annotator: str | None  # whose edits they are, once known

    @property
    def name(self) -> str: ...

    def take(self, most: int) -> TextColumn | ColumnSentences:
        """The next ones, fewer only at the end of the file."""

    def count_rest(self) -> int:
        """How many are left, which are read to know it."""


_AS_BLANKS = str.maketrans("\n\r\t", "   ")
Losses = Callable[[Iterable[Sentence]], str]


def no_losses(sentences: Iterable[Sentence]) -> str:
    """Of a format that holds all that gold says."""
    return ""


def edits_become_texts(sentences: Iterable[Sentence]) -> str:
    """Of a format that has no place for edits: corrected texts stand for them.

    >>> edits_become_texts([Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",)),)),))])
    '1 edit becomes corrected text, without types and alternatives'
    """
    count = sum(len(annotation.edits) for sentence in sentences for annotation in sentence.annotations)
    become = "edit becomes" if count == 1 else "edits become"
    return f"{count:,} {become} corrected text, without types and alternatives" if count else ""


@dataclass(frozen=True)
class FileFormat:
    """How to tell a format's files, and what can be done with them. What a format cannot do is None.

    Readers take a path, and where they have a last argument `lenient`, whether to drop edits that reach past their
    sentence instead of refusing them. They raise `InputError` with file and line.

    Of every format:

    - name: short; `recte convert --to-NAME` writes it.
    - title: what messages and help call its files.
    - detect: whether a file has the format, by its name or its first lines. The first format that says so is taken.
    - has_words: False where texts have no blanks between words and are cut into characters.

    To read gold:

    - read_gold: path and `lenient` into sentences.
    - gold_columns: the same as columns, so many sentences at a time, from a compiled reader.
    - read_references: path of the sources and one path for each reference set, into sentences.
    - reference_columns: the same as columns.
    - survey: what a gold file or a file of sources holds, where that is much faster to tell than to read.
    - edits_made: what a gold file says of how its edits were made, "" where it says nothing.
    - reading: the name of this reading, of a format that can be read in several ways; `readings` are the others.
    - drops: what this reading leaves out, for a note.

    To read a system's outputs, one of:

    - read_outputs: path and `lenient` into outputs, in the order of the sentences.
    - output_columns: the same as columns.
    - read_outputs_for: path and the sentences, into one output for each, found by its id.

    To write:

    - lines: sentences with edits, and whether to cut corrections as the Treebank does, into lines of gold.
    - reference_lines: sentences with their references, which it may loop over more than once, into lines of a file of
      both, without edits.
    - text_lines: sentences with one text each (their sources, or a reference set) into lines, for files that are
      named as the format's.
    - keeps: white space, apart from blanks, that a text may have inside.
    - losses: what of the gold of some sentences cannot be written, "" where all can.
    """

    name: str
    title: str
    detect: Callable[[str | Path], bool]
    has_words: bool = True

    read_gold: Callable[[str | Path, bool], Iterator[Sentence]] | None = None
    gold_columns: Callable[[str | Path, int, bool], Iterator[ColumnSentences]] | None = None
    read_references: Callable[[str | Path, Sequence[str | Path]], Iterator[Sentence]] | None = None
    reference_columns: Callable[[str | Path, Sequence[str | Path], int], Iterator[ColumnSentences]] | None = None
    survey: Callable[[str | Path], Survey] | None = None
    edits_made: Callable[[str | Path], str] | None = None
    reading: str = ""
    readings: tuple[FileFormat, ...] = ()
    drops: str = ""

    read_outputs: Callable[[str | Path, bool], Iterator[Output]] | None = None
    output_columns: Callable[[str | Path, int, bool], OutputColumns] | None = None
    read_outputs_for: Callable[[str | Path, Iterator[Sentence]], Iterator[Output]] | None = None

    lines: Callable[[Iterable[Sentence], bool], Iterator[str]] | None = None
    reference_lines: Callable[[Iterable[tuple[Sentence, Sequence[str]]]], Iterator[str]] | None = None
    text_lines: Callable[[Iterable[tuple[Sentence, str]]], Iterator[str]] | None = None
    keeps: str = ""
    losses: Losses = no_losses

    def read_as(self, reading: str | None) -> FileFormat:
        """The format in one of its readings; None is its own."""
        known = [variant for variant in (self, *self.readings) if variant.reading]
        file_format = (
            self if reading is None else next((variant for variant in known if variant.reading == reading), None)
        )
        if file_format is None:
            names = " or ".join(variant.reading for variant in known) or "none, since there is one way to read it"
            raise OptionError(f"reading: expected for {self.title} {names}, got {reading!r}")
        return file_format

    def writable_text(self, text: str) -> str:
        """The text as the format can write it: without line ends that would end it, and tabs that would part it."""
        if "\n" in self.keeps:
            return text
        return text.replace("\n", "\t") if "\t" in self.keeps else text.translate(_AS_BLANKS)


# A file has the first of these formats that detects it: plain text, which every file is, comes last.
FORMATS = Registry[FileFormat](
    "format",
    {
        "para": "recte.formats.para:PARA",
        "xml": "recte.formats.imeasure_xml:IMEASURE_XML",
        "essays": "recte.formats.essays:ESSAYS",
        "fcgec": "recte.formats.fcgec:FCGEC",
        "essay-json": "recte.formats.essay_json:ESSAY_JSON",
        "output-table": "recte.formats.output_tables:OUTPUT_TABLE",
        "tsv": "recte.formats.tables:HEADED_TSV",
        "spelling": "recte.formats.spelling:SPELLING_TABLE",
        "jsonl": "recte.formats.tables:JSON_LINES",
        "parquet": "recte.formats.tables:PARQUET",
        "arrow": "recte.formats.tables:ARROW",
        "m2": "recte.formats.m2:M2",
        "sighan": "recte.formats.spelling:SIGHAN_ANSWERS",
        "text": "recte.formats.parallel:TEXT",
    },
)


def gold_format(path: str | Path) -> FileFormat:
    """The format of a gold file; M2 where no other is recognised, so that its reader says what is wrong.

    >>> gold_format("gold.xml").name, gold_format("anything").name
    ('xml', 'm2')
    """
    formats = gold_formats()
    return next((candidate for candidate in formats if candidate.detect(path)), formats[-1])


def gold_formats() -> tuple[FileFormat, ...]:
    """The formats that gold is read from, in one file; M2 is the last."""
    return tuple(format for format in FORMATS.values() if format.read_gold is not None)


def looks_like_gold(path: str | Path) -> bool:
    """Whether a file has one of the formats of gold, by its name or by its first line.

    >>> looks_like_gold("gold.xml"), looks_like_gold("anything")
    (True, False)
    """
    from recte.formats.m2 import begins_like_m2

    return begins_like_m2(path) or any(candidate.detect(path) for candidate in gold_formats())


def output_format(path: str | Path) -> FileFormat:
    """The format of a system's file; plain text, one hypothesis per line, where no other is recognised.

    >>> output_format("out.para").name, output_format("out.txt").name
    ('para', 'text')
    """
    formats = [
        candidate
        for candidate in FORMATS.values()
        if candidate.read_outputs is not None or candidate.read_outputs_for is not None
    ]
    return next((candidate for candidate in formats if candidate.detect(path)), formats[-1])


def reference_format(paths: Sequence[str | Path]) -> FileFormat:
    """The format of references with their sources; plain text where they have no other in common."""
    formats = [candidate for candidate in FORMATS.values() if candidate.read_references is not None]
    return next((candidate for candidate in formats if paths and all(map(candidate.detect, paths))), formats[-1])


def gold_formats_to_write() -> tuple[FileFormat, ...]:
    """The formats that gold can be written in, a file for all of it.

    >>> {"m2", "xml"} <= {one.name for one in gold_formats_to_write()}
    True
    """
    return tuple(
        candidate
        for candidate in FORMATS.values()
        if candidate.lines is not None or candidate.reference_lines is not None
    )


def text_format(path: str | Path) -> FileFormat:
    """The format to write sources or a reference set in, by the file's name; plain text where no other is known by it.

    >>> text_format("orig.md").name, text_format("orig.txt").name
    ('essays', 'text')
    """
    formats = [candidate for candidate in FORMATS.values() if candidate.text_lines is not None]
    return next((candidate for candidate in formats if candidate.detect(path)), formats[-1])

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
    "looks_like_gold",
    "no_losses",
    "output_format",
    "reference_format",
    "text_format",
    "written_formats",
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
    """How to tell a format's files, and what can be done with them.

    `detect` looks at the name or the first lines. `read_gold` and `read_outputs` take the path and whether to be
    lenient (drop edits that reach past their sentence); `read_references` takes the sources and one file for each
    reference set; `lines` takes sentences with edits and whether to cut
    corrections as the Treebank does, and gives the lines to write. Without words, texts are cut into characters.

    Where outputs are found by their ids, `read_outputs_for` takes the path and the sentences, and gives one output for
    each. `reference_lines` takes sentences with their references and gives the lines of a file of both; `text_lines`
    takes sentences with one text each, their sources or a reference set, for files that are named as the format's.
    A format that can be read in several ways names its own `reading`, and has the others as `readings`; `drops` is what
    a reading leaves out. `keeps` is the white space, beside blanks, that a text may have inside where it is written;
    `losses` says what of the gold of some sentences cannot be written, "" where all can.

    Formats with a compiled reader also give columns, so many sentences at a time: `gold_columns`, `reference_columns`
    and `output_columns`. `survey` says what a gold file or a file of sources holds, where that can be told much faster
    than by reading it. `edits_made` is what a gold file says of how its edits were made, "" where it says nothing.
    """

    name: str
    title: str
    detect: Callable[[str | Path], bool]
    read_gold: Callable[[str | Path, bool], Iterator[Sentence]] | None = None
    read_outputs: Callable[[str | Path, bool], Iterator[Output]] | None = None
    read_references: Callable[[str | Path, Sequence[str | Path]], Iterator[Sentence]] | None = None
    lines: Callable[[Iterable[Sentence], bool], Iterator[str]] | None = None
    has_words: bool = True
    gold_columns: Callable[[str | Path, int, bool], Iterator[ColumnSentences]] | None = None
    reference_columns: Callable[[str | Path, Sequence[str | Path], int], Iterator[ColumnSentences]] | None = None
    output_columns: Callable[[str | Path, int, bool], OutputColumns] | None = None
    survey: Callable[[str | Path], Survey] | None = None
    read_outputs_for: Callable[[str | Path, Iterator[Sentence]], Iterator[Output]] | None = None
    reference_lines: Callable[[Iterable[tuple[Sentence, Sequence[str]]]], Iterator[str]] | None = None
    text_lines: Callable[[Iterable[tuple[Sentence, str]]], Iterator[str]] | None = None
    reading: str = ""
    readings: tuple[FileFormat, ...] = ()
    drops: str = ""
    keeps: str = ""
    losses: Losses = no_losses
    edits_made: Callable[[str | Path], str] | None = None

    def read_as(self, reading: str | None) -> FileFormat:
        """The format in one of its readings; None is its own."""
        known = [one for one in (self, *self.readings) if one.reading]
        found = self if reading is None else next((one for one in known if one.reading == reading), None)
        if found is None:
            names = " or ".join(one.reading for one in known) or "none, since there is one way to read it"
            raise OptionError(f"reading: expected for {self.title} {names}, got {reading!r}")
        return found

    def held(self, text: str) -> str:
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
    formats = [one for one in FORMATS.values() if one.read_gold is not None]
    return next((one for one in formats if one.detect(path)), formats[-1])


def looks_like_gold(path: str | Path) -> bool:
    """Whether a file has one of the formats of gold, by its name or by its first line.

    >>> looks_like_gold("gold.xml"), looks_like_gold("anything")
    (True, False)
    """
    from recte.formats.m2 import begins_like_m2

    return begins_like_m2(path) or any(one.detect(path) for one in FORMATS.values() if one.read_gold is not None)


def output_format(path: str | Path) -> FileFormat:
    """The format of a system's file; plain text, one hypothesis per line, where no other is recognised.

    >>> output_format("out.para").name, output_format("out.txt").name
    ('para', 'text')
    """
    formats = [one for one in FORMATS.values() if one.read_outputs is not None or one.read_outputs_for is not None]
    return next((one for one in formats if one.detect(path)), formats[-1])


def reference_format(paths: Sequence[str | Path]) -> FileFormat:
    """The format of references beside their sources; plain text where they have no other in common."""
    formats = [one for one in FORMATS.values() if one.read_references is not None]
    return next((one for one in formats if paths and all(map(one.detect, paths))), formats[-1])


def written_formats() -> tuple[FileFormat, ...]:
    """The formats that gold can be written in, a file for all of it.

    >>> [one.name for one in written_formats()]
    ['para', 'xml', 'tsv', 'jsonl', 'm2']
    """
    return tuple(one for one in FORMATS.values() if one.lines is not None or one.reference_lines is not None)


def text_format(path: str | Path) -> FileFormat:
    """The format to write sources or a reference set in, by the file's name; plain text where no other is known by it.

    >>> text_format("orig.md").name, text_format("orig.txt").name
    ('essays', 'text')
    """
    formats = [one for one in FORMATS.values() if one.text_lines is not None]
    return next((one for one in formats if one.detect(path)), formats[-1])

"""Plain text, one sentence per line: sources, rewritten references and system outputs side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from recte import _kernels
from recte.corpus.corpus import Corpus, Sentence, System
from recte.corpus.sentence_columns import ColumnSentences, parallel_sentences
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError, LengthError
from recte.files import byte_blocks, display_name, not_utf8, read_lines, stem, write_lines
from recte.formats.file_formats import FileFormat, Output, Survey

__all__ = [
    "TEXT",
    "LineColumns",
    "iterate_parallel",
    "parallel_chunks",
    "parallel_lines",
    "read_parallel",
    "read_system",
    "read_text_column",
    "side_by_side",
    "write_text",
    "wrong_length",
]

First = TypeVar("First")
Other = TypeVar("Other")
_ALL = 1 << 62


class LineColumns:
    """A file's lines as columns, some at a time; the reader is compiled."""

    annotator: str | None = None  # lines are texts, and no edits

    def __init__(self, path: str | Path) -> None:
        self.name = display_name(path)
        self._blocks = byte_blocks(path)
        self._stream = _kernels.LineStream()
        self._broken: InputError | None = None
        self._done = False

    def take(self, most: int) -> TextColumn:
        """The next lines, fewer only at the end of the file. A fault is raised behind the lines before it."""
        while not self._done and self._stream.ready < most:
            try:
                self._stream.feed(next(self._blocks))
            except StopIteration:
                self._stream.finish()
                self._done = True
            except InputError as error:
                self._broken, self._done = error, True
            self._done = self._done or bool(self._stream.failure[0])
        if not self._stream.ready:
            if self._broken is not None:
                raise self._broken
            fault, line, _, raw = self._stream.failure
            if fault:
                raise not_utf8(raw, self.name, line)
        return TextColumn(*self._stream.take(most))

    def count_rest(self, size: int = 1 << 16) -> int:
        """How many lines are left, which are read to know it."""
        count = 0
        while taken := len(self.take(size)):
            count += taken
        return count


def read_text_column(path: str | Path) -> TextColumn:
    """All lines of a file."""
    lines = LineColumns(path)
    column = lines.take(_ALL)
    lines.take(1)  # raises what is wrong behind them
    return column


def read_parallel(source: str | Path, references: Sequence[str | Path] = ()) -> Corpus:
    """Sources and references from one file each; the files must have the same number of lines.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/source", ["He go ."])
    ...     write_text(f"{folder}/reference", ["He goes ."])
    ...     read_parallel(f"{folder}/source", [f"{folder}/reference"])[0].references
    ('He goes .',)
    """
    (sentences,) = parallel_chunks(source, references, _ALL)
    return Corpus(sentences, stem(source))


def iterate_parallel(source: str | Path, references: Sequence[str | Path] = ()) -> Iterator[Sentence]:
    """The sentences one by one."""
    for first, texts, rewritten in parallel_lines(source, references, 1000):
        rows = zip(texts, *rewritten, strict=True)
        for number, (text, *others) in enumerate(rows, first):
            yield Sentence(text, references=tuple(others), id=str(number))


def parallel_chunks(source: str | Path, references: Sequence[str | Path], size: int) -> Iterator[ColumnSentences]:
    """The sentences as columns, `size` at a time."""
    for first, texts, rewritten in parallel_lines(source, references, size):
        yield parallel_sentences(texts, rewritten, first)


def parallel_lines(
    source: str | Path, references: Sequence[str | Path], size: int
) -> Iterator[tuple[int, TextColumn, list[TextColumn]]]:
    """The number of the first sentence, sources, and their lines of each reference file, `size` at a time."""
    sources, others = LineColumns(source), [LineColumns(path) for path in references]
    count = 0
    while len(texts := sources.take(size)):
        yield count + 1, texts, [pair_lines(texts, sources, count, lines) for lines in others]
        count += len(texts)
    if not count:
        raise InputError("expected at least one sentence, got an empty file", sources.name, 1)
    for lines in others:
        check_ended(lines, count, sources.name)


def pair_lines(texts: Sequence[object], first: LineColumns, before: int, lines: LineColumns) -> TextColumn:
    """As many lines as `texts` of the first file has, `before` of which were read; it says how many there must be."""
    column = lines.take(len(texts))
    if len(column) < len(texts):
        got = before + len(column)
        expected = before + len(texts) + first.count_rest()
        raise wrong_length(lines.name, expected, first.name, got=got, line=max(got, 1))
    return column


def check_ended(lines: LineColumns, count: int, first_name: str) -> None:
    """Whether a file has no more lines than the first, which had `count`."""
    surplus = lines.count_rest()
    if surplus:
        raise wrong_length(lines.name, count, first_name, got=count + surplus, line=count + 1)


def read_system(path: str | Path, *, name: str | None = None) -> System:
    """A system's output, one hypothesis per line; an empty line is an empty hypothesis.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/mine.txt", ["He goes ."])
    ...     read_system(f"{folder}/mine.txt")
    System(name='mine', outputs=('He goes .',), edits=None)
    """
    return System(stem(path) if name is None else name, read_text_column(path))


def count_lines(path: str | Path) -> int:
    """How many lines a file has, as fast as it can be read."""
    count, last = 0, b"\n"
    for block in byte_blocks(path):
        count += block.count(b"\n")
        last = block[-1:]
    return count + (last != b"\n")


def side_by_side(
    first: Iterable[First], first_name: str, others: Sequence[tuple[str, Iterator[Other]]], *, header_lines: int = 0
) -> Iterator[tuple[First, tuple[Other, ...]]]:
    """Items of several files together; the first says how many each of the others must have."""
    remaining = iter(first)
    count = 0
    for count, item in enumerate(remaining, 1):
        row = []
        for name, stream in others:
            try:
                row.append(next(stream))
            except StopIteration:
                expected = count + sum(1 for _ in remaining)
                raise wrong_length(
                    name, expected, first_name, got=count - 1, line=max(count - 1 + header_lines, 1)
                ) from None
        yield item, tuple(row)
    for name, stream in others:
        surplus = sum(1 for _ in stream)
        if surplus:
            raise wrong_length(name, count, first_name, got=count + surplus, line=count + 1 + header_lines)


def wrong_length(name: str, expected: int, first_name: str, *, got: int, line: int) -> LengthError:
    """What is wrong with a file that has not a line for each sentence of the first."""
    return LengthError(f"expected {expected} lines, one for each sentence of {first_name}, got {got}", name, line)


def write_text(path: str | Path, sentences: Iterable[str]) -> None:
    """One sentence a line."""
    write_lines(path, (sentence + "\n" for sentence in sentences))


TEXT = FileFormat(
    "text",
    "plain text",
    lambda path: True,
    read_outputs=lambda path, lenient: map(Output, read_lines(path)),
    read_references=iterate_parallel,
    reference_columns=parallel_chunks,
    output_columns=lambda path, size, lenient: LineColumns(path),
    survey=lambda path: Survey(count_lines(path)),
    text_lines=lambda texts: (text + "\n" for _, text in texts),
    keeps="\t",
)

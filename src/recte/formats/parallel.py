"""Plain text, one sentence a line: sources, rewritten references and system outputs side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from recte.corpus import Corpus, Sentence, System
from recte.errors import InputError
from recte.formats.files import display_name, read_lines, stem, write_lines

__all__ = ["iterate_parallel", "read_parallel", "read_system", "side_by_side", "write_text"]

First = TypeVar("First")
Other = TypeVar("Other")


def read_parallel(source: str | Path, references: Sequence[str | Path] = ()) -> Corpus:
    """Sources and references from one file each; the files must have the same number of lines.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/source", ["He go ."])
    ...     write_text(f"{folder}/reference", ["He goes ."])
    ...     read_parallel(f"{folder}/source", [f"{folder}/reference"])[0].references
    ('He goes .',)
    """
    return Corpus(tuple(iterate_parallel(source, references)), stem(source))


def iterate_parallel(source: str | Path, references: Sequence[str | Path] = ()) -> Iterator[Sentence]:
    """The sentences one by one."""
    count = 0
    columns = [(display_name(path), read_lines(path)) for path in references]
    rows = side_by_side(read_lines(source), display_name(source), columns)
    for count, (text, rewritten) in enumerate(rows, 1):
        yield Sentence(text, references=rewritten, id=str(count))
    if not count:
        raise InputError("expected at least one sentence, got an empty file", display_name(source), 1)


def read_system(path: str | Path, *, name: str | None = None) -> System:
    """A system's output, one hypothesis a line; an empty line is an empty hypothesis.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/mine.txt", ["He goes ."])
    ...     read_system(f"{folder}/mine.txt")
    System(name='mine', outputs=('He goes .',), edits=None)
    """
    return System(stem(path) if name is None else name, tuple(read_lines(path)))


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
                raise _wrong_length(
                    name, expected, first_name, got=count - 1, line=max(count - 1 + header_lines, 1)
                ) from None
        yield item, tuple(row)
    for name, stream in others:
        surplus = sum(1 for _ in stream)
        if surplus:
            raise _wrong_length(name, count, first_name, got=count + surplus, line=count + 1 + header_lines)


def _wrong_length(name: str, expected: int, first_name: str, *, got: int, line: int) -> InputError:
    return InputError(f"expected {expected} lines, one for each sentence of {first_name}, got {got}", name, line)


def write_text(path: str | Path, sentences: Iterable[str]) -> None:
    """One sentence a line."""
    write_lines(path, (sentence + "\n" for sentence in sentences))

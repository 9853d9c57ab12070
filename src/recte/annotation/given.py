"""Annotations that stand in a file beside the text, looked up by their tokens."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from recte.annotation.annotated import Annotated
from recte.errors import InputError

__all__ = ["GivenAnnotations"]

_COLUMNS = ("text", "pos", "tag", "lemma", "dep", "head")


class GivenAnnotations:
    """A table with the header `text pos tag lemma dep head`, one token per line and an empty line after each sentence.

    A head is the token's place in its sentence, from 0; the root is its own head. The order of sentences does not
    matter: each is found by its tokens. Files may be gzipped.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = str(path)
        try:
            content = Path(path).read_bytes()
            text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8")
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read: {' '.join(str(error).split())}", self._file) from None
        self._digest = blake2b(text.encode(), digest_size=4).hexdigest()
        self._known = {sentence.text: sentence for sentence in self._parsed(text)}

    @property
    def name(self) -> str:
        return f"given-{self._digest}"

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        found = []
        for sentence in sentences:
            known = self._known.get(tuple(sentence))
            if known is None:
                raise InputError(f"expected annotations of {' '.join(sentence)[:60]!r}, got none", self._file)
            found.append(known)
        return found

    def _parsed(self, text: str) -> list[Annotated]:
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        if tuple(lines[0].split("\t")) != _COLUMNS:
            raise InputError(f"expected the header {' '.join(_COLUMNS)!r}, got {lines[0][:60]!r}", self._file, 1)
        sentences = []
        rows: list[list[str]] = []
        for number, line in enumerate([*lines[1:], ""], 2):
            if line:
                rows.append(self._row(line, number))
            elif rows:
                sentences.append(self._sentence(rows, number - len(rows)))
                rows = []
        return sentences

    def _row(self, line: str, number: int) -> list[str]:
        row = line.split("\t")
        if len(row) != len(_COLUMNS):
            raise InputError(f"expected {len(_COLUMNS)} fields, got {len(row)} in {line[:60]!r}", self._file, number)
        return row

    def _sentence(self, rows: list[list[str]], first: int) -> Annotated:
        text, pos, tag, lemma, dependency, heads = zip(*rows, strict=True)
        for number, head in enumerate(heads, first):
            if not (head.isdecimal() and int(head) < len(rows)):
                raise InputError(f"expected a head from 0 to {len(rows) - 1}, got {head!r}", self._file, number)
        return Annotated(text, tag, pos, lemma, dependency, tuple(map(int, heads)))

"""CoNLL-U, the format of Universal Dependencies: ten tab-separated columns, one token per line.

A multiword token (`3-4`) gives a sentence two readings: the tokens of its text, and its syntactic words. Empty nodes
(`5.1`) are passed over: they stand for no word of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from recte.annotation.annotated import Annotated
from recte.annotation.universal_dependencies import ENGLISH, TagScheme, UdToken, annotate, join_multiword_tokens
from recte.errors import InputError

__all__ = ["parse_conllu"]

_COLUMNS = 10
_RANGE = re.compile(r"([1-9]\d{0,8})-([1-9]\d{0,8})")
_EMPTY_NODE = re.compile(r"\d{1,9}\.\d{1,9}")


class _Sentence:
    """The lines of one sentence, while they are read."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, list[str]]] = []
        self.ranges: list[tuple[int, int, str]] = []

    def add(self, columns: list[str], name: str, number: int) -> None:
        """Add a line, or raise an InputError that says what is wrong with it."""
        if len(columns) != _COLUMNS:
            raise InputError(f"expected {_COLUMNS} columns separated by tabs, got {len(columns)}", name, number)
        if columns[0].isdecimal():
            _check_word(columns, len(self.rows), name, number)
            self.rows.append((number, columns))
        elif match := _RANGE.fullmatch(columns[0]):
            self._add_range(int(match[1]) - 1, int(match[2]), columns, name, number)
        elif not _EMPTY_NODE.fullmatch(columns[0]):
            raise InputError(f"expected a token's number, got {columns[0]!r}", name, number)

    def _add_range(self, first: int, end: int, columns: list[str], name: str, number: int) -> None:
        if first != len(self.rows) or end <= first or (self.ranges and first < self.ranges[-1][1]):
            raise InputError(
                f"expected a multiword token that begins with word {len(self.rows) + 1}, got {columns[0]}", name, number
            )
        if not columns[1]:
            raise InputError("expected a form (column 2)", name, number)
        self.ranges.append((first, end, columns[1]))

    def readings(self, name: str, scheme: TagScheme) -> Iterator[Annotated]:
        """The tokens of the text, and the syntactic words where these differ."""
        words = []
        for place, (number, columns) in enumerate(self.rows):
            _, form, lemma, upos, xpos, features, head_text, relation, *_ = columns
            head = int(head_text)
            if head > len(self.rows):
                raise InputError(f"expected a head from 0 to {len(self.rows)}, got {head}", name, number)
            words.append(UdToken(form, lemma, upos, xpos, features, head - 1 if head else place, relation))
        if self.ranges:
            if self.ranges[-1][1] > len(words):
                last = f"{self.ranges[-1][0] + 1}-{self.ranges[-1][1]}"
                raise InputError(f"expected the words of the multiword token {last}", name, self.rows[-1][0])
            yield annotate(join_multiword_tokens(words, self.ranges), scheme)
        yield annotate(words, scheme)


def parse_conllu(lines: Iterable[str], name: str, scheme: TagScheme = ENGLISH) -> Iterator[Annotated]:
    """The sentences of a file's lines; `name` is the file's, for messages. `scheme` makes fine tags and labels.

    A sentence with multiword tokens comes twice: by the tokens of its text, then by its syntactic words.

    >>> rows = ["1 Hunde Hund NOUN _ Number=Plur 2 nsubj _ _", "2 bellen bellen VERB _ _ 0 root _ _"]
    >>> next(parse_conllu([row.replace(" ", "\\t") for row in rows], "de.conllu")).tag
    ('NOUN|Number=Plur', 'VERB')
    """
    sentence = _Sentence()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            if sentence.rows:
                yield from sentence.readings(name, scheme)
            sentence = _Sentence()
        elif not line.startswith("#"):
            sentence.add(line.split("\t"), name, number)
    if sentence.rows:
        yield from sentence.readings(name, scheme)


def _check_word(columns: list[str], before: int, name: str, number: int) -> None:
    if columns[0] != str(before + 1):
        raise InputError(f"expected token {before + 1}, got {columns[0]}", name, number)
    if not columns[1] or not columns[3] or columns[3] == "_":
        raise InputError("expected a form and a universal tag (columns 2 and 4)", name, number)
    if not columns[6].isdecimal() or len(columns[6]) > 9:
        raise InputError(f"expected the number of the head, got {columns[6]!r}", name, number)

"""Annotations as a plain table: a header, one token per line, an empty line after each sentence.

    text    pos   tag   lemma   dep     head
    He      PRON  PRP   he      nsubj   1
    goes    VERB  VBZ   go      ROOT    1

Columns are separated by tabs. A head is a place in the sentence, from 0; the root is its own head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from recte.annotation.annotated import Annotated
from recte.errors import InputError

__all__ = ["HEADER", "parse_token_table"]

HEADER = ("text", "pos", "tag", "lemma", "dep", "head")


def parse_token_table(lines: Iterable[str], name: str) -> Iterator[Annotated]:
    """The sentences of a file's lines; `name` is the file's, for messages.

    >>> lines = ["text\\tpos\\ttag\\tlemma\\tdep\\thead", "Go\\tVERB\\tVB\\tgo\\tROOT\\t0", ""]
    >>> next(parse_token_table(lines, "tokens.tsv")).lemma
    ('go',)
    """
    numbered = enumerate(lines, 1)
    _, header = next(numbered, (1, ""))
    if tuple(header.split("\t")) != HEADER:
        raise InputError(f"expected the header {' '.join(HEADER)} separated by tabs, got {header[:60]!r}", name, 1)
    rows: list[list[str]] = []
    number = 1
    for number, line in numbered:
        if not line:
            if rows:
                yield _sentence(rows, name, number - len(rows))
            rows = []
            continue
        row = line.split("\t")
        if len(row) != len(HEADER):
            raise InputError(f"expected {len(HEADER)} columns separated by tabs, got {len(row)}", name, number)
        rows.append(row)
    if rows:
        yield _sentence(rows, name, number - len(rows) + 1)


def _sentence(rows: list[list[str]], name: str, first: int) -> Annotated:
    text, pos, tag, lemma, dependency, heads = zip(*rows, strict=True)
    for number, head in enumerate(heads, first):
        if not (head.isdecimal() and int(head) < len(rows)):
            raise InputError(f"expected a head from 0 to {len(rows) - 1}, got {head!r}", name, number)
    return Annotated(text, tag, pos, lemma, dependency, tuple(map(int, heads)))

"""Annotations from CoNLL-U files and tables of tokens, looked up by the tokens of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from recte.annotation.annotated import Annotated
from recte.annotation.conllu import parse_conllu
from recte.annotation.universal_dependencies import ENGLISH, TagScheme
from recte.errors import InputError
from recte.files import display_name, read_lines
from recte.text.printable_text import quote

__all__ = ["HEADER", "GivenAnnotations", "parse_token_table", "read_annotations"]

HEADER = ("text", "pos", "tag", "lemma", "dep", "head")


def parse_token_table(lines: Iterable[str], name: str) -> Iterator[Annotated]:
    """The sentences of a file's lines; `name` is the file's, for messages.

    A last column `morph`, which may be left out, holds features; they follow the fine tag as in `NOUN|Number=Plur`.

    >>> lines = ["text\\tpos\\ttag\\tlemma\\tdep\\thead", "Go\\tVERB\\tVB\\tgo\\tROOT\\t0", ""]
    >>> next(parse_token_table(lines, "tokens.tsv")).lemma
    ('go',)
    """
    numbered = enumerate(lines, 1)
    _, header = next(numbered, (1, ""))
    names = tuple(header.split("\t"))
    if names not in (HEADER, (*HEADER, "morph")):
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
        if len(row) != len(names):
            raise InputError(f"expected {len(names)} columns separated by tabs, got {len(row)}", name, number)
        rows.append(row)
    if rows:
        yield _sentence(rows, name, number - len(rows) + 1)


def _sentence(rows: list[list[str]], name: str, first: int) -> Annotated:
    text, pos, tag, lemma, dependency, heads, *features = zip(*rows, strict=True)
    for number, head in enumerate(heads, first):
        if not (head.isdecimal() and int(head) < len(rows)):
            raise InputError(f"expected a head from 0 to {len(rows) - 1}, got {head!r}", name, number)
    for column in features:
        tag = tuple(f"{t}|{values}" if values not in ("", "_") else t for t, values in zip(tag, column, strict=True))
    return Annotated(text, tag, pos, lemma, dependency, tuple(map(int, heads)))


class GivenAnnotations:
    """Annotated sentences, each found by its tokens: their order and number do not matter.

    `name` goes into signatures; `place` (a file) into messages. Of two sentences with the same tokens the first counts.

    >>> given = GivenAnnotations([Annotated(("Go",), ("VB",), ("VERB",), ("go",), ("ROOT",), (0,))], name="given-1")
    >>> given([("Go",)])[0].tag
    ('VB',)
    """

    def __init__(self, sentences: Iterable[Annotated], *, name: str, place: str = "the annotations") -> None:
        self._name, self._place = name, place
        self._known: dict[tuple[str, ...], Annotated] = {(): Annotated((), (), (), (), (), ())}
        for sentence in sentences:
            self._known.setdefault(sentence.text, sentence)

    @property
    def name(self) -> str:
        """What signatures call these annotations."""
        return self._name

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        """The annotations of the sentences; an error where one is missing."""
        annotated = []
        for sentence in sentences:
            known = self._known.get(tuple(sentence))
            if known is None:
                raise InputError(self._describe_missing(sentence), self._place)
            annotated.append(known)
        return annotated

    def _describe_missing(self, sentence: Sequence[str]) -> str:
        """What is said of a sentence without annotations: with those of the sentence that looks most like it."""
        missing = f"expected annotations of {quote(' '.join(sentence))}, got none"
        letters = "".join(sentence)
        same_letters = [tokens for tokens in self._known if tokens and "".join(tokens) == letters]
        if same_letters:
            return f"{missing}; the same text stands there in other tokens: {quote(' '.join(same_letters[0]))}"
        words = Counter(sentence)
        nearest = max(self._known, key=lambda tokens: (words & Counter(tokens)).total() - 0.01 * len(tokens))
        if (words & Counter(nearest)).total() * 2 <= len(sentence):
            return missing
        return f"{missing}; the most similar sentence there is {quote(' '.join(nearest))}"


def read_annotations(files: str, scheme: TagScheme = ENGLISH) -> GivenAnnotations:
    """The annotations of files, whose names are separated by commas: CoNLL-U (`.conllu`, `.conllu.gz`) or tables.

    `scheme` makes fine tags and labels of CoNLL-U; a table has them as they are.
    """
    paths = files.split(",")
    sentences: list[Annotated] = []
    for path in paths:
        lines, name = read_lines(path), display_name(path)
        is_conllu = path.removesuffix(".gz").endswith(".conllu")
        sentences += parse_conllu(lines, name, scheme) if is_conllu else parse_token_table(lines, name)
    digest = blake2b(repr(sentences).encode(), digest_size=4).hexdigest()  # annotations, not files: order counts
    return GivenAnnotations(sentences, name=f"given-{digest}", place=",".join(map(display_name, paths)))

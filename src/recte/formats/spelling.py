"""Chinese spelling check in its own formats: tables of source and gold, and SIGHAN's answers.

A table has one sentence per line, `source<TAB>gold`, with an id or a label before them in some corpora. SIGHAN has
texts and answers apart; an answer is the sentence's id, then places from 1 and characters in turn, or 0 for nothing:

    (NID=B2-0001-1) 我今天很高心。              B2-0001-1, 6, 興
    (NID=B2-0002-1) 他是我的朋友。              B2-0002-1, 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from recte.corpus.corpus import Corpus, Sentence
from recte.errors import InputError
from recte.files import can_be_read_again, display_name, read_lines, stem
from recte.formats.file_formats import FileFormat, Output
from recte.formats.parallel import side_by_side
from recte.patterns import compile_later

__all__ = [
    "SIGHAN_ANSWERS",
    "SPELLING_TABLE",
    "SighanAnswer",
    "is_sighan_answers",
    "is_spelling_table",
    "iterate_sighan",
    "iterate_sighan_answers",
    "iterate_spelling_table",
    "read_sighan",
    "read_spelling_table",
]

_ID = compile_later(r"\(\w+=([^)]*)\)\s*(.*)|([^\t]+)\t(.*)")
_ANSWER = compile_later(r"[^\s,]+,\s*\d+\s*(,.*)?$")


class SighanAnswer(NamedTuple):
    """What to put where in the sentence of that id; places count from 1. `line` is where it stood in its file.

    >>> SighanAnswer("B2-0001-1", ((6, "興"),), 1).apply("我今天很高心。", "answers.txt")
    '我今天很高興。'
    """

    id: str
    changes: tuple[tuple[int, str], ...]
    line: int

    def apply_to(self, sentence: Sentence, file: str) -> str:
        """The sentence with the changes made, if it is the one that the answer is for."""
        if self.id != sentence.id:
            raise InputError(f"expected the answer for {sentence.id}, got that for {self.id}", file, self.line)
        return self.apply(sentence.text, file)

    def apply(self, source: str, file: str) -> str:
        """The text with the changes made; `file` is named where one does not fit."""
        characters = list(source)
        for place, character in self.changes:
            if not 1 <= place <= len(characters):
                raise InputError(
                    f"expected places within the {len(characters)} characters of {self.id}, got {place}",
                    file,
                    self.line,
                )
            characters[place - 1] = character
        return "".join(characters)


def iterate_sighan_answers(path: str | Path) -> Iterator[SighanAnswer]:
    """One answer for each line."""
    name = display_name(path)
    for number, line in enumerate(read_lines(path), 1):
        fields = [field.strip() for field in line.split(",")]
        places, characters = fields[1::2], fields[2::2]
        nothing = places == ["0"] and not characters
        right = (
            len(fields) > 1
            and all(p.isdecimal() and len(p) < 10 for p in places)
            and all(len(c) == 1 for c in characters)
        )
        if not right or not (nothing or len(places) == len(characters)):
            raise InputError(
                f"expected an id, then places and characters in turn, or 0, got {line[:60]!r}", name, number
            )
        changes = () if nothing else tuple((int(p), c) for p, c in zip(places, characters, strict=True))
        yield SighanAnswer(fields[0], changes, number)


def is_sighan_answers(path: str | Path) -> bool:
    """Whether the file begins as SIGHAN's answers do."""
    return can_be_read_again(path) and _ANSWER.match(next(read_lines(path), "").strip()) is not None


def read_sighan(texts: str | Path, answers: str | Path) -> Corpus:
    """SIGHAN's texts and answers as sources and one reference.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     texts, answers = pathlib.Path(folder, "input.txt"), pathlib.Path(folder, "truth.txt")
    ...     _ = texts.write_text("(NID=B2-0001-1)\\t我今天很高心。\\n", encoding="utf-8")
    ...     _ = answers.write_text("B2-0001-1, 6, 興\\n", encoding="utf-8")
    ...     read_sighan(texts, answers)[0].references
    ('我今天很高興。',)
    """
    return Corpus(tuple(iterate_sighan(texts, [answers])), stem(texts))


def iterate_sighan(texts: str | Path, answers: Sequence[str | Path]) -> Iterator[Sentence]:
    """The sentences one by one, with one reference for each file of answers."""
    name = display_name(texts)
    columns = [(display_name(path), iterate_sighan_answers(path)) for path in answers]
    for number, (line, answers_of_text) in enumerate(side_by_side(read_lines(texts), name, columns), 1):
        match = _ID.match(line)
        if match is None:
            raise InputError(f"expected an id and a text, got {line[:60]!r}", name, number)
        id_, text = (match[1], match[2]) if match[1] is not None else (match[3], match[4])
        for (file, _), answer in zip(columns, answers_of_text, strict=True):
            if answer.id != id_:
                raise InputError(f"expected the answer for {id_}, got that for {answer.id}", file, answer.line)
        references = tuple(a.apply(text, file) for (file, _), a in zip(columns, answers_of_text, strict=True))
        yield Sentence(text, references=references, id=id_)


def is_spelling_table(path: str | Path) -> bool:
    """Whether the file is named `.tsv` (or `.tsv.gz`) and begins with columns, and not as M2 does.

    Texts of different lengths are for the reader to refuse: it says what is wrong with them.
    """
    if not str(path).removesuffix(".gz").endswith(".tsv") or not can_be_read_again(path):
        return False
    first = next(read_lines(path), "")
    return "\t" in first and not first.startswith("S ")


def read_spelling_table(path: str | Path) -> Corpus:
    """A table of sources and corrected texts.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "test.tsv")
    ...     _ = file.write_text("我今天很高心\\t我今天很高兴\\n", encoding="utf-8")
    ...     read_spelling_table(file)[0].references
    ('我今天很高兴',)
    """
    return Corpus(tuple(iterate_spelling_table(path)), stem(path))


def iterate_spelling_table(path: str | Path) -> Iterator[Sentence]:
    """The sentences one by one, numbered from 1; a first column of its own is passed over."""
    name, width = display_name(path), 0
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        width = width or len(fields)
        if width not in (2, 3) or len(fields) != width:
            expected = width if width in (2, 3) else "2 or 3"
            raise InputError(f"expected {expected} columns, source and gold last, got {len(fields)}", name, number)
        source, gold = fields[-2:]
        if len(source) != len(gold):
            raise InputError(
                f"expected a gold text of {len(source)} characters, as in its source {source[:40]!r}, "
                f"got {len(gold)} in {gold[:40]!r}",
                name,
                number,
            )
        yield Sentence(source, references=(gold,), id=str(number))


SPELLING_TABLE = FileFormat(
    "spelling",
    "a spelling table",
    is_spelling_table,
    read_gold=lambda path, lenient: iterate_spelling_table(path),
)
SIGHAN_ANSWERS = FileFormat(
    "sighan",
    "SIGHAN answers",
    is_sighan_answers,
    read_outputs=lambda path, lenient: (
        Output("", made_from=answer.apply_to) for answer in iterate_sighan_answers(path)
    ),
    read_references=iterate_sighan,
)

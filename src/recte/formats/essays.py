"""MultiGEC's Markdown essays: `### essay_id = ID`, then the essay, in sources, references and outputs alike.

Essays are matched by id, in the order of the sources, as the task does it: one that a system left out is the one token
`!`, one that a further reference lacks is that of the first reference, and what is left over is passed over. An essay
is one unit, as the task scores it; in the reading `lines`, each of its lines that is not blank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from recte.corpus.corpus import Sentence
from recte.errors import InputError
from recte.files import display_name, name_without_compression, read_lines
from recte.formats.file_formats import FileFormat, Output

__all__ = ["ESSAYS", "essay_lines", "read_essays"]

_MARK = "### essay_id = "
_MISSING = "!"  # what the task puts for an essay that a system left out


def is_essay_file(path: str | Path) -> bool:
    """Whether the name ends in `.md` (or `.md.gz`)."""
    return name_without_compression(str(path)).endswith(".md")


def read_essays(path: str | Path) -> dict[str, str]:
    """Essays by id, in the file's order, without line ends around them.

    The mark counts wherever it stands; what stands before the first is dropped; the last essay of an id counts.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "orig.md")
    ...     _ = path.write_text("### essay_id = 003\\nHe go.\\n\\nI am.\\n\\n### essay_id = b\\nShe is.\\n")
    ...     read_essays(path)
    {'003': 'He go.\\n\\nI am.', 'b': 'She is.'}
    """
    _, *parts = "\n".join(read_lines(path)).split(_MARK)
    if not parts:
        raise InputError(f"expected essays, each behind a line {_MARK}ID, got none", display_name(path), 1)
    essays = {}
    for part in parts:
        id_, _, text = part.partition("\n")
        essays[id_] = text.strip("\n")
    return essays


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _side_by_side(source: str | Path, references: Sequence[str | Path]) -> Iterator[tuple[str, str, list[str]]]:
    """Each essay's id, source and references."""
    references_by_id = [read_essays(path) for path in references]
    for id_, text in read_essays(source).items():
        if references_by_id and id_ not in references_by_id[0]:
            raise InputError(f"expected essay {id_!r} of {display_name(source)}, got none", display_name(references[0]))
        yield id_, text, [essays.get(id_, references_by_id[0][id_]) for essays in references_by_id]


def _iterate_whole(source: str | Path, references: Sequence[str | Path]) -> Iterator[Sentence]:
    for id_, text, references_of in _side_by_side(source, references):
        yield Sentence(text, references=tuple(references_of), id=id_)


def _iterate_lines(source: str | Path, references: Sequence[str | Path]) -> Iterator[Sentence]:
    for id_, text, references_of in _side_by_side(source, references):
        lines = _lines(text)
        columns = [
            _as_many(id_, len(lines), reference, path)
            for reference, path in zip(references_of, references, strict=True)
        ]
        for number, (line, *rewritten) in enumerate(zip(lines, *columns, strict=True), 1):
            yield Sentence(line, references=tuple(rewritten), id=f"{id_}:{number}", document=id_)


def _as_many(id_: str, count: int, text: str, path: str | Path) -> list[str]:
    lines = _lines(text)
    if len(lines) != count:
        expected = f"expected {count} lines in essay {id_!r}, as in its source"
        raise InputError(f"{expected}, got {len(lines)} (essays can be read whole)", display_name(path))
    return lines


def _outputs_whole(path: str | Path, sentences: Iterator[Sentence]) -> Iterator[Output]:
    essays, is_any_there = read_essays(path), False
    for sentence in sentences:
        is_any_there = is_any_there or sentence.id in essays
        yield Output(essays.get(sentence.id, _MISSING))
    _check_found(is_any_there, essays, path)


def _outputs_of_lines(path: str | Path, sentences: Iterator[Sentence]) -> Iterator[Output]:
    essays, is_any_there = read_essays(path), False
    for id_, group in groupby(sentences, key=lambda sentence: sentence.document):
        count = sum(1 for _ in group)
        is_any_there = is_any_there or id_ in essays
        lines = _as_many(id_, count, essays[id_], path) if id_ in essays else [_MISSING] * count
        yield from map(Output, lines)
    _check_found(is_any_there, essays, path)


def _check_found(is_any_there: bool, essays: Iterable[str], path: str | Path) -> None:
    if not is_any_there:  # a score of nothing but missing essays would say nothing
        first = next(iter(essays))
        raise InputError(f"expected essays of the gold, got none of them, but {first!r} and others", display_name(path))


def essay_lines(texts: Iterable[tuple[Sentence, str]]) -> Iterator[str]:
    """The lines of a file of essays; sentences of one document are the lines of one essay.

    >>> list(essay_lines([(Sentence("He go.", id="003"), "He goes.")]))
    ['### essay_id = 003\\n', 'He goes.\\n', '\\n']
    """
    for id_, group in groupby(texts, key=lambda pair: pair[0].document or pair[0].id):
        yield f"{_MARK}{id_}\n"
        yield from (f"{text}\n" for _, text in group)
        yield "\n"


_BY_LINES = FileFormat(
    "essays",
    "MultiGEC essays",
    is_essay_file,
    read_references=_iterate_lines,
    read_outputs_for=_outputs_of_lines,
    reading="lines",
    drops="blank lines",
)
ESSAYS = FileFormat(
    "essays",
    "MultiGEC essays",
    is_essay_file,
    read_references=_iterate_whole,
    read_outputs_for=_outputs_whole,
    text_lines=essay_lines,
    reading="whole",
    readings=(_BY_LINES,),
    keeps="\n\t",
)

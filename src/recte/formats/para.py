"""ChERRANT's parallel format, one line per sentence: id, source and references (or a system's output), between tabs.

`没有错误` (no error) stands for the source itself, `无法标注` (cannot be annotated) for none; a sentence that has
no other is not scored. Texts have no spaces between words, so they are cut into characters unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from recte.corpus.corpus import Corpus, Sentence
from recte.errors import InputError
from recte.files import display_name, name_without_compression, read_lines, stem
from recte.formats.file_formats import FileFormat, Output, edits_become_texts

__all__ = [
    "PARA",
    "is_para_file",
    "iterate_para",
    "iterate_para_outputs",
    "iterate_para_rows",
    "para_line",
    "read_para",
]

NO_ERROR = "没有错误"
NOT_ANNOTATED = "无法标注"


def is_para_file(path: str | Path) -> bool:
    """Whether the name ends in `.para` (or `.para.gz`)."""
    return name_without_compression(str(path)).endswith(".para")


def read_para(path: str | Path) -> Corpus:
    """Sources with their references; sentences that could not be annotated are left out.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "gold.para")
    ...     _ = path.write_text("1\\t我很好\\t没有错误\\n", encoding="utf-8")
    ...     read_para(path)[0].references
    ('我很好',)
    """
    return Corpus(tuple(sentence for sentence in iterate_para(path) if sentence.scored), stem(path))


def iterate_para(path: str | Path) -> Iterator[Sentence]:
    """The sentences one by one, those that could not be annotated marked as not scored."""
    name = display_name(path)
    count = 0
    for count, (id_, source, *texts) in enumerate(iterate_para_rows(path), 1):
        references = tuple(source if text == NO_ERROR else text for text in texts if text and text != NOT_ANNOTATED)
        if not references and NOT_ANNOTATED not in texts:
            raise InputError(f"expected at least one reference after the source, got {texts!r}", name, count)
        yield Sentence(source, references=references, id=id_, scored=bool(references))
    if not count:
        raise InputError("expected at least one sentence, got an empty file", name, 1)


def para_line(id: str, source: str, references: Sequence[str]) -> str:
    """A sentence's line, its end included; tabs in a text would split it, so they become spaces.

    >>> para_line("1", "我好", ["我很好", "我好"])
    '1\\t我好\\t我很好\\t没有错误\\n'
    """
    texts = (NO_ERROR if text == source else text for text in references)
    return "\t".join(text.replace("\t", " ") for text in (id, source, *texts)) + "\n"


def iterate_para_outputs(path: str | Path) -> Iterator[tuple[str, str]]:
    """Of a system's file, each source and its output."""
    for number, (_, source, *texts) in enumerate(iterate_para_rows(path), 1):
        if len(texts) != 1:
            expected = "expected id, source and one output, separated by tabs"
            raise InputError(f"{expected}, got {len(texts)} outputs", display_name(path), number)
        yield source, source if texts[0] == NO_ERROR else texts[0]


def iterate_para_rows(path: str | Path) -> Iterator[list[str]]:
    """Each line's fields as they stand: id, source and texts."""
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        if len(fields) < 3:
            expected = "expected id, source and references, separated by tabs"
            raise InputError(f"{expected}, got {len(fields)} fields", display_name(path), number)
        yield [field.strip() for field in fields]


PARA = FileFormat(
    "para",
    ".para",
    is_para_file,
    read_gold=lambda path, lenient: iterate_para(path),
    read_outputs=lambda path, lenient: (
        Output(output, source=tuple(source.split())) for source, output in iterate_para_outputs(path)
    ),
    has_words=False,
    reference_lines=lambda rows: (para_line(s.id, s.text, references) for s, references in rows),
    losses=edits_become_texts,
)

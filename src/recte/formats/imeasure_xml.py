"""The I-measure's XML: sentences with errors, each error with one alternative per annotator.

    <scripts><script id="1"><sentence id="1" numann="2">
      <text>This machines is designed .</text>
      <error-list><error id="1" req="yes" type="SVA">
        <alt ann="0"><c start="0" end="1">These</c><c start="2" end="3">are</c></alt>
        <alt ann="1"><c start="1" end="2">machine</c></alt>
      </error></error-list>
    </sentence></script></scripts>

A `script` is a document. One sentence may stand alone, as in Listing 1 of the paper (Felice and Briscoe 2015). Entity
declarations are refused, so a file can neither grow when read nor reach others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import ClassVar
from xml.parsers import expat

from recte.corpus.corpus import Annotation, Corpus, Edit, GoldError, Sentence, annotator_order
from recte.errors import InputError
from recte.files import display_name, name_without_compression, stem, write_lines
from recte.formats.file_formats import FileFormat
from recte.formats.xml_parsing import parse_xml
from recte.patterns import compile_later

__all__ = ["IMEASURE_XML", "is_imeasure_xml", "read_imeasure_xml", "write_imeasure_xml", "xml_lines"]

_MOST_ANNOTATORS = 1000
# What XML 1.0 cannot hold, escaped or not.
_FORBIDDEN = compile_later("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def is_imeasure_xml(path: str | Path) -> bool:
    """Whether the file is named `.xml` (or `.xml.gz`)."""
    return name_without_compression(str(path)).endswith(".xml")


def read_imeasure_xml(path: str | Path) -> Corpus:
    """Read a gold file with its errors; its edits serve metrics over edits as well.

    >>> import tempfile
    >>> edits = Annotation("0", (Edit(1, 2, ("goes",)),)), Annotation("1", (Edit(1, 2, ("went",)),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_imeasure_xml(f"{folder}/gold.xml", [Sentence("He go", annotations=edits)])
    ...     len(read_imeasure_xml(f"{folder}/gold.xml")[0].errors)
    1
    """
    name = display_name(path)
    reader = _Reader(name)
    parse_xml(path, reader.parser)
    if not reader.sentences:
        raise InputError("expected at least one sentence, got none", name, 1)
    return Corpus(tuple(reader.sentences), stem(path))


class _Reader:
    """Handlers for one file; each knows the line it is at."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sentences: list[Sentence] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.SkippedEntityHandler = self._refuse_skipped
        self.parser.AttlistDeclHandler = self._refuse_attributes
        self._open: list[str] = []
        self._text: list[str] = []
        self._document = self._id = ""
        self._annotators = 0
        self._tokens: tuple[str, ...] | None = None
        self._source = ""
        self._errors: list[GoldError] = []
        self._error = GoldError(())
        self._alternatives: list[Annotation] = []
        self._annotator = ""
        self._edits: list[Edit] = []
        self._span = (0, 0)

    def _fail(self, message: str) -> InputError:
        return InputError(message, self.name, self.parser.CurrentLineNumber)

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise self._fail(f"expected no entity declarations, got one of {name!r}")

    def _refuse_skipped(self, name: str, *_: object) -> None:
        raise self._fail(f"expected text, got the entity &{name}; which nothing declares")

    def _refuse_attributes(self, element: str, *_: object) -> None:
        raise self._fail(f"expected no attribute declarations, got one of <{element}>")

    _PARENTS: ClassVar[dict[str, str]] = {
        "scripts": "",
        "script": "scripts",
        "sentence": "script",
        "text": "sentence",
        "error-list": "sentence",
        "error": "error-list",
        "alt": "error",
        "c": "alt",
    }

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1] if self._open else ""
        alone = tag == "sentence" and not parent
        if tag not in self._PARENTS or (self._PARENTS[tag] != parent and not alone):
            place = f"inside <{parent}>" if parent else "at the top"
            raise self._fail(f"expected {self._describe_expected(parent)} {place}, got <{tag}>")
        self._open.append(tag)
        self._text = []
        if tag == "script":
            self._document = attributes.get("id", "")
        elif tag == "sentence":
            self._id = self._attribute(tag, attributes, "id")
            self._annotators = self._number(tag, attributes, "numann")
            if self._annotators > _MOST_ANNOTATORS:
                raise self._fail(f"expected numann up to {_MOST_ANNOTATORS}, got {self._annotators}")
            self._tokens, self._errors = None, []
        elif tag == "error":
            required = self._attribute(tag, attributes, "req")
            if required not in ("yes", "no"):
                raise self._fail(f"expected req to be yes or no, got {required!r}")
            self._error = GoldError((), required == "yes", attributes.get("type", ""))
            self._alternatives = []
        elif tag == "alt":
            self._annotator = self._attribute(tag, attributes, "ann")
            self._edits = []
        elif tag == "c":
            self._span = self._number(tag, attributes, "start"), self._number(tag, attributes, "end")

    def _describe_expected(self, parent: str) -> str:
        children = [tag for tag, of in self._PARENTS.items() if of == parent]
        if not parent:
            children.append("sentence")
        return " or ".join(f"<{tag}>" for tag in children) or "text only"

    def _attribute(self, tag: str, attributes: dict[str, str], key: str) -> str:
        value = attributes.get(key, "").strip()
        if not value:
            raise self._fail(f"expected <{tag}> to have {key}, got {', '.join(attributes) or 'no attributes'}")
        return value

    def _number(self, tag: str, attributes: dict[str, str], key: str) -> int:
        value = self._attribute(tag, attributes, key)
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise self._fail(f"expected {key} of <{tag}> to be a number from 0, got {value[:40]!r}")
        return int(value)

    def _characters(self, data: str) -> None:
        if self._open and self._open[-1] in ("text", "c"):
            self._text.append(data)
        elif data.strip():
            raise self._fail(f"expected text only in <text> and <c>, got {data.strip()[:40]!r}")

    def _end(self, tag: str) -> None:
        self._open.pop()
        text = "".join(self._text)
        if tag == "text":
            if self._tokens is not None:
                raise self._fail(f"expected one <text> in sentence {self._id}, got a second")
            self._tokens = tuple(text.split())
            self._source = " ".join(self._tokens)
        elif tag == "c":
            start, end = self._span
            if self._tokens is None:
                raise self._fail("expected <text> before the errors of its sentence")
            if start > end:
                raise self._fail(f"expected a start before its end, got correction {start} {end}")
            if end > len(self._tokens):
                raise self._fail(
                    f"correction {start} {end} reaches past the {len(self._tokens)} tokens of its sentence"
                )
            line = self.parser.CurrentLineNumber
            self._edits.append(Edit(start, end, (" ".join(text.split()),), self._error.type, line=line))
        elif tag == "alt":
            if any(known.annotator == self._annotator for known in self._alternatives):
                raise self._fail(f"expected one alternative per annotator, got a second of {self._annotator}")
            self._alternatives.append(Annotation(self._annotator, tuple(self._edits)))
        elif tag == "error":
            if not self._alternatives:
                raise self._fail("expected an error to have at least one <alt>, got none")
            self._errors.append(GoldError(tuple(self._alternatives), self._error.required, self._error.type))
        elif tag == "sentence":
            self._add_sentence()

    def _add_sentence(self) -> None:
        if self._tokens is None:
            raise self._fail(f"expected sentence {self._id} to have <text>, got none")
        by_annotator: dict[str, list[Edit]] = {}
        for error in self._errors:
            for alternative in error.alternatives:
                by_annotator.setdefault(alternative.annotator, []).extend(alternative.edits)
        if len(by_annotator) > self._annotators:
            raise self._fail(f"expected at most numann = {self._annotators} annotators, got {len(by_annotator)}")
        # Annotators that corrected nothing are known by their number alone.
        unused = (str(n) for n in range(len(by_annotator) + self._annotators) if str(n) not in by_annotator)
        while len(by_annotator) < self._annotators:
            by_annotator[next(unused)] = []
        annotations = tuple(
            Annotation(a, tuple(sorted(by_annotator[a], key=lambda e: (e.start, e.end))))
            for a in sorted(by_annotator, key=annotator_order)
        )
        self.sentences.append(
            Sentence(
                self._source,
                self._tokens,
                annotations or (Annotation("0", implied=True),),
                errors=tuple(self._errors),
                id=self._id,
                document=self._document,
            )
        )


def write_imeasure_xml(path: str | Path, sentences: Iterable[Sentence], *, treebank: bool = True) -> None:
    """Write the sentences with their errors, clustered where they are given as edits.

    >>> write_imeasure_xml("-", [Sentence("He go", annotations=(Annotation("0", (Edit(1, 2, ("goes",)),)),))])
    <?xml version='1.0' encoding='UTF-8'?>
    <scripts>
    <script id="1">
    <sentence id="1" numann="1">
    <text>He go</text>
    <error-list>
    <error id="1" req="yes" type="">
    <alt ann="0"><c start="1" end="2">goes</c></alt>
    </error>
    </error-list>
    </sentence>
    </script>
    </scripts>
    """
    write_lines(path, xml_lines(sentences, treebank=treebank))


def xml_lines(sentences: Iterable[Sentence], *, treebank: bool = True) -> Iterator[str]:
    """The lines of the file, ends included."""
    from xml.sax.saxutils import quoteattr  # it loads what reads the web, which a reader of files does without

    from recte.edits.error_clusters import cluster_errors

    yield "<?xml version='1.0' encoding='UTF-8'?>\n<scripts>\n"
    for number, (document, of_document) in enumerate(groupby(sentences, key=lambda s: s.document), 1):
        yield f"<script id={quoteattr(document or str(number))}>\n"
        for position, sentence in enumerate(of_document, 1):
            annotators = sum(not a.implied for a in sentence.annotations)
            yield f'<sentence id={quoteattr(sentence.id or str(position))} numann="{annotators}">\n'
            yield f"<text>{_escape(' '.join(sentence.tokens))}</text>\n<error-list>\n"
            for e, error in enumerate(cluster_errors(sentence, treebank=treebank), 1):
                required = "yes" if error.required else "no"
                yield f'<error id="{e}" req="{required}" type={quoteattr(error.type)}>\n'
                for alternative in error.alternatives:
                    corrections = "".join(
                        f'<c start="{edit.start}" end="{edit.end}">{_escape(edit.corrections[0])}</c>'
                        for edit in alternative.edits
                    )
                    yield f"<alt ann={quoteattr(alternative.annotator)}>{corrections}</alt>\n"
                yield "</error>\n"
            yield "</error-list>\n</sentence>\n"
        yield "</script>\n"
    yield "</scripts>\n"


def _losses(sentences: Iterable[Sentence]) -> str:
    """An edit has one correction here, and an error one type for all its edits."""
    alternatives = merged = 0
    for sentence in sentences:
        if sentence.errors is None:
            edits = [edit for annotation in sentence.annotations for edit in annotation.edits]
            alternatives += sum(len(edit.corrections) > 1 for edit in edits)
            if any(edit.type for edit in edits):
                merged += _types(sentence) != Counter(_iterate_types(sentence))
    counted = {
        "further corrections": (alternatives, "edit"),
        "types that differ inside an error": (merged, "sentence"),
    }
    parts = [f"{what} of {n:,} {of}{'' if n == 1 else 's'}" for what, (n, of) in counted.items() if n]
    return f"{' and '.join(parts)} are lost" if parts else ""


def _types(sentence: Sentence) -> Counter[str]:
    return Counter(edit.type for a in sentence.annotations for edit in a.edits)


def _iterate_types(sentence: Sentence) -> Iterator[str]:
    """The type that each edit has once its error is written and read again."""
    from recte.edits.error_clusters import cluster_errors

    for error in cluster_errors(sentence):
        yield from (error.type for alternative in error.alternatives for _ in alternative.edits)


def _escape(text: str) -> str:
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        raise InputError(f"XML cannot hold the character {forbidden.group()!r} in {text[:60]!r}")
    from xml.sax.saxutils import escape

    return escape(text)


IMEASURE_XML = FileFormat(
    "xml",
    "the I-measure's XML",
    is_imeasure_xml,
    read_gold=lambda path, lenient: iter(read_imeasure_xml(path)),
    lines=lambda sentences, treebank: xml_lines(sentences, treebank=treebank),
    losses=_losses,
)

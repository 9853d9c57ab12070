"""Edits of the HOO shared tasks: XML whose offsets count the characters of a text.

    <edits>
      <edit index="1" type="RT" start="24" end="27">
        <original>the</original>
        <corrections><correction>a</correction><correction><empty/></correction></corrections>
      </edit>
    </edits>

An edit has one correction or more; `<empty/>`, or no correction at all, deletes. Offsets count the characters of the
source text, line ends too. `recte.edits.edits_from_characters` brings the edits of a sentence onto its tokens.
"""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from recte.edits.references import CharacterEdit
from recte.errors import InputError
from recte.files import display_name
from recte.formats.xml_parsing import parse_xml

__all__ = ["read_hoo_edits"]


def read_hoo_edits(path: str | Path) -> tuple[CharacterEdit, ...]:
    """The edits of a file, in order.

    >>> import pathlib, tempfile
    >>> edit = '<edit type="RT" start="3" end="5"><corrections><correction>goes</correction></corrections></edit>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "edits.xml")
    ...     _ = file.write_text(f"<edits>{edit}</edits>")
    ...     read_hoo_edits(file)[0].corrections
    ('goes',)
    """
    reader = _Reader(display_name(path))
    parse_xml(path, reader.parser)
    return tuple(reader.edits)


class _Reader:
    """Handlers for one file; each knows the line it is at."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.edits: list[CharacterEdit] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse_entity
        self._open: list[str] = []
        self._attributes: dict[str, str] = {}
        self._corrections: list[str] = []
        self._text: list[str] = []

    def _fail(self, message: str) -> InputError:
        return InputError(message, self.name, self.parser.CurrentLineNumber)

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise self._fail(f"expected no entity declarations, got one of {name!r}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._open and tag != "edits":
            raise self._fail(f"expected <edits> at the top, got <{tag}>")
        if tag == "edit":
            if "edit" in self._open:
                raise self._fail("expected no <edit> inside another, got one")
            self._attributes, self._corrections = attributes, []
        elif tag == "correction":
            self._text = []
        self._open.append(tag)

    def _characters(self, data: str) -> None:
        if "correction" in self._open:
            self._text.append(data)

    def _end(self, tag: str) -> None:
        self._open.pop()
        if tag == "correction":
            self._corrections.append("".join(self._text))
        elif tag == "edit":
            start, end = (self._offset(name) for name in ("start", "end"))
            if start > end:
                raise self._fail(f"expected a start before its end, got the edit {start} {end}")
            kind = self._attributes.get("type", "")
            self.edits.append(CharacterEdit(start, end, tuple(self._corrections) or ("",), kind))

    def _offset(self, name: str) -> int:
        value = self._attributes.get(name, "").strip()
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise self._fail(f"expected {name} of <edit> to be a number from 0, got {value[:40]!r}")
        return int(value)

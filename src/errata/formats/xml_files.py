"""XML read by handlers that know the line they are at; nothing in a file can make it grow or reach for another."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from errata.errors import InputError
from errata.formats.files import display_name, open_bytes

__all__ = ["XmlReader"]


class XmlReader:
    """The base of a format's reader: it sets handlers on `parser` and raises `fail(message)`."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.name = display_name(path)
        self.parser = expat.ParserCreate()
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.SkippedEntityHandler = self._refuse_skipped
        self.parser.AttlistDeclHandler = self._refuse_attributes

    def read(self) -> None:
        """Go through the file once."""
        with open_bytes(self.path) as stream:
            try:
                self.parser.ParseFile(stream)
            except expat.ExpatError as error:
                raise InputError(
                    f"expected well-formed XML, got: {expat.ErrorString(error.code)}", self.name, error.lineno
                ) from None
            except InputError:
                raise
            except (EOFError, OSError) as error:
                raise InputError(f"cannot be read: {error}", self.name) from None
            except (LookupError, ValueError) as error:
                raise InputError(f"expected UTF-8 or another encoding known here, got: {error}", self.name, 1) from None

    def fail(self, message: str) -> InputError:
        return InputError(message, self.name, self.parser.CurrentLineNumber)

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise self.fail(f"expected no entity declarations, got one of {name!r}")

    def _refuse_skipped(self, name: str, *_: object) -> None:
        raise self.fail(f"expected text, got the entity &{name}; which nothing declares")

    def _refuse_attributes(self, element: str, *_: object) -> None:
        raise self.fail(f"expected no attribute declarations, got one of <{element}>")

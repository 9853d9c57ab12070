"""XML files through expat: what is wrong with one is a line that names its place."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import IO
from xml.parsers import expat

from recte.errors import InputError
from recte.files import display_name, open_bytes

__all__ = ["parse_xml", "parse_xml_stream"]


def parse_xml(path: str | Path, parser: expat.XMLParserType) -> None:
    """Run the whole file through a parser, whose handlers may refuse it."""
    with open_bytes(path) as stream:
        parse_xml_stream(stream, display_name(path), parser)


def parse_xml_stream(stream: IO[bytes], name: str, parser: expat.XMLParserType) -> None:
    """The same of an open file, which messages call `name`."""
    try:
        parser.ParseFile(stream)
    except expat.ExpatError as error:
        raise InputError(
            f"expected well-formed XML, got: {expat.ErrorString(error.code)}", name, error.lineno
        ) from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:
        raise InputError(
            f"expected UTF-8 or another encoding known here, got: {error}; save it as UTF-8", name, 1
        ) from None
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"cannot be read: {error}", name) from None

"""Lines of text from a file, a compressed file or standard input, and files written whole or not at all."""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from errata.errors import InputError

__all__ = [
    "BYTE_ORDER_MARK",
    "STANDARD_INPUT",
    "display_name",
    "open_bytes",
    "read_lines",
    "read_raw_lines",
    "stem",
    "write_bytes",
    "write_lines",
]

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = "\ufeff"


def display_name(path: str | Path) -> str:
    """What messages call the file."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def stem(path: str | Path) -> str:
    """The file's name without folders, `.gz` and one ending more.

    >>> stem("systems/AMU.txt"), stem("out.m2.gz"), stem("-")
    ('AMU', 'out', 'stdin')
    """
    if str(path) == STANDARD_INPUT:
        return "stdin"
    name = Path(path).name.removesuffix(".gz")
    return Path(name).stem


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """The file's bytes, decompressed where its name ends in `.gz`; `-` is standard input."""
    if str(path) == STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        stream = cast(IO[Any], (gzip.open if str(path).endswith(".gz") else open)(path, "rb"))
    except IsADirectoryError:
        raise InputError("expected a file, got a directory", str(path)) from None
    except FileNotFoundError:
        raise InputError("no such file", str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(path)) from None
    with stream:
        yield cast(BinaryIO, stream)


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines without their ends (`\\n` or `\\r\\n`), as UTF-8; a byte-order mark at the start is dropped."""
    for line in read_raw_lines(path):
        yield line.removeprefix(BYTE_ORDER_MARK).removesuffix("\n").removesuffix("\r")


def read_raw_lines(path: str | Path) -> Iterator[str]:
    """The lines as they stand, ends included, as UTF-8."""
    name = display_name(path)
    with open_bytes(path) as stream:
        number = 0
        try:
            for raw in stream:
                number += 1
                yield raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"expected UTF-8, got byte 0x{error.object[error.start]:02x} at byte {error.start + 1} of the line",
                name,
                number,
            ) from None
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"expected a gzip file: {error}", name) from None


@contextmanager
def _replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the file's place only when it is complete."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", str(path)) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield cast(BinaryIO, stream)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)  # mkstemp makes files only their owner can read
        os.replace(temporary, target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror or error}", str(path)) from None
        raise


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write the file whole or not at all."""
    with _replacing(path) as stream:
        stream.write(content)


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines (each with its end) as UTF-8, whole or not at all; `-` is standard output, `.gz` compresses."""
    if str(path) == STANDARD_INPUT:
        sys.stdout.writelines(lines)
        return
    with _replacing(path) as stream:
        if str(path).endswith(".gz"):
            # No name and no time in the header: the same content is the same file.
            with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as compressed:
                compressed.writelines(line.encode() for line in lines)
        else:
            stream.writelines(line.encode() for line in lines)

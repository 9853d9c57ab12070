"""Lines of text from a file, a compressed file or standard input, and files written whole or not at all."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from recte.errors import InputError, OptionError
from recte.extras import optional
from recte.messages import report
from recte.remote_files import is_address, open_address, write_file

__all__ = [
    "BYTE_ORDER_MARK",
    "LONGEST_LINE",
    "STANDARD_INPUT",
    "byte_blocks",
    "can_be_read_again",
    "check_folder_of",
    "check_targets",
    "describe_unread_table",
    "display_name",
    "encode_lines",
    "file_version",
    "is_read_once",
    "make_folder",
    "name_without_compression",
    "not_utf8",
    "open_bytes",
    "read_lines",
    "read_once",
    "read_raw_lines",
    "stem",
    "write_bytes",
    "write_lines",
    "write_together",
]

STANDARD_INPUT = "-"
_COMPRESSED = (".gz", ".zst")
_BLOCK = 1 << 20
LONGEST_LINE = 1 << 26  # bytes; a compressed file may hide a line that fills the memory
_TEMPORARY = ".recte-part"  # how files end that are being written
_ABANDONED = 3600  # seconds after which nobody is writing such a file any more
BYTE_ORDER_MARK = "\ufeff"


def read_once(paths: Iterable[str | Path]) -> None:
    """Refuse files of which more than one is standard input; on a terminal, say that it is waited for."""
    times = sum(str(path) == STANDARD_INPUT for path in paths)
    if times > 1:
        raise InputError("standard input can be read only once: expected one - at most (or a system to score)")
    if times and sys.stdin is not None and sys.stdin.isatty():
        report("reading standard input (end with Ctrl-D; --help says how to name files)")


def check_folder_of(option: str, path: str | Path) -> None:
    """Refuse a file that cannot be written since its folder is not there, before work is done for it."""
    if not (str(path) == STANDARD_INPUT or is_address(path) or Path(path).parent.is_dir()):
        raise OptionError(f"{option}: expected a file in a folder that is there, got {str(path)!r}")


def check_targets(targets: Iterable[str | Path], inputs: Iterable[str | Path]) -> None:
    """Refuse to write one file twice, or over a file that is read; another name for the same file is no other."""
    read = {_place(path): path for path in inputs if not is_read_once(path)}
    written: set[str] = set()
    for path in targets:
        place = _place(path)
        if place in written:
            raise InputError(f"expected different files to write, got {str(path)!r} twice")
        if place in read:
            raise InputError(f"expected a file to write that is not read, got {str(read[place])!r} as both", str(path))
        written.add(place)


def describe_unread_table(option: str, name: str, expected: str, loader: str) -> str:
    """What is wrong with the name of a table that was not read: how to read it, where it is a file.

    >>> describe_unread_table("difficulty", "easy.txt", "a file", "load_difficulty")
    "difficulty: expected a file, got 'easy.txt'"
    """
    if os.path.isfile(name):
        return f"{option}: expected a file that has been read; first call recte.formats.edit_values.{loader}({name!r})"
    return f"{option}: expected {expected}, got {name!r}"


def _place(path: str | Path) -> str:
    """The one name of a file that may have several: links are followed."""
    if is_address(path) or str(path) == STANDARD_INPUT:
        return str(path)
    try:
        resolved = Path(path).resolve()
        known = resolved.stat() if resolved.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return str(path)  # whoever opens it says what is wrong
    return str(resolved) if known is None else f"{known.st_dev}:{known.st_ino}"


def can_be_read_again(path: str | Path) -> bool:
    """Whether one may look into the file before it is read: not where it is a pipe."""
    return is_address(path) or Path(path).is_file()


def is_read_once(path: str | Path) -> bool:
    """Whether what it holds is gone once it was read: standard input, a pipe, a device."""
    file = Path(path)
    return str(path) == STANDARD_INPUT or (file.exists() and not (file.is_file() or file.is_dir()))


def display_name(path: str | Path) -> str:
    """What messages call the file."""
    return "standard input" if str(path) == STANDARD_INPUT else str(path)


def stem(path: str | Path) -> str:
    """The file's name without folders, `.gz` or `.zst` and one ending more.

    >>> stem("systems/AMU.txt"), stem("out.m2.gz"), stem("-")
    ('AMU', 'out', 'stdin')
    """
    if str(path) == STANDARD_INPUT:
        return "stdin"
    return Path(name_without_compression(Path(path).name)).stem


def file_version(path: str | Path) -> tuple[int, int]:
    """The time of a file's last change and its size, for caches; zeros where there is no file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size


def name_without_compression(name: str) -> str:
    """A file's name without `.gz` or `.zst`.

    >>> name_without_compression("gold.m2.zst")
    'gold.m2'
    """
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return name


# How files begin that hold no lines of text, and what to do with them.
_OTHER_FILES = (
    (b"%PDF-", "a PDF file: save it as text"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file: save it as CSV or tab-separated text"),
    (b"{\\rtf", "an RTF file: save it as text"),
    (b"PAR1", "a Parquet file: give it a name that ends in .parquet"),
    (b"ARROW1", "an Arrow file: give it a name that ends in .arrow"),
    (b"BZh", "a bzip2 file: unpack it"),
    (b"\xfd7zXZ\x00", "an xz file: unpack it"),
    (b"SQLite format 3\x00", "an SQLite database: export the table as CSV"),
    (b"<!DOCTYPE html", "an HTML page: save its text"),
    (b"<html", "an HTML page: save its text"),
)
# Byte-order marks; that of UTF-32 begins as that of UTF-16 does.
_WIDE_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ARCHIVE = b"PK\x03\x04"
_ARCHIVES = (
    (b"xl/", "an Excel file: save it as CSV or tab-separated text"),
    (b"word/", "a Word file: save it as text"),
)


def _check_text(beginning: bytes, name: str) -> None:
    """Refuse a file that holds no lines of text, by its first bytes: its first line at least."""
    what = next((what for magic, what in _OTHER_FILES if beginning.startswith(magic)), None)
    if beginning.startswith(_ARCHIVE):
        what = next((what for part, what in _ARCHIVES if part in beginning), "a zip archive: unpack it")
    if what is None and beginning.count(b"\r") > 1 and b"\n" not in beginning:
        what = (
            "lines that end in \\r alone, as old Mac programs write them: save it with the line ends of Unix or Windows"
        )
    if what is not None:
        raise InputError(f"expected lines of text, got {what}", name)


@contextmanager
def open_bytes(path: str | Path, *, seekable: bool = False) -> Iterator[BinaryIO]:
    """The file's bytes, decompressed where its name or its first bytes say gzip or Zstandard, and UTF-16 as UTF-8; `-`
    is standard input, and addresses such as `s3://bucket/file` are read through fsspec. `seekable` is for a reader that
    moves about in the file.
    """
    if str(path) == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError("is closed", display_name(path))
        yield cast(BinaryIO, _decode(sys.stdin.buffer, path))
        return
    try:
        raw = _open_stream(path, seekable)
        stream = _decode(raw, path)
    except IsADirectoryError:
        raise InputError("expected a file, got a directory", str(path)) from None
    except FileNotFoundError:
        raise InputError("no such file", str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except InputError:
        raise
    except ValueError as error:  # a name that no file can have
        raise InputError(f"cannot be read: {error}", str(path)) from None
    with raw, stream:
        yield cast(BinaryIO, stream)


def _open_stream(path: str | Path, seekable: bool) -> IO[Any]:
    """The bytes of a file, or of what is at an address, as they are stored."""
    if is_address(path):
        return cast(IO[Any], open_address(path, seekable=seekable))
    return open(path, "rb")


def _decode(stream: IO[Any], path: str | Path) -> IO[Any]:
    """The bytes without compression, and as UTF-8 where a byte-order mark says that they are UTF-16 or UTF-32."""
    beginning = _peek(stream)
    if str(path).endswith(".gz") or beginning.startswith(b"\x1f\x8b"):
        stream = cast(IO[Any], gzip.GzipFile(fileobj=stream))
        beginning = _peek(stream)
    elif str(path).endswith(".zst") or beginning.startswith(b"\x28\xb5\x2f\xfd"):
        stream = cast(IO[Any], _zstandard(stream))
        beginning = _peek(stream)
    encoding = next((name for mark, name in _WIDE_ENCODINGS if beginning.startswith(mark)), None)
    if encoding is not None:
        stream = cast(IO[Any], io.BufferedReader(_Recoded(stream, encoding, display_name(path))))
    return stream


def _peek(stream: IO[Any]) -> bytes:
    """The first bytes of a stream, which stay in it; none where it cannot be looked into."""
    peek = getattr(stream, "peek", None)
    try:
        return b"" if peek is None else bytes(peek(4)[:4])
    except (OSError, EOFError, zlib.error):  # who reads says what is wrong
        return b""


class _Recoded(io.RawIOBase):
    """A stream in another encoding, read as UTF-8."""

    def __init__(self, stream: IO[Any], encoding: str, name: str) -> None:
        self._stream, self._encoding, self._name, self._rest = stream, encoding, name, b""
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = b" "
        while not self._rest and block:
            block = self._stream.read(_BLOCK)
            try:
                self._rest = self._decoder.decode(block, final=not block).encode()
            except UnicodeDecodeError as error:
                what = f"expected {self._encoding.upper()}, as its first bytes say: {error.reason}"
                raise InputError(what, self._name) from None
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def _zstandard(stream: IO[Any]) -> Any:
    """What a Zstandard file holds; Arrow has the decompressor, whose streams know no lines."""
    pyarrow = optional("pyarrow", extra="arrow", purpose="reading .zst files")
    return io.BufferedReader(pyarrow.input_stream(stream, compression="zstd"))


def byte_blocks(path: str | Path) -> Iterator[bytes]:
    """The file's bytes, decompressed, some at a time."""
    name = display_name(path)
    with open_bytes(path) as stream, _readable(name):
        # At most what one system call or one step of the decompressor gives: bytes before a fault still come.
        read = getattr(stream, "read1", stream.read)
        line = 0  # bytes since the last line began
        is_first = True
        while block := read(_BLOCK):
            if is_first:
                _check_text(block, name)
                is_first = False
            end = block.rfind(b"\n")
            line = line + len(block) if end < 0 else len(block) - end - 1
            if line > LONGEST_LINE:
                raise _too_long(name)
            yield block


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Faults of reading and decompressing, in words."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"expected a gzip file: {error}", name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None


def _too_long(name: str, line: int | None = None) -> InputError:
    return InputError(f"expected lines of at most {LONGEST_LINE >> 20} MB, got a longer one", name, line)


def not_utf8(line: bytes, name: str, number: int) -> InputError:
    """What is wrong with a line that is no UTF-8."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"expected UTF-8, got byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line"
        return InputError(what, name, number)
    raise ValueError("expected a line that is no UTF-8")


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines without their ends (`\\n` or `\\r\\n`), as UTF-8; a byte-order mark at the start is dropped."""
    for number, line in enumerate(read_raw_lines(path)):
        bare = line.removesuffix("\n").removesuffix("\r")
        yield bare if number else bare.removeprefix(BYTE_ORDER_MARK)


def read_raw_lines(path: str | Path) -> Iterator[str]:
    """The lines as they stand, ends included, as UTF-8."""
    name = display_name(path)
    with open_bytes(path) as stream, _readable(name):
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), 1):
            if len(raw) > LONGEST_LINE:
                raise _too_long(name, number)
            if number == 1:
                _check_text(raw, name)
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError:
                raise not_utf8(raw, name, number) from None
            yield line


class _Staged:
    """A file's new content next to it, to take its place when all is well. What is no regular file (a pipe, a device,
    standard output) is written to directly, and a link is followed.
    """

    def __init__(self, path: str | Path, chunks: Iterable[bytes]) -> None:
        self.path = path
        self.target = Path(path).resolve()
        self.temporary: Path | None = None
        if str(path) == STANDARD_INPUT:
            for chunk in chunks:
                if hasattr(sys.stdout, "buffer"):
                    sys.stdout.flush()
                    sys.stdout.buffer.write(chunk)
                else:  # a notebook's or a test's
                    sys.stdout.write(chunk.decode())
            return
        try:
            if self.target.exists() and not self.target.is_file() and not self.target.is_dir():
                with open(self.target, "wb") as stream:
                    stream.writelines(chunks)
                return
            if self.target.is_file() and not self.target.stat().st_mode & 0o222:
                raise PermissionError(13, "is read-only")
            prefix = f".{self.target.name[:200]}."
            _sweep(self.target.parent, prefix)
            temporary = self.target.parent / f"{prefix}{os.urandom(6).hex()}{_TEMPORARY}"
            with open(temporary, "xb") as stream:
                self.temporary = temporary
                stream.writelines(chunks)
            if self.target.is_dir():
                raise IsADirectoryError(21, "is a directory")
        except BaseException as error:
            self.discard()
            raise self._failure(error) from None

    def commit(self) -> None:
        try:
            if self.temporary is not None:
                self.temporary.replace(self.target)
        except OSError as error:
            self.discard()
            raise self._failure(error) from None

    def discard(self) -> None:
        if self.temporary is not None:
            self.temporary.unlink(missing_ok=True)

    def _failure(self, error: BaseException) -> BaseException:
        if isinstance(error, OSError):
            return InputError(f"cannot be written: {error.strerror or error}", str(self.path))
        return error


def _sweep(folder: Path, prefix: str) -> None:
    """Remove what a killed run left behind for the same file; a young one may be another writer's at work."""
    for left in folder.iterdir():
        if left.name.startswith(prefix) and left.name.endswith(_TEMPORARY):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > _ABANDONED:
                    left.unlink()


def make_folder(folder: str | Path) -> None:
    """A folder to write into, with those above it; an error where there can be none."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", str(folder)) from None


def write_together(contents: Mapping[str | Path, Iterable[bytes]]) -> None:
    """Write several files, all of them or none."""
    staged: list[_Staged] = []
    try:
        for path, chunks in contents.items():
            staged.append(_Staged(path, chunks))
    except BaseException:
        for file in staged:
            file.discard()
        raise
    for file in staged:
        file.commit()


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write the file whole or not at all; `-` is standard output, and addresses are written through fsspec."""
    if is_address(path):
        write_file(str(path), content)
    else:
        write_together({path: [content]})


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines (each with its end) as UTF-8, whole or not at all; `-` is standard output, `.gz` compresses."""
    write_together({path: encode_lines(path, lines)})


def encode_lines(path: str | Path, lines: Iterable[str]) -> Iterator[bytes]:
    """The lines as the bytes of the file, compressed where its name ends in `.gz`."""
    encoded = _encode(path, lines)
    return _compress(encoded) if str(path).endswith(".gz") else encoded


def _encode(path: str | Path, lines: Iterable[str]) -> Iterator[bytes]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.encode()
        except UnicodeEncodeError as error:
            sign = f"U+{ord(line[error.start]):04X}"
            message = f"expected characters that UTF-8 can write, got half of one ({sign}): correct it in the input"
            raise InputError(message, display_name(path), number) from None


def _compress(lines: Iterable[bytes]) -> Iterator[bytes]:
    # No name and no time in the header: the same content is the same file.
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as compressed:
        for line in lines:
            compressed.write(line)
            if buffer.tell() > 1 << 16:
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()

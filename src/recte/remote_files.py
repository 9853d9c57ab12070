"""Files at addresses such as `s3://bucket/gold.m2`, and lists of files, through fsspec."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

from recte.errors import InputError
from recte.extras import optional

__all__ = ["file_stamp", "is_address", "list_files", "open_address", "parts_given_as", "write_file"]

_WILDCARDS = "*?["
_BUFFER = 1 << 16
_WEB = ("http://", "https://")
_LONGEST_SILENCE = 60  # seconds


def is_address(path: object) -> bool:
    """Whether a name is an address with a protocol, not a path of this machine.

    >>> is_address("s3://bucket/gold.m2"), is_address("gold.m2")
    (True, False)
    """
    return "://" in str(path)


def parts_given_as(path: str) -> Literal["glob", "folder", ""]:
    """How a name stands for several files, which `list_files` lists; empty where it names one file.

    >>> parts_given_as("gold/part-*.m2"), parts_given_as("s3://corpus/gold/"), parts_given_as("gold.m2")
    ('glob', 'folder', '')
    """
    if is_address(path):
        return "glob" if "*" in path else "folder" if path.endswith("/") else ""
    try:
        if Path(path).is_dir():
            return "folder"
        return "glob" if any(c in path for c in _WILDCARDS) and not Path(path).exists() else ""
    except (OSError, ValueError):  # no name of a file: whoever opens it says what is wrong
        return ""


def _file_system(path: str) -> tuple[Any, str]:
    fsspec = optional("fsspec.core", extra="cluster", purpose=f"reading {path}")
    try:
        # Without its cache of listings: another process may have changed a file since.
        file_system, inside = fsspec.url_to_fs(path, use_listings_cache=False, **_time_limits(path))
    except (ImportError, ValueError) as error:  # an unknown protocol, or one whose library is missing
        raise InputError(f"cannot be read: {error}", path) from None
    return file_system, inside


def _time_limits(path: str) -> dict[str, Any]:
    """How long a web server may be silent. A file has no limit: it is read as fast as its sentences are counted."""
    if not path.startswith(_WEB):
        return {}
    try:
        import aiohttp  # with the client of web servers, which few runs need
    except ImportError:  # fsspec says so
        return {}
    limits = aiohttp.ClientTimeout(total=None, sock_connect=_LONGEST_SILENCE, sock_read=_LONGEST_SILENCE)
    return {"client_kwargs": {"timeout": limits}}


@contextmanager
def _store_errors(path: str, action: str = "read") -> Iterator[None]:
    """Turns whatever a store raises inside the block into one line; each store has exceptions of its own."""
    try:
        yield
    except InputError:
        raise
    except Exception as raised:
        error: BaseException = raised
        if isinstance(error, FileNotFoundError):
            cause = error.__cause__  # a web server that does not answer is a missing file to fsspec
            if cause is None or isinstance(cause, FileNotFoundError) or getattr(cause, "status", None) == 404:
                raise InputError("no such file", path) from None
            error = cause
        reason = getattr(error, "strerror", None) or error or type(error).__name__
        raise InputError(f"cannot be {action}: {' '.join(str(reason).split()) or type(error).__name__}", path) from None


class _RemoteStream(io.RawIOBase):
    """A stream of fsspec, as `io.BufferedReader` needs it: the streams of some stores cannot read lines."""

    def __init__(self, stream: Any, path: str) -> None:
        self._stream = stream
        self._path = path
        self._ended = False  # some streams log a warning if they are read after their end

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._stream.seekable())

    def readinto(self, buffer: Any) -> int:
        if self._ended:
            return 0
        with _store_errors(self._path):
            block = self._stream.read(len(buffer))
        self._ended = not block
        buffer[: len(block)] = block
        return len(block)

    def seek(self, offset: int, origin: int = io.SEEK_SET) -> int:
        with _store_errors(self._path):
            self._stream.seek(offset, origin)
            self._ended = False
            return int(self._stream.tell())

    def tell(self) -> int:
        return int(self._stream.tell())

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def open_address(path: object, *, seekable: bool = False) -> BinaryIO:
    """The bytes at an address, as a buffered stream to read; whatever goes wrong is said in one line.

    Many web servers send a file from its beginning alone, so a reader that moves about in it asks for `seekable`.
    """
    path = str(path)
    file_system, inside = _file_system(path)
    settings = {"block_size": 0} if "http" in file_system.protocol and not seekable else {}
    with _store_errors(path):
        stream = file_system.open(inside, "rb", **settings)
    return cast(BinaryIO, io.BufferedReader(_RemoteStream(stream, path), _BUFFER))


def list_files(pattern: str) -> list[str]:
    """The files that a glob matches, that a folder holds, or the file itself, sorted by name.

    Hidden files, and those whose name begins with `_` (as `_SUCCESS`), are no parts. Paths of this machine become
    absolute, so that other processes find them. An address that ends with `/` is a folder, even where folders and
    files look alike, as on a web server: its page of links is the list.
    """
    file_system, inside = _file_system(pattern)
    with _store_errors(pattern):
        if not pattern.endswith("/") and file_system.isfile(inside):
            paths = [inside]
        elif any(c in inside for c in _WILDCARDS):
            paths = [path for path, entry in file_system.glob(inside, detail=True).items() if _is_file(entry)]
        elif file_system.isdir(inside):
            paths = [entry["name"] for entry in file_system.ls(inside, detail=True) if _is_file(entry)]
        else:
            raise InputError("no such file", pattern)
    parts = sorted(path for path in paths if not path.rsplit("/", 1)[-1].startswith((".", "_", "?")))
    if not parts:
        raise InputError("expected files, got none", pattern)
    return [file_system.unstrip_protocol(path) for path in parts] if is_address(pattern) else parts


def _is_file(entry: Any) -> bool:
    """Whether an entry of a listing is a file; some stores list a folder as a file whose name ends with `/`."""
    return entry["type"] != "directory" and not entry["name"].endswith("/")


def file_stamp(path: str) -> list[str]:
    """What changes when a file does, as far as its store says: its size, and a time or a tag."""
    file_system, inside = _file_system(path)
    with _store_errors(path):
        info = file_system.info(inside)
    keys = ("size", "mtime", "created", "LastModified", "ETag", "etag", "updated")
    return [f"{key}={info[key]}" for key in keys if info.get(key) is not None]


def write_file(path: str, content: bytes) -> None:
    """Write a file at an address in one piece; stores show it when it is whole."""
    file_system, inside = _file_system(path)
    with _store_errors(path, "written"):
        file_system.makedirs(inside.rsplit("/", 1)[0], exist_ok=True)
        file_system.pipe_file(inside, content)

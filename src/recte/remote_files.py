"""Files at addresses such as `s3://bucket/gold.m2`, and lists of files, through fsspec."""

from __future__ import annotations

from typing import Any, BinaryIO, cast

from recte.errors import InputError
from recte.extras import optional

__all__ = ["file_stamp", "is_address", "list_files", "open_address", "write_file"]

_WILDCARDS = "*?["


def is_address(path: object) -> bool:
    """Whether a name is an address with a protocol, not a path of this machine.

    >>> is_address("s3://bucket/gold.m2"), is_address("gold.m2")
    (True, False)
    """
    return "://" in str(path)


def _file_system(path: str) -> tuple[Any, str]:
    fsspec = optional("fsspec.core", extra="cluster", purpose=f"reading {path}")
    try:
        file_system, inside = fsspec.url_to_fs(path)
    except (ImportError, ValueError) as error:  # an unknown protocol, or one whose library is missing
        raise InputError(f"cannot be read: {error}", path) from None
    return file_system, inside


def open_address(path: object, mode: str = "rb") -> BinaryIO:
    """The bytes at an address; whatever goes wrong is said in one line."""
    path = str(path)
    file_system, inside = _file_system(path)
    try:
        return cast(BinaryIO, file_system.open(inside, mode))
    except FileNotFoundError:
        raise InputError("no such file", path) from None
    except Exception as error:  # each store has its own
        raise InputError(f"cannot be read: {error or type(error).__name__}", path) from None


def list_files(pattern: str) -> list[str]:
    """The files that a glob matches, that a folder holds, or the file itself, sorted by name.

    Hidden files, and those whose name begins with `_` (as `_SUCCESS`), are no parts. Paths of this machine become
    absolute, so that other processes find them.
    """
    file_system, inside = _file_system(pattern)
    try:
        if any(c in inside for c in _WILDCARDS) and not file_system.exists(inside):
            paths = [path for path in file_system.glob(inside) if not file_system.isdir(path)]
        elif file_system.isdir(inside):
            paths = [entry["name"] for entry in file_system.ls(inside, detail=True) if entry["type"] != "directory"]
        elif file_system.exists(inside):
            paths = [inside]
        else:
            raise InputError("no such file", pattern)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", pattern) from None
    parts = sorted(path for path in paths if not path.rsplit("/", 1)[-1].startswith((".", "_")))
    if not parts:
        raise InputError("expected files, got none", pattern)
    return [file_system.unstrip_protocol(path) for path in parts] if is_address(pattern) else parts


def file_stamp(path: str) -> list[str]:
    """What changes when a file does, as far as its store says: its size, and a time or a tag."""
    file_system, inside = _file_system(path)
    try:
        info = file_system.info(inside)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from None
    keys = ("size", "mtime", "created", "LastModified", "ETag", "etag", "updated")
    return [f"{key}={info[key]}" for key in keys if info.get(key) is not None]


def write_file(path: str, content: bytes) -> None:
    """Write a file at an address in one piece; stores show it when it is whole."""
    file_system, inside = _file_system(path)
    try:
        file_system.makedirs(inside.rsplit("/", 1)[0], exist_ok=True)
        file_system.pipe_file(inside, content)
    except Exception as error:  # each store has its own
        raise InputError(f"cannot be written: {error or type(error).__name__}", path) from None

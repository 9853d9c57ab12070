"""The folder of the user in which recte caches what can be made again."""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["cache_folder", "read_own_file"]


def cache_folder(*parts: str) -> Path:
    """The folder of recte in the user's cache (`XDG_CACHE_HOME`), or one inside it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").joinpath("recte", *parts)


def read_own_file(path: Path) -> bytes | None:
    """The content of a regular file that belongs to the user and that no other user can change; None for all else.

    A link is not followed, and a pipe is not waited for.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        number = os.open(path, flags)
    except OSError:
        return None
    with os.fdopen(number, "rb") as file:
        status = os.fstat(number)
        owned = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
        return file.read() if stat.S_ISREG(status.st_mode) and owned else None

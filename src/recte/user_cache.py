"""What recte keeps between runs in the user's cache folder: the folder itself, and values by key."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

__all__ = ["KeptValues", "cache_folder"]

_AT_ONCE = 500  # keys in one query


def cache_folder(*parts: str) -> Path:
    """Our folder in the user's cache (`XDG_CACHE_HOME`), or one inside it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").joinpath("recte", *parts)


class KeptValues:
    """Bytes by key in one small database; one that cannot be read or written is done without."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that are known."""
        import sqlite3

        wanted = list(keys)
        found: dict[bytes, bytes] = {}
        if not wanted or not self.path.exists():
            return found
        try:
            with closing(sqlite3.connect(self.path)) as database:
                for begin in range(0, len(wanted), _AT_ONCE):
                    part = wanted[begin : begin + _AT_ONCE]
                    query = f"SELECT key, value FROM kept WHERE key IN ({','.join('?' * len(part))})"
                    found.update(database.execute(query, part))
        except (sqlite3.Error, OSError, ValueError, TypeError):
            return {}
        return found

    def remember(self, values: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep values for next time."""
        import sqlite3

        rows = list(values)
        if not rows:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path)) as database, database:
                database.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB)")
                database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

"""A cache on disk for several processes: values by key in a small database, and locks on the keys that are computed."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from io import BufferedWriter
from pathlib import Path
from types import ModuleType
from zlib import crc32

from recte.errors import OptionError
from recte.messages import warn

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed
    fcntl = None

__all__ = ["DiskCache", "KeyLocks"]

_AT_ONCE = 500  # keys in one query
_TABLE = "CREATE TABLE IF NOT EXISTS checked (key BLOB PRIMARY KEY, value BLOB, checksum INT)"
_OWNER = re.compile("[0-9a-f]{16}")
_FAILURES = sqlite3.Error, OSError, ValueError  # of damaged files, Python cannot decode even the error
_PATIENCE = 60.0  # seconds to wait while another process writes


class DiskCache:
    """Bytes by key in one small database, for any number of processes at a time.

    Where the file cannot be read or written, a warning says so and nothing is kept; if the user chose the file by the
    environment variable `setting`, this is an `OptionError`. A damaged file is renamed with a warning, and a new one is
    begun; if the user chose it and its values were `paid` for, this is an `OptionError` too. Each value has a checksum,
    since the database has none.
    """

    def __init__(self, path: Path, setting: str = "", *, paid: bool = False) -> None:
        self.path, self.setting, self.paid = path, setting, paid

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that have one."""
        keys = list(keys)
        values: dict[bytes, bytes] = {}
        if not keys or not self._exists():
            return values
        damaged = False
        try:
            with closing(_open(self.path)) as database:
                for part in _parts(keys):
                    query = f"SELECT key, value, checksum FROM checked WHERE key IN ({','.join('?' * len(part))})"
                    for key, value, checksum in database.execute(query, part):
                        if isinstance(key, bytes) and isinstance(value, bytes) and _checksum(key, value) == checksum:
                            values[key] = value
                        else:
                            damaged = True
        except _FAILURES as error:
            if "no such table" not in str(error):  # another process is about to make it
                self._handle_failure(error)
            return {}
        if damaged:
            warn(f"{self.path}: some values are damaged, and are made again", subject=f"cache {self.path}")
        return values

    def check(self) -> None:
        """Test that values can be stored, before they are computed."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_open(self.path)) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_TABLE)
        except _FAILURES as error:
            self._handle_failure(error)

    def write(self, values: Iterable[tuple[bytes, bytes]]) -> None:
        """Store values by key."""
        rows = [(key, value, _checksum(key, value)) for key, value in values]
        if not rows:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_open(self.path)) as database, database:
                database.execute(_TABLE)
                database.executemany("INSERT OR REPLACE INTO checked VALUES (?, ?, ?)", rows)
        except _FAILURES as error:
            self._handle_failure(error)

    def _exists(self) -> bool:
        try:
            return self.path.exists()
        except OSError:
            return False

    def _handle_failure(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or error
        broken = isinstance(error, sqlite3.DatabaseError | ValueError) and not isinstance(
            error, sqlite3.OperationalError
        )
        if broken and not (self.setting and self.paid):
            with suppress(OSError):
                self.path.replace(self.path.with_suffix(".damaged"))
            warn(
                f"{self.path} is damaged and set aside, and what it kept is made again: {reason}",
                subject=f"cache {self.path}",
            )
            return
        if self.setting:
            expectation = f"expected a folder that results can be kept in, got {self.path.parent}"
            raise OptionError(f"{self.setting}: {expectation}: {reason}") from None
        warn(f"{self.path}: nothing is kept for the next run: {reason}", subject=f"cache {self.path.parent}")


class KeyLocks:
    """Keys that this run computes values for. Other runs see this and wait; a lock ends with the process that has it.

    The database lists the locked keys with the name of a file that their owner keeps locked while it runs. Where the
    database cannot be written, `acquire` gives all keys.
    """

    def __init__(self, cache: DiskCache) -> None:
        self._path = cache.path
        self._owner = secrets.token_hex(8)
        self._held: BufferedWriter | None = None

    @classmethod
    @contextmanager
    def of(cls, cache: DiskCache) -> Iterator[KeyLocks]:
        """Locks on keys of this cache, released at the end of the block."""
        locks = cls(cache)
        try:
            yield locks
        finally:
            locks.release()
            locks._close()

    def acquire(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that no other run has locked; this run has locked them now."""
        keys = list(keys)
        try:
            self._hold()
            with closing(_open(self._path)) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute("CREATE TABLE IF NOT EXISTS claimed (key BLOB PRIMARY KEY, owner TEXT)")
                for (owner,) in database.execute("SELECT DISTINCT owner FROM claimed").fetchall():
                    if owner != self._owner and self._is_dead(owner):
                        database.execute("DELETE FROM claimed WHERE owner = ?", (owner,))
                rows = ((key, self._owner) for key in keys)
                database.executemany("INSERT OR IGNORE INTO claimed VALUES (?, ?)", rows)
                query = "SELECT key FROM claimed WHERE owner = ?"
                ours = {key for (key,) in database.execute(query, (self._owner,))}
                return ours.intersection(keys)
        except _FAILURES:
            return set(keys)

    def release(self) -> None:
        """Release all keys of this run."""
        with suppress(*_FAILURES), closing(_open(self._path)) as database, database:
            database.execute("DELETE FROM claimed WHERE owner = ?", (self._owner,))

    def _file(self, owner: str) -> Path:
        return self._path.with_name(f"{self._path.stem}.{owner}.lock")

    def _hold(self) -> None:
        if self._held is None:
            self._held = self._file(self._owner).open("wb")
            if fcntl is not None:
                fcntl.flock(self._held, fcntl.LOCK_EX)

    def _close(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
            self._file(self._owner).unlink(missing_ok=True)

    def _is_dead(self, owner: str) -> bool:
        """Whether the owner has ended; then its file is removed. A name of another form is that of no run."""
        if not _OWNER.fullmatch(str(owner)):
            return True
        path = self._file(str(owner))
        try:
            if fcntl is not None:
                with path.open("rb") as stream:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True


def _checksum(key: bytes, value: bytes) -> int:
    return crc32(value, crc32(key))


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_PATIENCE)


def _parts(keys: list[bytes]) -> Iterator[list[bytes]]:
    return (keys[begin : begin + _AT_ONCE] for begin in range(0, len(keys), _AT_ONCE))

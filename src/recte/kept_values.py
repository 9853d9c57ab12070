"""Values kept between runs by key, in a small database that several processes use at once, and who works on which."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from io import BufferedWriter
from pathlib import Path
from types import ModuleType
from zlib import crc32

from recte.errors import OptionError
from recte.notices import tell

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed
    fcntl = None

__all__ = ["Claims", "KeptValues"]

_AT_ONCE = 500  # keys in one query
_TABLE = "CREATE TABLE IF NOT EXISTS checked (key BLOB PRIMARY KEY, value BLOB, checksum INT)"
_PATIENCE = 60.0  # seconds to wait while another process writes


class KeptValues:
    """Bytes by key in one small database, for any number of processes at a time.

    One that cannot be read or written is done without, and a warning says so; but where the user asked for it, by the
    setting that `named` names, it is an `OptionError`. One that is damaged is set aside with a warning, and begun anew;
    but where it was `named` and its values were `paid` for, it is the user who decides. Values have checksums, since a
    database has none.
    """

    def __init__(self, path: Path, named: str = "", *, paid: bool = False) -> None:
        self.path, self.named, self.paid = path, named, paid

    def recall(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that are known."""
        wanted = list(keys)
        found: dict[bytes, bytes] = {}
        if not wanted or not self._is_there():
            return found
        damaged = False
        try:
            with closing(_opened(self.path)) as database:
                for part in _parts(wanted):
                    query = f"SELECT key, value, checksum FROM checked WHERE key IN ({','.join('?' * len(part))})"
                    for key, value, checksum in database.execute(query, part):
                        if isinstance(value, bytes) and _checksum(key, value) == checksum:
                            found[key] = value
                        else:
                            damaged = True
        except sqlite3.Error as error:
            if "no such table" not in str(error):  # another process is about to make it
                self._done_without(error)
            return {}
        if damaged:
            tell(f"cache {self.path}", f"{self.path}: some values are damaged, and are made anew", "warning")
        return found

    def check(self) -> None:
        """Whether values can be kept, before anybody works for them."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_opened(self.path)) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute(_TABLE)
        except (sqlite3.Error, OSError) as error:
            self._done_without(error)

    def remember(self, values: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep values for next time."""
        rows = [(key, value, _checksum(key, value)) for key, value in values]
        if not rows:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_opened(self.path)) as database, database:
                database.execute(_TABLE)
                database.executemany("INSERT OR REPLACE INTO checked VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError) as error:
            self._done_without(error)

    def _is_there(self) -> bool:
        try:
            return self.path.exists()
        except OSError:
            return False

    def _done_without(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or error
        broken = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        if broken and not (self.named and self.paid):
            with suppress(OSError):
                self.path.replace(self.path.with_suffix(".damaged"))
            tell(
                f"cache {self.path}",
                f"{self.path} is damaged and set aside, and what it kept is made anew: {reason}",
                "warning",
            )
            return
        if self.named:
            wanted = f"expected a folder that results can be kept in, got {self.path.parent}"
            raise OptionError(f"{self.named}: {wanted}: {reason}") from None
        tell(f"cache {self.path.parent}", f"{self.path}: nothing is kept for the next run: {reason}", "warning")


class Claims:
    """Keys that this run works on. Other runs see that and wait; a claim ends with the process that made it.

    Claims stand in the database, with the name of a file that their owner holds locked while it lives. Where there can
    be no claims, all keys are ours.
    """

    def __init__(self, kept: KeptValues) -> None:
        self._path = kept.path
        self._owner = secrets.token_hex(8)
        self._held: BufferedWriter | None = None

    @classmethod
    @contextmanager
    def on(cls, kept: KeptValues) -> Iterator[Claims]:
        """Claims on keys of these values, given up at the end."""
        claims = cls(kept)
        try:
            yield claims
        finally:
            claims.give_up()
            claims._let_go()

    def take(self, keys: Iterable[bytes]) -> set[bytes]:
        """Those of the keys that nobody else works on; they are ours now."""
        wanted = list(keys)
        try:
            self._hold()
            with closing(_opened(self._path)) as database, database:
                database.execute("BEGIN IMMEDIATE")
                database.execute("CREATE TABLE IF NOT EXISTS claimed (key BLOB PRIMARY KEY, owner TEXT)")
                for (owner,) in database.execute("SELECT DISTINCT owner FROM claimed").fetchall():
                    if owner != self._owner and self._is_dead(owner):
                        database.execute("DELETE FROM claimed WHERE owner = ?", (owner,))
                rows = ((key, self._owner) for key in wanted)
                database.executemany("INSERT OR IGNORE INTO claimed VALUES (?, ?)", rows)
                query = "SELECT key FROM claimed WHERE owner = ?"
                ours = {key for (key,) in database.execute(query, (self._owner,))}
                return ours.intersection(wanted)
        except (sqlite3.Error, OSError):
            return set(wanted)

    def give_up(self) -> None:
        """Leave all our keys to others."""
        with suppress(sqlite3.Error, OSError), closing(_opened(self._path)) as database, database:
            database.execute("DELETE FROM claimed WHERE owner = ?", (self._owner,))

    def _file(self, owner: str) -> Path:
        return self._path.with_name(f"{self._path.stem}.{owner}.lock")

    def _hold(self) -> None:
        if self._held is None:
            self._held = self._file(self._owner).open("wb")
            if fcntl is not None:
                fcntl.flock(self._held, fcntl.LOCK_EX)

    def _let_go(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
            self._file(self._owner).unlink(missing_ok=True)

    def _is_dead(self, owner: str) -> bool:
        """Whether nobody holds the owner's file any more; then it is removed."""
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


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_PATIENCE)


def _parts(keys: list[bytes]) -> Iterator[list[bytes]]:
    return (keys[begin : begin + _AT_ONCE] for begin in range(0, len(keys), _AT_ONCE))

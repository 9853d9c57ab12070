"""Annotations kept on disk between runs, for annotators that take long."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

from recte.annotation.annotated import Annotated

__all__ = ["RememberedAnnotations"]

_AT_ONCE = 500  # keys in one query


class RememberedAnnotations:
    """One small database per annotator in the user's cache folder (`XDG_CACHE_HOME`), or in the folder given.

    A cache that cannot be read or written is done without: annotations are then made anew.
    """

    def __init__(self, annotator: str, folder: str | Path | None = None) -> None:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        safe = "".join(mark if mark.isalnum() or mark in "-_." else "_" for mark in annotator)
        self.path = Path(folder or cache / "recte" / "annotations") / f"{safe}.sqlite"

    def recall(self, texts: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], Annotated]:
        """The annotations of those texts that are known."""
        keys = {_key(text): text for text in texts}
        found: dict[tuple[str, ...], Annotated] = {}
        if not keys or not self.path.exists():
            return found
        try:
            with closing(sqlite3.connect(self.path)) as database:
                wanted = list(keys)
                for begin in range(0, len(wanted), _AT_ONCE):
                    part = wanted[begin : begin + _AT_ONCE]
                    query = f"SELECT key, columns FROM annotations WHERE key IN ({','.join('?' * len(part))})"
                    for key, columns in database.execute(query, part):
                        text = keys[key]
                        found[text] = Annotated(text, *map(tuple, json.loads(columns)))
        except (sqlite3.Error, OSError, ValueError, TypeError):
            return {}
        return found

    def remember(self, sentences: Iterable[Annotated]) -> None:
        """Keep annotations for next time."""
        rows = [
            (_key(one.text), json.dumps([one.tag, one.pos, one.lemma, one.dependency, one.head])) for one in sentences
        ]
        if not rows:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path)) as database, database:
                database.execute("CREATE TABLE IF NOT EXISTS annotations (key BLOB PRIMARY KEY, columns TEXT)")
                database.executemany("INSERT OR REPLACE INTO annotations VALUES (?, ?)", rows)
        except (sqlite3.Error, OSError):
            return


def _key(text: tuple[str, ...]) -> bytes:
    return blake2b(json.dumps(text).encode(), digest_size=16).digest()

"""Annotations on disk between runs, for slow annotators."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from recte.annotation.annotated import Annotated
from recte.caching.disk_cache import DiskCache
from recte.caching.user_folder import cache_folder

__all__ = ["AnnotationCache"]


class AnnotationCache:
    """One small database per annotator in the user's cache folder, or in the folder given.

    Where it cannot be read or written, annotations are computed again, and a warning says so.
    """

    def __init__(self, annotator: str, folder: str | Path | None = None) -> None:
        safe = "".join(mark if mark.isalnum() or mark in "-_." else "_" for mark in annotator)
        self.path = Path(folder or cache_folder("annotations")) / f"{safe}.sqlite"

    def read(self, texts: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], Annotated]:
        """The annotations of those texts that are stored."""
        keys = {_key(text): text for text in texts}
        known = DiskCache(self.path).read(keys)
        try:
            return {keys[key]: Annotated(keys[key], *map(tuple, json.loads(value))) for key, value in known.items()}
        except (ValueError, TypeError):
            return {}

    def write(self, sentences: Iterable[Annotated]) -> None:
        """Store annotations."""
        DiskCache(self.path).write(
            (_key(s.text), json.dumps([s.tag, s.pos, s.lemma, s.dependency, s.head]).encode()) for s in sentences
        )


def _key(text: tuple[str, ...]) -> bytes:
    return blake2b(json.dumps(text).encode(), digest_size=16).digest()

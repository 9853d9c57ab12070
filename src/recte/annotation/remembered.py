"""Annotations kept on disk between runs, for annotators that take long."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from recte.annotation.annotated import Annotated
from recte.kept_values import KeptValues
from recte.user_cache import cache_folder

__all__ = ["RememberedAnnotations"]


class RememberedAnnotations:
    """One small database per annotator in the user's cache folder, or in the folder given.

    A cache that cannot be read or written is done without: annotations are then made anew, and a warning says so.
    """

    def __init__(self, annotator: str, folder: str | Path | None = None) -> None:
        safe = "".join(mark if mark.isalnum() or mark in "-_." else "_" for mark in annotator)
        self.path = Path(folder or cache_folder("annotations")) / f"{safe}.sqlite"

    def recall(self, texts: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], Annotated]:
        """The annotations of those texts that are known."""
        keys = {_key(text): text for text in texts}
        known = KeptValues(self.path).recall(keys)
        try:
            return {keys[key]: Annotated(keys[key], *map(tuple, json.loads(value))) for key, value in known.items()}
        except (ValueError, TypeError):
            return {}

    def remember(self, sentences: Iterable[Annotated]) -> None:
        """Keep annotations for next time."""
        KeptValues(self.path).remember(
            (_key(one.text), json.dumps([one.tag, one.pos, one.lemma, one.dependency, one.head]).encode())
            for one in sentences
        )


def _key(text: tuple[str, ...]) -> bytes:
    return blake2b(json.dumps(text).encode(), digest_size=16).digest()

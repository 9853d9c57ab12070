"""What annotators of other programs share: a sentence is parsed once, and its annotations are kept on disk."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from recte.annotation.annotated import Annotated
from recte.annotation.universal_dependencies import ENGLISH, TagScheme
from recte.caching.disk_cache import DiskCache
from recte.caching.user_folder import cache_folder

__all__ = ["AnnotationCache", "CachedAnnotator"]


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


class CachedAnnotator(ABC):
    """A slow annotator. Annotations are kept by its name, which tells models and versions, by scheme and by tokens."""

    def __init__(self, scheme: TagScheme = ENGLISH, *, cache: AnnotationCache | None = None) -> None:
        self._scheme = scheme
        self._given_cache = cache

    @property
    @abstractmethod
    def name(self) -> str:
        """The program and its model, with their versions."""

    @abstractmethod
    def parse(self, texts: Sequence[tuple[str, ...]]) -> list[Annotated]:
        """The annotations of distinct sentences."""

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        """The sentences with their annotations."""
        texts = [tuple(sentence) for sentence in sentences]
        annotated = self._cache.read(texts)
        unknown = [text for text in dict.fromkeys(texts) if text not in annotated]
        parsed = dict(zip(unknown, self.parse(unknown) if unknown else (), strict=True))
        self._cache.write(parsed.values())
        annotated.update(parsed)
        return [annotated[text] for text in texts]

    @cached_property
    def _cache(self) -> AnnotationCache:
        scheme = "" if self._scheme == ENGLISH else f"-{self._scheme.name}"
        return AnnotationCache(self.name + scheme) if self._given_cache is None else self._given_cache

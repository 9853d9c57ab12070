"""Annotations by spaCy: any model, many sentences at once, each distinct sentence parsed once and then cached.

Annotations on disk between runs, for slow annotators.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from recte.annotation.annotated import Annotated
from recte.caching.disk_cache import DiskCache
from recte.caching.user_folder import cache_folder
from recte.errors import OptionError
from recte.extras import optional, version_of

__all__ = ["AnnotationCache", "SpacyAnnotator"]


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


_UNUSED = ["ner"]  # the only part of the usual models that gives none of our columns
_BATCH = 256


class SpacyAnnotator:
    """A spaCy model by its name or folder.

    Tokens stay as they are given; spaCy's own tokeniser is not asked. Annotations are kept on disk by model, versions
    and tokens.
    """

    def __init__(self, model: str, *, cache: AnnotationCache | None = None) -> None:
        self._model = model
        self._given_cache = cache

    @cached_property
    def name(self) -> str:
        """The versions of spaCy and of the model : `spacy-3.8.2-en_core_web_sm-3.8.0`."""
        optional("spacy", extra="spacy", purpose=f"annotator spacy:{self._model}")
        about = self._pipeline.meta
        return f"spacy-{version_of('spacy')}-{about['lang']}_{about['name']}-{about['version']}"

    def __call__(self, sentences: Sequence[Sequence[str]], /) -> list[Annotated]:
        """The sentences with their annotations."""
        texts = [tuple(sentence) for sentence in sentences]
        annotated = self._cache.read(texts)
        unknown = [text for text in dict.fromkeys(texts) if text not in annotated]
        parsed = dict(zip(unknown, self._parsed(unknown), strict=True))
        self._cache.write(parsed.values())
        annotated.update(parsed)
        return [annotated[text] for text in texts]

    @cached_property
    def _cache(self) -> AnnotationCache:
        return AnnotationCache(self.name) if self._given_cache is None else self._given_cache

    @cached_property
    def _pipeline(self) -> Any:
        spacy = optional("spacy", extra="spacy", purpose=f"annotator spacy:{self._model}")
        try:
            return spacy.load(self._model, exclude=_UNUSED)
        except OSError:
            raise OptionError(
                f"annotator: spaCy has no model {self._model!r}: python -m spacy download {self._model}"
            ) from None

    def _parsed(self, texts: Sequence[tuple[str, ...]]) -> list[Annotated]:
        if not texts:
            return []
        tokens = optional("spacy.tokens", extra="spacy", purpose=f"annotator spacy:{self._model}")
        documents = (tokens.Doc(self._pipeline.vocab, words=list(text)) for text in texts)
        return [
            Annotated(
                text,
                tuple(token.tag_ for token in document),
                tuple(token.pos_ for token in document),
                tuple(token.lemma_ for token in document),
                tuple(token.dep_ for token in document),
                tuple(token.head.i for token in document),
            )
            for text, document in zip(texts, self._pipeline.pipe(documents, batch_size=_BATCH), strict=True)
        ]

"""Annotations by spaCy: any model, many sentences at once, each distinct sentence parsed once and then cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from recte.annotation.annotated import Annotated
from recte.annotation.annotation_cache import AnnotationCache
from recte.errors import OptionError
from recte.extras import optional, version_of

__all__ = ["SpacyAnnotator"]

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

"""Annotations by spaCy: any model, many sentences at once, each distinct sentence parsed once and then cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from recte.annotation.annotated import Annotated
from recte.annotation.cached_annotator import AnnotationCache, CachedAnnotator
from recte.annotation.universal_dependencies import ENGLISH, TagScheme, UdToken
from recte.errors import OptionError
from recte.extras import optional, version_of

__all__ = ["SpacyAnnotator"]

_UNUSED = ["ner"]  # the only part of the usual models that gives none of our columns
_BATCH = 256


class SpacyAnnotator(CachedAnnotator):
    """A spaCy model by its name or folder.

    Tokens stay as they are given; spaCy's own tokeniser is not asked. Labels are the model's; its fine tags are
    replaced where the scheme makes some of its own from coarse tags and features.
    """

    def __init__(self, model: str, scheme: TagScheme = ENGLISH, *, cache: AnnotationCache | None = None) -> None:
        super().__init__(scheme, cache=cache)
        self._model = model

    @cached_property
    def name(self) -> str:
        """The versions of spaCy and of the model : `spacy-3.8.2-en_core_web_sm-3.8.0`."""
        optional("spacy", extra="spacy", purpose=f"annotator spacy:{self._model}")
        about = self._pipeline.meta
        return f"spacy-{version_of('spacy')}-{about['lang']}_{about['name']}-{about['version']}"

    @cached_property
    def _pipeline(self) -> Any:
        spacy = optional("spacy", extra="spacy", purpose=f"annotator spacy:{self._model}")
        try:
            return spacy.load(self._model, exclude=_UNUSED)
        except OSError:
            raise OptionError(
                f"annotator: spaCy has no model {self._model!r}: python -m spacy download {self._model}"
            ) from None

    def parse(self, texts: Sequence[tuple[str, ...]]) -> list[Annotated]:
        """The annotations of distinct sentences."""
        tokens = optional("spacy.tokens", extra="spacy", purpose=f"annotator spacy:{self._model}")
        documents = (tokens.Doc(self._pipeline.vocab, words=list(text)) for text in texts)
        return [
            Annotated(
                text,
                tuple(map(self._fine_tag, document)),
                tuple(token.pos_ for token in document),
                tuple(token.lemma_ for token in document),
                tuple(token.dep_ for token in document),
                tuple(token.head.i for token in document),
            )
            for text, document in zip(texts, self._pipeline.pipe(documents, batch_size=_BATCH), strict=True)
        ]

    def _fine_tag(self, token: Any) -> str:
        if self._scheme.takes_library_tags:
            return str(token.tag_)
        columns = (token.text, token.lemma_, token.pos_, token.tag_, str(token.morph), token.head.i, token.dep_)
        return self._scheme.tag(UdToken(*columns))

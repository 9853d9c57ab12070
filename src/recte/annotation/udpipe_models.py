"""Annotations by UDPipe 1: any model file, each distinct sentence parsed once and then cached.

Models of some seventy languages can be had from LINDAT (licence CC BY-NC-SA); none comes with this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from recte.annotation.annotated import Annotated
from recte.annotation.cached_annotator import AnnotationCache, CachedAnnotator
from recte.annotation.universal_dependencies import ENGLISH, TagScheme, UdToken, annotate
from recte.errors import InputError
from recte.extras import optional, version_of

__all__ = ["UdpipeAnnotator"]

# A model begins with the kind of its program: a byte that says how long the name is, and the name.
_BEGINNING = b"\x12morphodita_parsito"


class UdpipeAnnotator(CachedAnnotator):
    """A UDPipe model by its file. Tokens stay as they are given: only tagger and parser of the model are used."""

    def __init__(self, file: str, scheme: TagScheme = ENGLISH, *, cache: AnnotationCache | None = None) -> None:
        super().__init__(scheme, cache=cache)
        self._file = Path(file)

    @property
    def _library(self) -> Any:
        return optional("ufal.udpipe", extra="udpipe", purpose=f"annotator udpipe:{self._file}")

    @cached_property
    def name(self) -> str:
        """The version of UDPipe, the model's file and a hash of it: `udpipe-1.4.0.1-italian-isdt-ud-2.5-0a1b2c3d`."""
        _ = self._library  # which version is asked only of a library that is there
        try:
            content = self._file.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError(f"expected a UDPipe model: {reason}", str(self._file)) from None
        if not content.startswith(_BEGINNING):  # the library ends the process on some other files
            raise self._no_model()
        digest = blake2b(content, digest_size=4).hexdigest()
        return f"udpipe-{version_of('ufal.udpipe')}-{self._file.stem}-{digest}"

    @cached_property
    def _model(self) -> Any:
        _ = self.name  # looks at the beginning of the file
        model = self._library.Model.load(str(self._file))
        if model is None:
            raise self._no_model()
        return model

    def _no_model(self) -> InputError:
        return InputError("expected a UDPipe 1 model (a file .udpipe), got something else", str(self._file))

    def parse(self, texts: Sequence[tuple[str, ...]]) -> list[Annotated]:
        """The annotations of distinct sentences."""
        return [self._parse_sentence(text) for text in texts]

    def _parse_sentence(self, text: tuple[str, ...]) -> Annotated:
        sentence = self._library.Sentence()
        for token in text:
            sentence.addWord(token)
        if text:
            for step in (self._model.tag, self._model.parse):
                step(sentence, self._library.Model.DEFAULT)
        tokens = []
        for place in range(len(text)):
            word = sentence.words[place + 1]  # the first is the root above all words
            lemma, upos, xpos, features = (v or "_" for v in (word.lemma, word.upostag, word.xpostag, word.feats))
            head = word.head - 1 if word.head > 0 else place
            tokens.append(UdToken(text[place], lemma, upos, xpos, features, head, word.deprel or "_"))
        return annotate(tokens, self._scheme)

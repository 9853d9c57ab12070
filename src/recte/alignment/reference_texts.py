"""Sources and rewritten references as numbers, for the metrics that compare texts and not edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from recte.alignment.references import ReferenceRule, references_from_edits
from recte.alignment.threads import thread_count
from recte.corpus import Corpus
from recte.errors import InputError
from recte.segmentation.vocabulary import EncodedText, Vocabulary, offsets_of

__all__ = ["ReferenceTexts"]


class ReferenceTexts:
    """Each sentence's references: as they are given, or made from gold edits by a published rule."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        rule: ReferenceRule,
        distinct: bool = False,
        tokenise: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        """`distinct` drops references that spell the same; `tokenise` cuts lines, sources too, in another way."""
        annotators = corpus.annotators
        self._tokenise = tokenise or str.split
        self.sources: list[Sequence[str]] = [
            s.tokens if tokenise is None else tokenise(" ".join(s.tokens) if corpus.segmenter else s.text)
            for s in corpus
        ]
        self.references: list[list[tuple[str, ...]]] = []
        for sentence in corpus:
            texts = (
                references_from_edits(sentence, annotators, rule=rule) if sentence.annotations else sentence.references
            )
            tokens = [tuple(self._tokenise(text)) for text in texts]
            if not tokens:
                raise InputError(f"expected references for sentence {sentence.id or sentence.text!r}, got none")
            if distinct:  # by their letters: words that are cut otherwise do not make another text
                tokens = list({"".join(words): words for words in reversed(tokens)}.values())[::-1]
            self.references.append(tokens)
        self.columns = max(map(len, self.references))
        self._vocabulary = Vocabulary()
        self._sources, _ = self._vocabulary.encode(self.sources, extend=True)
        flat = [tokens for of_sentence in self.references for tokens in of_sentence]
        self._references, _ = self._vocabulary.encode(flat, extend=True)
        self._offsets = offsets_of(map(len, self.references), len(self.references))

    def encode(self, hypotheses: Sequence[str]) -> EncodedText:
        encoded, _ = self._vocabulary.encode([self._tokenise(h) for h in hypotheses], extend=False)
        return encoded

    def arguments(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> dict[str, Any]:
        """What the n-gram kernels take."""
        return {
            "hypotheses": self.encode(hypotheses),
            "source_of": np.array(source_of, dtype=np.int64),
            "reference_offsets": self._offsets,
            "references": self._references,
            "threads": thread_count(len(hypotheses)),
        }

    @property
    def encoded_sources(self) -> EncodedText:
        return self._sources

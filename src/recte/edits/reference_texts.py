"""Sources and rewritten references as numbers, for the metrics that compare texts and not edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from recte import _kernels
from recte.corpus.corpus import Corpus
from recte.corpus.sentence import UNCORRECTED_TYPES
from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.vocabulary import EncodedText, Vocabulary, offsets_of
from recte.edits.references import ReferenceRule
from recte.errors import InputError
from recte.threads import thread_count

__all__ = ["ReferenceTexts"]


class ReferenceTexts:
    """Each sentence's references: as they are given, or made from gold edits by a published rule.

    `distinct` keeps one of those with the same letters: words that are cut otherwise do not make another text.
    `tokenise` cuts lines, sources too, in another way; `str.split` is no other way where tokens are the words of lines.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        rule: ReferenceRule,
        distinct: bool = False,
        tokenise: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        if tokenise is str.split and _are_tokens_words(corpus):
            tokenise = None
        self._tokenise = tokenise
        columns = corpus.columns
        names = corpus.annotators
        place = {name: column for column, name in enumerate(names)}
        gold = columns.renumber_annotators([place.get(name, 0) for name in columns.annotators])
        skipped = np.zeros(len(columns.starts), np.uint8)
        for uncorrected in UNCORRECTED_TYPES if rule == "nus" else ():
            skipped |= _kernels.are_equal_to(columns.types.spans, uncorrected)
        self._offsets, self._references = _kernels.annotator_texts(
            columns.tokens,
            gold,
            skipped,
            len(names),
            rule == "gec-metrics",
            columns.reference_offsets,
            columns.reference_words,
        )
        bare = np.flatnonzero(np.diff(self._offsets) == 0)
        if bare.size:
            sentence = corpus[int(bare[0])]
            raise InputError(f"expected references for sentence {sentence.id or sentence.text!r}, got none")
        self._vocabulary = columns.vocabulary
        self.encoded_sources: EncodedText = columns.tokens
        if tokenise is not None:
            self._retokenised_texts(corpus, tokenise)
        if distinct:
            self._keep([list({"".join(t): t for t in reversed(of)}.values())[::-1] for of in self.references])
        self.columns = int(np.diff(self._offsets).max())

    def _retokenised_texts(self, corpus: Corpus, tokenise: Callable[[str], Sequence[str]]) -> None:
        """Texts as they were written, cut by `tokenise`; those made from edits are joined by spaces."""
        listed = [None if s.annotations else s.references for s in corpus]
        made = [[" ".join(words) for words in of_sentence] for of_sentence in self.references]
        lines = [" ".join(s.tokens) if corpus.segmenter else s.text for s in corpus]
        self.__dict__["sources"] = [tuple(tokenise(line)) for line in lines]
        self._vocabulary = Vocabulary()
        self.encoded_sources, _ = self._vocabulary.encode(self.sources, extend=True)
        texts = [
            references if references is not None else of_edits
            for references, of_edits in zip(listed, made, strict=True)
        ]
        self._keep([[tuple(tokenise(text)) for text in of_sentence] for of_sentence in texts])

    def _keep(self, references: list[list[tuple[str, ...]]]) -> None:
        self.__dict__["references"] = references
        self._vocabulary = self._vocabulary.copy()
        self._references, _ = self._vocabulary.encode([words for of in references for words in of], extend=True)
        self._offsets = offsets_of(map(len, references), len(references))

    @cached_property
    def sources(self) -> list[tuple[str, ...]]:
        """The words of each source."""
        ids, offsets = self.encoded_sources
        return [self._vocabulary.words(ids[a:b]) for a, b in pairwise(offsets)]

    @cached_property
    def references(self) -> list[list[tuple[str, ...]]]:
        """The words of each sentence's references."""
        ids, ends = self._references
        words = [self._vocabulary.words(ids[a:b]) for a, b in pairwise(ends)]
        return [words[a:b] for a, b in pairwise(self._offsets)]

    def encode(self, hypotheses: Sequence[str]) -> EncodedText:
        if self._tokenise is not None:
            return self._vocabulary.encode([self._tokenise(h) for h in hypotheses], extend=False)[0]
        return self._vocabulary.encode_texts(hypotheses, extend=False)[0]

    def arguments(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> dict[str, Any]:
        """What the n-gram kernels take."""
        return {
            "hypotheses": self.encode(hypotheses),
            "source_of": np.asarray(source_of, dtype=np.int64),
            "reference_offsets": self._offsets,
            "references": self._references,
            "threads": thread_count(len(hypotheses)),
        }


def _are_tokens_words(corpus: Corpus) -> bool:
    """Whether white space alone has cut the lines into tokens, as far as columns can say."""
    return corpus.segmenter is None and isinstance(corpus.sentences, ColumnSentences)

"""Spanish error types: the rules of `errant_sp_3` (2024), a thin layer over the English ones.

The program reads the English word list (`official`), so that nearly every Spanish word is unknown to it; `corrected`
reads a Spanish one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from recte.annotation import Annotator
from recte.annotation.universal_dependencies import BARE, TagScheme
from recte.errors import OptionError
from recte.extraction.en.types import EnglishTypes
from recte.extraction.es.stemmer import stem
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RULES, RuleLanguage, Rules
from recte.extraction.type_rules import Words
from recte.extraction.word_list import WordList, read_word_list
from recte.options import option

__all__ = ["Spanish", "SpanishTypes"]

_NAMES = {"PROPN": "NOUN", "CCONJ": "CONJ"}


class SpanishTypes(EnglishTypes):
    """Types of Spanish edits; `words` are known in place of the English ones."""

    def __init__(self, words: WordList | None = None) -> None:
        self._words = words
        self.name = "es" if words is None else f"es-corrected+{words.name}"

    def category(self, tag: str, pos: str) -> str:
        return _NAMES.get(tag, tag)

    def is_word(self, word: str) -> bool:
        return super().is_word(word) if self._words is None else word in self._words

    def stem(self, word: str) -> str:
        return stem(word)

    def is_infinitive_mark(self, words: Words) -> bool:
        return False


@dataclass(frozen=True, kw_only=True)
class Spanish(RuleLanguage):
    """Spanish, as the published program has it, or with a list of Spanish words."""

    name: ClassVar[str] = "es"
    title: ClassVar[str] = "Spanish"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = BARE

    rules: Rules = option("official", "official: English words are known; corrected: those of the list", choices=RULES)
    word_list: str = option("", "a file of known words, one a line, for the corrected rules")

    @property
    def types(self) -> TypeRules:
        if (self.rules == "corrected") != bool(self.word_list):
            raise OptionError("word_list: expected a file with the corrected rules, and none with the official ones")
        return _types(read_word_list(self.word_list) if self.word_list else None)


@lru_cache(maxsize=8)
def _types(words: WordList | None) -> SpanishTypes:
    return SpanishTypes(words)

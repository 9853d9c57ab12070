"""Czech error types: the rules of the published Czech program (Náplava et al. 2022, a fork of ERRANT 2).

Types use universal tags as they are. The rules ask for word texts, lemmas, tags and labels; a word list says which
words are known (the program asks MorphoDiTa's dictionary, which cannot come with this package).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import ClassVar

import numpy as np

from recte.annotation import Annotator
from recte.annotation.universal_dependencies import BARE, TagScheme
from recte.extraction.alignment import Version
from recte.extraction.cs.letters import block_similarity, letter_cost
from recte.extraction.cs.stemmer import stem
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RuleLanguage
from recte.extraction.type_rules import ErrantTypes, Replacement, Words
from recte.extraction.word_list import NO_WORDS, WordList, read_word_list
from recte.options import option

__all__ = ["Czech", "CzechTypes", "is_reordered"]

_INFLECTED = frozenset({"ADJ", "AUX", "PRON", "PROPN", "NOUN", "VERB", "NUM", "ADV"})
_WITHOUT_MARKS = str.maketrans("", "", "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~")
_WITHOUT_QUOTES = str.maketrans("", "", '"“„ ')
# Signs that have no decomposition into ASCII; others stay as they are.
_ASCII = str.maketrans({
    **dict(zip("¡¦¬´·¸»¿×÷ıØøĐđÐðŁłŦŧĦħĸ", "!|!'*,>?x/iOoDdDdLlTtHhk", strict=True)),
    "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "ß": "ss", "Þ": "Th", "þ": "th", "Ŋ": "NG", "ŋ": "ng",
    "«": "<<", "»": ">>", "‹": "<", "›": ">", "§": "SS", "©": "(c)", "®": "(r)", "°": "deg", "±": "+-",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "--", "―": "--", "¯": "-", "‾": "-", "‗": "_",
    "‘": "'", "’": "'", "‛": "'", "‚": ",", "“": '"', "”": '"', "‟": '"', "„": ",,", "¨": '"',
    "′": "'", "″": "''", "•": "*", "†": "+", "‡": "++", "‰": "%0", "…": "...", "µ": "u", "ŉ": "'n",
    "¼": " 1/4", "½": " 1/2", "¾": " 3/4", "¢": "C/", "£": "PS", "¥": "Y=", "¤": "$?", "¶": "P",
    "Ŀ": "L", "ŀ": "l",
})  # fmt: skip
_MOST_SIMILAR = 5  # more words change places only if they are the same


def transliterate(text: str) -> str:
    """The text in ASCII: letters without their marks, signs by those that look like them.

    >>> transliterate("„Žluťoučký…“")
    ',,Zlutoucky..."'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_ASCII))
    return "".join(c for c in decomposed if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")


def is_reordered(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether the words changed places: up to five may be misspelt, and neither the first nor the last may stay."""
    if len(a) != len(b):
        return False
    if len(a) > _MOST_SIMILAR:
        return sorted(word.lower() for word in a) == sorted(word.lower() for word in b)
    alike = [[np.float32(letter_cost(x, y)) < 0.25 for y in b] for x in a]
    last = len(a) - 1
    return any(
        order[0] != 0 and order[last] != last and all(alike[x][y] for x, y in enumerate(order))
        for order in permutations(range(len(a)))
    )


class CzechTypes(ErrantTypes):
    """Types of Czech edits; `words` are those that the dictionary knows."""

    rare = frozenset({"SYM", "X"})
    labels: ClassVar[dict[str, str]] = {
        "acomp": "ADJ",
        "amod": "ADJ",
        "advmod": "ADV",
        "det": "DET",
        "prep": "PREP",
        "prt": "PART",
        "punct": "PUNCT",
    }

    def __init__(self, words: WordList = NO_WORDS) -> None:
        self._words = words
        self.name = "+".join(filter(None, ("cs", words.name)))

    def is_known(self, word: str) -> bool:
        """Whether the dictionary has the word: as written, in lower case, or with the first letter's case alone."""
        return any(form in self._words for form in (word, word.lower(), word[:1] + word[1:].lower()))

    def one_sided(self, words: Words) -> str:
        categories = set(words.category)
        return self.common_category(categories, set(words.label)) or (
            "VERB" if categories == {"AUX", "VERB"} else "OTHER"
        )

    def two_sided(self, r: Replacement) -> str:
        s, t = " ".join(r.a.text), " ".join(r.b.text)
        if s.translate(_WITHOUT_MARKS) == t.translate(_WITHOUT_MARKS):
            return "PUNCT"
        if transliterate(s) == transliterate(t):
            return "DIACR"
        if "".join(r.a.text).lower() == "".join(r.b.text).lower():
            if "".join(r.a.text) == "".join(r.b.text):
                return "ORTH:WSPACE"
            return "ORTH:CASING" if s.lower() == t.lower() else "ORTH"
        if s.translate(_WITHOUT_QUOTES) == t.translate(_WITHOUT_QUOTES):
            return "QUOTATION"
        if sorted(r.a.lower) == sorted(r.b.lower):
            return "WO"
        if is_reordered(r.a.text, r.b.text):
            return "WO:SPELL"
        category = self.one_word(r) if len(r.a.text) == len(r.b.text) == 1 else None
        return category or self.any_length(r)

    def one_word(self, r: Replacement) -> str | None:
        a, b = r.a, r.b
        (p,), (q,) = a.category, b.category
        same = self.unless_rare(p) if p == q else None
        if a.text[0].isalpha() and not self.is_known(a.text[0]):
            return "SPELL" if block_similarity(a.text[0], b.text[0]) > 0.5 else same or "OTHER"
        if p == q == "VERB":
            return "VERB"
        if a.lemma == b.lemma:
            return f"{p}:INFL" if p == q and p in _INFLECTED else "MORPH"
        if {p, q} <= _INFLECTED and stem(a.text[0]) == stem(b.text[0]):
            return "MORPH"
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if {p, q} == {"DET", "PRON"}:
            if b.label[0] in ("nsubj", "nsubjpass", "dobj", "pobj"):
                return "PRON"
            return "DET" if b.label[0] == "poss" else None
        return "OTHER"

    def any_length(self, r: Replacement) -> str:
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if r.categories == {"AUX", "VERB"}:
            return "VERB:INFL" if r.has_same_last_lemma else "VERB"
        return "OTHER"


@dataclass(frozen=True, kw_only=True)
class Czech(RuleLanguage):
    """Czech, as the published program has it."""

    name: ClassVar[str] = "cs"
    title: ClassVar[str] = "Czech"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = BARE
    version: ClassVar[Version] = "czech"

    word_list: str = option("", "a file of known words, one a line; none without")

    @property
    def types(self) -> TypeRules:
        return _types(read_word_list(self.word_list))


@lru_cache(maxsize=8)
def _types(words: WordList) -> CzechTypes:
    return CzechTypes(words)

"""French error types: the rules of ERRANT-fr 1.0.0 (2022).

They read features behind the universal tag: `VERB__Mood=Ind|Number=Sing`. spaCy 3 gives them elsewhere, so that the
program finds none with it; here they come from its `morph`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from recte.annotation import Annotator
from recte.annotation.universal_dependencies import TagScheme, UdToken, plain_labels
from recte.extraction.alignment import Version
from recte.extraction.en.types import EnglishTypes, is_after_auxiliary, misspelling
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RuleLanguage
from recte.extraction.type_rules import Replacement, Words, is_unknown
from recte.extraction.word_list import NO_WORDS, WordList, read_word_list
from recte.options import option

__all__ = ["French", "FrenchTypes"]

_OPEN = frozenset({"ADJ", "ADV", "NOUN", "VERB", "AUX"})
_VERBS = ({"VERB"}, {"AUX"}, {"AUX", "VERB"})
_CONTRACTIONS = frozenset(["t'", "qu'", "s'", "d'", "j'", "l'", "m'", "c'", "n'"])
_AUXILIARY = frozenset({"aux:pass", "aux:tense"})


def _tag(token: UdToken) -> str:
    return f"{token.upos}__{token.features}" if token.features not in ("", "_") else f"{token.upos}___"


def _feature(tag: str, name: str) -> str:
    """A feature's value in what follows the last double underscore; empty if it is absent."""
    for pair in tag.rpartition("__")[2].split("|"):
        key, _, value = pair.partition("=")
        if key == name:
            return value
    return ""


class FrenchTypes(EnglishTypes):
    """Types of French edits; unknown words are typed as in English."""

    labels: ClassVar[dict[str, str]] = {"amod": "ADJ", "advmod": "ADV", "det": "DET", "punct": "PUNCT"}

    def __init__(self, words: WordList = NO_WORDS) -> None:
        self._words = words
        self.name = "+".join(filter(None, ("fr", words.name)))

    def category(self, tag: str, pos: str) -> str:
        return tag.partition("_")[0]

    def is_word(self, word: str) -> bool:
        return word in self._words

    def one_sided(self, words: Words) -> str:
        if _AUXILIARY.issuperset(words.label):
            return "VERB:TENSE"
        categories = set(words.category)
        return self.common_category(categories, set(words.label)) or (
            "VERB" if categories == {"PART", "VERB"} else "OTHER"
        )

    def one_word(self, r: Replacement) -> str | None:
        a, b = r.a, r.b
        (p,), (q,) = a.category, b.category
        if p == q and not _CONTRACTIONS.isdisjoint((a.lower[0], b.lower[0])):
            return "CONTR"
        if is_unknown(a.text[0], self.is_word):
            return self.unknown_word(a, b)
        if a.lemma == b.lemma and r.categories <= _OPEN:
            return _inflection(r)
        if r.categories == {"AUX", "VERB"}:
            return "VERB:TENSE"
        if r.categories <= _OPEN and self.stem(a.text[0]) == self.stem(b.text[0]):
            return "MORPH"
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if r.categories == {"DET", "PRON"}:
            if b.label[0] in ("nsubj", "nsubjpass"):
                return "PRON"
            if b.label[0] == "poss":
                return "DET"
        if r.categories == {"NUM", "DET"}:
            return "DET"
        if not (a.text[0].isalpha() and b.text[0].isalpha()):
            return "OTHER"
        return misspelling(a, b, self.unless_rare(q))

    def any_length(self, r: Replacement) -> str:
        if r.labels <= _AUXILIARY or (r.categories == {"VERB"} and r.has_same_last_lemma):
            return "VERB:TENSE"
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if r.categories in ({"PART", "VERB"}, {"AUX", "VERB"}):
            return "VERB:FORM" if r.has_same_last_lemma else "VERB"
        return "OTHER"


def _inflection(r: Replacement) -> str:
    def differs(name: str) -> bool:
        return _feature(r.a.tag[0], name) != _feature(r.b.tag[0], name)

    categories = r.categories
    if categories == {"ADJ"}:
        return "ADJ:FORM"
    if categories == {"NOUN"}:
        if differs("Number"):
            return "NOUN:NUM"
        if differs("Gender"):
            return "NOUN:INFL"
    if categories in _VERBS:
        if is_after_auxiliary(r, frozenset({"aux", "aux:pass"})) or differs("Mood") or differs("VerbForm"):
            return "VERB:FORM"
        return "VERB:SVA" if not differs("Tense") and (differs("Number") or differs("Person")) else "VERB:TENSE"
    return "ADJ:FORM" if r.labels == {"acomp"} else "MORPH"


@dataclass(frozen=True, kw_only=True)
class French(RuleLanguage):
    """French, as ERRANT-fr has it."""

    name: ClassVar[str] = "fr"
    title: ClassVar[str] = "French"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = TagScheme("fr", _tag, plain_labels)
    version: ClassVar[Version] = "2.3"

    word_list: str = option("", "a file of known words, one a line; none without")

    @property
    def types(self) -> TypeRules:
        return _types(read_word_list(self.word_list))


@lru_cache(maxsize=8)
def _types(words: WordList) -> FrenchTypes:
    return FrenchTypes(words)

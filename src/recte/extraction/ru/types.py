"""Russian error types: the rules of RuERRANT 2.3.0 (Katinskaia et al. 2022).

They read the features of Universal Dependencies, which stand behind the tag: `NOUN|Case=Nom|Number=Sing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from recte.annotation import Annotator
from recte.annotation.universal_dependencies import TagScheme, UdToken, plain_labels
from recte.extraction.alignment import Version
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RULES, RuleLanguage, Rules
from recte.extraction.ru.stemmer import stem
from recte.extraction.type_rules import ErrantTypes, Replacement, Words, indel_similarity
from recte.extraction.word_list import NO_WORDS, WordList, read_word_lists
from recte.options import option

__all__ = ["Russian", "RussianTypes"]

_OPEN = frozenset({"ADJ", "ADV", "NOUN", "NUM", "VERB"})
_INFLECTED = frozenset({"NOUN", "VERB", "ADJ", "PRON", "NUM"})
_AUXILIARY = frozenset({"aux", "auxpass"})
# Features by which forms of one lemma differ, in the order in which a type names them.
_FEATURES = {
    "ADJ": {"Number": "NUM", "Gender": "GEN", "Case": "CASE"},
    "NOUN": {"Number": "NUM", "Case": "CASE"},
    "NUM": {"Number": "NUM", "Case": "CASE"},
    "VERB": {"Number": "NUM", "Gender": "GEN", "Voice": "VOICE", "Mood": "MOOD"},
}
_VERB_FEATURES = {"VerbForm": "VERB:FORM", "Tense": "VERB:TENSE", "Aspect": "VERB:ASPECT"}


def _tag(token: UdToken) -> str:
    if token.features in ("", "_"):
        return token.upos
    pairs = (f"Style{pair}" if pair.startswith("Variant=") else pair for pair in token.features.split("|"))
    return f"{token.upos}|{'|'.join(pairs)}"


def _features(tag: str) -> dict[str, str]:
    return {name: value for name, _, value in (pair.partition("=") for pair in tag.split("|")[1:])}


class RussianTypes(ErrantTypes):
    """Types of Russian edits; words are looked up as written in the first list, in lower case in both."""

    rare = frozenset({"INTJ", "SYM", "X"})
    labels: ClassVar[dict[str, str]] = {
        "acomp": "ADJ",
        "amod": "ADJ",
        "advmod": "ADV",
        "det": "DET",
        "prep": "PREP",
        "prt": "PART",
        "punct": "PUNCT",
    }

    def __init__(self, words: WordList = NO_WORDS, frequent: WordList = NO_WORDS, *, name: str = "ru") -> None:
        self._words, self._frequent = words, frequent
        self.name = "+".join(filter(None, (name, words.name, frequent.name)))

    def category(self, tag: str, pos: str) -> str:
        return tag.partition("|")[0]

    def one_sided(self, words: Words) -> str:
        if _AUXILIARY.issuperset(words.label):
            return "VERB:TENSE"
        categories = set(words.category)
        return self.common_category(categories, set(words.label)) or (
            "VERB" if categories == {"PART", "VERB"} else "OTHER"
        )

    def one_word(self, r: Replacement) -> str:
        a, b = r.a, r.b
        (p,), (q,) = a.category, b.category
        same_lemma = a.lemma == b.lemma
        if self._is_unknown(a.text[0]):
            if not same_lemma:
                if indel_similarity(a.text[0], b.text[0]) > 0.5:
                    return "SPELL"
                return f"SPELL:{p}" if p == q and self.unless_rare(p) else "SPELL:OTHER"
            if p != q:
                return "MORPH"
            if p in _INFLECTED:
                return f"{p}:INFL"
        if p == q and p in _OPEN:
            f, g = _features(a.tag[0]), _features(b.tag[0])
            category = _inflection(p, f, g) if same_lemma else _aspect(p, f, g)
            if category:
                return category
        if p != q and r.categories <= _OPEN and stem(a.text[0]) == stem(b.text[0]):
            return "MORPH"
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        return "PART" if r.categories == {"PART", "PREP"} or r.labels == {"prt", "prep"} else "OTHER"

    def _is_unknown(self, word: str) -> bool:
        low = word.lower()
        return word.isalpha() and word not in self._words and low not in self._words and low not in self._frequent

    def any_length(self, r: Replacement) -> str:
        if r.labels == {"aux", "ROOT"}:
            return "VERB:TENSE"
        return (self.labels.get(next(iter(r.labels))) if len(r.labels) == 1 else None) or "OTHER"


def _differs(f: dict[str, str], g: dict[str, str], name: str) -> bool:
    return name in f and name in g and f[name] != g[name]


def _inflection(category: str, f: dict[str, str], g: dict[str, str]) -> str | None:
    """Two forms of one lemma; None for adverbs, which have no forms."""
    if category == "ADV":
        return None
    if category == "ADJ":
        if _differs(f, g, "Degree"):
            return "ADJ:COMP_FORM"
        if "StyleVariant" in f or "StyleVariant" in g:
            return "ADJ:FULL/SHORT"
    if category == "VERB":
        for name, type_ in _VERB_FEATURES.items():
            if _differs(f, g, name):
                return type_
    names = [short for name, short in _FEATURES[category].items() if _differs(f, g, name)]
    return ":".join([category, *(names or ["INFL"])])


def _aspect(category: str, f: dict[str, str], g: dict[str, str]) -> str | None:
    """Two verbs in the same form count as two aspects of one."""
    if category != "VERB" or len(f) != len(g):
        return None
    return None if any(_differs(f, g, name) for name in f if name != "Aspect") else "VERB:ASPECT"


@dataclass(frozen=True, kw_only=True)
class Russian(RuleLanguage):
    """Russian, as RuERRANT has it."""

    name: ClassVar[str] = "ru"
    title: ClassVar[str] = "Russian"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = TagScheme("ru", _tag, plain_labels)
    version: ClassVar[Version] = "2.2"

    rules: Rules = option("official", "official: as published; corrected: merging loses no edits", choices=RULES)
    word_list: str = option("", "a file of known words, and one of frequent words in lower case; none without")

    @property
    def types(self) -> TypeRules:
        return _types(self.rules, read_word_lists(self.word_list, most=2))

    @property
    def chosen_version(self) -> Version:
        return self.version if self.rules == "official" else "2.3"


@lru_cache(maxsize=8)
def _types(rules: Rules, lists: tuple[WordList, ...]) -> RussianTypes:
    return RussianTypes(*lists, name="ru" if rules == "official" else "ru-corrected")

"""Greek error types: ELERRANT (Korre, Chatzipanagiotou and Pavlopoulos 2021).

It exists twice: the notebook of 2022 (`official`), in which all rules for single words stand behind a `return`, and the
package of August 2021 (`package`), which types spelling and morphology.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, get_args

from recte.annotation import Annotator
from recte.annotation.universal_dependencies import BARE, TagScheme
from recte.errors import OptionError
from recte.extraction.alignment import Version
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RuleLanguage
from recte.extraction.type_rules import ErrantTypes, Replacement, Words, indel_similarity, is_unknown
from recte.extraction.word_list import NO_WORDS, WordList, read_word_list
from recte.options import option

__all__ = ["Greek", "GreekTypes"]

Rules = Literal["official", "package"]

_ACCENTED = frozenset("άέήίόύώ")
_CONTRACTIONS = frozenset((
    "'ναι", "'φερε", "απ'", "σ'", "τ'", "φέρ'", "θ'", "ν'", "μ'", "γι'", "μέσ'", "'χει", "'χεις", "'σαι", "'μαι",
    "'ρθεις", "'ρθει",
))  # fmt: skip
_AUXILIARY = frozenset({"aux", "auxpass"})
_WITH_FORMS_UNKNOWN = frozenset({"NOUN", "ADJ", "ADV", "PRON", "VERB"})
_WITH_FORMS = frozenset({"ADJ", "NOUN", "VERB"})
_NAMES = {"CCONJ": "CONJ", "SCONJ": "CONJ", "ADP": "PREP"}


class GreekTypes(ErrantTypes):
    """Types of Greek edits."""

    labels: ClassVar[dict[str, str]] = {"ac": "ADP", "svp": "ADP", "punct": "PUNCT"}

    def __init__(self, rules: Rules = "official", words: WordList = NO_WORDS) -> None:
        self._is_package = rules == "package"
        self._changed_verb = "VERB:FORM" if self._is_package else "VERB:TENSE"
        self._words = words
        self.name = "+".join(filter(None, ("el-package" if self._is_package else "el", words.name)))

    def special_type(self, r: Replacement) -> str | None:
        s, t = " ".join(r.a.text), " ".join(r.b.text)
        old, new = _ACCENTED & set(s), _ACCENTED & set(t)
        if old and not new:
            return "U:ACC"
        if (new and not old) or (old and len(new) > 1):
            return "M:ACC"
        if len(old) > 1:
            return "U:ACC"
        if s == t + "ν":
            return "U:FN"
        return "M:FN" if t == s + "ν" else None

    def one_sided(self, words: Words) -> str:
        category = self._one_sided(words)
        return _NAMES.get(category, category)

    def two_sided(self, r: Replacement) -> str:
        category = super().two_sided(r)
        return _NAMES.get(category, category)

    def _one_sided(self, words: Words) -> str:
        low, category = words.lower[0], words.category[0]
        if len(words.text) == 1:
            if self._is_package and low in _CONTRACTIONS:
                return "CONTR"
            if low == "να" and category == "PART":
                return "VERB:FORM"
        if low == "θα" and category == "PART":
            return self._changed_verb
        if category == "VERB" and {*words.label} <= {*_AUXILIARY, "obj", "advmod"}:
            return self._changed_verb
        return self.common_category(set(words.category), set(words.label)) or "OTHER"

    def one_word(self, r: Replacement) -> str | None:
        if not self._is_package:
            return None
        a, b = r.a, r.b
        (p,), (q,) = a.category, b.category
        same_lemma = a.lemma == b.lemma
        if p == q and not _CONTRACTIONS.isdisjoint((a.lower[0], b.lower[0])):
            return "CONTR"
        if is_unknown(a.text[0], self._words.__contains__):
            if same_lemma:
                return f"{p}:FORM" if p == q and p in _WITH_FORMS_UNKNOWN else "MORPH"
            if indel_similarity(a.text[0], b.text[0]) > 0.5:
                return "SPELL"
            return (p == q and self.unless_rare(p)) or "OTHER"
        if same_lemma and p == q and p in _WITH_FORMS:
            return f"{p}:FORM"
        if all(label.startswith("aux") for label in r.labels):
            return "VERB:FORM"
        return self.common_category(r.categories, r.labels) or "OTHER"

    def any_length(self, r: Replacement) -> str:
        if r.labels <= _AUXILIARY or (r.categories == {"VERB"} and r.has_same_last_lemma):
            return self._changed_verb
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if r.categories == {"PART", "VERB"}:
            return "VERB:FORM" if r.has_same_last_lemma else "VERB"
        if self._is_package and ["NOUN", "PART"] in (r.a.category, r.b.category) and r.a.lemma[0] == r.b.lemma[0]:
            return "NOUN:POSS"
        return "OTHER"


@dataclass(frozen=True, kw_only=True)
class Greek(RuleLanguage):
    """Greek, as ELERRANT has it."""

    name: ClassVar[str] = "el"
    title: ClassVar[str] = "Greek"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = BARE
    version: ClassVar[Version] = "2.3"

    rules: Rules = option("official", "official: the notebook; package: that of August 2021", choices=get_args(Rules))
    word_list: str = option("", "a file of known words, one a line, for the rules of the package; none without")

    @property
    def types(self) -> TypeRules:
        if self.word_list and self.rules == "official":
            raise OptionError(
                "word_list: expected it with the rules of the package alone: the official ones read no words"
            )
        return _types(self.rules, read_word_list(self.word_list))


@lru_cache(maxsize=8)
def _types(rules: Rules, words: WordList) -> GreekTypes:
    return GreekTypes(rules, words)

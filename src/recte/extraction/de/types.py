"""German error types: Boyd's rules (2018, "Using Wikipedia Edits in Low Resource GEC"), as ported to ERRANT 2.2.2.

They read STTS tags and the labels of the TIGER treebank, as spaCy's German models give them. From Universal
Dependencies tags come as XPOS, and labels by a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from recte.annotation import Annotator
from recte.annotation.universal_dependencies import TagScheme, UdToken
from recte.errors import InputError
from recte.extraction.alignment import Version
from recte.extraction.de.stemmer import stem
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RULES, RuleLanguage, Rules
from recte.extraction.type_rules import ErrantTypes, Replacement, Words, indel_similarity, is_unknown
from recte.extraction.word_list import NO_WORDS, WordList, read_word_list
from recte.options import option

__all__ = ["German", "GermanTypes"]

_CATEGORIES = {
    tag: category
    for category, tags in {
        "ADJ": "ADJA ADJD PIDAT",
        "ADP": "APPR APPRART APPO APZR KOKOM PTKVZ",
        "ADV": "ADV PROAV PROP PTKA",
        "AUX": "VAFIN VAIMP VAINF VAPP VMFIN VMINF VMPP",
        "CONJ": "KON",
        "DET": "ART PDAT PIAT PPOSAT PRELAT PWAT",
        "INTJ": "ITJ PTKANT",
        "NOUN": "NN FM",
        "NUM": "CARD",
        "PART": "PTKZU PTKNEG",
        "PNOUN": "NE NNE",
        "PRON": "PDS PIS PPER PPOSS PRELS PRF PWS PWAV",
        "PUNCT": "$, $. $(",
        "SCONJ": "KOUI KOUS",
        "VERB": "VVFIN VVIMP VVINF VVIZU VVPP",
        "X": "XY",
        "*": "TRUNC",
    }.items()
    for tag in tags.split()
}
_INFLECTED = frozenset({"ADJ", "ADV", "AUX", "DET", "PRON", "PROPN", "NOUN", "VERB"})
_CONTRACTIONS = frozenset({"'s", "´s"})
_PRONOUN_LABELS = frozenset({"sb", "oa", "od", "og"})
_TIGER_LABELS = {
    **dict.fromkeys(("nsubj", "nsubj:pass"), "sb"),
    **dict.fromkeys(("det", "amod", "nummod", "det:poss"), "nk"),
    **dict.fromkeys(("flat", "compound"), "pnc"),
    **dict.fromkeys(("xcomp", "ccomp", "aux", "aux:pass", "cop"), "oc"),
    "case": "ac",
    "compound:prt": "svp",
    "punct": "punct",
    "obj": "oa",
    "iobj": "da",
    "nmod:poss": "ag",
    "conj": "cj",
    "cc": "cd",
    "mark": "cp",
    "appos": "app",
    "acl:relcl": "rc",
    "obl:agent": "sbp",
    "parataxis": "par",
    "root": "ROOT",
}


def _tag(token: UdToken) -> str:
    if token.is_multiword:
        return "APPRART"
    return "PROAV" if token.xpos == "PAV" else token.xpos


def _labels(tokens: Sequence[UdToken]) -> list[str]:
    labels = []
    for token in tokens:
        is_genitive = "Case=Gen" in token.features.split("|")
        if token.relation == "obl:arg":
            labels.append("og" if is_genitive else "od")
        elif token.relation == "nmod" and is_genitive:
            labels.append("ag")
        else:
            labels.append(_TIGER_LABELS.get(token.relation, "mo"))
    return labels


class GermanTypes(ErrantTypes):
    """Types of German edits."""

    labels: ClassVar[dict[str, str]] = {"ac": "ADP", "svp": "ADP", "punct": "PUNCT"}

    def __init__(self, words: WordList = NO_WORDS, *, name: str = "de") -> None:
        self._words = words
        self.name = "+".join(filter(None, (name, words.name)))

    def category(self, tag: str, pos: str) -> str:
        try:
            return _CATEGORIES[tag]
        except KeyError:
            raise InputError(
                f"expected the STTS tags that German types are made from, got {tag!r}; universal types need none"
            ) from None

    def one_sided(self, words: Words) -> str:
        if len(words.text) == 1 and words.lower[0] in _CONTRACTIONS:
            return "CONTR"
        categories = set(words.category)
        return self.common_category(categories, set(words.label)) or (
            "VERB" if categories == {"PART", "VERB"} else "OTHER"
        )

    def one_word(self, r: Replacement) -> str:
        a, b = r.a, r.b
        (p,), (q,) = a.category, b.category
        same_lemma = a.lemma == b.lemma
        if is_unknown(a.text[0], self._words.__contains__) and not same_lemma:
            if indel_similarity(a.text[0], b.text[0]) > 0.5:
                return "SPELL"
            return (p == q and self.unless_rare(p)) or "OTHER"
        if r.categories <= _INFLECTED:
            if same_lemma:
                return f"{p}:FORM" if p == q else "VERB:FORM" if q in ("VERB", "AUX") else "MORPH"
            if stem(a.text[0]) == stem(b.text[0]):
                return "MORPH"
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if r.labels == {"ac", "svp"}:
            return "ADP"
        if r.categories == {"DET", "PRON"}:
            if b.label[0] in _PRONOUN_LABELS:
                return "PRON"
            if b.label[0] == "ag":
                return "DET"
        return "OTHER"

    def any_length(self, r: Replacement) -> str:
        common = self.common_category(r.categories, r.labels)
        if common:
            return common
        if r.categories == {"PART", "VERB"}:
            return "VERB:FORM" if r.has_same_last_lemma else "VERB"
        return "OTHER"


@dataclass(frozen=True, kw_only=True)
class German(RuleLanguage):
    """German, by Boyd's rules."""

    name: ClassVar[str] = "de"
    title: ClassVar[str] = "German"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = TagScheme("de", _tag, _labels, takes_library_tags=True)
    version: ClassVar[Version] = "2.2"

    rules: Rules = option("official", "official: as published; corrected: merging loses no edits", choices=RULES)
    word_list: str = option("", "a file of known words, one a line; none without")

    @property
    def types(self) -> TypeRules:
        return _types(self.rules, read_word_list(self.word_list))

    @property
    def chosen_version(self) -> Version:
        return self.version if self.rules == "official" else "2.3"


@lru_cache(maxsize=8)
def _types(rules: Rules, words: WordList) -> GermanTypes:
    return GermanTypes(words, name="de" if rules == "official" else "de-corrected")

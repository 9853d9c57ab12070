"""Types for any language, from the tags and features of Universal Dependencies.

A type is a letter (M missing, U unnecessary, R replacement) and a category: `R:NOUN:NUM`. Categories are universal
tags. A word that changes its form gets the feature that differs (`NOUN:CASE`, `VERB:TENSE`), or FORM where several
differ or none is told. Without a word list, only what the treebank marks (`Typo=Yes`, or the tag X) can be a
misspelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from recte.annotation import Annotated, Annotator
from recte.annotation.universal_dependencies import UNIVERSAL, TagScheme
from recte.edits.word_matching import edit_distance
from recte.extraction.alignment import Span
from recte.extraction.extractor import UNCORRECTED, TypeRules
from recte.extraction.language import RuleLanguage
from recte.extraction.type_rules import without_common_end

__all__ = ["Universal", "UniversalTypes"]

_CATEGORIES = {"AUX": "VERB", "PROPN": "NOUN", "CCONJ": "CONJ", "SCONJ": "CONJ"}
_NO_TYPES = frozenset({"X", "SYM", "_", ""})
# What the form of a word is called when this feature alone differs.
_FEATURES = {
    "Aspect": "ASPECT",
    "Case": "CASE",
    "Definite": "DEF",
    "Degree": "DEGREE",
    "Gender": "GENDER",
    "Mood": "MOOD",
    "Number": "NUM",
    "Person": "PERSON",
    "Polarity": "POLARITY",
    "Tense": "TENSE",
    "VerbForm": "VERBFORM",
    "Voice": "VOICE",
}
_SIMILAR = 0.55  # of letters, for a misspelling


class _Word(NamedTuple):
    low: str
    category: str
    lemma: str
    features: dict[str, str]


class UniversalTypes:
    """Types an edit from the annotations of both sentences; fine tags hold features (`NOUN|Number=Plur`).

    >>> a = Annotated(("Hund",), ("NOUN|Number=Sing",), ("NOUN",), ("Hund",), ("ROOT",), (0,))
    >>> b = Annotated(("Hunde",), ("NOUN|Number=Plur",), ("NOUN",), ("Hund",), ("ROOT",), (0,))
    >>> UniversalTypes()(a, b, Span(0, 1, 0, 1))
    'R:NOUN:NUM'
    """

    name = "universal"

    def __call__(self, source: Annotated, corrected: Annotated, span: Span) -> str:
        if source.text[span.start : span.end] == corrected.text[span.corrected_start : span.corrected_end]:
            return UNCORRECTED
        span = without_common_end(source, corrected, span)
        a = [_word(source, place) for place in range(span.start, span.end)]
        b = [_word(corrected, place) for place in range(span.corrected_start, span.corrected_end)]
        if not a:
            return f"M:{_category(b)}"
        if not b:
            return f"U:{_category(a)}"
        return f"R:{_replacement(a, b)}"


def _word(sentence: Annotated, place: int) -> _Word:
    _, *features = sentence.tag[place].split("|")
    pairs = (feature.partition("=") for feature in features)
    pos = sentence.pos[place]
    return _Word(
        sentence.text[place].lower(),
        _CATEGORIES.get(pos, pos),
        sentence.lemma[place],
        {name: value for name, _, value in pairs},
    )


def _category(words: list[_Word]) -> str:
    categories = {word.category for word in words}
    only = categories.pop()
    return "OTHER" if categories or only in _NO_TYPES else only


def _replacement(a: list[_Word], b: list[_Word]) -> str:
    if "".join(word.low for word in a) == "".join(word.low for word in b):
        return "ORTH"
    if sorted(word.low for word in a) == sorted(word.low for word in b):
        return "WO"
    if len(a) == len(b) == 1:
        return _pair(a[0], b[0])
    category = _category([*a, *b])
    return f"{category}:FORM" if category != "OTHER" and a[-1].lemma == b[-1].lemma else category


def _pair(a: _Word, b: _Word) -> str:
    marked = a.features.get("Typo") == "Yes" or a.category == "X"
    if marked and 1 - edit_distance(a.low, b.low) / max(len(a.low), len(b.low)) > _SIMILAR:
        return "SPELL"
    category = _category([a, b])
    if a.lemma != b.lemma:
        return category
    if category == "OTHER":
        return "MORPH"
    return f"{category}:{_form(a.features, b.features)}"


def _form(a: dict[str, str], b: dict[str, str]) -> str:
    differing = [name for name in (*a, *(b.keys() - a.keys())) if a.get(name) != b.get(name) and name != "Typo"]
    return _FEATURES.get(differing[0], "FORM") if len(differing) == 1 else "FORM"


@dataclass(frozen=True, kw_only=True)
class Universal(RuleLanguage):
    """Any language whose texts are annotated as in Universal Dependencies."""

    name: ClassVar[str] = "universal"
    title: ClassVar[str] = "any language, from Universal Dependencies"
    annotator: ClassVar[str | Annotator | None] = None
    scheme: ClassVar[TagScheme] = UNIVERSAL

    @property
    def types(self) -> TypeRules:
        return UniversalTypes()

"""English error types: the rules of ERRANT (Bryant, Felice and Briscoe 2017), version 2.3 and later.

A type is a letter (M missing, U unnecessary, R replacement) and a category: `R:VERB:SVA`. Rules stand in their order;
the first that fits gives the category. Each stage of the rules is a function, and the words they name are tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from recte.annotation import Annotated
from recte.annotation.data_files import is_word
from recte.annotation.lancaster import stem
from recte.errors import InputError
from recte.extraction.alignment import Span
from recte.extraction.extractor import UNCORRECTED, TypeRules
from recte.extraction.language import RuleLanguage
from recte.extraction.trimming import without_common_end

__all__ = ["English", "EnglishTypes"]

# Universal categories of the Penn tags; particles, prepositions and modals have their own minds.
_CATEGORIES = {
    tag: category
    for category, tags in {
        "ADJ": "AFX JJ JJR JJS",
        "ADV": "RB RBR RBS WRB",
        "CONJ": "CC",
        "DET": "DT PDT PRP$ WDT WP$",
        "INTJ": "UH",
        "NOUN": "NN NNS NNP NNPS",
        "NUM": "CD",
        "PART": "POS RP TO",
        "PREP": "IN",
        "PRON": "EX PRP WP",
        "PUNCT": "'' `` \"\" , . : -LRB- -RRB- HYPH",
        "SPACE": "SP _SP",
        "SYM": "# $ SYM",
        "VERB": "MD VB VBD VBG VBN VBP VBZ BES HVS",
        "X": "FW LS NIL ADD GW NFP XX",
    }.items()
    for tag in tags.split()
}
_RARE = frozenset({"INTJ", "NUM", "SYM", "X"})  # never a type of their own
_OPEN = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
_CATEGORY_OF_DEPENDENCY = {
    "acomp": "ADJ",
    "amod": "ADJ",
    "advmod": "ADV",
    "det": "DET",
    "prep": "PREP",
    "prt": "PART",
    "punct": "PUNCT",
}
_AUXILIARY = frozenset({"aux", "auxpass"})
_ADJECTIVE_DEPENDENCIES = frozenset({"acomp", "amod"})
_PRONOUN_DEPENDENCIES = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})
_CONTRACTIONS = frozenset({"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"})
_SHORT_MODALS = {"ca": "can", "sha": "shall", "wo": "will"}
_VERB_FORMS = {"VBG": "VERB:FORM", "VBN": "VERB:FORM", "VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}

# Pairs of words that similarity alone would call a slip of the pen, or miss. "own" is the correction's category.
_NAMED_PAIRS = {
    ("the", "that"): "PRON",
    ("all", "everything"): "PRON",
    ("that", "what"): "PRON",
    ("what", "that"): "PRON",
    ("good", "well"): "own",
    ("well", "good"): "own",
    ("after", "later"): "own",
    ("later", "after"): "own",
    ("therefor", "therefore"): "SPELL",
    ("though", "thought"): "SPELL",
    ("thought", "though"): "SPELL",
}


class _Words(NamedTuple):
    """The tokens of one side of an edit."""

    text: tuple[str, ...]
    lower: list[str]
    tag: tuple[str, ...]
    category: list[str]
    lemma: tuple[str, ...]
    dependency: tuple[str, ...]


class EnglishTypes:
    """Types an edit from the annotations of both sentences.

    >>> a = Annotated(("He", "go"), ("PRP", "VBP"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> b = Annotated(("He", "goes"), ("PRP", "VBZ"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> EnglishTypes()(a, b, Span(1, 2, 1, 2))
    'R:VERB:SVA'
    """

    name = "en"

    def __call__(self, source: Annotated, corrected: Annotated, span: Span) -> str:
        start, end, corrected_start, corrected_end = span
        if source.text[start:end] == corrected.text[corrected_start:corrected_end]:
            return UNCORRECTED
        start, end, corrected_start, corrected_end = without_common_end(source, corrected, span)
        if start == end:
            return "M:" + _one_sided(corrected, corrected_start, corrected_end)
        if corrected_start == corrected_end:
            return "U:" + _one_sided(source, start, end)
        a, b = _words(source, start, end), _words(corrected, corrected_start, corrected_end)
        if "".join(a.lower) == "".join(b.lower):
            return "R:ORTH"
        if len(a.lower) == len(b.lower) > 1 and sorted(a.lower) == sorted(b.lower):
            return "R:WO"
        category = None
        if len(a.text) == len(b.text) == 1:
            category = _one_word(a, b, _AfterAuxiliary(source, start, corrected, corrected_start))
        return "R:" + (category or _any_length(a, b))


def _words(sentence: Annotated, start: int, end: int) -> _Words:
    text, tag = sentence.text[start:end], sentence.tag[start:end]
    return _Words(
        text,
        [word.lower() for word in text],
        tag,
        [_category(t) for t in tag],
        sentence.lemma[start:end],
        sentence.dependency[start:end],
    )


def _category(tag: str) -> str:
    try:
        return _CATEGORIES[tag]
    except KeyError:
        raise InputError(
            f"expected the Penn tags that English types are made from, got {tag!r}; universal types need none"
        ) from None


def _one_sided(sentence: Annotated, start: int, end: int) -> str:
    """Missing or unnecessary words."""
    words = _words(sentence, start, end)
    if end - start == 1:
        if words.tag[0] == "POS":
            return "NOUN:POSS"
        if words.lower[0] in _CONTRACTIONS:
            return "CONTR"
        if words.lower[0] == "to" and sentence.pos[start] == "PART" and words.dependency[0] != "prep":
            return "VERB:FORM"
    if _AUXILIARY.issuperset(words.dependency):
        return "VERB:TENSE"
    categories = set(words.category)
    return _common_category(categories, set(words.dependency)) or (
        "VERB" if categories == {"PART", "VERB"} else "OTHER"
    )


def _common_category(categories: set[str], dependencies: set[str]) -> str | None:
    """The category that all words share, or else the one that their shared dependency speaks for."""
    if len(categories) == 1 and not categories & _RARE:
        return next(iter(categories))
    if len(dependencies) == 1:
        return _CATEGORY_OF_DEPENDENCY.get(next(iter(dependencies)))
    return None


def _one_word(a: _Words, b: _Words, after_auxiliary: _AfterAuxiliary) -> str | None:
    """One word for another; None where the rules for any length must decide."""
    text = a.text[0]
    category = _fixed_pair(a, b)
    if category:
        return category
    if text.isalpha() and not is_word(text) and not is_word(a.lower[0]):
        return _unknown_word(a, b)
    if a.lemma == b.lemma and a.category[0] in _OPEN and b.category[0] in _OPEN:
        return _inflection(a, b, after_auxiliary)
    return _by_category(a, b) or _by_letters(a, b)


def _fixed_pair(a: _Words, b: _Words) -> str | None:
    """Possessives, contractions, and was for were."""
    (source,), (corrected,) = a.lower, b.lower
    if a.tag[0] == "POS" or b.tag[0] == "POS":
        return "NOUN:POSS"
    if a.category == b.category and (source in _CONTRACTIONS or corrected in _CONTRACTIONS):
        return "CONTR"
    if _SHORT_MODALS.get(source) == corrected or _SHORT_MODALS.get(corrected) == source:
        return "CONTR"
    if source in _SHORT_MODALS or corrected in _SHORT_MODALS:
        return "VERB:TENSE"
    if {source, corrected} == {"was", "were"}:
        return "VERB:SVA"
    return None


def _unknown_word(a: _Words, b: _Words) -> str:
    """The source's word is in no dictionary."""
    category = b.category[0]
    if a.lemma == b.lemma:
        return f"{category}:INFL" if a.category == b.category and category in ("NOUN", "VERB") else "MORPH"
    alike = _similarity(a.lower[0], b.lower[0])
    if alike > 0.55:
        return "SPELL"
    if (alike == 0.5 or round(alike, 3) == 0.333) and len(a.text[0]) <= 4 and len(b.text[0]) <= 4:
        return "SPELL"
    return "OTHER" if category in _RARE else category


def _inflection(a: _Words, b: _Words, after_auxiliary: _AfterAuxiliary) -> str:
    """Two forms of one lemma, both of an open category."""
    category, tag = a.category[0], b.tag[0]
    tags, dependencies = {a.tag[0], tag}, {a.dependency[0], b.dependency[0]}
    if a.category == b.category:
        if category == "ADJ":
            return "ADJ:FORM"
        if category == "NOUN":
            return "NOUN:NUM"
        if category == "VERB":
            if after_auxiliary() or tags & {"VBG", "VBN"}:
                return "VERB:FORM"
            if "VBD" in tags:
                return "VERB:TENSE"
            if "VBZ" in tags:
                return "VERB:SVA"
            if all(d.startswith("aux") for d in dependencies):
                return "VERB:TENSE"
    if dependencies <= _ADJECTIVE_DEPENDENCIES:
        return "ADJ:FORM"
    if category == "ADJ" and tag == "NNS":
        return "NOUN:NUM"
    return _VERB_FORMS.get(tag, "MORPH")


def _by_category(a: _Words, b: _Words) -> str | None:
    """Related words, or what the tags and dependencies of both say."""
    (source,), (corrected,) = a.lower, b.lower
    categories, dependencies = {a.category[0], b.category[0]}, {a.dependency[0], b.dependency[0]}
    if categories <= _OPEN and stem(a.text[0]) == stem(b.text[0]):
        return "MORPH"
    if all(d.startswith("aux") for d in dependencies):
        return "VERB:TENSE"
    common = _common_category(categories, dependencies)
    if common:
        return common
    if categories == {"PART", "PREP"} or dependencies == {"prt", "prep"}:
        return "PART"
    if categories == {"DET", "PRON"}:
        if b.dependency[0] in _PRONOUN_DEPENDENCIES:
            return "PRON"
        if b.dependency[0] == "poss":
            return "DET"
    if categories == {"NUM", "DET"} or {source, corrected} == {"other", "another"}:
        return "DET"
    if (source, corrected) == ("your", "yours"):
        return "PRON"
    return "OTHER" if {source, corrected} == {"no", "not"} else None


def _by_letters(a: _Words, b: _Words) -> str | None:
    """Slips of the pen that happen to be words; the shorter the words, the more must agree."""
    if not (a.text[0].isalpha() and b.text[0].isalpha()):
        return "OTHER"
    source, corrected = a.text[0], b.text[0]
    own = None if b.category[0] in _RARE else b.category[0]
    named = _NAMED_PAIRS.get((a.lower[0], b.lower[0]))
    if named and (named != "own" or own):
        return own if named == "own" else named
    alike = _similarity(a.lower[0], b.lower[0])
    m, n = len(source), len(corrected)
    match m:
        case 1:
            return "SPELL" if n == 2 and alike == 0.5 else None
        case 2:
            return "SPELL" if n in (2, 3) and alike >= 0.5 else None
        case 3:
            return "SPELL" if n in (2, 3, 4) and alike >= 0.5 else None
        case 4:
            if (n == 3 and alike > 0.5) or (n == 4 and alike >= 0.5) or (n == 5 and alike == 0.8):
                return "SPELL"
            return own if n > 5 and alike > 0.5 else None
        case 5:
            if (n == 4 and alike == 0.8) or (n == 5 and alike >= 0.6):
                return "SPELL"
            return own if n > 5 else None
    if m > 5 and n > 5:
        if (source.startswith(corrected) or corrected.startswith(source)) and alike >= 0.66:
            return "MORPH"
        if alike > 0.8:
            return "SPELL"
        return own if alike < 0.55 else None
    return None


def _any_length(a: _Words, b: _Words) -> str:
    """What the words of both sides say together."""
    categories, dependencies = {*a.category, *b.category}, {*a.dependency, *b.dependency}
    same_last = a.lemma[-1] == b.lemma[-1]
    if dependencies <= _AUXILIARY or (categories == {"VERB"} and same_last):
        return "VERB:TENSE"
    common = _common_category(categories, dependencies)
    if common:
        return common
    if categories == {"PART", "VERB"}:
        return "VERB:FORM" if same_last else "VERB"
    if ["NOUN", "PART"] in (a.category, b.category) and a.lemma[0] == b.lemma[0]:
        return "NOUN:POSS"
    short = len(a.text) <= 2 and len(b.text) <= 2
    if short and same_last and ({a.lower[0], b.lower[0]} & {"most", "more"}):
        return "ADJ:FORM"
    return "OTHER"


class _AfterAuxiliary(NamedTuple):
    """Whether both verbs follow an auxiliary; asked only where the answer matters."""

    source: Annotated
    place: int
    corrected: Annotated
    corrected_place: int

    def __call__(self) -> bool:
        sides = ((self.source, self.place), (self.corrected, self.corrected_place))
        if all(sentence.dependency[place].startswith("aux") for sentence, place in sides):
            return all(_is_later_auxiliary(sentence, place) for sentence, place in sides)
        return all(_has_auxiliary(sentence, place) for sentence, place in sides)


def _children(sentence: Annotated, place: int) -> Sequence[int]:
    return [child for child, head in enumerate(sentence.head) if head == place and child != place]


def _is_later_auxiliary(sentence: Annotated, place: int) -> bool:
    """Whether another auxiliary of the same verb comes first."""
    for child in _children(sentence, sentence.head[place]):
        if sentence.dependency[child].startswith("aux"):
            return sentence.text[child] != sentence.text[place]
    return False


def _has_auxiliary(sentence: Annotated, place: int) -> bool:
    return any(sentence.dependency[child] in _AUXILIARY for child in _children(sentence, place))


@lru_cache(maxsize=1 << 14)
def _similarity(a: str, b: str) -> float:
    """One less the Levenshtein distance as a share of the longer word."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return 1 - row[-1] / max(len(a), len(b))


@dataclass(frozen=True, kw_only=True)
class English(RuleLanguage):
    """English, with ERRANT's types."""

    name: ClassVar[str] = "en"
    title: ClassVar[str] = "English"

    @property
    def types(self) -> TypeRules:
        return EnglishTypes()

"""English error types: the rules of ERRANT (Bryant, Felice and Briscoe 2017), version 2.3 and later.

A type is a letter (M missing, U unnecessary, R replacement) and a category: `R:VERB:SVA`. Rules stand in their order;
the first that fits gives the category. Each stage of the rules is a function, and the words they name are tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.annotation import Annotated
from recte.annotation.annotated_columns import AnnotatedColumns
from recte.annotation.data_files import is_word
from recte.annotation.lancaster import stem
from recte.corpus.vocabulary import Integers
from recte.errors import InputError
from recte.extraction.extractor import TypeRules
from recte.extraction.language import RuleLanguage
from recte.extraction.type_rules import ErrantTypes, Replacement, Words, is_unknown, levenshtein_similarity

__all__ = ["English", "EnglishTypes", "is_after_auxiliary", "misspelling"]

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
_PARTICIPLES = frozenset({"VBG", "VBN"})
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


class EnglishTypes(ErrantTypes):
    """Types an edit from the annotations of both sentences.

    Languages whose programs took over the English rules derive from it: they change categories, word list or stemmer.

    >>> from recte.extraction.alignment import Span
    >>> a = Annotated(("He", "go"), ("PRP", "VBP"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> b = Annotated(("He", "goes"), ("PRP", "VBZ"), ("PRON", "VERB"), ("he", "go"), ("nsubj", "ROOT"), (1, 1))
    >>> EnglishTypes()(a, b, Span(1, 2, 1, 2))
    'R:VERB:SVA'
    """

    name = "en"
    labels = _CATEGORY_OF_DEPENDENCY

    def category(self, tag: str, pos: str) -> str:
        try:
            return _CATEGORIES[tag]
        except KeyError:
            raise InputError(
                f"expected the Penn tags that English types are made from, got {tag!r}; universal types need none"
            ) from None

    def is_word(self, word: str) -> bool:
        """Whether the word list has the word."""
        return is_word(word)

    def stem(self, word: str) -> str:
        """What the word shares with its relatives."""
        return stem(word)

    def is_infinitive_mark(self, words: Words) -> bool:
        """Whether a single word is the `to` of an infinitive."""
        return words.lower[0] == "to" and words.pos[0] == "PART" and words.dependency[0] != "prep"

    def look_around(self, sentences: AnnotatedColumns, words: tuple[Integers, Integers]) -> NDArray[np.bool_]:
        """Whether the words are verbs of one lemma, and none is a participle, which decides what `_inflection` asks.

        Languages that derive from this class may ask about others, too.
        """
        a, b = words
        if type(self) is not EnglishTypes:
            return np.ones(len(a), dtype=np.bool_)
        finite = [_CATEGORIES.get(name) == "VERB" and name not in _PARTICIPLES for name in sentences.tag.names]
        is_finite = np.array(finite, dtype=np.bool_)[sentences.tag.numbers]
        asks = is_finite[a] & is_finite[b]
        lemmas, numbers = sentences.lemma
        sides = zip(numbers[a[asks]].tolist(), numbers[b[asks]].tolist(), strict=True)
        asks[asks] = [lemmas[x] == lemmas[y] for x, y in sides]
        return asks

    def number_surroundings(self, sentences: AnnotatedColumns) -> NDArray[np.int32]:
        """A number for each token that says what `is_after_auxiliary` sees around it.

        All other rules look at the words of an edit alone, those of languages that derive from this class too.
        """
        labels = sentences.dependency
        auxiliary_labels = [name for name in labels.names if name.startswith("aux")]
        number_of_label = np.array(
            [1 + auxiliary_labels.index(name) if name in auxiliary_labels else 0 for name in labels.names]
        )
        auxiliaries = np.flatnonzero((number_of_label > 0)[labels.numbers])
        sentence_begins = sentences.offsets[np.searchsorted(sentences.offsets, auxiliaries, side="right") - 1]
        heads = sentences.head[auxiliaries] + sentence_begins
        is_child = heads != auxiliaries
        parents, children = heads[is_child], auxiliaries[is_child]
        surroundings = np.zeros(len(sentences.head), dtype=np.int32)
        np.bitwise_or.at(surroundings, parents, 1 << number_of_label[labels.numbers[children]])
        # Children rise, so the first of a verb comes first.
        with_children, first = np.unique(parents, return_index=True)
        places = np.searchsorted(with_children, heads)
        has_child = np.isin(heads, with_children)
        later, firsts = auxiliaries[has_child], children[first[places[has_child]]]
        surroundings[later] += sentences.text.numbers[later] != sentences.text.numbers[firsts]
        return surroundings

    def one_sided(self, words: Words) -> str:
        if len(words.text) == 1:
            if words.tag[0] == "POS":
                return "NOUN:POSS"
            if words.lower[0] in _CONTRACTIONS:
                return "CONTR"
            if self.is_infinitive_mark(words):
                return "VERB:FORM"
        if _AUXILIARY.issuperset(words.label):
            return "VERB:TENSE"
        categories = set(words.category)
        return self.common_category(categories, set(words.label)) or (
            "VERB" if categories == {"PART", "VERB"} else "OTHER"
        )

    def one_word(self, r: Replacement) -> str | None:
        a, b = r.a, r.b
        category = _type_of_known_pair(a, b)
        if category:
            return category
        if is_unknown(a.text[0], self.is_word):
            return self.unknown_word(a, b)
        if a.lemma == b.lemma and a.category[0] in _OPEN and b.category[0] in _OPEN:
            return _inflection(r)
        return self._by_category(a, b) or self._by_letters(a, b)

    def unknown_word(self, a: Words, b: Words) -> str:
        """The source's word is in no dictionary."""
        category = b.category[0]
        if a.lemma == b.lemma:
            return f"{category}:INFL" if a.category == b.category and category in ("NOUN", "VERB") else "MORPH"
        alike = levenshtein_similarity(a.lower[0], b.lower[0])
        if alike > 0.55:
            return "SPELL"
        if (alike == 0.5 or round(alike, 3) == 0.333) and len(a.text[0]) <= 4 and len(b.text[0]) <= 4:
            return "SPELL"
        return self.unless_rare(category) or "OTHER"

    def _by_category(self, a: Words, b: Words) -> str | None:
        """Related words, or what the tags and dependencies of both say."""
        (source,), (corrected,) = a.lower, b.lower
        categories, labels = {a.category[0], b.category[0]}, {a.label[0], b.label[0]}
        if categories <= _OPEN and self.stem(a.text[0]) == self.stem(b.text[0]):
            return "MORPH"
        if all(d.startswith("aux") for d in labels):
            return "VERB:TENSE"
        common = self.common_category(categories, labels)
        if common:
            return common
        if categories == {"PART", "PREP"} or labels == {"prt", "prep"}:
            return "PART"
        if categories == {"DET", "PRON"}:
            if b.label[0] in _PRONOUN_DEPENDENCIES:
                return "PRON"
            if b.label[0] == "poss":
                return "DET"
        if categories == {"NUM", "DET"} or {source, corrected} == {"other", "another"}:
            return "DET"
        if (source, corrected) == ("your", "yours"):
            return "PRON"
        return "OTHER" if {source, corrected} == {"no", "not"} else None

    def _by_letters(self, a: Words, b: Words) -> str | None:
        if not (a.text[0].isalpha() and b.text[0].isalpha()):
            return "OTHER"
        category = self.unless_rare(b.category[0])
        named = _NAMED_PAIRS.get((a.lower[0], b.lower[0]))
        if named and (named != "own" or category):
            return category if named == "own" else named
        return misspelling(a, b, category)

    def any_length(self, r: Replacement) -> str:
        a, b = r.a, r.b
        categories, labels = r.categories, r.labels
        same_last = r.has_same_last_lemma
        if labels <= _AUXILIARY or (categories == {"VERB"} and same_last):
            return "VERB:TENSE"
        common = self.common_category(categories, labels)
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


def _type_of_known_pair(a: Words, b: Words) -> str | None:
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


def _inflection(r: Replacement) -> str:
    """Two forms of one lemma, both of an open category."""
    a, b = r.a, r.b
    category, tag = a.category[0], b.tag[0]
    tags, labels = {a.tag[0], tag}, {a.label[0], b.label[0]}
    if a.category == b.category:
        if category == "ADJ":
            return "ADJ:FORM"
        if category == "NOUN":
            return "NOUN:NUM"
        if category == "VERB":
            if tags & _PARTICIPLES or is_after_auxiliary(r):
                return "VERB:FORM"
            if "VBD" in tags:
                return "VERB:TENSE"
            if "VBZ" in tags:
                return "VERB:SVA"
            if all(d.startswith("aux") for d in labels):
                return "VERB:TENSE"
    if labels <= _ADJECTIVE_DEPENDENCIES:
        return "ADJ:FORM"
    if category == "ADJ" and tag == "NNS":
        return "NOUN:NUM"
    return _VERB_FORMS.get(tag, "MORPH")


def misspelling(a: Words, b: Words, category: str | None) -> str | None:
    """Slips of the pen that happen to be words; the shorter the words, the more must agree.

    `category` is the correction's, if it is a type.
    """
    source, corrected = a.text[0], b.text[0]
    alike = levenshtein_similarity(a.lower[0], b.lower[0])
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
            return category if n > 5 and alike > 0.5 else None
        case 5:
            if (n == 4 and alike == 0.8) or (n == 5 and alike >= 0.6):
                return "SPELL"
            return category if n > 5 else None
    if m > 5 and n > 5:
        if (source.startswith(corrected) or corrected.startswith(source)) and alike >= 0.66:
            return "MORPH"
        if alike > 0.8:
            return "SPELL"
        return category if alike < 0.55 else None
    return None


def is_after_auxiliary(r: Replacement, auxiliaries: frozenset[str] = _AUXILIARY) -> bool:
    """Whether both verbs follow an auxiliary, by the labels that their children have."""
    sides = ((r.source, r.span.start), (r.corrected, r.span.corrected_start))
    if all(sentence.dependency[place].startswith("aux") for sentence, place in sides):
        return all(_is_later_auxiliary(sentence, place) for sentence, place in sides)
    return all(
        any(sentence.dependency[child] in auxiliaries for child in _children(sentence, place))
        for sentence, place in sides
    )


def _children(sentence: Annotated, place: int) -> Sequence[int]:
    return [child for child, head in enumerate(sentence.head) if head == place and child != place]


def _is_later_auxiliary(sentence: Annotated, place: int) -> bool:
    """Whether another auxiliary of the same verb comes first."""
    for child in _children(sentence, sentence.head[place]):
        if sentence.dependency[child].startswith("aux"):
            return sentence.text[child] != sentence.text[place]
    return False


@dataclass(frozen=True, kw_only=True)
class English(RuleLanguage):
    """English, with ERRANT's types."""

    name: ClassVar[str] = "en"
    title: ClassVar[str] = "English"

    @property
    def types(self) -> TypeRules:
        return EnglishTypes()

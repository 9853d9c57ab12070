"""What the tagger looks at: numbers for each distinct word, and for each word with its tag.

Two models share a kernel (`Labeller`). The first gives words their tags; its types are words. The second gives tagged
words their dependencies; its types are words with tags. A column is one view of a type, a template combines views of
neighbours. Training and tagging both come here, so that they see the same.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.annotation.wordnet import ENDINGS, PartOfSpeech, irregular_lemmas, is_lemma
from recte.corpus.vocabulary import offsets_of

__all__ = [
    "DEPENDENCY_TEMPLATES",
    "LICENCE_TEMPLATE",
    "TAG_TEMPLATES",
    "dependency_attributes",
    "forms_of",
    "template_array",
    "word_attributes",
]

_LEMMAS: tuple[tuple[PartOfSpeech, str], ...] = (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r"))
# An ending, the part of speech whose lemma it hides, and the letter of the form; then the rules that cut it off.
_ENDINGS: tuple[tuple[str, PartOfSpeech, str], ...] = (
    *(("s", "noun", "N"), ("s", "verb", "z"), ("ed", "verb", "d"), ("ing", "verb", "g")),
    *(("er", "adj", "R"), ("est", "adj", "S")),
)
_WORD_FORMS = tuple(
    (ending, part, letter, tuple(rule for rule in ENDINGS[part] if rule[0].endswith(ending)))
    for ending, part, letter in _ENDINGS
)


@lru_cache(maxsize=1 << 16)
def forms_of(word: str) -> str:
    """What a lower-case word may be, as letters.

    Lemmas of nouns, verbs, adjectives and adverbs are n, v, a, r; plurals N; forms of verbs in -s, -ed and -ing z, d
    and g; comparatives R, superlatives S. Irregular forms count as those they stand for.
    What is not alphabetic is a hyphen: it stands outside the lexicon.

    >>> forms_of("walks"), forms_of("went"), forms_of("well-known")
    ('Nz', 'd', '-')
    """
    if not word.isalpha():
        return "-"
    letters = "".join(letter for part, letter in _LEMMAS if is_lemma(word, part))
    for ending, part, letter, rules in _WORD_FORMS:
        if word.endswith(ending) and (irregular_lemmas(word, part) or _hides_lemma(word, part, rules)):
            letters += letter
    if word[-1] != "s" and irregular_lemmas(word, "noun"):
        letters += "N"
    if not word.endswith(("ed", "ing")) and irregular_lemmas(word, "verb"):
        letters += "d"
    return letters


def _hides_lemma(word: str, part: PartOfSpeech, rules: tuple[tuple[str, str], ...]) -> bool:
    return any(word.endswith(old) and is_lemma(word.removesuffix(old) + new, part) for old, new in rules)


Attributes = NDArray[np.uint32]
Template = tuple[tuple[int, int], ...]

_BEGINNINGS, _ENDS = 4, 5
_BEYOND = 7  # every attribute of what lies beyond the ends of a sentence
_SHAPES = str.maketrans({**dict.fromkeys(map(chr, range(65, 91)), "X"), **dict.fromkeys(map(chr, range(97, 123)), "x")})
_REPEATED = re.compile(r"(.)\1+")
_DIGITS = re.compile(r"\d")

# Columns of words: the word, its beginnings and ends; its shape; the tags it had in training (or, of a rare word,
# what the lexicon says); what the lexicon says; the word if it is frequent and else its tags; lexicon and ending;
# the tags of closed classes it may have.
_WORD, _B1, _B2, _B3, _B4, _E1, _E2, _E3, _E4, _E5, _SHAPE, _SEEN, _FORMS, _CLOSED, _ENDING, _LICENCE = range(16)

LICENCE_TEMPLATE: Template = ((_LICENCE, 0),)
TAG_TEMPLATES: tuple[Template, ...] = (
    *(((_WORD, distance),) for distance in (-2, -1, 0, 1, 2)),
    *(((column, 0),) for column in (_E1, _E2, _E3, _E4, _E5, _B1, _B2, _B3, _B4, _SHAPE, _SEEN, _FORMS)),
    *(((column, distance),) for distance in (-1, 1) for column in (_E2, _E3, _FORMS, _SHAPE)),
    *(((_SEEN, distance),) for distance in (-2, -1, 1, 2)),
    ((_CLOSED, -3),),
    LICENCE_TEMPLATE,
    ((_WORD, -1), (_WORD, 0)),
    ((_WORD, 0), (_WORD, 1)),
    ((_CLOSED, -3), (_SEEN, 0)),
    ((_CLOSED, -2), (_SEEN, 0)),
    ((_SEEN, 0), (_CLOSED, 2)),
    ((_CLOSED, -2), (_ENDING, 0)),
    ((_CLOSED, -1), (_SEEN, 0)),
    ((_SEEN, 0), (_CLOSED, 1)),
    ((_CLOSED, -1), (_CLOSED, 1)),
    ((_CLOSED, -2), (_CLOSED, -1)),
    ((_CLOSED, 1), (_CLOSED, 2)),
    ((_CLOSED, -1), (_WORD, 0)),
    ((_WORD, 0), (_CLOSED, 1)),
    ((_SHAPE, 0), (_SHAPE, -1)),
    ((_SHAPE, 0), (_SEEN, 0)),
    ((_FORMS, 0), (_E3, 0)),
    ((_CLOSED, -1), (_ENDING, 0)),
    ((_ENDING, 0), (_CLOSED, 1)),
    ((_CLOSED, -1), (_SEEN, 0), (_CLOSED, 1)),
    ((_CLOSED, -2), (_CLOSED, -1), (_SEEN, 0)),
    ((_SEEN, 0), (_CLOSED, 1), (_CLOSED, 2)),
    ((_CLOSED, -1), (_ENDING, 0), (_CLOSED, 1)),
)

# Columns of tagged words: the word, its tags, the word with its tags, its last three letters; word and tags if the
# word is frequent and of a closed class and else its tags; the word if it is one of those and else a coarse tag.
_LOW, _TAGS, _TAGGED, _END, _CLOSED_TAGGED, _COARSE = range(6)

DEPENDENCY_TEMPLATES: tuple[Template, ...] = (
    *(((_TAGGED, distance),) for distance in (-2, -1, 0, 1, 2)),
    *(((_TAGS, distance),) for distance in (-3, -2, -1, 0, 1, 2, 3)),
    *(((_CLOSED_TAGGED, distance),) for distance in (-3, -2, -1, 0, 1, 2, 3, 4)),
    ((_END, 0),),
    *(((_CLOSED_TAGGED, 0), (_CLOSED_TAGGED, distance)) for distance in (-3, -2, -1, 1, 2, 3)),
    *(((_CLOSED_TAGGED, 0), (_COARSE, distance)) for distance in (-4, 4)),
    ((_CLOSED_TAGGED, -1), (_CLOSED_TAGGED, 1)),
    ((_LOW, 0), (_CLOSED_TAGGED, 1)),
    ((_CLOSED_TAGGED, -1), (_LOW, 0)),
    ((_LOW, -1), (_LOW, 0)),
    ((_LOW, 0), (_LOW, 1)),
    ((_CLOSED_TAGGED, -1), (_CLOSED_TAGGED, 0), (_CLOSED_TAGGED, 1)),
    ((_CLOSED_TAGGED, 0), (_CLOSED_TAGGED, 1), (_CLOSED_TAGGED, 2)),
    ((_CLOSED_TAGGED, -2), (_CLOSED_TAGGED, -1), (_CLOSED_TAGGED, 0)),
    ((_CLOSED_TAGGED, 1), (_CLOSED_TAGGED, 2), (_CLOSED_TAGGED, 3)),
    ((_CLOSED_TAGGED, -3), (_CLOSED_TAGGED, -2), (_CLOSED_TAGGED, -1)),
    ((_CLOSED_TAGGED, 0), (_COARSE, 1), (_COARSE, 3)),
    ((_CLOSED_TAGGED, 0), (_COARSE, 2), (_COARSE, 3)),
    ((_COARSE, -3), (_COARSE, -2), (_CLOSED_TAGGED, 0)),
    ((_COARSE, -3), (_COARSE, -1), (_CLOSED_TAGGED, 0)),
    ((_COARSE, -2), (_COARSE, -1), (_TAGGED, 0)),
    ((_TAGGED, 0), (_COARSE, 1), (_COARSE, 2)),
)


def template_array(templates: Sequence[Template]) -> NDArray[np.int32]:
    """The templates as the kernel takes them."""
    rows = [
        [number for cell in (*template, *((-1, 0),) * (3 - len(template))) for number in cell] for template in templates
    ]
    return np.array(rows, dtype=np.int32).ravel()


def word_attributes(
    words: Sequence[str],
    seen: Mapping[str, str],
    frequent: frozenset[str],
    closed: Mapping[str, str],
    known_forms: Mapping[str, str],
) -> Attributes:
    """One row per word, and one for what lies beyond the ends of a sentence.

    `seen` has the tags of words that training saw often enough, `frequent` the words frequent enough to stand for
    themselves, `closed` the tags of closed classes that a word may have; all in lower case. What does not begin and
    end in letters may have any tag. `known_forms` has what the lexicon says of some words, which are not looked up.
    """
    low = [word.lower() for word in words]
    pieces = [word.encode(errors="surrogatepass") for word in low]
    letters = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    affixes = _kernels.affixes(letters, offsets_of(map(len, pieces), len(pieces)), _BEGINNINGS, _ENDS)
    forms = [known_forms[word] if word in known_forms else forms_of(word) for word in low]
    # Of alternatives ("his/her") the last one is looked up.
    keys = [word if word in closed else word.rpartition("/")[2] or word for word in low]
    tags = _hashes(seen.get(key, f"?{known}") for key, known in zip(keys, forms, strict=True))
    itself = np.fromiter((word in frequent for word in low), dtype=bool, count=len(low))
    known = _hashes(forms)
    views = [_hashes(map(_shape, words)), tags, known, np.where(itself, affixes[:, _WORD], tags)]
    licence = _hashes(closed.get(key, "" if key[:1].isalpha() and key[-1:].isalpha() else "*") for key in keys)
    return _with_beyond(np.column_stack([affixes, *views, _mix(known, affixes[:, _E2]), licence]))


def dependency_attributes(
    words: Attributes, closed: NDArray[np.bool_], labels: Sequence[str], types: NDArray[np.int64]
) -> Attributes:
    """One row per tagged word, and one for what lies beyond the ends of a sentence.

    `words` are the words' attributes, `closed` says which of them are frequent and may stand for themselves, `labels`
    are the tagger's. `types` has two columns: the number of the word and of its label.
    """
    word, label = types[:, 0], types[:, 1]
    low, tags = words[word, _WORD], _hashes(labels)[label]
    tagged = _mix(low, tags)
    itself = closed[word] & np.array([_is_closed(name) for name in labels])[label]
    coarse = np.where(itself, low, _hashes(map(_coarse, labels))[label])
    return _with_beyond(np.column_stack([low, tags, tagged, words[word, _E3], np.where(itself, tagged, tags), coarse]))


def _is_closed(label: str) -> bool:
    tag, _, pos = label.partition("|")
    return pos == "AUX" or tag[0] not in "NJV"


def _coarse(label: str) -> str:
    return label[0] if label[0] in "NJRV" else label.partition("|")[0]


def _shape(word: str) -> str:
    """The word's capitals as X, small letters as x, digits as d, each run once.

    >>> _shape("McDonald"), _shape("B-52s"), _shape("'re")
    ('XxXx', 'X-dx', "'x")
    """
    if word.isalpha() and word.isascii():  # nearly all words are of these three shapes
        if word.islower():
            return "x"
        if word.isupper():
            return "X"
        if word[:1].isupper() and word[1:].islower():
            return "Xx"
    drawn = _DIGITS.sub("d", word.translate(_SHAPES))
    if not drawn.isascii():
        drawn = "".join(mark if mark.isascii() else "X" if mark.isupper() else "x" for mark in drawn)
    return _REPEATED.sub(r"\1", drawn)[:6]


def _hashes(texts: Iterable[str]) -> Attributes:
    known: dict[str, int] = {}
    numbers = []
    for text in texts:
        number = known.get(text)
        if number is None:
            number = known[text] = zlib.crc32(text.encode())
        numbers.append(number)
    return np.array(numbers, dtype=np.uint32)


def _mix(a: Attributes, b: Attributes) -> Attributes:
    return a * np.uint32(0x9E3779B1) ^ b


def _with_beyond(rows: Attributes) -> Attributes:
    return np.vstack([rows, np.full(rows.shape[1], _BEYOND, dtype=np.uint32)])

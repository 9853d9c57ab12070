"""What a word may be, by WordNet: the tagger's only knowledge of words that training has not seen."""

from __future__ import annotations

from functools import lru_cache

from recte.annotation.wordnet import ENDINGS, PartOfSpeech, irregular_lemmas, is_lemma

__all__ = ["forms_of"]

_LEMMAS: tuple[tuple[PartOfSpeech, str], ...] = (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r"))
# An ending, the part of speech whose lemma it hides, and the letter of the form; then the rules that cut it off.
_ENDINGS: tuple[tuple[str, PartOfSpeech, str], ...] = (
    *(("s", "noun", "N"), ("s", "verb", "z"), ("ed", "verb", "d"), ("ing", "verb", "g")),
    *(("er", "adj", "R"), ("est", "adj", "S")),
)
_FORMS = tuple(
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
    found = "".join(letter for part, letter in _LEMMAS if is_lemma(word, part))
    for ending, part, letter, rules in _FORMS:
        if word.endswith(ending) and (irregular_lemmas(word, part) or _hides_lemma(word, part, rules)):
            found += letter
    if word[-1] != "s" and irregular_lemmas(word, "noun"):
        found += "N"
    if not word.endswith(("ed", "ing")) and irregular_lemmas(word, "verb"):
        found += "d"
    return found


def _hides_lemma(word: str, part: PartOfSpeech, rules: tuple[tuple[str, str], ...]) -> bool:
    return any(word.endswith(old) and is_lemma(word.removesuffix(old) + new, part) for old, new in rules)

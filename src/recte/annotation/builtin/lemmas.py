"""Lemmas by rule: irregular forms first, then endings cut off as WordNet does (Miller 1995).

The answers are those of spaCy's English lemmatiser, given the same tags: base forms stay, proper nouns keep their
capitals, and a form that nothing can be cut from stays as it is written.
"""

from __future__ import annotations

from functools import lru_cache

from recte.annotation.wordnet import ENDINGS, PartOfSpeech, irregular_lemmas, is_lemma

__all__ = ["lemma_of"]

_PARTS: dict[str, PartOfSpeech] = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj"}
_BASE_TAGS = frozenset({"NN", "VB", "VBP", "JJ"})
_AUXILIARIES = {
    form: lemma
    for lemma, forms in {
        "be": "am are be been being is was were 'm 're 's",
        "have": "had has have 've",
        "do": "did do does doing done",
        "will": "'ll wo",
        "would": "'d",
        "can": "ca",
        "shall": "sha",
    }.items()
    for form in forms.split()
}
_PRONOUNS = {"i": "I", "me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
# Adverbs lose no endings: too many end in -er and -est (however, never, almost).
_ADVERBS = {
    "best": "well",
    "better": "well",
    "closer": "close",
    "deeper": "deep",
    "earlier": "early",
    "farther": "far",
    "faster": "fast",
    "further": "far",
    "harder": "hard",
    "hardest": "hard",
    "longer": "long",
    "longest": "long",
    "quicker": "quick",
    "slower": "slow",
    "sooner": "soon",
}


@lru_cache(maxsize=1 << 16)
def lemma_of(text: str, tag: str, pos: str) -> str:
    """The lemma of a token with these tags.

    >>> lemma_of("Children", "NNS", "NOUN"), lemma_of("making", "VBG", "VERB"), lemma_of("Paris", "NNP", "PROPN")
    ('child', 'make', 'Paris')
    """
    low = text.lower()
    if pos == "PROPN":
        return text
    if pos == "AUX":
        return _AUXILIARIES.get(low, low)
    if pos == "ADV":
        return _ADVERBS.get(low, low)
    if tag == "PRP":
        return _PRONOUNS.get(low, low)
    if low == "n't":
        return "not"
    if pos == "VERB" and low in ("am", "are"):
        return "be"
    part = _PARTS.get(pos)
    if part is None or tag in _BASE_TAGS:
        return low
    return _uninflected(low, part) or text


def _uninflected(low: str, part: PartOfSpeech) -> str:
    irregular = irregular_lemmas(low, part)
    if irregular:
        return irregular[-1]
    guesses = [low.removesuffix(old) + new for old, new in ENDINGS[part] if low.endswith(old) and low != old]
    known = (guess for guess in guesses if is_lemma(guess, part) or not guess.isalpha())
    return next(known, guesses[0] if guesses else "")

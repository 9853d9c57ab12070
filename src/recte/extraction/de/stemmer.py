"""Snowball's German stemmer."""

from __future__ import annotations

from functools import lru_cache

from recte.extraction.snowball import Stem, first_ending, standard_region

__all__ = ["stem"]

_VOWELS = "aeiouyäöü"
_PLAIN = str.maketrans("äöüUY", "aouuy")


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem, in lower case and without umlauts.

    >>> stem("Häuser"), stem("Fröhlichkeiten")
    ('haus', 'frohlich')
    """
    letters = list(word.lower().replace("ß", "ss"))
    for place in range(1, len(letters) - 1):  # a capital is a u or y that is no vowel
        if letters[place] in "uy" and letters[place - 1] in _VOWELS and letters[place + 1] in _VOWELS:
            letters[place] = letters[place].upper()
    text = "".join(letters)
    r1 = standard_region(text, _VOWELS)
    r2 = standard_region(r1, _VOWELS)
    if len(text) >= 2 and text[1] not in _VOWELS and text[0] in _VOWELS:
        r1 = text[3:]
    s = Stem(text, r1, r2)
    _cut_case(s)
    _cut_degree(s)
    _cut_derivation(s)
    return s.word.translate(_PLAIN)


def _cut_case(s: Stem) -> None:
    ending = first_ending(s.r1, ("ern", "em", "er", "en", "es", "e", "s"))
    if ending in ("en", "es", "e") and s.word[: -len(ending)].endswith("niss"):
        s.cut(len(ending) + 1)
    elif ending and (ending != "s" or s.word[-2] in "bdfghklmnrt"):
        s.cut(len(ending))


def _cut_degree(s: Stem) -> None:
    ending = first_ending(s.r1, ("est", "en", "er", "st"))
    if ending and (ending != "st" or (s.word[-3] in "bdfghklmnt" and len(s.word) >= 6)):
        s.cut(len(ending))


def _cut_derivation(s: Stem) -> None:
    ending = first_ending(s.r2, ("isch", "lich", "heit", "keit", "end", "ung", "ig", "ik"))
    if ending is None:
        return
    before1, before2 = s.r1[: -len(ending)], s.r2[: -len(ending)]
    more = 0
    if ending in ("ig", "ik", "isch"):
        if before2.endswith("e"):
            return
    elif ending in ("end", "ung"):
        more = 2 if before2.endswith("ig") and not before2.endswith("eig") else 0
    elif ending in ("lich", "heit"):
        more = 2 if before1.endswith(("er", "en")) else 0
    else:
        more = 4 if before2.endswith("lich") else 2 if before2.endswith("ig") else 0
    s.cut(len(ending) + more)

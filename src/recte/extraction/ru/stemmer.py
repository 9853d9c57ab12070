"""Snowball's Russian stemmer, with the slips of NLTK's, which works on a transcription in Latin letters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

__all__ = ["stem"]

_VOWELS = "аеиоуыэюя"
# Latin letters in a word that has Cyrillic ones count as their transcription; longer ones first.
_TRANSCRIPTION = dict(
    pair.split("=")
    for pair in (
        *(
            "shch=щ",
            "kh=х",
            "ch=ч",
            "sh=ш",
            "zh=ж",
            "a=а",
            "b=б",
            "v=в",
            "g=г",
            "d=д",
            "e=е",
            "z=з",
            "i=и",
            "k=к",
            "l=л",
        ),
        *("m=м", "n=н", "o=о", "p=п", "r=р", "s=с", "t=т", "u=у", "f=ф", "y=ы", "'=ь"),
    )
)
# Endings in the order in which they are tried; those after a hyphen need а or я before them.
_ENDINGS = """
ившись ывшись -вшись ивши ывши -вши ив ыв -в

ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею

ивш ывш ующ -ем -нн -вш -ющ -щ

ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ю -ла -на -ете
-йте -ли -й -л -ем -н -ло -но -ет -ют -ны -ть -ешь -нно

а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию ью ю ия ья я
"""
_GERUNDS, _ADJECTIVES, _PARTICIPLES, _VERBS, _NOUNS = (block.split() for block in _ENDINGS.strip().split("\n\n"))
_VERBS.sort(key=lambda ending: -len(ending.lstrip("-")))
_NOUNS.sort(key=lambda ending: -len(ending))


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem, in lower case; a word without letters beyond Latin-1 stays as it is.

    >>> stem("Книгами"), stem("читавшего"), stem("ABC")
    ('книг', 'чита', 'ABC')
    """
    if all(letter <= "\xff" for letter in word):
        return word
    text = "".join(letter.lower() if "\u0400" <= letter <= "\u04ff" else letter for letter in word).replace("ё", "е")
    for latin, cyrillic in _TRANSCRIPTION.items():
        text = text.replace(latin, cyrillic)
    text = text.replace("ъ", "ьь")
    rv = next((place + 1 for place, letter in enumerate(text) if letter in _VOWELS or letter == "й"), len(text))
    r2 = _region(text, _region(text, 0))
    return _cut_word(text, rv, r2).replace("ьь", "ъ")


def _region(text: str, start: int) -> int:
    """Where the region begins behind the first consonant that follows a vowel, or the first й."""
    for place in range(start, len(text)):
        after_vowel = place > start and text[place - 1] in _VOWELS and text[place] not in _VOWELS
        if after_vowel or text[place] == "й":
            return place + 1
    return len(text)


def _cut_word(text: str, rv: int, r2: int) -> str:
    shorter = _without(text, rv, _GERUNDS)
    if shorter is None:
        text = _without(text, rv, ("ся", "сь")) or text
        ending = next((e for e in _ADJECTIVES if _fits(text, rv, e)), None)
        if ending:
            shorter = text[: -len(ending)]
            participles = [e for e in _PARTICIPLES if (ending, e) != ("ая", "ующ")]
            shorter = _without(shorter, rv, participles) or shorter
        else:
            shorter = _without(text, rv, _VERBS) or _without(text, rv, _NOUNS) or text
    text = _without(shorter, rv, ("и",)) or shorter
    text = _without(text, r2, ("ость", "ост")) or text
    if text.endswith("нн"):
        return text[:-1]
    for ending in ("ейше", "ейш"):
        if text.endswith(ending):
            text = text[: -len(ending)]
            return text[:-1] if text.endswith("нн") else text
    return text.removesuffix("ь")


def _without(text: str, start: int, endings: Iterable[str]) -> str | None:
    """The text without the first of the endings that fits; None where none does."""
    for ending in endings:
        if _fits(text, start, ending):
            return text[: len(text) - len(ending.lstrip("-"))]
    return None


def _fits(text: str, start: int, ending: str) -> bool:
    """Whether the text has the ending behind `start`, and the letter that it needs before it."""
    letters = ending.lstrip("-")
    place = len(text) - len(letters)
    if place < start or not text.endswith(letters):
        return False
    return letters == ending or (place > start and text[place - 1] in "ая")

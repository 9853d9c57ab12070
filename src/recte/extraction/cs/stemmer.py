"""The aggressive Czech stemmer of Dolamic and Savoy (2009): six steps, each with endings in a fixed order."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

__all__ = ["stem"]

# For each step: a word must be longer than the number; its endings; letters to cut; whether it is then palatalised.
_STEPS = """
7 atech 5
6 ětem 3p
6 atům 4
5 ech ich ích ého ěmi emi ému ete eti iho ího ími imu 2p
5 ách ata aty ých ama ami ové ovi ými 3
4 em 1p
4 es ém ím 2p
4 ům at ám os us ým mi ou 2
3 e i í ě 0p
3 u y ů a o á é ý 1

5 ov ův 2
5 in 1p

5 ejš ějš 2p

7 oušek 5
6 eček éček iček íček enek ének inek ínek 3p
6 áček aček oček uček anek onek unek ánek 4p
5 ečk éčk ičk íčk enk énk ink ínk 3p
5 áčk ačk očk učk ank onk unk átk ánk ušk 3
4 ek ék ík ik 1p
4 ák ak ok uk 1
3 k 1

6 ajzn 4
5 izn isk 2p
4 ák 2

8 obinec 6
7 ionář 4p
7 ovisk ovstv ovišt ovník 5
6 ásek loun nost teln ovec ovík ovtv ovin štin 4
6 enic inec itel 3p
5 árn 3
5 ěnk ián ist isk išt itb írn 2p
5 och ost ovn oun out ouš ušk kyn čan kář néř ník ctv stv 3
4 áč ač án an ář as 2
4 ec en ěn éř íř ic in ín it iv 1p
4 ob ot ov oň ul yn čk čn dl nk tv tk vk 2
3 c č k l n t 1
"""
_WORD = re.compile(r"\w+")
_PALATAL = {
    **dict.fromkeys(("ci", "ce", "či", "če"), "k"),
    **dict.fromkeys(("zi", "ze", "ži", "že"), "h"),
    **dict.fromkeys(("čtě", "čti", "čtí"), "ck"),
    **dict.fromkeys(("ště", "šti", "ští"), "sk"),
}


class _Rule(NamedTuple):
    longer_than: int
    endings: tuple[str, ...]
    cut: int
    palatalises: bool


def _rule(line: str) -> _Rule:
    length, *endings, action = line.split()
    return _Rule(int(length), tuple(endings), int(action.rstrip("p")), action.endswith("p"))


_RULES = [[_rule(line) for line in step.splitlines()] for step in _STEPS.strip().split("\n\n")]


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem in the word's own case; a word of other signs than letters, digits and `_` stays as it is.

    >>> stem("ženám"), stem("Matkou"), stem("a-b")
    ('žen', 'Mat', 'a-b')
    """
    if not _WORD.fullmatch(word) or not (word.islower() or word.istitle() or word.isupper()):
        return word
    stemmed = word.lower()
    for rules in _RULES:
        stemmed = _cut(stemmed, rules)
    if word.isupper():
        return stemmed.upper()
    return stemmed.title() if word.istitle() else stemmed


def _cut(word: str, rules: list[_Rule]) -> str:
    for rule in rules:
        if len(word) > rule.longer_than and word.endswith(rule.endings):
            word = word[: len(word) - rule.cut]
            return _undo_palatalisation(word) if rule.palatalises else word
    return word


def _undo_palatalisation(word: str) -> str:
    for length in (2, 3):
        if word[-length:] in _PALATAL:
            return word[:-length] + _PALATAL[word[-length:]]
    return word[:-1]

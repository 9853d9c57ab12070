"""Snowball's Spanish stemmer."""

from __future__ import annotations

from functools import lru_cache

from recte.extraction.snowball import Stem, first_ending, standard_region

__all__ = ["stem"]

_VOWELS = "aeiouáéíóúü"
_WITHOUT_ACCENTS = str.maketrans("áéíóú", "aeiou")
_BEFORE_PRONOUNS = ("ando", "ándo", "ar", "ár", "er", "ér", "iendo", "iéndo", "ir", "ír")
# In the order in which they are tried: pronouns, ends of nouns, verbs with y, verbs.
_ENDINGS = """
selas selos sela selo las les los nos me se la le lo

amientos imientos amiento imiento acion aciones uciones ucion adoras adores ancias logías encias amente idades anzas
ismos ables ibles istas adora ación antes ancia logía ución encia mente anza icos icas ismo able ible ista osos osas
ador ante idad ivas ivos ico ica oso osa iva ivo

yeron yendo yamos yais yan yen yas yes ya ye yo yó

aríamos eríamos iríamos iéramos iésemos aríais aremos eríais eremos iríais iremos ierais ieseis asteis isteis ábamos
áramos ásemos arían arías aréis erían erías eréis irían irías iréis ieran iesen ieron iendo ieras ieses abais arais
aseis éamos arán arás aría erán erás ería irán irás iría iera iese aste iste aban aran asen aron ando abas adas idas
aras ases íais ados idos amos imos emos ará aré erá eré irá iré aba ada ida ara ase ían ado ido ías áis éis ía ad ed id
an ió ar er ir as ís en es
"""
_PRONOUNS, _NOUN_ENDINGS, _Y_ENDINGS, _VERB_ENDINGS = (block.split() for block in _ENDINGS.strip().split("\n\n"))


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The stem, in lower case and without accents.

    >>> stem("canciones"), stem("Cantábamos")
    ('cancion', 'cant')
    """
    text = word.lower()
    r1 = standard_region(text, _VOWELS)
    s = Stem(text, r1, standard_region(r1, _VOWELS), _verb_region(text))
    _cut_pronoun(s)
    if not _cut_noun_ending(s):
        _cut_verb_ending(s)
    _cut_last_vowel(s)
    return s.word.translate(_WITHOUT_ACCENTS)


def _verb_region(word: str) -> str:
    if len(word) < 2:
        return ""
    first, second = (letter in _VOWELS for letter in word[:2])
    if second and not first:
        return word[3:]
    for place in range(2, len(word)):
        if (word[place] in _VOWELS) != second:
            return word[place + 1 :]
    return ""


def _cut_pronoun(s: Stem) -> None:
    ending = first_ending(s.rv, _PRONOUNS)
    if ending is None:
        return
    before = s.rv[: -len(ending)]
    if before.endswith(_BEFORE_PRONOUNS) or (before.endswith("yendo") and s.word[: -len(ending)].endswith("uyendo")):
        s.cut(len(ending))
        for name in ("word", "r1", "r2", "rv"):
            setattr(s, name, getattr(s, name).translate(_WITHOUT_ACCENTS))


def _cut_if(s: Stem, *endings: str) -> bool:
    ending = first_ending(s.r2, endings)
    if ending:
        s.cut(len(ending))
    return ending is not None


def _cut_noun_ending(s: Stem) -> bool:
    """Whether an ending was removed or replaced."""
    ending = first_ending(s.word, _NOUN_ENDINGS)
    if ending is None:
        return False
    if ending == "amente":
        if not s.r1.endswith(ending):
            return False
        s.cut(6)
        if _cut_if(s, "iv"):
            _cut_if(s, "at")
        else:
            _cut_if(s, "os", "ic", "ad")
        return True
    if not s.r2.endswith(ending):
        return False
    replaced = {"logía": "log", "logías": "log", "encia": "ente", "encias": "ente"}
    replaced |= dict.fromkeys(("ución", "ucion", "uciones"), "u")
    if ending in replaced:
        s.replace_ending(len(ending), replaced[ending])
        return True
    s.cut(len(ending))
    if ending.startswith(("ador", "acion", "ación", "ante", "ancia")):
        _cut_if(s, "ic")
    elif ending == "mente":
        _cut_if(s, "ante", "able", "ible")
    elif ending in ("idad", "idades"):
        _cut_if(s, "abil", "ic", "iv")
    elif ending.startswith("iv"):
        _cut_if(s, "at")
    return True


def _cut_verb_ending(s: Stem) -> None:
    ending = first_ending(s.rv, _Y_ENDINGS)
    if ending and s.word[: -len(ending)].endswith("u"):
        s.cut(len(ending))
    ending = first_ending(s.rv, _VERB_ENDINGS)
    if ending:
        s.cut(len(ending))
        if ending in ("en", "es", "éis", "emos") and s.word.endswith("gu"):
            s.word = s.word[:-1]
            if s.rv.endswith("gu"):
                s.rv = s.rv[:-1]


def _cut_last_vowel(s: Stem) -> None:
    ending = first_ending(s.rv, ("os", "a", "e", "o", "á", "é", "í", "ó"))
    if ending:
        s.cut(len(ending))
        if ending in ("e", "é") and s.word.endswith("gu") and s.rv.endswith("u"):
            s.word = s.word[:-1]

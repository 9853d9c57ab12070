"""Lemmas of English words by WordNet's own rules: irregular forms first, then endings that leave a known lemma.

The tables are those of WordNet 3.0; `tools/wordnet_tables.py` builds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from recte import _kernels
from recte.annotation.data_files import data_file

__all__ = ["ENDINGS", "PartOfSpeech", "irregular_lemmas", "is_lemma", "wordnet_lemma", "wordnet_lemmas"]

PartOfSpeech = Literal["noun", "verb", "adj", "adv"]
ENDINGS: dict[PartOfSpeech, tuple[tuple[str, str], ...]] = {
    "noun": (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "verb": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}


class _Table(NamedTuple):
    lemmas: _kernels.SortedEntries
    irregular: _kernels.SortedEntries  # forms, each with its lemmas behind it


def is_lemma(word: str, part: PartOfSpeech) -> bool:
    """Whether WordNet has the lower-case word as a lemma.

    >>> is_lemma("walk", "verb"), is_lemma("walks", "verb")
    (True, False)
    """
    return _tables()[part].lemmas.get(word) is not None


def irregular_lemmas(word: str, part: PartOfSpeech) -> tuple[str, ...]:
    """The lemmas of an irregular form, none where the lower-case word is no such form.

    >>> irregular_lemmas("went", "verb"), irregular_lemmas("walked", "verb")
    (('go',), ())
    """
    return tuple((_tables()[part].irregular.get(word) or "").split())


def wordnet_lemmas(word: str, part: PartOfSpeech) -> list[str]:
    """All lemmas that the lower-cased word may be a form of, none where WordNet knows no such word.

    >>> wordnet_lemmas("serves", "noun"), wordnet_lemmas("went", "verb"), wordnet_lemmas("xyzzy", "noun")
    (['serve', 'serf'], ['go'], [])
    """
    table = _tables()[part]

    def select_known(forms: Iterable[str]) -> list[str]:
        return [form for form in dict.fromkeys(forms) if table.lemmas.get(form) is not None]

    irregular = table.irregular.get(word)
    if irregular is not None:
        return select_known([word, *irregular.split()])
    lemmas, forms = select_known([word]), [word]
    while forms:  # an ending may stand behind another
        forms = [
            form.removesuffix(ending) + left
            for form in forms
            for ending, left in ENDINGS[part]
            if form.endswith(ending)
        ]
        if lemmas := lemmas + select_known(forms):
            break
    return list(dict.fromkeys(lemmas))


def wordnet_lemma(word: str, part: PartOfSpeech) -> str:
    """The shortest of the lemmas, or the word itself where there is none.

    >>> wordnet_lemma("families", "noun"), wordnet_lemma("serves", "noun"), wordnet_lemma("seems", "noun")
    ('family', 'serf', 'seems')
    """
    return min(wordnet_lemmas(word, part), key=len, default=word)


@cache
def _tables() -> dict[PartOfSpeech, _Table]:
    """By part of speech a line of lemmas, which spaces separate, and one of irregular forms between semicolons."""
    lines = data_file("wordnet.txt").read_bytes().split(b"\n")
    return {
        part: _Table(_kernels.SortedEntries(lemmas, " "), _kernels.SortedEntries(irregular, ";"))
        for part, lemmas, irregular in zip(ENDINGS, lines[::2], lines[1::2], strict=True)
    }

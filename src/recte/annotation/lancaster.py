"""The Lancaster stemmer (Paice 1990, "Another stemmer"), as NLTK has it; its rules are a table, `lancaster.tsv`."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from recte.annotation.data_files import data_file

__all__ = ["stem"]

_VOWELS = frozenset("aeiouy")


class _Rule(NamedTuple):
    ending: str
    intact_only: bool  # for words that no rule has changed yet
    remove: int
    append: str
    stops: bool


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """What the word shares with its relatives; not always a word.

    >>> stem("happily"), stem("happiness"), stem("maximum"), stem("presumably")
    ('happy', 'happy', 'maxim', 'presum')
    """
    word = whole = word.lower()
    while rule := _applicable(word, intact=word is whole):
        word = word[: len(word) - rule.remove] + rule.append
        if rule.stops:
            break
    return word


def _applicable(word: str, *, intact: bool) -> _Rule | None:
    letters = len(word)
    for place, mark in enumerate(word):
        if not mark.isalpha():
            letters = place
            break
    for rule in _rules().get(word[letters - 1 : letters], ()):
        if word.endswith(rule.ending) and (intact or not rule.intact_only) and _acceptable(word, rule.remove):
            return rule
    return None


def _acceptable(word: str, remove: int) -> bool:
    length = len(word) - remove
    if word[0] in _VOWELS:
        return length >= 2
    return length >= 3 and (word[1] in _VOWELS or word[2] in _VOWELS)


@cache
def _rules() -> dict[str, list[_Rule]]:
    """The rules by the last letter of their endings, in the order of the table."""
    table = data_file("lancaster.tsv").read_text(encoding="utf-8")
    rules: defaultdict[str, list[_Rule]] = defaultdict(list)
    for line in table.splitlines()[1:]:
        ending, intact_only, remove, append, then = line.split("\t")
        rules[ending[-1]].append(_Rule(ending, intact_only == "1", int(remove), append, then == "stop"))
    return dict(rules)

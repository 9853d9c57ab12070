"""How alike two Czech words are: by matching blocks, and by a distance that knows diacritics, case, i and y."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache

__all__ = ["block_similarity", "letter_cost"]

_MARKED = "áčďéěíňóřšťúůýž"
_BASES = "acdeeinorstuuyz"
# As in the program, marked letters take the places of control characters, and all other letters are one.
_NUMBERS = {letter: chr(number) for number, letter in enumerate(_MARKED + _MARKED.upper(), 1)}
_BASE = {
    _NUMBERS[letter]: base for letter, base in zip(_MARKED + _MARKED.upper(), _BASES + _BASES.upper(), strict=True)
}
_LOWER = {_NUMBERS[letter.upper()]: _NUMBERS[letter] for letter in _MARKED}
_I_OR_Y = {"i", "y", _NUMBERS["í"], _NUMBERS["ý"]}


def block_similarity(a: str, b: str) -> float:
    """Ratcliff and Obershelp's ratio of letters in matching blocks."""
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


@lru_cache(maxsize=1 << 14)
def letter_cost(a: str, b: str) -> float:
    """Twice the weighted Levenshtein distance as a share of all letters.

    >>> letter_cost("mas", "máš")
    0.13333333333333333
    """
    first, second = (["".join(_NUMBERS.get(c, c if c < "\x80" else "\x80")) for c in word] for word in (a, b))
    row = [float(j) for j in range(len(second) + 1)]
    for i, letter in enumerate(first, 1):
        diagonal, row[0] = row[0], float(i)
        for j, other in enumerate(second, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + _replacement_cost(letter, other))
    return 2 * row[-1] / (len(a) + len(b))


def _replacement_cost(a: str, b: str) -> float:
    if a == b:
        return 0
    if _LOWER.get(a, a.lower()) == _LOWER.get(b, b.lower()):
        return 0.1
    if _BASE.get(a, a) == _BASE.get(b, b):
        return 0.3 if a in _BASE and b in _BASE else 0.2
    return 0.3 if a in _I_OR_Y and b in _I_OR_Y else 1

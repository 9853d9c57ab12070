"""Penn Treebank tokenisation, by which the released I-measure prepares corrections.

The rules are those of the Treebank's own conventions: punctuation and brackets stand alone, a final full stop is split
off, quotes become `` and '', contractions are parted. NLTK's tokeniser is the oracle in the tests; a dependency of its
size for a handful of corrections would be out of proportion.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recte.patterns import compile_later

__all__ = ["treebank_words"]

_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_later(pattern), replacement)
    for pattern, replacement in (
        # Opening quotes.
        (r'^"', "``"),
        (r"(``)", r" \1 "),
        (r"([ (\[{<])(\"|'{2})", r"\1 `` "),
        # Punctuation; a comma or colon inside a number stays.
        (r"([:,])([^\d])", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"\.\.\.", r" ... "),
        (r"[;@#$%&]", r" \g<0> "),
        (r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),
        (r"[?!]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        # Brackets and dashes.
        (r"[\]\[(){}<>]", r" \g<0> "),
        (r"--", r" -- "),
    )
)
_CLOSING_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_later(pattern), replacement)
    for pattern, replacement in (
        (r"''", " '' "),
        (r'"', " '' "),
        (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
        (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        # Words that are two.
        (r"(?i)\b(can)(not)\b", r" \1 \2 "),
        (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
        (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
        (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
        (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
        (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
        (r"(?i)\b(more)('n)\b", r" \1 \2 "),
        (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
        (r"(?i) ('t)(is)\b", r" \1 \2 "),
        (r"(?i) ('t)(was)\b", r" \1 \2 "),
    )
)


def treebank_words(text: str) -> list[str]:
    """The words of the text.

    >>> treebank_words('known,the "best" one.')
    ['known', ',', 'the', '``', 'best', "''", 'one', '.']
    """
    return list(_words(text))


_TWO_WORDS = frozenset({"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"})


@lru_cache(maxsize=1 << 16)  # gold repeats its corrections
def _words(text: str) -> tuple[str, ...]:
    if text.isascii() and text.isalnum() and text.lower() not in _TWO_WORDS:
        return (text,)  # a plain word, as most are
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    text = f" {text} "
    for pattern, replacement in _CLOSING_RULES:
        text = pattern.sub(replacement, text)
    return tuple(text.split())

"""The English word list: what is not in it may be a misspelling.

The list is SCOWL's, British, up to size 70, the one the published ERRANT uses; `tools/word_list.py` builds it.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

__all__ = ["is_word"]


def is_word(word: str) -> bool:
    """Whether the list has the word, letter for letter: capitals and accents count.

    >>> is_word("colour"), is_word("London"), is_word("london"), is_word("belive")
    (True, True, False, False)
    """
    return word in _words()


@cache
def _words() -> frozenset[str]:
    packed = files("recte.annotation").joinpath("data", "words.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split("\n"))

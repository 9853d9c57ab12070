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
    # A search in the sorted text: a set of all words would take longer to build than a corpus takes to type.
    text = _text()
    low, high = 0, len(text)
    while low < high:
        start = text.rfind("\n", low, (low + high) // 2) + 1 or low
        end = text.find("\n", start)
        here = text[start:end]
        if here == word:
            return True
        low, high = (end + 1, high) if here < word else (low, start)
    return False


@cache
def _text() -> str:
    """All words in the order of their letters, each with a line end."""
    packed = files("recte.annotation").joinpath("data", "words.txt.gz").read_bytes()
    return gzip.decompress(packed).decode().removesuffix("\n") + "\n"

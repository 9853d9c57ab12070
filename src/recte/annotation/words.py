"""The English word list: what is not in it may be a misspelling.

The list is SCOWL's, British, up to size 70, the one the published ERRANT uses; `tools/word_list.py` builds it.
"""

from __future__ import annotations

from functools import cache

from recte import _kernels
from recte.annotation.data_files import data_file

__all__ = ["is_word"]


def is_word(word: str) -> bool:
    """Whether the list has the word, letter for letter: capitals and accents count.

    >>> is_word("colour"), is_word("London"), is_word("london"), is_word("belive")
    (True, True, False, False)
    """
    return _words().get(word) is not None


@cache
def _words() -> _kernels.SortedEntries:
    # A search in the sorted text: a set of all words would take longer to build than a corpus takes to type.
    return _kernels.SortedEntries(data_file("words.txt").read_bytes(), "\n")

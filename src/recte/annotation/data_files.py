"""Data files of this package, and the list of English words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from recte import _kernels

__all__ = ["data_file", "is_word"]

_FOLDER = Path(__file__).parent / "data"


def data_file(name: str) -> Path:
    """Where a file of this name lies. The compiled core needs a folder anyway: a package in an archive cannot run.

    >>> data_file("lancaster.tsv").is_file()
    True
    """
    return _FOLDER / name


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

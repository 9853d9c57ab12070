"""Lists of words that users bring: for most languages there is none that may come with this package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from recte.errors import InputError
from recte.files import display_name, read_lines

__all__ = ["NO_WORDS", "WordList", "read_word_lists"]


@dataclass(frozen=True, eq=False)
class WordList:
    """The words, and a name for signatures that tells lists apart; the name of no list is empty."""

    words: frozenset[str] = frozenset()
    name: str = ""

    def __contains__(self, word: str) -> bool:
        return word in self.words


NO_WORDS = WordList()


@lru_cache(maxsize=8)
def read_word_lists(files: str) -> tuple[WordList, ...]:
    """The lists of files, whose names are separated by commas: one word a line, case counts; `.gz` is unpacked."""
    lists = []
    for path in files.split(",") if files else ():
        words = frozenset(line for line in read_lines(path) if line)
        if not words:
            raise InputError("expected words, one a line, got none", display_name(path))
        digest = blake2b("\n".join(sorted(words)).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        lists.append(WordList(words, f"words-{digest}"))
    return tuple(lists)

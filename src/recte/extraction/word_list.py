"""Lists of words that users bring: for most languages there is none that may come with this package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from recte.errors import InputError, OptionError
from recte.files import display_name, file_version, read_lines

__all__ = ["NO_WORDS", "WordList", "read_word_list", "read_word_lists"]


@dataclass(frozen=True, eq=False)
class WordList:
    """The words, and a name for signatures that tells lists apart; the name of no list is empty."""

    words: frozenset[str] = frozenset()
    name: str = ""

    def __contains__(self, word: str) -> bool:
        return word in self.words


NO_WORDS = WordList()


def read_word_list(file: str) -> WordList:
    """The list of one file; no words where none is named."""
    return next(iter(read_word_lists(file, most=1)), NO_WORDS)


def read_word_lists(files: str, *, most: int) -> tuple[WordList, ...]:
    """The lists of files, whose names are separated by commas: one word a line, case counts; `.gz` is unpacked.

    A list is read once, and again where its file changed.
    """
    paths = files.split(",") if files else []
    if len(paths) > most or not all(paths):
        expected = "one file" if most == 1 else f"at most {most} files, separated by commas"
        raise OptionError(f"word_list: expected {expected}, got {files!r}")
    return tuple(_read_list(path, file_version(path)) for path in paths)


@lru_cache(maxsize=8)
def _read_list(path: str, version: tuple[int, int]) -> WordList:
    """The list of a file; `version` tells what it held from what it holds."""
    words = frozenset(line for line in read_lines(path) if line)
    if not words:
        raise InputError("expected words, one a line, got none", display_name(path))
    digest = blake2b("\n".join(sorted(words)).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return WordList(words, f"words-{digest}")

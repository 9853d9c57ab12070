"""How Chinese characters and words are read: syllables without tones.

Characters by the table next to this module (pypinyin's, written by `tools/chinese_tables.py`); words, whose characters
have one reading each, by pypinyin itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from recte.annotation.data_files import data_file
from recte.extras import optional, version_of

__all__ = ["CHARACTER_READINGS_NAME", "character_readings", "word_readings", "word_readings_name"]

CHARACTER_READINGS_NAME = "pypinyin-0.55.0"


def character_readings(character: str) -> tuple[str, ...]:
    """All syllables that the character can be read as; none where the table lacks it. ü is v.

    >>> character_readings("万"), character_readings("女"), character_readings("a")
    (('mo', 'wan'), ('nv', 'ru'), ())
    """
    return _readings().get(character, ())


@cache
def _readings() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for line in data_file("pinyin.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            syllable, characters = line.split("\t")
            for character in characters:
                table[character] = (*table.get(character, ()), syllable)
    return table


@lru_cache(maxsize=1 << 16)
def word_readings(word: str) -> tuple[str, ...]:
    """One syllable per character, as the word wants them; needs pypinyin, which knows phrases."""
    return tuple(_pypinyin()(word))


@cache
def _pypinyin() -> Callable[[str], list[str]]:
    read: Callable[[str], list[str]] = optional("pypinyin", extra="chinese", purpose="words").lazy_pinyin
    return read


def word_readings_name() -> str:
    """What reads words, with its version, for signatures."""
    return f"pypinyin-{version_of('pypinyin')}"

"""What the Snowball stemmers (Porter 2001) of several languages share: the regions of a word, which shrink with it.

The endings are Snowball's (BSD licence); their order and slips are those of NLTK (Apache 2.0), which published programs
use. No code of either is in this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Stem", "first_ending", "standard_region"]


def first_ending(text: str, endings: Sequence[str]) -> str | None:
    """The first of the endings that the text has."""
    return next((ending for ending in endings if text.endswith(ending)), None)


def standard_region(word: str, vowels: str) -> str:
    """What follows the first letter that is no vowel behind a vowel."""
    for place in range(1, len(word)):
        if word[place] not in vowels and word[place - 1] in vowels:
            return word[place + 1 :]
    return ""


@dataclass
class Stem:
    """A word while it is cut, with regions that lie at its end."""

    word: str
    r1: str = ""
    r2: str = ""
    rv: str = ""

    def cut(self, letters: int) -> None:
        """Remove letters at the end."""
        for name in ("word", "r1", "r2", "rv"):
            text = getattr(self, name)
            setattr(self, name, text[: max(0, len(text) - letters)])

    def replace_ending(self, letters: int, ending: str) -> None:
        """Write another ending in place of the last letters; a region that lacks them becomes empty."""
        for name in ("word", "r1", "r2", "rv"):
            text = getattr(self, name)
            setattr(self, name, text[: len(text) - letters] + ending if len(text) >= letters else "")

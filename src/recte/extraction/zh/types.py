"""ChERRANT's types. R is redundant, M is missing, S is substituted, W is word order; not ERRANT's letters.

Words add what they are (`M:PREP`), or `SPELL` where a word was written with characters that look or sound alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from operator import add

from recte.annotation.pinyin import character_readings
from recte.edits.word_matching import edit_distance
from recte.extraction.zh.alignment import AlignedEdit
from recte.extraction.zh.choices import Granularity
from recte.extraction.zh.tokens import MISSING_CONSTITUENT, ChineseToken
from recte.extraction.zh.word_lists import ChineseLists, Sounds

__all__ = ["ChineseTypes"]

_LETTERS = {"D": "R", "I": "M", "S": "S"}
_ORDER = "W"
_OTHER = "OTHER"
_MISSING = "MC"
# LTP's tags.
_CATEGORIES = {
    **dict.fromkeys(("n", "nd", "nh", "ni", "nl", "ns", "nt", "nz"), "NOUN"),
    "v": "VERB",
    **dict.fromkeys(("a", "b"), "ADJ"),
    "c": "CONJ",
    "r": "PRON",
    "d": "ADV",
    "u": "AUX",
    "m": "NUM",
    "p": "PREP",
    "q": "QUAN",
    "wp": "PUNCT",
}
_ALIKE = 0.8


class ChineseTypes:
    """Types edits, with the lists that spelling is judged by; without them, by readings and anagrams alone."""

    def __init__(self, granularity: Granularity, lists: ChineseLists) -> None:
        self._granularity = granularity
        self._lists = lists
        self._is_similar = cache(self._similar)

    def __reduce__(self) -> tuple[type[ChineseTypes], tuple[Granularity, ChineseLists]]:
        return type(self), (self._granularity, self._lists)  # what is stored does not travel

    def __call__(self, edit: AlignedEdit, source: Sequence[ChineseToken], target: Sequence[ChineseToken]) -> str:
        if edit.operation == "T":
            return _ORDER
        letter = _LETTERS[edit.operation]
        return letter if self._granularity == "characters" else f"{letter}:{self._category(edit, source, target)}"

    def _category(self, edit: AlignedEdit, source: Sequence[ChineseToken], target: Sequence[ChineseToken]) -> str:
        old, new = source[edit.start : edit.end], target[edit.target_start : edit.target_end]
        if edit.operation == "S" and self.is_spelling("".join(t.text for t in old), "".join(t.text for t in new)):
            return "SPELL"
        words = old if edit.operation == "D" else new
        if len(words) > 1:
            return _OTHER
        if edit.operation != "D" and words[0].text == MISSING_CONSTITUENT:
            return _MISSING
        return _CATEGORIES.get(words[0].tag, _OTHER)

    def is_spelling(self, old: str, new: str) -> bool:
        """Whether the texts are as long, and hold the same characters or ones that look or sound alike."""
        if len(old) != len(new):
            return False
        return sorted(old) == sorted(new) or all(
            a == b or self._is_similar(a, b) for a, b in zip(old, new, strict=True)
        )

    def _similar(self, a: str, b: str) -> bool:
        sounds = self._lists.sounds
        if sounds and (a not in sounds or b not in sounds):
            return False
        if sounds and shape_similarity(sounds[a], sounds[b]) + sound_similarity(sounds[a], sounds[b]) >= _ALIKE:
            return True
        return not set(character_readings(a)).isdisjoint(character_readings(b))


def shape_similarity(a: Sounds, b: Sounds) -> float:
    """How alike two characters look, 0 to 1."""
    return _similarity(a.shape, b.shape)


def sound_similarity(a: Sounds, b: Sounds) -> float:
    """How alike two characters sound: the mean over the languages that know both."""
    best = [
        max(_similarity(p, q) for p in x for q in y) for x, y in zip(a.readings, b.readings, strict=True) if x and y
    ]
    # One after the other, as it was published: `sum` rounds less from Python 3.12 on.
    return reduce(add, best) / len(best) if best else 0.0


def _similarity(a: str, b: str) -> float:
    return 1 - edit_distance(a, b) / max(len(a), len(b))

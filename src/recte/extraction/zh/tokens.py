"""Chinese sentences as tokens with what costs and types ask of them: text, tag, readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from recte import _kernels
from recte.annotation.pinyin import character_readings, word_readings
from recte.corpus.vocabulary import EncodedText, offsets_of
from recte.extraction.zh.word_lists import ChineseLists
from recte.text.segmenters import MISSING_CONSTITUENT

__all__ = ["MISSING_CONSTITUENT", "MOVE_PUNCTUATION", "ChineseToken", "TokenTable", "character", "is_chinese", "word"]

UNTAGGED = "unk"


class ChineseToken(NamedTuple):
    """A character or word; tags count for words alone."""

    text: str
    tag: str
    readings: tuple[str, ...]


def character(text: str) -> ChineseToken:
    """A token of its own, with all readings of its character."""
    return ChineseToken(text, UNTAGGED, character_readings(text))


def word(text: str, tag: str) -> ChineseToken:
    """A word with the readings that it wants; one that is not wholly Chinese is never compared by sound."""
    return ChineseToken(text, tag, word_readings(text) if is_chinese(text) else ())


def is_chinese(text: str) -> bool:
    """Whether every letter is among the unified ideographs of the basic block.

    >>> is_chinese("中国"), is_chinese("卡拉OK"), is_chinese("〇")
    (True, False, False)
    """
    return all("\u4e00" <= letter <= "\u9fff" for letter in text)


def _signs(*bounds: int) -> str:
    return "".join(chr(c) for a, b in zip(bounds[::2], bounds[1::2], strict=True) for c in range(a, b + 1))


# Punctuation is what stands in a text of signs, so their order counts: neighbours are punctuation together. Two such
# texts are published, one for costs and one for moves; both lack 。《〈〉’·．, as published.
_ASCII = _signs(0x21, 0x2F, 0x3A, 0x40, 0x5B, 0x60, 0x7B, 0x7E)
_WIDE = _signs(
    *(0xFF01, 0xFF01, 0xFF1F, 0xFF1F, 0xFF61, 0xFF61, 0xFF02, 0xFF0D, 0xFF0F, 0xFF0F, 0xFF1A, 0xFF1E, 0xFF20, 0xFF20),
    *(0xFF3B, 0xFF40, 0xFF5B, 0xFF60, 0xFF62, 0xFF64, 0x3001, 0x3001, 0x3003, 0x3003, 0x300B, 0x3011, 0x3014, 0x301F),
)
_DASHES_AND_QUOTES = _signs(0x2013, 0x2014, 0x2018, 0x2018, 0x27, 0x27, 0x201B, 0x201F, 0x2026, 0x2027)
_COST_PUNCTUATION = f"{_WIDE}\u3030\u303e\u303f{_DASHES_AND_QUOTES}\ufe4f{_ASCII}"
MOVE_PUNCTUATION = f"{_ASCII}{_WIDE}{_DASHES_AND_QUOTES}."


class TokenTable:
    """Tokens as numbers, one per distinct text, tag and readings, and what the kernel knows of each."""

    def __init__(self) -> None:
        self._numbers: dict[ChineseToken, int] = {}

    def encode(self, sentences: Sequence[Sequence[ChineseToken]]) -> EncodedText:
        numbers = self._numbers
        ids = [numbers.setdefault(token, len(numbers)) for sentence in sentences for token in sentence]
        return np.array(ids, dtype=np.int32), offsets_of(map(len, sentences), len(sentences))

    def describe(self, lists: ChineseLists) -> _kernels.ChineseTokens:
        """The table as the kernel takes it."""
        tokens = list(self._numbers)
        unknown = (-1, -1, -1)
        syllables = _number_values([s for t in tokens for s in t.readings])
        readings = [sorted({syllables[s] for s in t.readings}) for t in tokens]
        return _kernels.ChineseTokens(
            texts=_column(_number_values([t.text for t in tokens]), [t.text for t in tokens]),
            tags=_column(_number_values([t.tag for t in tokens]), [t.tag for t in tokens]),
            letters=_laid_out([list(map(ord, t.text)) for t in tokens]),
            readings=_laid_out(readings),
            meanings=np.array([lists.meanings.get(t.text, unknown) for t in tokens], dtype=np.int32).reshape(-1),
            chinese=np.array([is_chinese(t.text) for t in tokens], dtype=np.uint8),
            marks=np.array([t.text in _COST_PUNCTUATION for t in tokens], dtype=np.uint8),
        )


def _number_values(values: Sequence[str]) -> dict[str, int]:
    return {value: number for number, value in enumerate(dict.fromkeys(values))}


def _column(numbers: dict[str, int], values: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([numbers[value] for value in values], dtype=np.int32)


def _laid_out(rows: Sequence[Sequence[int]]) -> EncodedText:
    return np.array([n for row in rows for n in row], dtype=np.int32), offsets_of(map(len, rows), len(rows))

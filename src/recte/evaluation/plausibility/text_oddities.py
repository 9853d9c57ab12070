"""Texts that were written another way than their sources: tokenised, escaped, normalised, or not there."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cached_property
from unicodedata import is_normalized

import numpy as np
from numpy.typing import NDArray

from recte.corpus.text_columns import TextColumn
from recte.evaluation.plausibility.finding import Sighting
from recte.text.untidy_lines import (
    FINAL_MARK,
    JOINED_CLITIC,
    JOINED_MARK,
    LONG,
    LOST_SIGNS,
    LOST_WORDS,
    PARTED_MARK,
    WORD_ENDING,
    ComparedTexts,
)

__all__ = ["SourceTexts", "count_marks", "odd_letters", "odd_texts", "odd_tokens", "raw_texts"]

# Marks with a word or a blank before; behind a sign, such as a bracket, they say nothing. A full stop inside may be an
# abbreviation's, and a comma inside a number's.
_MARK = re.compile(r"(?P<before>\w|\s)(?:[.?!。？！]\s*$|[,;?!](?=\s)|[，；。？！])")


def _table(signs: str) -> NDArray[np.bool_]:
    table = np.zeros(256, dtype=np.bool_)
    table[[ord(sign) for sign in signs]] = True
    return table


_BLANK = _table("".join(chr(code) for code in range(128) if chr(code).isspace()))
_WORD = _table(string.ascii_letters + string.digits + "_")
_INNER, _FINAL = ",;?!", _table(".?!")


def count_marks(texts: TextColumn, foreign: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many marks of each text stand alone, and how many at a word; `foreign` texts have letters beyond ASCII.

    >>> count_marks(TextColumn.of(["Well , he goes .", "Well, he goes !"]), np.zeros(2, np.bool_)).tolist()
    [[2, 0], [1, 1]]
    """
    counts = _count_in_bytes(texts.narrow())
    for row in np.flatnonzero(foreign).tolist():
        alone = [match["before"].isspace() for match in _MARK.finditer(texts[row])]
        counts[row] = sum(alone), len(alone) - sum(alone)
    return counts


def _count_in_bytes(texts: TextColumn) -> NDArray[np.int64]:
    """The same by tables of bytes, for texts in ASCII: a corpus has many."""
    counts = np.zeros((len(texts), 2), dtype=np.int64)
    if len(texts.buffer) < 2:
        return counts
    buffer, begins, ends = texts.spans
    # Comparing bytes is faster than a table, and few are left to be looked at closer.
    marked = buffer[1:-1] == ord(_INNER[0])
    for mark in _INNER[1:]:
        marked |= buffer[1:-1] == ord(mark)
    inner = np.flatnonzero(marked) + 1
    inner = inner[_BLANK[buffer[inner + 1]]]
    last = ends - 1
    if _BLANK[buffer[last]].any():
        solid = np.append(np.flatnonzero(~_BLANK[buffer]), -1)
        last = solid[np.searchsorted(solid[:-1], ends) - 1]  # at once, however many blanks there are behind it
    # A final mark with a blank behind it is one of those inside too, if it is not a full stop.
    final = (last > begins) & _FINAL[buffer[last]] & ((last == ends - 1) | (buffer[last] == ord(".")))
    for column, before in enumerate((_BLANK, _WORD)):
        places = inner[before[buffer[inner - 1]]]
        counts[:, column] = np.maximum(np.searchsorted(places, ends - 1) - np.searchsorted(places, begins + 1), 0) + (
            final & before[buffer[last - 1]]
        )
    return counts


_WIDE = re.compile("[\uff01-\uff5e]")
_NARROW_BY_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MOST_DECODED = 2000  # lines of a part that are looked at letter by letter
_SHORT, _LONG_ENOUGH = 0.6, 30  # of a source; bytes of a source
_FEW_WORDS = 6  # of a source
_LOST_CAPITALS, _MORE_CAPITALS = 0.5, 2.0  # of a source's


class SourceTexts:
    """The sources of a part, and what is the same of them for every system."""

    def __init__(self, texts: TextColumn) -> None:
        self.texts = texts

    @cached_property
    def foreign(self) -> NDArray[np.bool_]:
        """Those with letters beyond ASCII."""
        return _holding(self.texts.buffer >= 0x80, self.texts)


def odd_texts(where: str, compared: ComparedTexts, first: int) -> list[Sighting]:
    """What outputs show that their sources do not, whatever the tokens: how much of them there is, how they end, and
    their capitals; `first` lines came before.
    """
    sources, outputs = compared.sources, compared.outputs
    empty = (outputs.sizes == 0) & (sources.sizes > 0)
    cut_off = ~empty & (sources.sizes >= _LONG_ENOUGH) & (outputs.sizes < _SHORT * sources.sizes)
    open_ended = ~empty & ~cut_off & (sources.endings == FINAL_MARK) & (outputs.endings == WORD_ENDING)
    mixed = (sources.capitals > 0) & (sources.small_letters > 0) & (outputs.capitals + outputs.small_letters > 0)
    lost_case = mixed & ((outputs.capitals == 0) | (outputs.small_letters == 0))
    fewer = (sources.capitals >= 2) & (outputs.capitals < _LOST_CAPITALS * sources.capitals) & ~cut_off
    more = outputs.capitals > _MORE_CAPITALS * sources.capitals + 4
    capitals = ~lost_case & ~empty & (fewer | more | (outputs.words_in_capitals > sources.words_in_capitals))
    lost_words = ~empty & ~cut_off & ~open_ended & (compared.bits & LOST_WORDS != 0)
    size = len(outputs.sizes)
    return [
        Sighting(kind, where, _numbers(np.flatnonzero(rows), first), of)
        for kind, rows, of in (
            ("empty", empty, size),
            ("cut-off", cut_off, size),
            ("long", compared.long, size),
            ("no-final-mark", open_ended, size),
            ("lost-words", lost_words, size),
            ("case", lost_case, int(mixed.sum())),
            ("capitals", capitals, size),
            *((kind, *compared.with_lost_signs(kind)) for kind in LOST_SIGNS),
        )
    ]


def raw_texts(sources: SourceTexts, first: int) -> Sighting:
    """Sources with half of their marks or more joined to words, as in text that nobody cut into tokens."""
    looked_at = slice(_MOST_DECODED)
    alone, joined = count_marks(sources.texts[looked_at], sources.foreign[looked_at]).T
    marked = alone + joined > 0
    raw = np.flatnonzero(marked & (alone <= joined))
    return Sighting("raw-source", "source", _numbers(raw, first), int(marked.sum()))


def odd_tokens(where: str, compared: ComparedTexts, first: int) -> list[Sighting]:
    """Whether outputs have other tokens than their sources, where nothing cuts both alike."""
    sources, outputs, bits = compared.sources, compared.outputs, compared.bits
    whole = (outputs.sizes >= _SHORT * sources.sizes) & ~compared.long & (sources.words >= _FEW_WORDS)
    blanks = whole & ((outputs.words < _SHORT * sources.words) | (outputs.words > LONG * sources.words))
    return [
        Sighting(kind, where, _numbers(np.flatnonzero(rows), first), len(bits))
        for kind, rows in (
            ("detokenised", bits & JOINED_MARK),
            ("tokenised", bits & PARTED_MARK),
            ("clitics", bits & JOINED_CLITIC),
            ("blanks", blanks),
        )
    ]


def _numbers(rows: NDArray[np.int64], first: int) -> tuple[int, ...]:
    return tuple((rows + first + 1).tolist())


def _holding(marked: NDArray[np.bool_], texts: TextColumn) -> NDArray[np.bool_]:
    """Which texts hold a marked byte of their buffer."""
    places = np.flatnonzero(marked)
    return np.searchsorted(places, texts.ends) > np.searchsorted(places, texts.begins)


def odd_letters(where: str, sources: SourceTexts, outputs: TextColumn, first: int) -> Iterator[Sighting]:
    """Composed against decomposed letters, full against half width."""
    foreign = sources.foreign | _holding(outputs.buffer >= 0x80, outputs)
    rows = np.flatnonzero(foreign)[:_MOST_DECODED].tolist()
    composed, width, wide = [], [], 0
    for row in rows:
        source, output = sources.texts[row], outputs[row]
        if is_normalized("NFC", source) != is_normalized("NFC", output):
            composed.append(row + first + 1)
        in_source, in_output = set(_WIDE.findall(source)), set(_WIDE.findall(output))
        if in_source or in_output:
            wide += 1
            if _narrow(in_source - in_output) & (set(output) - set(source)) or _narrow(in_output - in_source) & (
                set(source) - set(output)
            ):
                width.append(row + first + 1)
    yield Sighting("composition", where, tuple(composed), len(rows))
    yield Sighting("width", where, tuple(width), wide)


def _narrow(wide: set[str]) -> set[str]:
    return set("".join(wide).translate(_NARROW_BY_WIDE))

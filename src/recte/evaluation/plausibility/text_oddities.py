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

__all__ = ["SourceTexts", "count_marks", "odd_texts", "odd_tokens", "raw_texts"]

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


_FINAL = np.zeros(256, dtype=np.bool_)
_FINAL[[ord(c) for c in ".?!"]] = True
_LETTER = np.zeros(256, dtype=np.bool_)
_LETTER[[ord(c) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"]] = True
_CAPITAL = np.zeros(256, dtype=np.bool_)
_CAPITAL[ord("A") : ord("Z") + 1] = True
_SMALL = np.zeros(256, dtype=np.bool_)
_SMALL[ord("a") : ord("z") + 1] = True
_SPACE = 0x20
_PARTED = re.compile(rb" (?:n't|'(?:s|re|ve|ll|d|m)) ")
_JOINED = re.compile(rb"[a-z](?:n't|'(?:s|re|ve|ll|d|m))(?= |$)")
_QUOTE = re.compile(rb'"')
_OTHER_QUOTE = re.compile(rb"``|''|\xe2\x80[\x9c\x9d]")
_WIDE = re.compile("[\uff01-\uff5e]")
_NARROW_BY_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_MOST_DECODED = 2000  # lines of a part that are looked at letter by letter
_SHORT, _LONG_ENOUGH = 0.25, 40


class SourceTexts:
    """The sources of a part, and what is the same of them for every system."""

    def __init__(self, texts: TextColumn) -> None:
        self.texts = texts
        self.lengths = texts.ends - texts.begins

    @cached_property
    def foreign(self) -> NDArray[np.bool_]:
        """Those with letters beyond ASCII."""
        return _holding(self.texts.buffer >= 0x80, self.texts)

    @cached_property
    def mixed(self) -> NDArray[np.bool_]:
        """Those with small letters and capitals, as far as they are looked at."""
        mixed = _surely_mixed(self.texts)
        for row, text in _closer(self.texts, np.flatnonzero(~mixed), self.foreign):
            mixed[row] = text.lower() != text != text.upper()
        return mixed

    @cached_property
    def final_marks(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        return _final_punctuation(self.texts)

    @cached_property
    def clitics(self) -> list[int]:
        """Those with a clitic that stands alone."""
        return self._showing("'", _PARTED)

    @cached_property
    def quotes(self) -> list[int]:
        return self._showing('"', _QUOTE)

    def _showing(self, sign: str, pattern: re.Pattern[bytes]) -> list[int]:
        rows = np.flatnonzero(_holding(self.texts.buffer == ord(sign), self.texts)).tolist()
        return [row for row in rows if pattern.search(_bytes(self.texts, row))]


def odd_texts(where: str, sources: SourceTexts, outputs: TextColumn, first: int) -> list[Sighting]:
    """What the outputs' lines show that their sources' lines do not, whatever the tokens; `first` lines came before."""
    lengths, output_lengths = sources.lengths, outputs.ends - outputs.begins
    empty = (output_lengths == 0) & (lengths > 0)
    cut_off = ~empty & (lengths >= _LONG_ENOUGH) & (output_lengths < _SHORT * lengths)
    foreign = sources.foreign | _holding(outputs.buffer >= 0x80, outputs)
    size = len(sources.texts)
    return [
        Sighting("empty", where, _numbers(np.flatnonzero(empty), first), size),
        Sighting("cut-off", where, _numbers(np.flatnonzero(cut_off), first), size),
        _find_lost_case(where, sources, outputs, foreign, first),
        *_letters(where, sources, outputs, foreign, first),
    ]


def raw_texts(sources: SourceTexts, first: int) -> Sighting:
    """Sources with half of their marks or more joined to words, as in text that nobody cut into tokens."""
    looked_at = slice(_MOST_DECODED)
    alone, joined = count_marks(sources.texts[looked_at], sources.foreign[looked_at]).T
    marked = alone + joined > 0
    raw = np.flatnonzero(marked & (alone <= joined))
    return Sighting("raw-source", "source", _numbers(raw, first), int(marked.sum()))


def odd_tokens(where: str, sources: SourceTexts, outputs: TextColumn, first: int) -> list[Sighting]:
    """Whether outputs have other tokens than their sources, where nothing cuts both alike."""
    source_apart, source_joined = sources.final_marks
    apart, joined = _final_punctuation(outputs)
    both = int(((source_apart | source_joined) & (apart | joined)).sum())
    return [
        Sighting("detokenised", where, _numbers(np.flatnonzero(source_apart & joined), first), both),
        Sighting("tokenised", where, _numbers(np.flatnonzero(source_joined & apart), first), both),
        _other_spelling("clitics", where, (_PARTED, _JOINED), sources.clitics, outputs, first),
        _other_spelling("quotes", where, (_QUOTE, _OTHER_QUOTE), sources.quotes, outputs, first),
    ]


def _numbers(rows: NDArray[np.int64], first: int) -> tuple[int, ...]:
    return tuple((rows + first + 1).tolist())


def _final_punctuation(texts: TextColumn) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which lines end in a mark that stands alone, and which in one at a word."""
    long_enough = texts.ends - texts.begins >= 3
    last = np.where(long_enough, texts.ends - 1, 1)
    if len(texts.buffer) < 2:
        return long_enough, long_enough
    final = _FINAL[texts.buffer[last]] & long_enough
    before = texts.buffer[last - 1]
    return final & (before == _SPACE), final & _LETTER[before]


def _other_spelling(
    kind: str,
    where: str,
    patterns: tuple[re.Pattern[bytes], re.Pattern[bytes]],
    rows: list[int],
    outputs: TextColumn,
    first: int,
) -> Sighting:
    """Of the lines that show the first pattern in the source, those that show the other alone in the output."""
    here, there = patterns
    whole, begins, ends = outputs.buffer.tobytes(), outputs.begins[rows].tolist(), outputs.ends[rows].tolist()
    odd = tuple(
        row + first + 1
        for row, begin, end in zip(rows, begins, ends, strict=True)
        if not here.search(whole, begin, end) and there.search(whole, begin, end)
    )
    return Sighting(kind, where, odd, len(rows))


def _bytes(texts: TextColumn, row: int) -> bytes:
    return texts.buffer[texts.begins[row] : texts.ends[row]].tobytes()


def _holding(marked: NDArray[np.bool_], texts: TextColumn) -> NDArray[np.bool_]:
    """Which texts hold a marked byte of their buffer."""
    places = np.flatnonzero(marked)
    return np.searchsorted(places, texts.ends) > np.searchsorted(places, texts.begins)


def _surely_mixed(texts: TextColumn) -> NDArray[np.bool_]:
    """Which texts begin with a capital and a small letter soon behind it, as most sentences do."""
    long_enough = texts.ends - texts.begins >= 4
    if len(texts.buffer) < 4:
        return long_enough
    begins = np.where(long_enough, texts.begins, 0)
    second, third, fourth = (_SMALL[texts.buffer[begins + place]] for place in (1, 2, 3))
    mixed: NDArray[np.bool_] = long_enough & _CAPITAL[texts.buffer[begins]] & (second | third | fourth)
    return mixed


def _closer(
    texts: TextColumn, rows: NDArray[np.int64], foreign: NDArray[np.bool_]
) -> Iterator[tuple[int, str | bytes]]:
    """The texts of these rows; of those with letters beyond ASCII, as many as are looked at letter by letter."""
    decoded = 0
    for row in rows.tolist():
        if not foreign[row]:
            yield row, _bytes(texts, row)
        elif decoded < _MOST_DECODED:
            decoded += 1
            yield row, texts[row]


def _find_lost_case(
    where: str, sources: SourceTexts, outputs: TextColumn, foreign: NDArray[np.bool_], first: int
) -> Sighting:
    """Outputs in small letters alone, or in capitals alone, where the source has both."""
    sure = _surely_mixed(outputs)
    of, lost = int((sources.mixed & sure).sum()), []
    for row, text in _closer(outputs, np.flatnonzero(sources.mixed & ~sure), foreign):
        of += 1
        if text.islower() or text.isupper():
            lost.append(row + first + 1)
    return Sighting("case", where, tuple(lost), of)


def _letters(
    where: str, sources: SourceTexts, outputs: TextColumn, foreign: NDArray[np.bool_], first: int
) -> Iterator[Sighting]:
    """Composed against decomposed letters, full against half width."""
    rows = np.flatnonzero(foreign)[:_MOST_DECODED].tolist()
    composed, width, wide = [], [], 0
    for row in rows:
        source, output = sources.texts[row], outputs[row]
        if is_normalized("NFC", source) != is_normalized("NFC", output):
            composed.append(row + first + 1)
        in_source, in_output = set(_WIDE.findall(source)), set(_WIDE.findall(output))
        if in_source or in_output:
            wide += 1
            if (in_source and not in_output and _narrow(in_source) & set(output) - set(source)) or (
                in_output and not in_source and _narrow(in_output) & set(source) - set(output)
            ):
                width.append(row + first + 1)
    yield Sighting("composition", where, tuple(composed), len(rows))
    yield Sighting("width", where, tuple(width), wide)


def _narrow(wide: set[str]) -> set[str]:
    return set("".join(wide).translate(_NARROW_BY_WIDE))

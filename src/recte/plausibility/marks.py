"""Punctuation marks with a blank before them, as tokenisers write them, and marks at the word before."""

from __future__ import annotations

import re
import string

import numpy as np
from numpy.typing import NDArray

from recte.columns.text import TextColumn

__all__ = ["count_marks"]

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
    counts = _counted_in_bytes(texts.narrowed())
    for row in np.flatnonzero(foreign).tolist():
        alone = [match["before"].isspace() for match in _MARK.finditer(texts[row])]
        counts[row] = sum(alone), len(alone) - sum(alone)
    return counts


def _counted_in_bytes(texts: TextColumn) -> NDArray[np.int64]:
    """The same by tables of bytes, for texts in ASCII: a corpus has many."""
    counts = np.zeros((len(texts), 2), dtype=np.int64)
    if len(texts.buffer) < 2:
        return counts
    buffer, begins, ends = texts.spans
    # Comparing bytes is faster than a table, and few are left to be looked at closer.
    inner = np.flatnonzero(np.logical_or.reduce([buffer[1:-1] == ord(mark) for mark in _INNER])) + 1
    inner = inner[_BLANK[buffer[inner + 1]]]
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

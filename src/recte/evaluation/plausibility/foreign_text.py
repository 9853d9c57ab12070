"""Texts that are not English, where English rules are asked to find and type edits."""

from __future__ import annotations

from collections.abc import Sequence

from recte.annotation.data_files import is_word
from recte.evaluation.plausibility.finding import Sighting

__all__ = ["MOST_READ", "foreign_lines"]

MOST_READ = 300  # of a part that are looked at
_FEWEST_WORDS = 3  # of a line, to say which language it is in
_UNKNOWN = 0.5  # share of a line's words; learners' English has .01 to .04 of all, other languages .6 and more


def foreign_lines(texts: Sequence[str], first: int) -> Sighting:
    """The lines with more words outside the English word list than in it; `first` lines came before.

    Words in small letters alone count: names and first words say little.

    >>> foreign_lines(["He go to school .", "Sie gehen in die Schule und lernen ."], 0).lines
    (2,)
    """
    known: dict[str, bool] = {}
    foreign, readable = [], 0
    for number, text in enumerate(texts[:MOST_READ], first + 1):
        words = [word for word in text.split() if word.isalpha() and word.islower()]
        if len(words) < _FEWEST_WORDS:
            continue
        readable += 1
        for word in words:
            if word not in known:
                known[word] = is_word(word)
        if sum(not known[word] for word in words) > _UNKNOWN * len(words):
            foreign.append(number)
    return Sighting("not-english", "source", tuple(foreign), readable)

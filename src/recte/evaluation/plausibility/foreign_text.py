"""Texts that are not English, where English rules are asked to find and type edits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

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
    words_of = [[word for word in text.split() if word.isalpha() and word.islower()] for text in texts[:MOST_READ]]
    unknown = {word for word in set(chain.from_iterable(words_of)) if not is_word(word)}
    foreign, readable = [], 0
    for number, words in enumerate(words_of, first + 1):
        if len(words) < _FEWEST_WORDS:
            continue
        readable += 1
        if sum(map(unknown.__contains__, words)) > _UNKNOWN * len(words):
            foreign.append(number)
    return Sighting("not-english", "source", tuple(foreign), readable)

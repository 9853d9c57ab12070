"""Texts that are not English, where English rules are asked to find and type edits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from recte.annotation.data_files import is_word
from recte.evaluation.plausibility.finding import Sighting

__all__ = ["MOST_READ", "foreign_lines"]

MOST_READ = 300  # of a part that are looked at
_FEWEST_WORDS = 3  # of a line in Latin letters, to say which language it is in
_UNKNOWN = 0.5  # share of a line's words; learners' English has .01 to .04 of all, other languages .6 and more

# Letters of other scripts; U+AB30 to U+AB6F, U+FB00 to U+FB06 and the fullwidth forms are Latin again.
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\u1f00-\u1fff\u2c80-\uab2f\uab70-\ufaff\ufb07-\uff20\uff5b-\U0003ffff]")


def foreign_lines(texts: Sequence[str], first: int) -> Sighting:
    """The lines in another script, or with more words outside the English word list than in it.

    `first` lines came before. Words in small letters alone count: names and first words say little.

    >>> foreign_lines(["He go to school .", "Sie gehen in die Schule und lernen .", "我去学校了。"], 0).lines
    (2, 3)
    """
    words_of = [[word for word in text.split() if word.isalpha() and word.islower()] for text in texts[:MOST_READ]]
    unknown = {word for word in set(chain.from_iterable(words_of)) if not is_word(word)}
    foreign, readable = [], 0
    for number, (text, words) in enumerate(zip(texts, words_of, strict=False), first + 1):
        is_other_script = _is_in_other_script(text)
        if len(words) < _FEWEST_WORDS and not is_other_script:
            continue
        readable += 1
        if is_other_script or sum(map(unknown.__contains__, words)) > _UNKNOWN * len(words):
            foreign.append(number)
    return Sighting("not-english", "source", tuple(foreign), readable)


def _is_in_other_script(text: str) -> bool:
    """Whether more letters than not are of another script than the Latin one."""
    if text.isascii():
        return False
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(map(bool, map(_OTHER_SCRIPT.match, letters))) > len(letters)

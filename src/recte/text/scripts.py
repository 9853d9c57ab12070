"""Which scripts are written without blanks between words."""

from __future__ import annotations

import re

__all__ = ["JOINED_SCRIPTS", "join_unspaced", "stands_in_words"]

# Ranges of code points: Thai, Lao, Tibetan, Burmese and Khmer; Chinese characters, kana and their punctuation.
JOINED_SCRIPTS = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_JOINED = re.compile(f"[{JOINED_SCRIPTS}]")
_BLANKS_INSIDE = re.compile(rf"(?<=[{JOINED_SCRIPTS}])\s+(?=[{JOINED_SCRIPTS}])")


def join_unspaced(text: str) -> str:
    """The text with the blanks of its own language alone: none between two characters of a script without them.

    >>> join_unspaced("我 喜欢 New  York"), join_unspaced("He goes .")
    ('我喜欢 New York', 'He goes .')
    """
    return _BLANKS_INSIDE.sub("", " ".join(text.split()))


def stands_in_words(character: str) -> bool:
    """Whether it is a letter, a digit or a mark on a letter, of a script with blanks between words.

    >>> [stands_in_words(character) for character in "é5喜."]
    [True, True, False, False]
    """
    from unicodedata import category

    return category(character)[0] in "LMN" and _JOINED.match(character) is None

"""How much texts have in common, by their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

__all__ = ["ALIKE", "likest", "share_of_words"]

ALIKE = 0.5  # share of words that a text has in common with its source


def share_of_words(source: str, text: str) -> float:
    """How many of the words of both are in common, from 0 to 1."""
    words, others = Counter(source.split()), Counter(text.split())
    return 2 * (words & others).total() / max(words.total() + others.total(), 1)


def likest(source: str, texts: Iterable[str]) -> str:
    """The text that shares most words with the source, among equals the first.

    >>> likest("He go home .", ["Here it is:", "He goes home ."])
    'He goes home .'
    """
    texts = tuple(texts)
    if len(texts) == 1:
        return texts[0]
    words = Counter(source.lower().split())

    def share(text: str) -> float:
        others = Counter(text.lower().split())
        return 2 * (others & words).total() / max(words.total() + others.total(), 1)  # looks up the text's words alone

    return max(texts, key=share)

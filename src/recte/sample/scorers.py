"""A scorer to plug into `recte faithfulness`, as an example: it counts words, and knows nothing of meaning."""

from __future__ import annotations

__all__ = ["kept_words"]


def kept_words(source: str, corrected: str) -> float:
    """The share of the source's distinct words that the correction has.

    >>> kept_words("He go home", "He goes home")
    0.6666666666666666
    """
    words = set(source.split())
    return len(words & set(corrected.split())) / len(words) if words else 1.0

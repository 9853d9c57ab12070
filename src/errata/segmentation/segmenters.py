"""Ways to cut text into tokens, each with the name that the signature gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from errata.corpus import Segmenter
from errata.errors import OptionError

__all__ = ["SEGMENTERS", "Characters", "segmenter_named"]


@dataclass(frozen=True)
class Characters:
    """Every character but white space is a token, Latin letters and digits too.

    >>> Characters()("我 OK 。")
    ['我', 'O', 'K', '。']
    """

    name: str = "characters"

    def __call__(self, text: str) -> Sequence[str]:
        return [character for character in text if not character.isspace()]


GIVEN = "given"
SEGMENTERS = (GIVEN, "characters")


def segmenter_named(name: str) -> Segmenter | None:
    """The segmenter of that name; None for the tokens as they are given."""
    if name == GIVEN:
        return None
    if name == "characters":
        return Characters()
    raise OptionError(f"tokens: expected one of {', '.join(SEGMENTERS)}, got {name!r}")

"""How difficult the pieces of a reference are: how many of a set of systems were right on each (GoToScorer)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recte.errors import OptionError
from recte.files import describe_unread_table

__all__ = ["Difficulty", "difficulty_named", "register_difficulty"]


@dataclass(frozen=True)
class Difficulty:
    """How many of so many systems were right on each chunk of each sentence, in the order of the gold.

    >>> Difficulty("four", 4, ((4, 4, 1, 4, 4),)).counts[0][2]
    1
    """

    name: str
    systems: int
    counts: Sequence[tuple[int, ...]]


_registered: dict[str, Difficulty] = {}


def register_difficulty(name: str, difficulty: Difficulty) -> None:
    """Make a published table known by a name, for the option `difficulty`.

    >>> register_difficulty("four", Difficulty("four", 4, ((4, 4, 1, 4, 4),)))
    >>> difficulty_named("four").systems
    4
    """
    _registered[name] = difficulty


def difficulty_named(name: str) -> Difficulty:
    """The table of that name."""
    if name not in _registered:
        expected = "a file or a registered table"
        raise OptionError(describe_unread_table("difficulty", name, expected, "load_difficulty"))
    return _registered[name]

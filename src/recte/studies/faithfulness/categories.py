"""When two categories are the same: to the letter, or by the weak equivalence that agreement is counted with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from recte.errors import check_choice

__all__ = ["LABELS", "Labels", "comparable"]

Labels = Literal["weak", "strict"]
LABELS: tuple[Labels, ...] = get_args(Labels)
# Process or State, Scene or Center, Connector or Linker, Function or Relator: told apart late in the annotation.
_WEAK = {"S": "P", "C": "H", "L": "N", "R": "F"}


def comparable(categories: Iterable[str], labels: Labels) -> frozenset[str]:
    """The categories, such that those that count as the same are equal.

    >>> comparable({"S"}, "weak") == comparable({"P"}, "weak"), comparable({"S"}, "strict")
    (True, frozenset({'S'}))
    """
    check_choice("labels", labels, LABELS)
    return frozenset(_WEAK.get(c, c) for c in categories) if labels == "weak" else frozenset(categories)

"""How Chinese edits can be made: the words of the options, without what does the work."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["GRANULARITIES", "TIES", "Granularity", "Ties"]

Granularity = Literal["characters", "words"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
Ties = Literal["all", "first"]
TIES: tuple[Ties, ...] = get_args(Ties)

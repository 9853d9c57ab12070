"""A distribution of corrections of which only the frequencies matter: how many corrections are how probable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Distribution"]


@dataclass(frozen=True)
class Distribution:
    """`variants[j]` corrections of probability `frequencies[j]` each; variants may be fractions, masses add up to 1.

    >>> Distribution((0.1, 0.5), (5.0, 1.0)).coverage(1)
    0.3
    """

    frequencies: tuple[float, ...]
    variants: tuple[float, ...]

    @classmethod
    def of(cls, frequencies: Iterable[float], variants: Iterable[float]) -> Distribution:
        """From any numbers; frequencies without variants are left out."""
        kept = [(float(x), float(h)) for x, h in zip(frequencies, variants, strict=True) if h > 0]
        return cls(tuple(x for x, _ in kept), tuple(h for _, h in kept))

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.array(self.frequencies), np.array(self.variants)

    def variants_above(self, frequency: float) -> float:
        """How many corrections are more probable than `frequency` (Table 1's first row)."""
        x, h = self.arrays()
        return float(h[x > frequency].sum())

    def mass_above(self, frequency: float) -> float:
        """The probability of a correction that is more probable than `frequency` (Table 1's second row)."""
        x, h = self.arrays()
        return float((x * h)[x > frequency].sum())

    def coverage(self, references: int) -> float:
        """P(y ∈ Y) for a correction y and `references` independent ones Y (section 3.3), in closed form."""
        x, h = self.arrays()
        return float((h * x * (1 - (1 - x) ** references)).sum())

"""Precision, recall and their harmonic mean from counts of what matched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["MatchCounts"]


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """What matched of a candidate graph and of its reference; counts of several passages add up.

    >>> counts = MatchCounts(3, 4, 3, 6) + MatchCounts(0, 0, 0, 0)
    >>> counts.precision, counts.recall, round(counts.f, 9)
    (0.75, 0.5, 0.6)
    """

    matched_candidate: int
    candidate: int
    matched_reference: int
    reference: int

    def __add__(self, other: MatchCounts) -> MatchCounts:
        return MatchCounts(
            self.matched_candidate + other.matched_candidate,
            self.candidate + other.candidate,
            self.matched_reference + other.matched_reference,
            self.reference + other.reference,
        )

    @property
    def precision(self) -> float:
        """The share of the candidate that matches; 1 where there is nothing to match."""
        return self.matched_candidate / self.candidate if self.candidate else 1.0

    @property
    def recall(self) -> float:
        """The share of the reference that matches; 1 where there is nothing to match."""
        return self.matched_reference / self.reference if self.reference else 1.0

    @property
    def f(self) -> float:
        """Their harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Counts and fractions as plain numbers."""
        return {
            "matched_candidate": self.matched_candidate,
            "candidate": self.candidate,
            "matched_reference": self.matched_reference,
            "reference": self.reference,
            "precision": self.precision,
            "recall": self.recall,
            "f": self.f,
        }

"""UNSEENEST: the distribution of corrections, unseen ones included, from how often answers repeat (Zou et al. 2015).

A fingerprint says how many distinct answers were given once, twice, …; the estimate is the distribution on a grid of
frequencies whose expected fingerprint is nearest to it, found by a linear program.

A distribution of corrections of which only the frequencies matter: how many corrections are how probable.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.vocabulary import offsets_of
from recte.errors import InputError
from recte.threads import thread_count

__all__ = ["Distribution", "Unseen", "chao1", "fingerprint", "good_turing", "unseen", "unseen_of_all"]


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
        present = [(float(x), float(h)) for x, h in zip(frequencies, variants, strict=True) if h > 0]
        return cls(tuple(x for x, _ in present), tuple(h for _, h in present))

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


_GRID_FACTOR = 1.05  # steps of the grid, as published
_SMALLEST = 1 / 100  # the rarest correction that is thought of, in answers
_MOST_TIMES = 2000  # one answer was given; the linear program has a table of that many squared
_MOST_VARIANTS = 6.5e7  # more corrections than this are not believed, as published


@dataclass(frozen=True)
class Unseen:
    """The estimated distribution, and how far its expected fingerprint is from the one seen."""

    distribution: Distribution
    objective: float


def fingerprint(answers: Iterable[Hashable]) -> tuple[int, ...]:
    """How many distinct answers were given once, twice, ….

    >>> fingerprint(["a", "b", "a", "c"])
    (2, 1)
    """
    counted: dict[Hashable, int] = {}
    for answer in answers:
        counted[answer] = counted.get(answer, 0) + 1
    times = list(counted.values())
    return tuple(times.count(i) for i in range(1, max(times, default=0) + 1))


def unseen(seen: Sequence[int]) -> Unseen:
    """UNSEENEST (section 3.2), from a fingerprint.

    >>> round(unseen((15, 2, 1, 0, 1, 1, 1, 0, 0, 1)).objective, 4)
    2.6589
    """
    return unseen_of_all([seen])[0]


def unseen_of_all(fingerprints: Sequence[Sequence[int]]) -> list[Unseen]:
    """UNSEENEST of many fingerprints: all linear programs are solved in one call.

    >>> [round(found.objective, 4) for found in unseen_of_all([(3, 1), (3, 1)])]
    [0.2481, 0.2481]
    """
    seen = [_check_counts(fingerprint) for fingerprint in fingerprints]
    grids = [_grid(f) for f in seen]
    masses, objectives, solved = _kernels.unseenest(
        np.array([count for f in seen for count in f], dtype=np.int64),
        offsets_of(map(len, seen), len(seen)),
        np.concatenate([np.zeros(0), *grids]),
        grid_offsets := offsets_of(map(len, grids), len(grids)),
        _MOST_VARIANTS,
        thread_count(len(seen)),
    )
    if not solved.all():
        failed = _describe(seen[int(np.argmin(solved))])
        raise InputError(f"UNSEENEST: the linear program was not solved for {failed}")
    return [
        Unseen(Distribution.of(x, masses[begin : begin + len(x)] / x), objective)
        for x, begin, objective in zip(grids, grid_offsets.tolist(), objectives.tolist(), strict=False)
    ]


def _grid(seen: Sequence[int]) -> NDArray[np.float64]:
    """The frequencies that are thought of: from a hundredth of an answer up to the most frequent one's."""
    n, answers = len(seen), sum(i * count for i, count in enumerate(seen, 1))
    smallest, largest = _SMALLEST / answers, n / answers
    points = math.ceil(math.log(largest / smallest) / math.log(_GRID_FACTOR)) + 1
    # The last step may lie above what can be.
    return np.asarray(np.minimum(smallest * _GRID_FACTOR ** np.arange(points), 1))


def good_turing(seen: Sequence[int]) -> float:
    """The probability that the next answer is none of those seen (Good 1953): answers given once over all answers.

    >>> good_turing((2, 1))
    0.5
    """
    f = _check_counts(seen)
    return float(f[0] / sum(i * count for i, count in enumerate(f, 1)))


def chao1(seen: Sequence[int]) -> float:
    """A lower bound of the number of distinct corrections, bias-corrected (Chao 1984).

    >>> chao1((2, 1))
    3.375
    """
    f = _check_counts(seen)
    answers = sum(i * count for i, count in enumerate(f, 1))
    twice = f[1] if len(f) > 1 else 0
    return float(sum(f) + (answers - 1) / answers * f[0] * (f[0] - 1) / (2 * (twice + 1)))


def _check_counts(seen: Sequence[int]) -> list[int]:
    if len(seen) > _MOST_TIMES:
        raise InputError(f"fingerprint: expected each answer at most {_MOST_TIMES} times, got one {len(seen)} times")
    if not any(seen) or any(count < 0 for count in seen):
        raise InputError(f"fingerprint: expected how many answers were given once, twice, …, got {_describe(seen)}")
    return list(seen)


def _describe(seen: Sequence[int]) -> str:
    """A fingerprint in words, without its zeros: the place of a number says little in a row of hundreds.

    >>> _describe([0, 3, 0, 1])
    '3 answers given 2 times, 1 answer given 4 times'
    """
    parts = [f"{count} answer{'s' * (count != 1)} given {times} times" for times, count in enumerate(seen, 1) if count]
    more = [f"and {len(parts) - 5} more numbers"] if len(parts) > 5 else []
    return ", ".join([*parts[:5], *more]) or "no answer"

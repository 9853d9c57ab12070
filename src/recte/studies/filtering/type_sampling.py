"""A sample of pairs whose edits have types as often as those of a gold standard.

A pair's chance to be taken is the product of a weight for each of its edits' types, at most 1. The weights are found
step by step: a type that the sample would have too often gets less, one that it would have too seldom gets more. A pair
without edits counts as one edit of type `noop`, and so does a sentence of the gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from recte.corpus.edit_table import NO_OP

__all__ = ["TypeCounts", "TypeSample", "draw_rows", "gold_types"]

_STEPS = 300
_STEP = 0.5  # of the way to the weight that would be right if no other type were in the pairs
_HALVINGS = 60


@dataclass
class TypeCounts:
    """Combinations of types, by number, and which pairs have them: four bytes for each pair."""

    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    pairs: list[NDArray[np.int32]] = field(default_factory=list)

    def add(self, types_of_pairs: Iterable[Sequence[str]]) -> None:
        numbers = self.numbers
        chosen = [numbers.setdefault(tuple(sorted(types)) or (NO_OP,), len(numbers)) for types in types_of_pairs]
        self.pairs.append(np.array(chosen, dtype=np.int32))

    def join(self, other: TypeCounts) -> None:
        """Take in the pairs of another, behind those that are here."""
        place = np.array([self.numbers.setdefault(types, len(self.numbers)) for types in other.numbers], dtype=np.int32)
        self.pairs += [place[numbers] for numbers in other.pairs]

    @property
    def combination_of(self) -> NDArray[np.int32]:
        return np.concatenate([np.zeros(0, np.int32), *self.pairs])


@dataclass(frozen=True)
class TypeSample:
    """Each pair's chance to be taken, and how far the types are from the gold's before and after: half the sum of the
    differences of shares, from 0 to 1.
    """

    chances: NDArray[np.float64]
    distance_before: float
    distance_after: float

    @classmethod
    def of(cls, counts: TypeCounts, gold: Mapping[str, int], size: int) -> TypeSample:
        """The chances by which about `size` of the pairs are taken, where there are enough.

        >>> counts = TypeCounts()
        >>> counts.add([["R:VERB"]] * 30 + [["M:DET"]] * 10)
        >>> sample = TypeSample.of(counts, {"R:VERB": 1, "M:DET": 1}, 20)
        >>> sample.chances[[0, -1]].round(3).tolist(), round(sample.distance_before, 3), round(sample.distance_after, 3)
        ([0.333, 1.0], 0.25, 0.0)
        """
        combination_of = counts.combination_of
        pairs = np.bincount(combination_of, minlength=len(counts.numbers)).astype(np.float64)
        listed = list(counts.numbers)
        names = sorted({type_ for types in listed for type_ in types} | gold.keys())
        place = {name: number for number, name in enumerate(names)}
        owner = np.repeat(np.arange(len(listed)), [len(types) for types in listed])
        types = np.array([place[type_] for combination in listed for type_ in combination], dtype=np.int64)
        aim = np.array([gold.get(name, 0) for name in names], dtype=np.float64)
        aim /= max(aim.sum(), 1)
        there = np.bincount(types, pairs[owner], len(names))

        def distance(chances: NDArray[np.float64]) -> float:
            shares = _shares(types, (pairs * chances)[owner], len(names))
            return float(np.abs(shares - aim).sum() / 2) if shares.any() else 1.0

        weights = np.where(aim > 0, 0.0, -np.inf)  # logarithms
        chances = np.ones(len(listed))
        for _ in range(_STEPS):
            logarithms = np.asarray(np.bincount(owner, weights[types], len(listed)), dtype=np.float64)
            chances = _scale(logarithms, pairs, size)
            shares = _shares(types, (pairs * chances)[owner], len(names))
            adjusted = (aim > 0) & (there > 0) & (shares > 0)
            weights[adjusted] += _STEP * np.log(aim[adjusted] / shares[adjusted])
        return cls(chances[combination_of], distance(np.ones(len(listed))), distance(chances))


def _shares(types: NDArray[np.int64], weights: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    totals = np.bincount(types, weights, count)
    return np.asarray(totals / max(totals.sum(), 1e-300))


def _scale(logarithms: NDArray[np.float64], pairs: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Chances in these proportions, at most 1, so that `size` pairs are expected; all that can be if they are fewer."""
    finite = np.isfinite(logarithms)
    if not finite.any() or pairs[finite].sum() <= size:
        return finite.astype(np.float64)
    low, high = -logarithms[finite].max() - 60, -logarithms[finite].min() + 1
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        expected = float((pairs * np.exp(np.minimum(logarithms + middle, 0))).sum())
        low, high = (low, middle) if expected > size else (middle, high)
    return np.asarray(np.exp(np.minimum(logarithms + low, 0)))


def gold_types(types_of_sentences: Iterable[Sequence[str]]) -> Counter[str]:
    """How often each type is in the gold."""
    return Counter(type_ for types in types_of_sentences for type_ in types or (NO_OP,))


def draw_rows(chances: NDArray[np.float64], seed: int, first: int = 0) -> NDArray[np.bool_]:
    """Which pairs are taken; a pair's number and the seed alone decide, not how the corpus is cut."""
    start = int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "little")
    numbers = np.arange(first, first + len(chances), dtype=np.uint64)
    with np.errstate(over="ignore"):
        mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(start)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        mixed ^= mixed >> np.uint64(31)
    return np.asarray((mixed >> np.uint64(11)) * 2.0**-53 < chances)

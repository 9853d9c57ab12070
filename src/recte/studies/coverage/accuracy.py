"""What few references do to accuracy: the share of a perfect corrector's answers that they cover, and what follows.

A perfect corrector answers as a person would, so its accuracy against M references is the coverage P(y ∈ Y) of one
person's answer by M other people's (section 3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError, check_choice
from recte.statistics.bootstrap import Interval
from recte.studies.coverage.unseen_corrections import Distribution

__all__ = [
    "AccuracyDistribution",
    "accuracy_distribution",
    "check_references",
    "coverage_without_replacement",
    "expected_bias",
    "expected_gain",
    "mean_coverage",
    "references_needed",
]

_MOST_REFERENCES = 10**9
_MOST_DRAWN = 1000


def check_references(references: Sequence[int]) -> None:
    """Refuse numbers of references that make no sense, or that would take forever to draw."""
    if not references or not 1 <= min(references) <= max(references) <= _MOST_DRAWN:
        raise OptionError(f"references: expected numbers from 1 to {_MOST_DRAWN}, got {list(references)[:10]}")


def mean_coverage(distributions: Sequence[Distribution], references: int) -> float:
    """The expected accuracy of a perfect corrector, references drawn with replacement: 1 - b of equation 8, exactly.

    >>> mean_coverage([Distribution((0.5,), (2.0,)), Distribution((1.0,), (1.0,))], 2)
    0.875
    """
    return float(np.mean([d.coverage(references) for d in distributions]))


def coverage_without_replacement(
    distribution: Distribution, most: int, *, samples: int = 1000, seed: int = 0
) -> NDArray[np.float64]:
    """Coverage by 1 to `most` references that are all different, as one annotator would write them: by sampling.

    Fractions of variants are rounded at random in each sample. Drawing one after the other, each by its probability
    among what is left, is what Gumbel's top-k does, without a number for every variant.

    >>> coverage_without_replacement(Distribution((0.5,), (2.0,)), 2).tolist()
    [0.5, 1.0]
    """
    generator = np.random.default_rng(seed)
    x, h = distribution.arrays()
    left = np.floor(h) + (generator.random((samples, len(h))) < h - np.floor(h))
    empty = left.sum(axis=1) == 0  # a sample must hold something: then the most probable is there
    left[empty, np.argmax(x * h)] = 1
    whole = (left * x).sum(axis=1)
    covered, curve = np.zeros(samples), np.empty(most)
    for m in range(most):
        masses = left * x
        remaining = masses.sum(axis=1)
        drawn = (np.cumsum(masses, axis=1) <= (generator.random(samples) * remaining)[:, None]).sum(axis=1)
        some = np.flatnonzero(remaining > 1e-12 * whole)
        picked = np.minimum(drawn[some], len(x) - 1)
        covered[some] += x[picked] / whole[some]
        left[some, picked] -= 1
        curve[m] = np.minimum(covered, 1.0).mean()
    return curve


@dataclass(frozen=True)
class AccuracyDistribution:
    """How many of a corpus' sentences a perfect corrector gets right: a Poisson-binomial distribution.

    `probabilities[k]` is the probability of k sentences right.
    """

    probabilities: tuple[float, ...]

    @property
    def sentences(self) -> int:
        return len(self.probabilities) - 1

    @property
    def mean(self) -> float:
        """Of the accuracy, a share of the sentences."""
        return float(np.arange(len(self.probabilities)) @ np.array(self.probabilities)) / max(self.sentences, 1)

    @property
    def standard_deviation(self) -> float:
        """Of the accuracy."""
        counts = np.arange(len(self.probabilities)) / max(self.sentences, 1)
        return float(np.sqrt(max((counts - self.mean) ** 2 @ np.array(self.probabilities), 0.0)))

    def interval(self, level: float = 0.95) -> Interval:
        """The accuracies that hold the middle `level` of the distribution."""
        below = np.cumsum(self.probabilities)
        ends = [int(np.searchsorted(below, share - 1e-12)) for share in ((1 - level) / 2, (1 + level) / 2)]
        low, high = (min(end, self.sentences) / max(self.sentences, 1) for end in ends)
        return Interval(low, high, level, "poisson-binomial")

    def p_value(self, correct: int, alternative: Literal["less", "greater", "two-sided"] = "two-sided") -> float:
        """How probable it is that a perfect corrector does as badly (or as well) as `correct` sentences right.

        Small with `less`: the corrector is worse than a perfect one, few references alone do not explain its accuracy.
        """
        if not 0 <= correct <= self.sentences:
            raise OptionError(f"correct: expected 0 to {self.sentences} sentences, got {correct}")
        less = 1 - float(sum(self.probabilities[correct + 1 :]))
        greater = 1 - float(sum(self.probabilities[:correct]))
        both = {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}
        check_choice("alternative", alternative, both)
        return min(max(both[alternative], 0.0), 1.0)


def accuracy_distribution(distributions: Sequence[Distribution], references: int) -> AccuracyDistribution:
    """The distribution of a perfect corrector's accuracy on these sentences with M references each.

    >>> accuracy_distribution([Distribution((0.5,), (2.0,))] * 2, 1).probabilities
    (0.25, 0.5, 0.25)
    """
    probabilities = np.ones(1)
    for distribution in distributions:
        right = min(distribution.coverage(references), 1.0)
        probabilities = np.convolve(probabilities, [1 - right, right])
    return AccuracyDistribution(tuple(probabilities.tolist()))


def references_needed(distributions: Sequence[Distribution], wanted: float) -> int | None:
    """The fewest references whose coverage is at least `wanted`; None where a billion are not enough.

    >>> references_needed([Distribution((0.5,), (2.0,))], 0.9)
    4
    """
    if not 0 < wanted < 1:
        raise OptionError(f"coverage: expected a share between 0 and 1, got {wanted}")
    high = 1
    while mean_coverage(distributions, high) < wanted:
        high *= 2
        if high > _MOST_REFERENCES:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if mean_coverage(distributions, middle) >= wanted else (middle, high)
    return high


def expected_bias(coverage: float, *, accuracy: float = 1.0, share: float = 1.0) -> float:
    """By how much accuracy is underestimated (equations 3 to 7): scaled by the corrector's true accuracy, and by the
    share of sentences that need correction.

    >>> round(expected_bias(0.25, accuracy=0.5, share=0.8), 3)
    0.3
    """
    return accuracy * share * (1 - coverage)


def expected_gain(coverage: float, *, accuracy: float = 1.0, reward: float = 1.0, penalty: float = 1.0) -> float:
    """What a measure is expected to change by when a corrector corrects at all (section 2.2): `reward` α where its
    correction is among the references, minus `penalty` β where it is not. Below 0, doing nothing scores better.

    >>> expected_gain(0.25), expected_gain(0.75, accuracy=0.5, penalty=2.0)
    (-0.5, -0.875)
    """
    success = coverage * accuracy
    return success * reward - (1 - success) * penalty

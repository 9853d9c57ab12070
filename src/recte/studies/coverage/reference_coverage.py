"""The coverage study: how many corrections there are, and what a perfect corrector would score with few references.

Estimates depend on single answers, so they come with intervals: answers are drawn from the estimated distribution,
unseen corrections included, and estimated again. (Drawing from the answers themselves repeats some and invents none, so
that the interval would lie far below the estimate.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import InputError, OptionError
from recte.statistics.bootstrap import Interval
from recte.studies.coverage.accuracy import (
    accuracy_distribution,
    check_references,
    coverage_without_replacement,
    expected_bias,
    expected_gain,
    mean_coverage,
    references_needed,
)
from recte.studies.coverage.kinds import AnsweredSentence, AnswerMatch, AnswerRule, answer_kinds
from recte.studies.coverage.unseen_corrections import Distribution, chao1, fingerprint, good_turing, unseen_of_all

__all__ = ["CoveragePoint", "CoverageStudy", "FrequencyRow", "ReferencesNeeded", "SentenceEstimate", "coverage_of"]

THRESHOLDS = (0.0, 0.001, 0.01, 0.1)  # Table 1's
REFERENCES = (1, 2, 3, 5, 10, 20)
_MOST_SAMPLES = 100_000  # more would take memory and hours, and change no digit that is shown


@dataclass(frozen=True)
class SentenceEstimate:
    """What is estimated of one sentence's corrections."""

    id: str
    source: str
    answers: int
    distinct: int
    unseen_probability: float  # Good–Turing's
    chao1: float
    variants: float
    objective: float
    distribution: Distribution


@dataclass(frozen=True)
class FrequencyRow:
    """Corrections more frequent than a threshold: how many, and how probable together; means over sentences."""

    frequency: float
    variants: float
    variants_interval: Interval | None
    mass: float
    mass_interval: Interval | None


@dataclass(frozen=True)
class CoveragePoint:
    """A perfect corrector's expected accuracy with so many references, and what follows from it.

    `accuracy_interval` is where its accuracy on this many sentences lies, `p_value` how probable it is to be no better
    than the number of correct sentences that was asked about.
    """

    references: int
    coverage: float
    coverage_interval: Interval | None
    without_replacement: float
    accuracy_interval: Interval
    bias: float
    gain: float
    p_value: float | None


@dataclass(frozen=True)
class ReferencesNeeded:
    """The fewest references for a coverage, or None where a billion are not enough."""

    coverage: float
    references: int | None


@dataclass(frozen=True, kw_only=True)
class CoverageStudy:
    """Estimates of all sentences, Table 1, and the curves of Figure 2.

    >>> answered = AnsweredSentence("He go .", ("He goes .",) * 6 + ("He went .", "He has gone ."))
    >>> study = coverage_of([answered], resamples=0)
    >>> study.sentences[0].distinct, round(study.curve[0].coverage, 2)
    (3, 0.59)
    """

    match: AnswerMatch
    rule: AnswerRule
    accuracy: float
    share: float
    reward: float
    penalty: float
    seed: int
    sentences: tuple[SentenceEstimate, ...]
    thresholds: tuple[FrequencyRow, ...]
    curve: tuple[CoveragePoint, ...]
    needed: tuple[ReferencesNeeded, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and text."""
        return asdict(self)


def coverage_of(
    sentences: Sequence[AnsweredSentence],
    *,
    match: AnswerMatch = "exact",
    rule: AnswerRule = "default",
    references: Sequence[int] = REFERENCES,
    thresholds: Sequence[float] = THRESHOLDS,
    wanted: Sequence[float] = (0.5, 0.75, 0.9),
    accuracy: float = 1.0,
    share: float = 1.0,
    reward: float = 1.0,
    penalty: float = 1.0,
    correct: int | None = None,
    samples: int = 1000,
    resamples: int = 20,
    level: float = 0.95,
    seed: int = 0,
) -> CoverageStudy:
    """Estimate the distribution of every sentence's corrections, and what few references make of a perfect corrector.

    `accuracy` is a corrector's true accuracy and `share` the share of sentences that need correction: the bias scales
    with both. `reward` and `penalty` are a measure's α and β in the expected gain from correcting at all. `correct` is
    how many of the sentences a corrector got right, for a test against a perfect one. `resamples` 0 gives no intervals.

    >>> answered = AnsweredSentence("He go .", ("He goes .",) * 6 + ("He went .", "He has gone ."))
    >>> coverage_of([answered], match="index", resamples=0).sentences[0].distinct
    1
    """
    check_references(references)
    for name, value in (("accuracy", accuracy), ("share", share)):
        if not 0 <= value <= 1:
            raise OptionError(f"{name}: expected a share from 0 to 1, got {value}")
    for name, value in (("reward", reward), ("penalty", penalty)):
        if not 0 <= value < math.inf:
            raise OptionError(f"{name}: expected a number from 0, got {value}")
    for name, number, least in (("samples", samples, 1), ("resamples", resamples, 0)):
        if not least <= number <= _MOST_SAMPLES:
            raise OptionError(f"{name}: expected {least} to {_MOST_SAMPLES}, got {number}")
    for value in wanted:
        if not 0 < value < 1:
            raise OptionError(f"wanted: expected shares between 0 and 1, got {value}")
    estimates = _estimates(sentences, match, rule)
    if not estimates:
        raise InputError("coverage: expected at least one sentence with answers, got none")
    distributions = [estimate.distribution for estimate in estimates]
    drawn = _redrawn(estimates, resamples, seed)
    without = np.mean(
        [
            coverage_without_replacement(d, max(references), samples=samples, seed=seed + s)
            for s, d in enumerate(distributions)
        ],
        axis=0,
    )

    def interval(figure: Any, most: float = np.inf) -> Interval | None:
        return _normal(figure(distributions), [figure(of_draw) for of_draw in drawn], level, seed, most)

    curve = []
    for number in references:
        covered = mean_coverage(distributions, number)
        right = accuracy_distribution(distributions, number)
        curve.append(
            CoveragePoint(
                references=number,
                coverage=covered,
                coverage_interval=interval(lambda ds, number=number: mean_coverage(ds, number), 1.0),
                without_replacement=float(without[number - 1]),
                accuracy_interval=right.interval(level),
                bias=expected_bias(covered, accuracy=accuracy, share=share),
                gain=expected_gain(covered, accuracy=accuracy, reward=reward, penalty=penalty),
                p_value=None if correct is None else right.p_value(correct, "less"),
            )
        )
    return CoverageStudy(
        match=match,
        rule=rule,
        accuracy=accuracy,
        share=share,
        reward=reward,
        penalty=penalty,
        seed=seed,
        sentences=estimates,
        thresholds=tuple(
            FrequencyRow(
                frequency=frequency,
                variants=_mean_variants(distributions, frequency),
                variants_interval=interval(lambda ds, frequency=frequency: _mean_variants(ds, frequency)),
                mass=_mean_mass(distributions, frequency),
                mass_interval=interval(lambda ds, frequency=frequency: _mean_mass(ds, frequency), 1.0),
            )
            for frequency in thresholds
        ),
        curve=tuple(curve),
        needed=tuple(ReferencesNeeded(share, references_needed(distributions, share)) for share in wanted),
    )


def _estimates(
    sentences: Sequence[AnsweredSentence], match: AnswerMatch, rule: AnswerRule
) -> tuple[SentenceEstimate, ...]:
    bare = next((s for s in sentences if not s.answers), None)
    if bare is not None:
        raise InputError(f"coverage: expected answers for sentence {bare.id} {bare.source[:40]!r}, got none")
    fingerprints = [fingerprint(answer_kinds(s.source, s.answers, match, rule)) for s in sentences]
    return tuple(
        SentenceEstimate(
            id=sentence.id,
            source=sentence.source,
            answers=len(sentence.answers),
            distinct=sum(seen),
            unseen_probability=good_turing(seen),
            chao1=chao1(seen),
            variants=estimate.distribution.variants_above(0.0),
            objective=estimate.objective,
            distribution=estimate.distribution,
        )
        for sentence, seen, estimate in zip(sentences, fingerprints, unseen_of_all(fingerprints), strict=True)
    )


def _redrawn(estimates: Sequence[SentenceEstimate], resamples: int, seed: int) -> list[list[Distribution]]:
    """In each resample, each sentence estimated again from as many answers, drawn from its distribution."""
    generators = [np.random.default_rng((seed, r)) for r in range(resamples)]
    fingerprints = [_draw(e.distribution, e.answers, generator) for generator in generators for e in estimates]
    distributions = [estimate.distribution for estimate in unseen_of_all(fingerprints)]
    return [distributions[r * len(estimates) : (r + 1) * len(estimates)] for r in range(resamples)]


def _draw(distribution: Distribution, answers: int, generator: np.random.Generator) -> tuple[int, ...]:
    x, h = distribution.arrays()
    bins: NDArray[np.int64] = generator.choice(len(x), size=answers, p=x * h / (x * h).sum())
    variants = np.maximum(np.ceil(h[bins] - generator.random(answers)), 1)
    return fingerprint(zip(bins.tolist(), (generator.random(answers) * variants).astype(int).tolist(), strict=True))


def _normal(value: float, drawn: Sequence[float], level: float, seed: int, most: float) -> Interval | None:
    if len(drawn) < 2:
        return None
    from scipy.special import ndtri

    half = float(ndtri((1 + level) / 2)) * float(np.std(drawn, ddof=1))
    return Interval(max(value - half, 0.0), min(value + half, most), level, "normal", seed)


def _mean_variants(distributions: Sequence[Distribution], frequency: float) -> float:
    return float(np.mean([d.variants_above(frequency) for d in distributions]))


def _mean_mass(distributions: Sequence[Distribution], frequency: float) -> float:
    return float(np.mean([d.mass_above(frequency) for d in distributions]))

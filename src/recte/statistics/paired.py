"""Is one system better than another, or is it chance? Tests over pairs of systems on the same sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts, absent_rows
from recte.errors import OptionError, check_choice
from recte.metrics.base import Metric
from recte.statistics.drawing import Drawing
from recte.statistics.intervals import (
    TWO_LEVEL,
    Replicates,
    Resampling,
    Unit,
    check_comparable,
    check_units,
    metric_of,
)

__all__ = [
    "DEFAULT_TEST",
    "TESTS",
    "PairedTest",
    "Swaps",
    "TestName",
    "baseline_test",
    "bootstrap_p",
    "bootstrap_test",
    "paired_test",
    "two_level_test",
]

TestName = Literal["randomisation", "bootstrap", "bootstrap-normal", "bootstrap-sacrebleu", "t", "wilcoxon"]
TESTS: tuple[TestName, ...] = get_args(TestName)
# Of comparisons of systems: it keeps its level as randomisation does, takes the resamples of the intervals, and can
# give the small p that Holm's correction asks for where there are many pairs.
DEFAULT_TEST: TestName = "bootstrap-normal"
_SAMPLED: dict[str, int] = {
    "randomisation": 10_000,
    "bootstrap": 1_000,
    "bootstrap-normal": 1_000,
    "bootstrap-sacrebleu": 1_000,
}
Groups = NDArray[np.int64] | None
_EQUAL = 1e-12  # what sums taken in another order differ by, as a share of their size


@dataclass(frozen=True)
class PairedTest:
    """The outcome of a two-sided test. `difference` is of corpus scores; for `t` and `wilcoxon`, which compare
    sentences, `mean_difference` is what they saw.
    """

    test: str
    first: str
    second: str
    difference: float
    p: float
    trials: int | None = None
    seed: int | None = None
    mean_difference: float | None = None


def paired_test(
    first: Counts,
    second: Counts,
    *,
    test: TestName = "randomisation",
    metric: Metric | None = None,
    trials: int | None = None,
    seed: int = 12345,
    unit: Unit = "auto",
) -> PairedTest:
    """Test whether the first system's score differs from the second's.

    `randomisation`: systems are swapped sentence by sentence at random (10,000 trials); p is how often the difference
    is then as large. `bootstrap`: sentences are resampled (1,000 times), differences centred on the observed one.
    `bootstrap-normal` sets the difference against the resamples' standard error, by the normal distribution: 1,000
    resamples cannot count p below .001, which many tests corrected by Holm ask for. `bootstrap-sacrebleu` takes
    absolute values before it centres, as sacreBLEU does, which makes it too eager. `t` and `wilcoxon` compare sentence
    scores (weighted accuracy for the I-measure). Where documents are the unit, as `Resampling` says, they are swapped,
    drawn or averaged as wholes: sentences of one document are alike.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 20, [["He goes .", "I am ."] * 20])
    >>> scorer = recte.MaxMatch().prepare(gold)
    >>> good, idle = scorer.count(["He goes .", "I am ."] * 20), scorer.count(["He go .", "I am ."] * 20)
    >>> paired_test(good, idle).p < 0.001, paired_test(idle, idle).p
    (True, 1.0)
    """
    check_choice("test", test, TESTS)
    if trials is not None and (test not in _SAMPLED or not 10 <= trials <= 10_000_000):
        raise OptionError(f"trials: expected 10 to 10,000,000 with a test that draws, got {trials} with {test}")
    check_comparable([first, second])
    chosen = metric_of(first) if metric is None else metric
    how = Resampling(seed=seed, unit=unit)
    check_units(first, how)
    groups = how.groups(first)
    whole = np.ones((1, len(first)), dtype=np.int32)
    scores = chosen.score_many(first, whole), chosen.score_many(second, whole)
    difference = float((scores[0] - scores[1])[0])
    outcome = PairedTest(test, first.system, second.system, difference, 1.0)
    if test in ("t", "wilcoxon"):
        return _over_units(outcome, chosen.paired_scores(first) - chosen.paired_scores(second), groups)
    number = trials or _SAMPLED[test]
    if test == "randomisation":
        swapped = _swap_rows(chosen, first, second, number, seed, groups)
        extreme = _as_large(swapped, difference, largest=float(np.abs(scores).max()))
        from recte.statistics.permutation import estimate_p

        return replace(outcome, p=estimate_p(extreme, number), trials=number, seed=seed)
    drawn = np.concatenate(
        [
            chosen.score_many(first, weights) - chosen.score_many(second, weights)
            for weights in Drawing.of(first, number, seed, groups).blocks()
        ]
    )
    return replace(outcome, p=bootstrap_p(test, drawn, difference), trials=number, seed=seed)


def bootstrap_p(test: str, drawn: NDArray[np.float64], difference: float) -> float:
    """The p of a difference between two systems, from its resamples."""
    if test == "bootstrap-normal":
        spread = float(drawn.std(ddof=1))
        return math.erfc(abs(difference) / (spread * math.sqrt(2))) if spread else float(difference == 0)
    if test == "bootstrap":
        extreme = _as_large(drawn - difference, difference)
    else:
        extreme = int((np.abs(drawn) - np.abs(drawn).mean() > abs(difference)).sum())
    from recte.statistics.permutation import estimate_p

    return estimate_p(extreme, len(drawn))


def _as_large(values: NDArray[np.float64], observed: float, largest: float = 0.0) -> int:
    """How many values are as far from 0 as the observed one; `largest` is the size of what they were made of."""
    sizes = np.abs(values)
    rounding = _EQUAL * max(largest, float(sizes.max()))
    return int((sizes >= abs(observed) - rounding).sum())


def bootstrap_test(test: TestName, first: str, second: str, differences: Replicates) -> PairedTest:
    """A bootstrap test from resampled differences of two systems."""
    p = bootstrap_p(test, differences.values, differences.observed)
    trials, seed = len(differences.values), differences.resampling.seed
    return PairedTest(test, first, second, differences.observed, p, trials, seed)


def two_level_test(first: str, second: str, differences: Replicates) -> PairedTest:
    """The test of two systems' means over runs, from resampled differences.

    p belongs to the two-level interval that ends at 0, its level of sentences by the normal distribution.
    """
    from scipy.special import ndtri

    observed, error = abs(differences.observed), float(differences.values.std(ddof=1))

    def half_width(p: float) -> float:
        of_runs = (spread.half_width(p) for spread in differences.spreads)
        return math.hypot(error * float(ndtri(p / 2)), *of_runs)

    low, high = _LEAST_P, 1.0  # half the width of the interval falls as p rises
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if half_width(middle) > observed else (low, middle)
    trials, seed = len(differences.values), differences.resampling.seed
    return PairedTest(TWO_LEVEL, first, second, differences.observed, high, trials, seed)


_LEAST_P = 1e-300


def _swap_rows(
    metric: Metric, first: Counts, second: Counts, trials: int, seed: int, groups: Groups
) -> NDArray[np.float64]:
    """Both systems' rows stand side by side, sentence by sentence; a swap is a weighting that takes one of the two."""
    scores = metric.score_resamples(_interleave(first, second), Swaps(len(first), trials, seed, groups))
    return np.asarray(scores[:trials] - scores[trials:])


def _interleave(first: Counts, second: Counts) -> Counts:
    """Both systems' rows, sentence by sentence; a column that one of them lacks is absent."""
    columns = max(first.rows.shape[1], second.rows.shape[1])
    rows = absent_rows((2 * len(first), columns, *first.rows.shape[2:]), first.rows.dtype)
    rows[0::2, : first.rows.shape[1]] = first.rows
    rows[1::2, : second.rows.shape[1]] = second.rows
    names = max(first.columns, second.columns, key=len)
    return replace(first.repeat(np.full(len(first), 2)), columns=names, rows=rows)


def _over_units(outcome: PairedTest, differences: NDArray[np.float64], groups: Groups) -> PairedTest:
    """A test over the differences of sentences, or of documents' means."""
    from scipy import stats

    mean = float(differences.mean())
    if groups is not None:
        differences = np.bincount(groups, differences) / np.bincount(groups)
    if not differences.any():
        return replace(outcome, mean_difference=mean)  # the same everywhere: nothing speaks against chance
    if outcome.test == "t" and np.ptp(differences) == 0:
        return replace(outcome, p=0.0, mean_difference=mean)  # the same difference everywhere: no spread to judge by
    if outcome.test == "t":
        p = float(stats.ttest_1samp(differences, 0.0).pvalue)
    else:
        p = float(stats.wilcoxon(differences).pvalue)
    return replace(outcome, p=p, mean_difference=mean)


def baseline_test(counts: Counts, *, unit: Unit = "auto") -> PairedTest:
    """The I-measure paper's t-test (section 3): weighted accuracy of a system and of the source, on the references that
    the system chose.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 20, [["He goes .", "I am ."] * 20])
    >>> baseline_test(recte.IMeasure().prepare(gold).count(["He goes .", "I am ."] * 20)).p < 0.001
    True
    """
    metric, how = metric_of(counts), Resampling(unit=unit)
    check_units(counts, how)
    differences = metric.paired_scores(counts) - metric.baseline_scores(counts)
    outcome = PairedTest("t", counts.system, "source", metric.score_counts(counts).score, 1.0)
    return _over_units(outcome, differences, how.groups(counts))


_TRIALS_A_BLOCK, _BLOCK_CELLS = 1_000, 4_000_000


@dataclass(frozen=True)
class Swaps:
    """Trials over the rows of two systems that stand side by side, sentence by sentence.

    As resamples of these rows they are twice as many as trials: what the first system has after the swaps of each
    trial, then what the second has. Every pair of systems shares them. `groups` numbers documents that are swapped as
    wholes.
    """

    size: int
    trials: int
    seed: int
    groups: NDArray[np.int64] | None = None

    @property
    def resamples(self) -> int:
        return 2 * self.trials

    @property
    def sentence_keys(self) -> None:
        return None

    def stretches(self) -> None:
        return None

    def blocks(self) -> Iterator[NDArray[np.int32]]:
        """How often each row stands in what the first system has, then in what the second has; in blocks."""
        for other in (0, 1):
            for part in self._parts():
                swap = _draw_swaps(*part) if self.groups is None else _draw_swaps(*part)[:, self.groups]
                weights = np.empty((len(swap), 2 * self.size), dtype=np.int32)
                weights[:, other::2], weights[:, 1 - other :: 2] = 1 - swap, swap
                yield weights

    def swaps(self) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """Some trials at a time: how many, and eight trials a byte for each sentence, set where they swap it."""
        for part in self._parts():
            packed = _draw_bits(*part)
            yield part[1], packed if self.groups is None else packed[self.groups]

    def _parts(self) -> Iterator[tuple[int, int, int, int]]:
        """What a block of trials is made from: units, how many trials, the seed, the first trial."""
        rows = max(1, min(_TRIALS_A_BLOCK, _BLOCK_CELLS // max(self.size, 1)))
        units = self.size if self.groups is None else int(self.groups.max()) + 1
        for first in range(0, self.trials, rows):
            yield units, min(rows, self.trials - first), self.seed, first


@lru_cache(maxsize=10)
def _draw_swaps(size: int, trials: int, seed: int, first: int) -> NDArray[np.int8]:
    """One row per trial."""
    return np.random.default_rng([seed, first]).integers(2, size=(trials, size), dtype=np.int8)


@lru_cache(maxsize=10)
def _draw_bits(size: int, trials: int, seed: int, first: int) -> NDArray[np.uint8]:
    """One row per unit."""
    by_unit = np.ascontiguousarray(_draw_swaps(size, trials, seed, first).T)
    return np.packbits(by_unit, axis=1, bitorder="little")

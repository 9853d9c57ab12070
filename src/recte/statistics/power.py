"""How sure a test set can make us: the smallest difference that a test on it would detect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts
from recte.errors import InputError, OptionError
from recte.metrics.base import Metric
from recte.statistics.bootstrap import leave_one_out_blocks, weight_blocks
from recte.statistics.intervals import Resampling, Unit, check_comparable, metric_of

__all__ = ["Power", "detectable_difference"]

_FEWEST = 10  # sentences or documents, below which simulated test sets say nothing


@dataclass(frozen=True)
class Power:
    """`detectable_difference` is found significant in `power` of simulated test sets of `sentence_count` sentences, by
    a t-test at `alpha`; None where no difference is.

    `power_of_observed` is how often the observed difference would be; `sentences_needed` how many sentences like these
    would find it in `power` of cases (at least ten), None where the systems are equal.
    """

    detectable_difference: float | None
    power: float
    alpha: float
    sentence_count: int
    observed_difference: float
    power_of_observed: float
    sentences_needed: int | None


def detectable_difference(
    first: Counts,
    second: Counts,
    *,
    metric: Metric | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    simulations: int = 2000,
    seed: int = 12345,
    unit: Unit = "auto",
) -> Power:
    """The smallest true difference between systems like these two that this many sentences would show.

    What each sentence contributes to the difference of corpus scores is taken from leaving it out (jackknife
    pseudo-values). Simulated test sets resample sentences, with a true difference put in place of the observed one,
    and each is tested by a two-sided t-test over the contributions.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 50, [["He goes .", "I am ."] * 50])
    >>> scorer = recte.MaxMatch().prepare(gold)
    >>> first = scorer.count(["He goes .", "I are ."] * 50)
    >>> second = scorer.count(["He goes .", "I am ."] * 25 + ["He go .", "I are ."] * 25)
    >>> 0 < detectable_difference(first, second).detectable_difference < 1
    True
    """
    if not 0.05 <= power <= 0.99 or not 0 < alpha < 1:
        raise OptionError(f"power, alpha: expected 0.05 to 0.99 and 0 to 1, got {power} and {alpha}")
    check_comparable([first, second])
    chosen = metric_of(first) if metric is None else metric
    groups = Resampling(unit=unit).groups(first)
    observed, contributions = _contributions(chosen, first, second, groups)
    size = len(contributions)
    if size < _FEWEST:
        what = "sentences" if groups is None else "documents"
        raise InputError(f"expected at least {_FEWEST} {what} to simulate test sets from, got {size}")
    if not contributions.std():  # the same everywhere: any difference shows
        return Power(0.0, power, alpha, len(first), observed, float(observed != 0), _FEWEST if observed else None)
    means, errors = _simulate(contributions - contributions.mean(), simulations, seed)
    limit = _critical(alpha, size) * errors

    def detection_rate(difference: float) -> float:
        return float((np.abs(means + difference) > limit).mean())

    largest = float(20 * errors.mean())
    if detection_rate(largest) < power:
        return Power(None, power, alpha, len(first), observed, detection_rate(observed), None)
    smallest = _smallest(detection_rate, power, largest)
    needed = None if observed == 0 else max(_FEWEST, round(len(first) * (smallest / observed) ** 2))
    return Power(smallest, power, alpha, len(first), observed, detection_rate(observed), needed)


def _contributions(
    metric: Metric, first: Counts, second: Counts, groups: NDArray[np.int64] | None
) -> tuple[float, NDArray[np.float64]]:
    """The difference of scores, and the pseudo-value of each sentence or document, which average to nearly that."""

    def difference(weights: NDArray[np.int32]) -> NDArray[np.float64]:
        return metric.score_many(first, weights) - metric.score_many(second, weights)

    observed = float(difference(np.ones((1, len(first)), dtype=np.int32))[0])
    left_out = np.concatenate([difference(weights) for weights in leave_one_out_blocks(len(first), groups=groups)])
    return observed, len(left_out) * observed - (len(left_out) - 1) * left_out


def _simulate(centred: NDArray[np.float64], simulations: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """Mean and standard error of the contributions in each simulated test set."""
    size = len(centred)
    both = np.stack([centred, centred**2], axis=1)
    sums = np.concatenate([w.astype(np.float64) @ both for w in weight_blocks(size, simulations, seed)])
    means = sums[:, 0] / size
    variances = np.maximum(sums[:, 1] / size - means**2, 0.0) * size / (size - 1)
    return means, np.sqrt(variances / size)


def _critical(alpha: float, size: int) -> float:
    from scipy import stats

    return float(stats.t.ppf(1 - alpha / 2, size - 1))


def _smallest(detected: Callable[[float], float], power: float, high: float) -> float:
    """The smallest difference with that power, by halving: power grows with the difference."""
    low = 0.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if detected(middle) >= power else (middle, high)
    return high

"""Which annotator each sentence is scored against, where edits have weights and counts are no integers."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.counts import ABSENT, is_present
from recte.threads import thread_count

__all__ = ["ChoiceRule", "WeighedTies", "choose_weighed", "sum_weighed"]

ChoiceRule = Literal["running", "optimal"]
WeighedTies = Literal["denominator", "errors"]
_TIES: tuple[WeighedTies, ...] = ("denominator", "errors")


def choose_weighed(counts: NDArray[np.float64], beta: float, rule: ChoiceRule, ties: WeighedTies) -> NDArray[np.int32]:
    """A column for each sentence of weighed (tp, proposed, gold); -1 where it has none.

    Annotators of equal F and true positives: the smaller `denominator` β²·gold + proposed is taken, or fewer `errors`,
    false positives first; then the first.
    """
    rows = np.ascontiguousarray(_present_or_negative(counts))
    if rule == "optimal":
        return _kernels.choose_annotators(rows, beta, 1)
    return _kernels.choose_weighed(rows, beta, _TIES.index(ties))


def sum_weighed(
    counts: NDArray[np.float64], weights: NDArray[np.int32], beta: float, rule: ChoiceRule, ties: WeighedTies
) -> NDArray[np.float64]:
    """tp, proposed and gold of each weighting, where edits have weights."""
    rows, threads = np.ascontiguousarray(_present_or_negative(counts)), thread_count(len(weights))
    if rule == "optimal":
        return _kernels.sum_choices(rows, weights, beta, 1, threads)
    return _kernels.sum_weighed(rows, weights, beta, _TIES.index(ties), threads)


def _present_or_negative(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(is_present(counts)[..., None], counts, float(ABSENT))

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
    if rule == "optimal":
        return _choose_optimal(counts, beta)
    return _kernels.choose_weighed(np.ascontiguousarray(_present_or_negative(counts)), beta, _TIES.index(ties))


def sum_weighed(
    counts: NDArray[np.float64], weights: NDArray[np.int32], beta: float, rule: ChoiceRule, ties: WeighedTies
) -> NDArray[np.float64]:
    """tp, proposed and gold of each weighting, where edits have weights."""
    if rule == "running":
        rows = np.ascontiguousarray(_present_or_negative(counts))
        return _kernels.sum_weighed(rows, weights, beta, _TIES.index(ties), thread_count(len(weights)))
    found = []
    for weighting in weights:
        there = weighting > 0
        copied = counts[there] * np.where(is_present(counts[there]), weighting[there, None], 1)[..., None]
        chosen = _choose_optimal(copied, beta)
        annotated = chosen != ABSENT
        found.append(copied[np.flatnonzero(annotated), chosen[annotated]].sum(axis=0))
    return np.array(found).reshape(-1, 3)


def _present_or_negative(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(is_present(counts)[..., None], counts, float(ABSENT))


def _choose_optimal(counts: NDArray[np.float64], beta: float) -> NDArray[np.int32]:
    beta2 = beta * beta
    present = is_present(counts)
    tp = np.where(present, counts[:, :, 0], 0).astype(np.float64)
    denominator = np.where(present, beta2 * counts[:, :, 2] + counts[:, :, 1], 0.0)
    nothing = present & (counts == 0).all(axis=2)
    annotated = present.any(axis=1)
    if nothing[annotated].any(axis=1).all():  # nothing to do and nothing done is F = 1
        return np.where(annotated, nothing.argmax(axis=1), ABSENT).astype(np.int32)
    # The best ratio of two sums, by Dinkelbach: for a trial F each sentence takes what is worth most; the F that
    # follows is the next trial, and rises until it stands still.
    f = -1.0
    trial = 0.0
    chosen = np.zeros(len(counts), dtype=np.int32)
    while trial > f:
        f = trial
        worth = np.where(present, (1 + beta2) * tp - f * denominator, -np.inf)
        chosen = _argmax(worth, counts)
        picked = (np.flatnonzero(annotated), chosen[annotated])
        below = denominator[picked].sum()
        trial = float((1 + beta2) * tp[picked].sum() / below) if below else 1.0
    return np.where(annotated, chosen, ABSENT).astype(np.int32)


def _argmax(worth: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.int32]:
    """The column worth most; on a tie more true positives, then fewer proposed, then the first."""
    best = np.zeros(len(worth), dtype=np.int32)
    rows = np.arange(len(worth))
    for column in range(1, worth.shape[1]):
        here, there = worth[:, column], worth[rows, best]
        tp, best_tp = counts[:, column, 0], counts[rows, best, 0]
        fewer = counts[:, column, 1] < counts[rows, best, 1]
        better = (here > there) | ((here == there) & ((tp > best_tp) | ((tp == best_tp) & fewer)))
        best[better] = column
    return best

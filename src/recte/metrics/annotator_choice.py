"""Which annotator each sentence is scored against, and F from the sums."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.alignment.threads import thread_count
from recte.counts import ABSENT
from recte.errors import OptionError

__all__ = ["check_beta", "choose", "f_score", "precision_recall_f", "scores_of_choices", "sentence_f"]

ChoiceRule = Literal["running", "optimal"]


def check_beta(beta: float) -> None:
    if not 0.01 <= beta <= 100:
        raise OptionError(f"beta: expected a number from 0.01 to 100, got {beta}")


def precision_recall_f(tp: int, proposed: int, gold: int, beta: float) -> tuple[float, float, float]:
    """P is 1 if nothing was proposed, R is 1 if there was nothing to find, F is 0 if both are 0.

    >>> precision_recall_f(0, 0, 5, 0.5)
    (1.0, 0.0, 0.0)
    """
    precision = tp / proposed if proposed else 1.0
    recall = tp / gold if gold else 1.0
    return precision, recall, f_score(precision, recall, beta)


def f_score(precision: float, recall: float, beta: float) -> float:
    """The weighted harmonic mean; below 1, β leans to precision.

    >>> f_score(1.0, 0.5, 1.0)
    0.6666666666666666
    """
    beta2 = beta * beta
    denominator = beta2 * precision + recall
    return (1 + beta2) * precision * recall / denominator if denominator else 0.0


def choose(counts: NDArray[np.int32], beta: float, rule: ChoiceRule) -> NDArray[np.int32]:
    """A column for each sentence of (sentences, annotators, (tp, proposed, gold)); -1 where it has none.

    `running` is the published rule: sentence by sentence, whatever is best for the totals so far. `optimal` is
    best for the corpus as a whole and independent of the order of sentences.
    """
    if rule == "running":
        return _kernels.choose_running(np.ascontiguousarray(counts), beta)
    return _choose_optimal(counts, beta)


def scores_of_choices(
    counts: NDArray[np.int32], weights: NDArray[np.int32], beta: float, rule: ChoiceRule
) -> NDArray[np.float64]:
    """F of each weighting of the sentences, annotators chosen anew in each."""
    totals = _kernels.sum_choices(
        np.ascontiguousarray(counts),
        np.ascontiguousarray(weights, dtype=np.int32),
        beta,
        int(rule == "optimal"),
        thread_count(len(weights)),
    )
    return np.array([precision_recall_f(tp, proposed, gold, beta)[2] for tp, proposed, gold in totals.tolist()])


def _choose_optimal(counts: NDArray[np.int32], beta: float) -> NDArray[np.int32]:
    beta2 = beta * beta
    present = counts[:, :, 0] != ABSENT
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


def _argmax(worth: NDArray[np.float64], counts: NDArray[np.int32]) -> NDArray[np.int32]:
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


def sentence_f(counts: NDArray[np.int32], beta: float) -> NDArray[np.float64]:
    """F of every sentence and annotator alone: (1+β²)·tp / (β²·gold + proposed), 1 for 0/0, NaN where absent."""
    beta2 = beta * beta
    tp, proposed, gold = (counts[..., cell].astype(np.float64) for cell in range(3))
    denominator = beta2 * gold + proposed
    with np.errstate(invalid="ignore", divide="ignore"):
        f = np.where(denominator == 0, 1.0, (1 + beta2) * tp / denominator)
    return np.where(counts[..., 0] == ABSENT, np.nan, f)

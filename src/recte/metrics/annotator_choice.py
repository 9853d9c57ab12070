"""Which annotator each sentence is scored against, and F from the sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.counts import ABSENT, is_present
from recte.metrics.resamples import Resamples
from recte.threads import thread_count

__all__ = [
    "ChoiceRule",
    "best_f",
    "f_of_each",
    "f_score",
    "precision_recall_f",
    "sentence_f",
]


def precision_recall_f(tp: float, proposed: float, gold: float, beta: float) -> tuple[float, float, float]:
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


@dataclass(frozen=True)
class ChoiceRule:
    """How each sentence's annotator is chosen.

    `running` is the published rule: sentence by sentence, whatever is best for the totals so far; `optimal` is best for
    the corpus as a whole and independent of the order of sentences. Of annotators with equal F and true positives,
    `denominator` takes the smaller β²·gold + proposed, `errors` fewer false positives, then fewer false negatives; then
    comes the first. `rounded`: F of the totals is rounded to four digits before it is compared, unless edits have
    weights.
    """

    order: Literal["running", "optimal"] = "running"
    ties: Literal["denominator", "errors"] = "denominator"
    rounded: bool = False

    def choose(self, triples: NDArray[Any], beta: float) -> NDArray[np.int32]:
        """A column for each sentence of (sentences, annotators, (tp, proposed, gold)); -1 where it has none."""
        rows = _as_kernels_take(triples)
        if self.order == "optimal":
            return _kernels.choose_annotators(rows, beta, 1)
        if rows.dtype.kind == "f":
            return _kernels.choose_weighed(rows, beta, _TIES.index(self.ties))
        if self.ties == "errors":
            return _kernels.choose_rounded(rows, beta, not self.rounded)
        return _kernels.choose_annotators(rows, beta, 0)

    def scores(self, triples: NDArray[Any], weights: NDArray[Any], beta: float) -> NDArray[np.float64]:
        """F of each weighting of the sentences, annotators chosen for each of them."""
        rows, copies = _as_kernels_take(triples), np.ascontiguousarray(weights, dtype=np.int32)
        threads = thread_count(len(copies))
        if self.order == "optimal":
            totals = _kernels.sum_choices(rows, copies, beta, 1, threads)
        elif rows.dtype.kind == "f":
            totals = _kernels.sum_weighed(rows, copies, beta, _TIES.index(self.ties), threads)
        elif self.ties == "errors":
            totals = _kernels.sum_rounded(rows, copies, beta, not self.rounded, threads).astype(np.float64)
        else:
            totals = _kernels.sum_choices(rows, copies, beta, 0, threads)
        return f_of_each(totals, beta)

    def draw_scores(self, triples: NDArray[Any], resamples: Resamples, beta: float) -> NDArray[np.float64] | None:
        """F of each resample, without weights of sentences in memory; None where no kernel draws, chooses and sums."""
        if self.order == "optimal" or self.ties == "errors" or triples.dtype.kind == "f":
            return None
        triples = np.ascontiguousarray(triples)
        swaps = resamples.swaps()
        if swaps is not None:
            sums = [
                _kernels.sum_swapped(triples, bits, trials, beta, thread_count(trials)).reshape(2, trials, 3)
                for trials, bits in swaps
            ]
            return f_of_each(np.concatenate(sums, axis=1).reshape(-1, 3), beta)
        keys = resamples.sentence_keys
        if keys is None:
            return None
        number, seed = resamples.resamples, resamples.seed % 2**64
        none = np.zeros((number, 3))
        return f_of_each(_kernels.sum_drawn_choices(triples, keys, seed, 0, none, beta, thread_count(number)), beta)


_TIES = ("denominator", "errors")


def _as_kernels_take(triples: NDArray[Any]) -> NDArray[Any]:
    """Rows in one piece, those without an annotator negative."""
    if triples.dtype.kind == "f":
        triples = np.where(is_present(triples)[..., None], triples, float(ABSENT))
    return np.ascontiguousarray(triples)


def f_of_each(totals: NDArray[np.float64], beta: float) -> NDArray[np.float64]:
    """`precision_recall_f` of each row, in the same order of operations."""
    tp, proposed, gold = totals.T
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(proposed != 0, tp / proposed, 1.0)
        recall = np.where(gold != 0, tp / gold, 1.0)
        denominator = beta * beta * precision + recall
        return np.where(denominator != 0, (1 + beta * beta) * precision * recall / denominator, 0.0)


def sentence_f(counts: NDArray[Any], beta: float) -> NDArray[np.float64]:
    """F of every sentence and annotator alone: (1+β²)·tp / (β²·gold + proposed), 1 for 0/0, NaN where absent."""
    beta2 = beta * beta
    tp, proposed, gold = (counts[..., cell].astype(np.float64) for cell in range(3))
    denominator = beta2 * gold + proposed
    with np.errstate(invalid="ignore", divide="ignore"):
        f = np.where(denominator == 0, 1.0, (1 + beta2) * tp / denominator)
    first = counts[..., 0]
    return np.where(first == ABSENT if counts.dtype.kind == "i" else np.isnan(first), np.nan, f)


def best_f(counts: NDArray[Any], beta: float) -> NDArray[np.float64]:
    """The best `sentence_f` of each sentence; `counts` are by sentence and annotator, and all sentences have one."""
    beta2 = beta * beta
    tp, proposed, gold = np.ascontiguousarray(counts.T, dtype=np.float64)  # cells first: a training loop asks often
    denominator = beta2 * gold + proposed
    nothing = denominator == 0
    if nothing.any():
        denominator[nothing] = 1.0
    f = (1 + beta2) * tp / denominator
    f[nothing] = 1.0
    there = tp >= 0
    if not there.all():
        f[~there] = -1.0
    return np.asarray(f.max(axis=0))

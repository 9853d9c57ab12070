"""The I-measure's figures from token counts (Felice and Briscoe 2015, section 2.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.metrics.annotator_choice import f_score

__all__ = ["aspect_figures", "improvements", "weighted_accuracy_terms"]


def weighted_accuracy_terms(counts: Sequence[Any], weight: float) -> tuple[Any, Any]:
    """Numerator and denominator of WAcc, of numbers or arrays."""
    tp, tn, fp, fn, fpn = counts
    return weight * tp + tn, weight * (tp + fp) + tn + fn - (weight + 1) * fpn / 2


def aspect_figures(
    counts: Sequence[int], baseline: tuple[int, int] | None, weight: float = 2.0, beta: float = 0.5
) -> dict[str, float]:
    """All figures of tp, tn, fp, fn, fpn. `baseline` is tn, fn of the source; None takes it from the counts as printed.

    >>> round(100 * aspect_figures((19, 13062, 7, 665, 2), None)["i"], 2)  # UFC in the paper's Table 11
    1.35
    """
    tp, tn, fp, fn, fpn = counts
    base_tn, base_fn = (tn + fp - fpn, tp + fn) if baseline is None else baseline
    precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
    wacc = _ratio(*weighted_accuracy_terms(counts, weight))
    base = _ratio(base_tn, base_tn + base_fn)
    return {
        "tp": tp,
        "tn": tn,
        "fp": fp,
        "fn": fn,
        "fpn": fpn,
        "precision": precision,
        "recall": recall,
        "f": f_score(precision, recall, beta),
        "acc": _ratio(tp + tn, tp + tn + fp + fn - fpn),
        "wacc": wacc,
        "acc_base": base,
        "wacc_base": base,
        "i": _improvement(wacc, base),
    }


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 1.0


def _ratios(numerators: NDArray[np.float64], denominators: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(numerators, denominators, out=np.ones_like(numerators), where=denominators != 0)


def _improvement(wacc: float, base: float) -> float:
    if wacc == base:
        return float(math.floor(wacc))
    return (wacc - base) / (1 - base) if wacc > base else wacc / base - 1


def improvements(
    counts: Sequence[NDArray[np.float64]], baseline: Sequence[NDArray[np.float64]] | None, weight: float
) -> NDArray[np.float64]:
    """I of many sums at once: `counts` are tp, tn, fp, fn, fpn, and `baseline` as for `aspect_figures`."""
    tp, tn, fp, fn, fpn = counts
    base_tn, base_fn = (tn + fp - fpn, tp + fn) if baseline is None else baseline
    wacc = _ratios(*weighted_accuracy_terms(counts, weight))
    base = _ratios(base_tn, base_tn + base_fn)
    with np.errstate(divide="ignore", invalid="ignore"):
        changed = np.where(wacc > base, (wacc - base) / (1 - base), wacc / base - 1)
    return np.where(wacc == base, np.floor(wacc), changed)

"""Agreement with single judgments: tables of human by metric outcome, variants of Kendall's τ, accuracy with ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError, describe_choices
from recte.statistics.correlation import ratio_or_nan

__all__ = ["VARIANTS", "calibrated_accuracy", "outcome_codes", "tau"]

VARIANTS = ("hties", "noties", "accuracy")


def outcome_codes(human: NDArray[np.int64], metric: NDArray[np.float64]) -> NDArray[np.int64]:
    """Each comparison's cell in a table of human by metric outcome (second better, tie, first better).

    `metric` is the first system's score less the second's. A tie is a tie: neither system is favoured.

    >>> outcome_codes(np.array([1, 0]), np.array([-0.2, 0.0])).tolist()
    [6, 4]
    """
    return (human + 1) * 3 + np.sign(metric).astype(np.int64) + 1


def tau(variant: str, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """The statistic of tables whose last axis holds the nine cells; NaN where no comparison counts.

    `noties` leaves out comparisons that humans tied (Macháček and Bojar 2014); `hties` keeps them, and counts one as
    agreement where the metric ties too (Chollampatt and Ng 2018, section 3.2); a metric's other ties count for nothing.
    `accuracy` is the share judged alike, ties included (Deutsch et al. 2023).

    >>> table = np.array([4, 1, 1, 0, 2, 0, 1, 0, 3])
    >>> [round(float(tau(variant, table)), 4) for variant in VARIANTS]
    [0.5833, 0.5, 0.75]
    """
    table = cells.reshape(*cells.shape[:-1], 3, 3)
    alike = table[..., 0, 0] + table[..., 2, 2]
    contrary = table[..., 0, 2] + table[..., 2, 0]
    all_of_them = table.sum(axis=(-1, -2))
    tied_by_both, tied_by_humans = table[..., 1, 1], table[..., 1, :].sum(axis=-1)
    if variant == "hties":
        top, bottom = alike - contrary + tied_by_both, all_of_them
    elif variant == "noties":
        top, bottom = alike - contrary, all_of_them - tied_by_humans
    elif variant == "accuracy":
        top, bottom = alike + tied_by_both, all_of_them
    else:
        raise OptionError(f"variant: {describe_choices(VARIANTS, variant)}")
    return ratio_or_nan(top, bottom)


def calibrated_accuracy(human: NDArray[np.int64], metric: NDArray[np.float64]) -> tuple[float, float]:
    """The best accuracy with ties, if scores at most ε apart are taken as tied, and that ε (Deutsch et al. 2023).

    >>> calibrated_accuracy(np.array([0, 1, -1]), np.array([0.01, 0.5, -0.3]))
    (1.0, 0.01)
    """
    distance = np.abs(metric)
    order = np.argsort(distance, kind="stable")
    distance, tied = distance[order], (human == 0)[order]
    told = (np.sign(metric) == human)[order] & ~tied
    # Accuracy where the first k comparisons, the closest, are taken as ties.
    correct = np.concatenate([[0], np.cumsum(tied)]) + np.concatenate([np.cumsum(told[::-1])[::-1], [0]])
    ends = np.flatnonzero(np.append(distance[1:] != distance[:-1], True)) + 1  # ε takes all of one distance, or none
    if distance[0] > 0:
        ends = np.concatenate([[0], ends])
    best = ends[np.argmax(correct[ends])]
    return float(correct[best] / len(human)), float(distance[best - 1]) if best else 0.0

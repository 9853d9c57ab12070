"""Judgments drawn again: tables of outcomes whose pairs, rankings or sentences were resampled with replacement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errata.errors import OptionError
from errata.human.judgments import Judgments
from errata.inference.resampling import bootstrap_weights

__all__ = ["grouped_counts", "resampled_counts", "resampled_tables", "weighted_counts"]


def grouped_counts(codes: NDArray[np.int64], groups: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How often each code below `size` occurs in each group."""
    count = int(groups.max(initial=-1)) + 1
    return np.bincount(groups * size + codes, minlength=count * size).reshape(count, size)


def weighted_counts(weights: NDArray[np.int32], by_group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums of groups, each as often as a row of weights says; in doubles, which hold such counts exactly."""
    return np.rint(weights.astype(np.float64) @ by_group.astype(np.float64)).astype(np.int64)


def resampled_counts(
    codes: NDArray[np.int64], groups: NDArray[np.int64] | None, size: int, resamples: int, seed: int
) -> NDArray[np.int64]:
    """How often each code occurs in each resample of the groups, or of the single rows where there are none.

    Rows drawn one by one are a multinomial over the codes: the same bootstrap without drawing a row.
    """
    if resamples < 1:
        raise OptionError(f"resamples: expected at least 1, got {resamples}")
    if groups is None:
        observed = np.bincount(codes, minlength=size)
        drawn = np.random.default_rng(seed).multinomial(len(codes), observed / len(codes), size=resamples)
        return drawn.astype(np.int64)
    by_group = grouped_counts(codes, groups, size)
    return weighted_counts(bootstrap_weights(len(by_group), resamples, seed), by_group)


def resampled_tables(judgments: Judgments, unit: str, resamples: int, seed: int) -> NDArray[np.int64]:
    """Tables as of `Judgments.table`, one a resample of the pairs, the rankings or the sentences."""
    groups = judgments.groups(unit)
    counts = resampled_counts(
        judgments.cell, None if unit == "pairs" else groups, judgments.cell_count, resamples, seed
    )
    return counts.reshape(resamples, -1, 3)

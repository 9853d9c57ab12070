"""Judgments drawn again: tables of outcomes whose pairs, rankings or sentences were resampled with replacement."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError
from recte.human.judgments import Judgments
from recte.inference.bootstrap import bootstrap_weights

__all__ = ["Resampler", "check_drawing", "grouped_counts", "resampled_tables", "weighted_counts"]


_MOST = 1_000_000


def check_drawing(resamples: int, level: float, seed: int, trials: int = 1) -> None:
    """Refuse numbers that nothing can be drawn by."""
    if not 2 <= resamples <= _MOST:
        raise OptionError(f"resamples: expected 2 to {_MOST:,}, got {resamples}")
    if not 1 <= trials <= _MOST:
        raise OptionError(f"trials: expected 1 to {_MOST:,}, got {trials}")
    if not 0 < level < 1:
        raise OptionError(f"level: expected a number between 0 and 1, got {level}")
    if not 0 <= seed < 2**64:
        raise OptionError(f"seed: expected a number from 0 to 2^64 - 1, got {seed}")


def grouped_counts(codes: NDArray[np.int64], groups: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How often each code below `size` occurs in each group."""
    count = int(groups.max(initial=-1)) + 1
    return np.bincount(groups * size + codes, minlength=count * size).reshape(count, size)


def weighted_counts(weights: NDArray[np.int32], by_group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sums of groups, each as often as a row of weights says; in doubles, which hold such counts exactly."""
    return np.rint(weights.astype(np.float64) @ by_group.astype(np.float64)).astype(np.int64)


class Resampler:
    """Draws comparisons anew, always the same ones for the same seed.

    `groups` says which comparisons are drawn together; without it they are drawn one by one, which is a multinomial
    over what they are counted by: the same bootstrap without drawing a single row.
    """

    def __init__(self, groups: NDArray[np.int64] | None, resamples: int, seed: int, unit: str = "pairs") -> None:
        self.groups, self.resamples, self.seed, self.unit = groups, resamples, seed, unit

    @classmethod
    def of(cls, judgments: Judgments, unit: str, resamples: int, seed: int) -> Resampler:
        """Draws pairs, rankings or sentences of the judgments."""
        groups = judgments.groups(unit)
        return cls(None if unit == "pairs" else groups, resamples, seed, unit)

    @cached_property
    def weights(self) -> NDArray[np.int32]:
        assert self.groups is not None
        return bootstrap_weights(int(self.groups.max()) + 1, self.resamples, self.seed)

    def counts(self, codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """How often each code below `size` occurs in each resample."""
        if self.groups is not None:
            return weighted_counts(self.weights, grouped_counts(codes, self.groups, size))
        observed = np.bincount(codes, minlength=size) / len(codes)
        drawn = np.random.default_rng(self.seed).multinomial(len(codes), observed, size=self.resamples)
        return drawn.astype(np.int64)


def resampled_tables(judgments: Judgments, unit: str, resamples: int, seed: int) -> NDArray[np.int64]:
    """Tables as of `Judgments.table`, one a resample of the pairs, the rankings or the sentences."""
    counts = Resampler.of(judgments, unit, resamples, seed).counts(judgments.cell, judgments.cell_count)
    return counts.reshape(resamples, -1, 3)

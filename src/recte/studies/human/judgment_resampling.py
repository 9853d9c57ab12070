"""Resampled judgments: tables of outcomes whose pairs, rankings or sentences were resampled with replacement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.errors import OptionError
from recte.statistics.bootstrap import bootstrap_weights
from recte.studies.human.judgments import Judgments

__all__ = ["Resampler", "check_drawing", "count_by_group", "resample_tables", "sum_by_weights"]


_MOST = 1_000_000
_CELLS_TOGETHER = 4_000_000  # of the tables of several resamples: 32 MB


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


def count_by_group(codes: NDArray[np.int64], groups: NDArray[np.int64], size: int) -> Any:
    """How often each code below `size` occurs in each group, one row a group: a sparse array, since a sentence has
    comparisons of few of the pairs of systems.
    """
    from scipy.sparse import coo_array

    count = int(groups.max(initial=-1)) + 1
    return coo_array((np.ones(len(codes)), (groups, codes)), shape=(count, size)).tocsr()


def sum_by_weights(weights: NDArray[np.int32], by_group: Any) -> NDArray[np.int64]:
    """The sums of groups, each as often as a row of weights says; in doubles, which hold such counts exactly."""
    sums: NDArray[np.float64] = (by_group.T @ weights.T.astype(np.float64)).T
    return np.rint(sums).astype(np.int64)


class Resampler:
    """Draws comparisons again, always the same ones for the same seed.

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

    def count_blocks(self, codes: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
        """How often each code below `size` occurs in each resample, as many resamples at a time as fit in memory."""
        together = max(1, _CELLS_TOGETHER // size)
        if self.groups is not None:
            by_group = count_by_group(codes, self.groups, size)
            for begin in range(0, self.resamples, together):
                yield sum_by_weights(self.weights[begin : begin + together], by_group)
            return
        observed = np.bincount(codes, minlength=size) / len(codes)
        generator = np.random.default_rng(self.seed)
        for begin in range(0, self.resamples, together):
            block = min(together, self.resamples - begin)
            yield generator.multinomial(len(codes), observed, size=block).astype(np.int64)

    def counts(self, codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """How often each code below `size` occurs in each resample."""
        return np.concatenate(list(self.count_blocks(codes, size)))


def resample_tables(judgments: Judgments, unit: str, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Tables as of `Judgments.table`, one a resample of the pairs, the rankings or the sentences, in blocks."""
    resampler = Resampler.of(judgments, unit, resamples, seed)
    for block in resampler.count_blocks(judgments.cell, judgments.cell_count):
        yield np.ascontiguousarray(block).reshape(len(block), -1, 3)

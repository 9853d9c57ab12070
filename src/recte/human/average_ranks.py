"""Ranks from 1, equal values sharing the mean of theirs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["average_ranks"]


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ranks along the last axis; NaN throughout a row that holds one.

    >>> average_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    size = values.shape[-1]
    places = np.arange(size)
    new = np.ones(values.shape, dtype=np.bool_)  # where a run of equal values begins
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    begin = np.maximum.accumulate(np.where(new, places, 0), axis=-1)
    last = np.ones(values.shape, dtype=np.bool_)
    last[..., :-1] = new[..., 1:]
    end = np.minimum.accumulate(np.where(last, places, size)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape, dtype=np.float64)
    np.put_along_axis(ranks, order, (begin + end) / 2 + 1, axis=-1)
    return np.where(np.isnan(values).any(axis=-1, keepdims=True), np.nan, ranks)

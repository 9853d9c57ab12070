"""Shapley's values as they are defined: the mean gain of each player over all orders of all of them."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean


def shapley(players, value):
    orders = list(permutations(players))
    return {
        p: fmean(value({*order[: order.index(p)], p}) - value({*order[: order.index(p)]}) for order in orders)
        for p in players
    }

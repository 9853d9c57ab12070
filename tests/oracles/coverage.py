"""Literal forms of section 3: UNSEENEST's program as written, coverage by simulation and by the fluid limit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np


def unseenest_objective(fingerprint: Sequence[int], frequencies: Sequence[float], variants: Sequence[float]) -> float:
    """Σ |f_i − Σ_j h_j Binom(k, x_j)(i)| / √(f_i + 1), the fingerprint padded with ⌈√n⌉ zeros."""
    k = sum(i * f for i, f in enumerate(fingerprint, 1))
    padded = [*fingerprint, *[0] * math.ceil(math.sqrt(len(fingerprint)))]
    total = 0.0
    for i, f in enumerate(padded, 1):
        expected = sum(
            h * math.comb(k, i) * x**i * (1 - x) ** (k - i)
            for x, h in zip(frequencies, variants, strict=True)
            if i <= k
        )
        total += abs(f - expected) / math.sqrt(f + 1)
    return total


def unseenest_by_linprog(fingerprint: Sequence[int]) -> tuple[Any, Any, float]:
    """Frequencies, masses and objective by SciPy's solver: unknown are masses, and distances up and down."""
    from scipy.optimize import linprog
    from scipy.stats import binom

    n, answers = len(fingerprint), sum(i * f for i, f in enumerate(fingerprint, 1))
    smallest, largest = 0.01 / answers, n / answers
    points = math.ceil(math.log(largest / smallest) / math.log(1.05)) + 1
    x = np.minimum(smallest * 1.05 ** np.arange(points), 1)
    padded = np.array([*fingerprint, *[0] * math.ceil(math.sqrt(n))])
    expected = binom.pmf(np.arange(1, len(padded) + 1)[:, None], answers, x)
    identity, nothing = np.eye(len(padded)), np.zeros(2 * len(padded))
    actual = linprog(
        c=np.concatenate([np.zeros(points), *[1 / np.sqrt(padded + 1)] * 2]),
        A_eq=np.vstack([np.hstack([expected / x, identity, -identity]), np.concatenate([np.ones(points), nothing])]),
        b_eq=np.concatenate([padded, [1.0]]),
        A_ub=np.concatenate([1 / x, nothing])[None, :],
        b_ub=[6.5e7],
        bounds=(0, None),
        method="highs",
    )
    return x, actual.x[:points], float(actual.fun)


def simulated_coverage(atoms: Sequence[float], references: int, *, replacement: bool, samples: int, seed: int) -> float:
    """The mass of the atoms among so many drawn, one by one."""
    generator = random.Random(seed)
    total = 0.0
    for _ in range(samples):
        if replacement:
            drawn = set(generator.choices(range(len(atoms)), atoms, k=references))
        else:
            left = list(range(len(atoms)))
            drawn = set()
            for _ in range(min(references, len(atoms))):
                item = generator.choices(left, [atoms[a] for a in left])[0]
                left.remove(item)
                drawn.add(item)
        total += sum(atoms[a] for a in drawn) / sum(atoms)
    return total / samples


def fluid_coverage(atoms: Sequence[float], references: int) -> float:
    """Σ p (1 − e^(−pt)) at the root t of Σ (1 − e^(−pt)) = M: near coverage without replacement for M of 3 and more."""
    low, high = 0.0, 1.0
    while sum(1 - math.exp(-p * high) for p in atoms) < references:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        enough = sum(1 - math.exp(-p * middle) for p in atoms) >= references
        low, high = (low, middle) if enough else (middle, high)
    return sum(p * (1 - math.exp(-p * high)) for p in atoms)

"""Literal forms of section 3: UNSEENEST's program as written, coverage by simulation and by the fluid limit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence


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
                one = generator.choices(left, [atoms[a] for a in left])[0]
                left.remove(one)
                drawn.add(one)
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

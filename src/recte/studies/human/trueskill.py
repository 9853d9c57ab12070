"""TrueSkill over pairwise judgments, as Sakaguchi et al. (2014) and Grundkiewicz et al. (2015) rank systems by it.

A run plays matches: the system we are least sure of (of equals the first by name) meets another one, drawn with weight
exp(-|difference of means|), and one of the judgments of the two is drawn as the outcome. Scores are means over runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.argument_types import check_fields
from recte.errors import InputError, OptionError
from recte.studies.human.judgments import system_count
from recte.threads import thread_count

__all__ = ["TrueSkill"]

_LARGEST = 1_000_000  # of sigma and beta; published ones are below 10
_MOST_RUNS = 1_000_000
_MOST_MATCHES = 1_000_000_000  # a run of so many takes minutes; published ones play some ten thousand
_MOST_STEPS = 200_000
# With 100 steps a system instead of one a match, no score of the CoNLL-2014 ranking moves by more than .0006: enough
# for a resample, whose own spread is twenty times as large.
_COARSE_STEPS = 100


@dataclass(frozen=True)
class TrueSkill:
    """TrueSkill's parameters; the defaults are those of the published rankings.

    `matches` 0 plays one more than there are judgments, `beta` 0 is sigma · matches / 40.

    >>> TrueSkill().expected(np.array([[[2, 5, 3]]])).round(4).tolist()
    [[0.0157, -0.0157]]
    """

    sigma: float = 0.5
    draw_probability: float = 0.25
    matches: int = 0
    beta: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self)
        parameters = 0 < self.sigma <= _LARGEST and 0 <= self.beta <= _LARGEST and 0 <= self.draw_probability < 1
        if not parameters or not 0 <= self.matches <= _MOST_MATCHES:
            raise OptionError(
                f"trueskill: expected sigma above 0 and beta of 0 or more up to {_LARGEST:,}, a draw probability from "
                f"0 to 1, and up to {_MOST_MATCHES:,} matches, got {self}"
            )

    def for_judgments(self, judgments: int) -> TrueSkill:
        """The same with as many matches as these judgments ask for, whatever resamples of them hold."""
        return self if self.matches else replace(self, matches=judgments + 1)

    def runs(self, tables: NDArray[np.int64], runs: int, seed: int) -> NDArray[np.float64]:
        """Means by run and system: all runs on one table, or with several tables one run each."""
        return self._play(_check_tables(tables), 0, seed, runs)

    def expected(self, tables: NDArray[np.int64], *, coarse: bool = False) -> NDArray[np.float64]:
        """What runs tend to, without chance: each table's expected updates, integrated match by match, or coarsely."""
        tables = _check_tables(tables)
        systems = system_count(tables.shape[1])
        return self._play(tables, _COARSE_STEPS * systems if coarse else _MOST_STEPS, 0, len(tables))

    def _play(self, tables: NDArray[np.int64], steps: int, seed: int, runs: int) -> NDArray[np.float64]:
        if not 1 <= runs <= _MOST_RUNS:
            raise OptionError(f"runs: expected 1 to {_MOST_RUNS:,}, got {runs}")
        if not 0 <= seed < 2**64:
            raise OptionError(f"seed: expected a number from 0 to 2^64 - 1, got {seed}")
        if len(tables) not in (1, runs):
            raise InputError(f"tables: expected one, or one for each of {runs} runs, got {len(tables)}")
        matches = self.matches or int(tables[0].sum()) + 1
        if not steps and matches > _MOST_MATCHES:
            raise InputError(
                f"tables: expected up to {_MOST_MATCHES:,} matches, one more than judgments, got {matches:,}"
            )
        beta = self.beta or self.sigma * matches / 40
        return _kernels.trueskill(
            tables=tables,
            systems=system_count(tables.shape[1]),
            sigma=self.sigma,
            beta=beta,
            draw_margin=NormalDist().inv_cdf((self.draw_probability + 1) / 2) * 2**0.5 * beta,
            matches=matches,
            steps=min(steps, matches),
            seed=seed,
            runs=runs,
            threads=thread_count(runs),
        )


def _check_tables(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tables by pair of systems and outcome, whole numbers from 0."""
    table = np.asarray(tables)
    pairs = table.shape[1] if table.ndim == 3 and table.size and table.shape[2] == 3 else 0
    if not pairs or comb(system_count(pairs), 2) != pairs:
        raise InputError(
            "tables: expected by table, pair of systems and outcome (n·(n-1)/2 pairs of n systems, 3 outcomes), "
            f"got the shape {table.shape}"
        )
    if not np.issubdtype(table.dtype, np.integer) or (table < 0).any():
        raise InputError("tables: expected whole numbers from 0, got others")
    return np.ascontiguousarray(table, dtype=np.int64)

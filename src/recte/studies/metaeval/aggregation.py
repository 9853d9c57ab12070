"""Metric scores aggregated as human judgments are: every two systems meet on every sentence (Goto et al. 2025)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.errors import OptionError, check_choice
from recte.signature import Signature
from recte.studies.human.ranking import expected_wins
from recte.studies.metaeval.scores import MetricScores
from recte.threads import thread_count

__all__ = ["AGGREGATIONS", "AggregatedScores", "aggregate", "aggregated_metric", "trueskill_pass"]

AGGREGATIONS = ("expected-wins", "trueskill", "trueskill-shuffled")
# The published setting, which is not that of human rankings.
_SIGMA, _BETA, _DRAW_PROBABILITY = 0.5, 0.25, 0.25
_MARGIN = NormalDist().inv_cdf((_DRAW_PROBABILITY + 1) / 2) * 2**0.5 * _BETA
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AggregatedScores:
    """Scores of systems, and how far they spread (standard deviation) over orders of the sentences; 0 for one order."""

    scores: Floats
    spread: Floats


def trueskill_pass(sentences: Floats, orders: NDArray[np.int64]) -> Floats:
    """TrueSkill means after one pass over the sentences, one row for each order of them; the higher score wins.

    >>> trueskill_pass(np.array([[1.0], [0.0]]), np.array([[0]])).round(3).tolist()
    [[0.282, -0.282]]
    """
    return _kernels.trueskill_passes(
        scores=np.ascontiguousarray(sentences, dtype=np.float64),
        orders=np.ascontiguousarray(orders, dtype=np.int64),
        sigma=_SIGMA,
        beta=_BETA,
        draw_margin=_MARGIN,
        threads=thread_count(len(orders) * sentences.shape[1]),
    )


def aggregate(sentences: Floats, method: str, *, shuffles: int = 100, seed: int = 12345) -> AggregatedScores:
    """Scores of systems from sentence scores (systems by sentences), relative to the systems compared.

    `expected-wins` is the mean over opponents of the share of sentences won, ties left out, and an opponent never told
    apart left out too. `trueskill` is the published single pass, which depends on the order of sentences and systems;
    `trueskill-shuffled` is the mean over `shuffles` orders of the sentences, with its spread.

    >>> aggregate(np.array([[0.5, 0.6], [0.4, 0.7]]), "expected-wins").scores.tolist()
    [0.5, 0.5]
    """
    check_choice("aggregate", method, AGGREGATIONS)
    if not 1 <= shuffles <= 100_000:
        raise OptionError(f"shuffles: expected 1 to 100,000, got {shuffles}")
    systems, length = sentences.shape
    if method == "expected-wins":
        outcomes = _outcomes(sentences)
        tables = np.stack([(outcomes == value).sum(axis=1) for value in (-1, 0, 1)], axis=1)
        return AggregatedScores(expected_wins(tables), np.zeros(systems))
    if method == "trueskill":
        return AggregatedScores(trueskill_pass(sentences, np.arange(length)[None])[0], np.zeros(systems))
    generator = np.random.default_rng(seed)
    orders = np.stack([generator.permutation(length) for _ in range(shuffles)])
    passes = trueskill_pass(sentences, orders)
    return AggregatedScores(passes.mean(axis=0), passes.std(axis=0))


def _outcomes(sentences: Floats) -> NDArray[np.int8]:
    """By pair of systems and sentence: 1 where the first scores higher, 0 for a tie, -1 where the second does."""
    first, second = np.triu_indices(len(sentences), 1)
    return np.sign(sentences[first] - sentences[second]).astype(np.int8)


def aggregated_metric(metric: MetricScores, method: str, *, shuffles: int = 100, seed: int = 12345) -> MetricScores:
    """The metric with systems scored by aggregating its sentence scores; its name says how.

    >>> mine = MetricScores.of("mine", {"heron": 0.8, "wren": 0.4}, {"heron": [0.8], "wren": [0.4]})
    >>> aggregated_metric(mine, "expected-wins").name
    'mine/expected-wins'
    """
    sentences = metric.sentence_table("aggregate")
    found = aggregate(sentences, method, shuffles=shuffles, seed=seed)

    def resampled(weights: NDArray[np.int32]) -> Floats:
        if method == "expected-wins":
            outcomes = _outcomes(sentences)
            by_value = [weights.astype(np.float64) @ (outcomes == value).T.astype(np.float64) for value in (-1, 0, 1)]
            return expected_wins(np.rint(np.stack(by_value, axis=2)).astype(np.int64))
        orders = np.stack([np.repeat(np.arange(len(row)), row) for row in weights])
        if method == "trueskill-shuffled":
            orders = np.random.default_rng(seed).permuted(orders, axis=1)
        return trueskill_pass(sentences, orders)

    drawn = {"shuffles": shuffles, "seed": seed} if method == "trueskill-shuffled" else {}
    return replace(
        metric,
        name=f"{metric.name}/{method}",
        scores=found.scores,
        resampled=resampled,
        signature=str(Signature.parse(metric.signature).with_interval(aggregate=method, **drawn)),
        sentence_means=False,
        aggregation=method,
    )

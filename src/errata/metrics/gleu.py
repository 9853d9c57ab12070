"""GLEU: Napoles et al. (2015, 2016), as the numbers in the literature were made (reassessment paper, section 2.3).

N-grams of the hypothesis that the reference has count for it; those it kept from the source, though the reference has
them not, count against it. With several references GLEU is the mean over random choices of one for each sentence: a row
holds the counts against every reference, and a draw is tied to the sentence's place in the corpus.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from errata import _kernels
from errata.alignment.reference_texts import ReferenceTexts
from errata.alignment.references import REFERENCE_RULES, ReferenceRule
from errata.corpus import Corpus
from errata.counts import ABSENT, Counts
from errata.errors import OptionError
from errata.metrics.base import Column, Metric, Score, Scorer, option

__all__ = ["Gleu", "GleuScore", "GleuScorer"]

Draws = Literal["official", "python3", "expected", "mean-counts"]
DRAWS: tuple[Draws, ...] = ("official", "python3", "expected", "mean-counts")
_SEED_STEP = 101  # the published script seeds draw j with j times this


@dataclass(frozen=True, kw_only=True)
class GleuScore(Score):
    """`std` is the spread over draws (0 where there is nothing to draw); `references` has each reference alone."""

    std: float
    hypothesis_length: int
    reference_length: float
    references: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Gleu(Metric):
    """GLEU in its several forms, told apart in the signature.

    >>> from errata import Corpus
    >>> gold = Corpus.from_references(["He go to school ."], [["He goes to school ."]])
    >>> round(Gleu().score(gold, ["He goes to school ."]).score, 4)
    1.0
    """

    name: ClassVar[str] = "gleu"
    title: ClassVar[str] = "GLEU"
    do_nothing_can_win: ClassVar[bool] = True
    bibtex: ClassVar[str] = """@inproceedings{napoles-etal-2015-ground,
  title = {Ground Truth for Grammatical Error Correction Metrics},
  author = {Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel},
  booktitle = {Proceedings of ACL-IJCNLP 2015, Volume 2},
  pages = {588--593},
  year = {2015}
}

@article{napoles-etal-2016-gleu,
  title = {{GLEU} Without Tuning},
  author = {Napoles, Courtney and Sakaguchi, Keisuke and Post, Matt and Tetreault, Joel},
  journal = {arXiv preprint arXiv:1605.02592},
  year = {2016}
}"""

    behaviour: Literal["official", "paper"] = option(
        "official",
        "official penalises types of n-grams that the reference lacks, paper their frequency as printed",
        choices=("official", "paper"),
    )
    draws: Draws = option(
        "official",
        "official: references drawn by the Python 2 stream, as in the literature; python3: as by newer ports; "
        "expected: the closed form; mean-counts: counts averaged over references",
        choices=DRAWS,
        scoring_only=True,
    )
    iterations: int = option(500, "how many times references are drawn", scoring_only=True)
    only_reference: int = option(-1, "score against this reference alone, from 0; -1 takes all", scoring_only=True)
    orders: int = option(4, "the longest n-grams")
    brevity_penalty: Literal["current", "inverted"] = option(
        "current",
        "inverted is the slip in scores made before June 2017",
        choices=("current", "inverted"),
        scoring_only=True,
    )
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.orders <= 10:
            raise OptionError(f"orders: expected 1 to 10, got {self.orders}")
        if not 1 <= self.iterations <= 100_000:
            raise OptionError(f"iterations: expected 1 to 100,000, got {self.iterations}")

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (2 * self.orders + 2,)

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("length", ("hypothesis_length",), percentage=False),
            Column("± over draws", ("std",)),
            Column("GLEU", ("score",)),
        )

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "behaviour": self.behaviour,
            "references": len(counts.columns),
            "draws": self.draws,
            "orders": self.orders,
        }
        if self.draws in ("official", "python3"):
            parts["iterations"] = self.iterations
        return self.with_changed_options(parts, leaving_out=["iterations"])

    def prepare(self, gold: Corpus) -> GleuScorer:
        return GleuScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> GleuScore:
        rows = counts.rows.astype(np.float64)
        present = counts.rows[:, :, 0] != ABSENT
        if self.only_reference >= 0:
            if self.only_reference >= rows.shape[1] or not present[:, self.only_reference].all():
                raise OptionError(f"only_reference: expected one that every sentence has, got {self.only_reference}")
            score, std = float(self._of_sums(rows[:, self.only_reference].sum(axis=0)[None])[0]), 0.0
        elif rows.shape[1] == 1:
            score, std = float(self._of_sums(rows[:, 0].sum(axis=0)[None])[0]), 0.0
        else:
            score, std = self._over_draws(rows, present, counts.index)
        alone = {
            column: float(self._of_sums(rows[:, c].sum(axis=0)[None])[0])
            for c, column in enumerate(counts.columns)
            if present[:, c].all()
        }
        mean = np.where(present[..., None], rows, 0.0).sum(axis=1) / present.sum(axis=1)[:, None]
        return GleuScore(
            **self.common_figures(counts),
            score=score,
            std=std,
            hypothesis_length=int(mean[:, -2].sum()),
            reference_length=float(mean[:, -1].sum()),
            references=alone,
            sentences=tuple(self.sentence_entries(counts)) if sentences else None,
        )

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Every zero becomes 1, then the formula; the mean over references."""
        rows = counts.rows.astype(np.float64)
        present = counts.rows[:, :, 0] != ABSENT
        smoothed = np.where(rows == 0, 1.0, rows)
        scores = np.where(present, self._of_sums(np.where(present[..., None], smoothed, 1.0)), 0.0)
        return np.asarray(scores.sum(axis=1) / present.sum(axis=1))

    def _of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The formula over the last axis: numerators, denominators, lengths. Any zero sum gives 0."""
        n = self.orders
        positive = np.asarray((sums > 0).all(axis=-1))
        safe = np.where(positive[..., None], sums, 1.0)
        precision = (np.log(safe[..., :n]) - np.log(safe[..., n : 2 * n])).sum(axis=-1) / n
        hypothesis, reference = safe[..., -2], safe[..., -1]
        if self.brevity_penalty == "inverted":
            hypothesis, reference = reference, hypothesis
        return np.asarray(np.where(positive, np.exp(np.minimum(0.0, 1 - reference / hypothesis) + precision), 0.0))

    def _over_draws(
        self, rows: NDArray[np.float64], present: NDArray[np.bool_], index: NDArray[np.int64]
    ) -> tuple[float, float]:
        if self.draws == "mean-counts":
            mean = np.where(present[..., None], rows, 0.0).sum(axis=1) / present.sum(axis=1)[:, None]
            return float(self._of_sums(mean.sum(axis=0)[None])[0]), 0.0
        if self.draws == "expected":
            return self._expected(rows, present)
        references = present.sum(axis=1)
        # A draw is tied to the sentence's place, so a part of a corpus draws as the whole would.
        drawn = _drawn(self.draws, self.iterations, int(index.max()) + 1, _key(references, index))[:, index]
        places = np.cumsum(present, axis=1) - 1  # the how-manieth reference of its sentence a column is
        sums = np.zeros((self.iterations, rows.shape[2]))
        for column in range(rows.shape[1]):
            here = (drawn == places[:, column]) & present[:, column]
            sums += here.astype(np.float64) @ np.where(present[:, column, None], rows[:, column], 0.0)
        scores = self._of_sums(sums)
        return float(scores.mean()), float(scores.std())

    def _expected(self, rows: NDArray[np.float64], present: NDArray[np.bool_]) -> tuple[float, float]:
        """The closed form: numerators and reference length are sums of independent choices, so nearly normal."""
        n = self.orders
        varying = [*range(n), 2 * n + 1]
        x = np.where(present[..., None], rows[..., varying], 0.0)
        share = 1.0 / present.sum(axis=1)[:, None]
        means = x.sum(axis=1) * share
        second = np.einsum("ira,irb->iab", x, x) * share[..., None]
        covariance = (second - np.einsum("ia,ib->iab", means, means)).sum(axis=0)
        mu = means.sum(axis=0)
        fixed = np.where(present[..., None], rows, 0.0).max(axis=1).sum(axis=0)
        denominators, length = fixed[n : 2 * n], fixed[2 * n]
        if (mu[:n] <= 0).any() or (denominators <= 0).any() or length <= 0:
            return 0.0, 0.0
        if self.brevity_penalty == "inverted":
            raise OptionError("brevity_penalty: expected current with draws expected, got inverted")
        m, v = 1 - mu[n] / length, covariance[n, n] / length**2
        weights = 1 / (n * mu[:n])
        m_l = float((np.log(mu[:n] / denominators)).mean() - (np.diag(covariance)[:n] / mu[:n] ** 2).sum() / (2 * n))
        v_l = float(weights @ covariance[:n, :n] @ weights)
        q = float(-(covariance[n, :n] @ weights) / length)
        first = _moment(1, m, v, m_l, v_l, q)
        return first, math.sqrt(max(0.0, _moment(2, m, v, m_l, v_l, q) - first**2))


def _moment(power: int, m: float, v: float, m_l: float, v_l: float, q: float) -> float:
    """E of exp(power · (min(0, u) + l)) for u, l jointly normal: split at the kink of the brevity penalty."""
    m_l, v_l, q = power * m_l, power**2 * v_l, power * q
    if v <= 0:
        return math.exp(power * min(0.0, m) + m_l + v_l / 2)
    s = math.sqrt(v)
    above = math.exp(m_l + v_l / 2) * _normal((m + q) / s)
    below = math.exp(power * m + m_l + (power**2 * v + v_l + 2 * power * q) / 2) * _normal(-(m + power * v + q) / s)
    return above + below


def _normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def _key(references: NDArray[np.int64], index: NDArray[np.int64]) -> tuple[int, ...] | int:
    """How many references each place of the corpus has; one number where it is the same everywhere."""
    if (references == references[0]).all():
        return int(references[0])
    spread = np.ones(int(index.max()) + 1, dtype=np.int64)
    spread[index] = references
    return tuple(spread.tolist())


@lru_cache(maxsize=4)
def _drawn(stream: Draws, iterations: int, places: int, references: tuple[int, ...] | int) -> NDArray[np.int64]:
    """Which reference each draw takes at each place; all systems share the draws."""
    bounds = np.full(places, references) if isinstance(references, int) else np.array(references)
    draw = _python2_draw if stream == "official" else _python3_draw
    return np.stack([draw(_SEED_STEP * j, bounds) for j in range(iterations)])


def _python2_draw(seed: int, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """floor(u · R), u a uniform number of 53 bits."""
    return np.floor(np.random.RandomState([seed]).random_sample(len(bounds)) * bounds).astype(np.int64)


def _python3_draw(seed: int, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """As many random bits as R has, drawn again until below R."""
    import random

    generator = random.Random(seed)
    return np.array([generator.randrange(bound) for bound in bounds.tolist()], dtype=np.int64)


class GleuScorer(Scorer[Gleu]):
    """GLEU with its references."""

    metric: Gleu

    def __init__(self, metric: Gleu, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.texts = ReferenceTexts(self.corpus, rule=metric.reference_rule)

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = _kernels.count_gleu(
            sources=self.texts.encoded_sources,
            **self.texts.arguments(hypotheses, source_of),
            orders=self.metric.orders,
            formula=int(self.metric.behaviour == "paper"),
            columns=self.texts.columns,
        )
        return self.counts_of(rows, tuple(map(str, range(self.texts.columns))), source_of)

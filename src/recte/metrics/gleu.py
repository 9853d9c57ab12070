"""GLEU: Napoles et al. (2015, 2016), as the numbers in the literature were made (reassessment paper, section 2.3).

N-grams of the hypothesis that the reference has count for it; those it kept from the source, though the reference has
them not, count against it. With several references GLEU is the mean over random choices of one for each sentence: a row
holds the counts against every reference, and a draw is tied to the sentence's place in the corpus.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import ABSENT, Counts, is_present, stretches
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.references import REFERENCE_RULES, ReferenceRule
from recte.errors import OptionError
from recte.metrics.base import CELLS_TOGETHER, Column, Score, Scorer, option
from recte.metrics.bleu import NgramMetric
from recte.metrics.metric_validation import check_counts
from recte.metrics.tally import SumTally, TallyRule
from recte.threads import thread_count

__all__ = ["Gleu", "GleuScore", "GleuScorer"]

Draws = Literal["official", "python3", "expected", "mean-counts"]
DRAWS: tuple[Draws, ...] = ("official", "python3", "expected", "mean-counts")
_SEED_STEP = 101  # the published script seeds draw j with j times this
# Spread of the brevity penalty's exponent over draws up to which the closed form is taken. On CoNLL-2014 it is 0.003.
_CLOSED_FORM_SPREAD = 0.1
_DRAWS_TOGETHER = 1000  # that go through the rows at once
_MOST_DRAWS = 4096  # up to so many, the mean over all draws is taken over each of them
_LARGE_EXPONENT = 300.0  # doubles end near 709


@dataclass(frozen=True, kw_only=True)
class GleuScore(Score):
    """`std` is the spread over draws (0 where there is nothing to draw); `references` has each reference alone."""

    std: float
    hypothesis_length: int
    reference_length: float
    references: Mapping[str, float]


@dataclass(frozen=True)
class _Summary:
    """What rows of counts hold, each read once: which references a sentence has, sums by reference, and lengths."""

    present: NDArray[np.bool_]
    sums: NDArray[np.int64]
    hypothesis_length: int
    reference_length: float

    @classmethod
    def of(cls, counts: Counts) -> _Summary:
        present, lengths = np.empty((len(counts), len(counts.columns)), dtype=np.bool_), np.empty((len(counts), 2))
        sums = np.zeros(counts.row_shape, dtype=np.int64)
        for part in stretches(len(counts)):
            rows = counts.part(part).rows
            present[part] = is_present(rows)
            sums += rows.sum(axis=0, dtype=np.int64)
            lengths[part] = _mean_counts(rows[:, :, -2:].astype(np.float64), present[part])
        return cls(present, sums, int(lengths[:, 0].sum()), float(lengths[:, 1].sum()))


@dataclass(frozen=True, kw_only=True)
class Gleu(NgramMetric):
    """GLEU in its several forms, distinguished by the signature.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["He go to school ."], [["He goes to school ."]])
    >>> round(Gleu().score(gold, ["He goes to school ."]).score, 4)
    1.0
    """

    name: ClassVar[str] = "gleu"
    title: ClassVar[str] = "GLEU"
    do_nothing_can_win: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = "the mean over references of each one's score, every zero count taken as 1"
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
        "expected: the mean over all draws, exact where they are few, else by an approximate closed form; "
        "mean-counts: counts averaged over references",
        choices=DRAWS,
        scoring_only=True,
    )
    iterations: int = option(500, "how many times references are drawn", least=1, most=100_000, scoring_only=True)
    only_reference: int = option(-1, "score against this reference alone, from 0; -1 takes all", scoring_only=True)
    orders: int = option(4, "the longest n-grams", least=1, most=10)
    brevity_penalty: Literal["current", "inverted"] = option(
        "current",
        "inverted is the slip in scores made before June 2017",
        choices=("current", "inverted"),
        scoring_only=True,
    )
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.only_reference < -1:
            raise OptionError(f"only_reference: expected -1 (all) or a reference from 0, got {self.only_reference}")

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
        check_counts(self, counts)
        return self._score(counts, _Summary.of(counts), None, sentences)

    def score_all(self, counts: Sequence[Counts]) -> list[Score]:
        """References are drawn once for all systems on the same sentences: draws know nothing of the system."""
        for of_system in counts:
            check_counts(self, of_system)
        summaries = [_Summary.of(of_system) for of_system in counts]
        drawn = self._draw_together(counts, summaries)
        return [
            self._score(of_system, summary, sums, False)
            for of_system, summary, sums in zip(counts, summaries, drawn, strict=True)
        ]

    def _score(
        self, counts: Counts, summary: _Summary, drawn: NDArray[np.float64] | None, sentences: bool
    ) -> GleuScore:
        """`drawn` are the sums of each draw, where they are known."""
        common = self.common_figures(counts)
        present = summary.present
        of_columns = [float(score) for score in self._of_sums(summary.sums.astype(np.float64))]
        alone = {column: of_columns[c] for c, column in enumerate(counts.columns) if present[:, c].all()}
        if self.only_reference >= 0:
            self._check_only(present)
            score, std = of_columns[self.only_reference], 0.0
        elif len(counts.columns) == 1:
            score, std = of_columns[0], 0.0
        else:
            score, std = self._over_draws(counts, present, drawn)
        return GleuScore(
            **common,
            score=score,
            std=std,
            hypothesis_length=summary.hypothesis_length,
            reference_length=summary.reference_length,
            references=alone,
            sentences=self.all_entries(counts) if sentences else None,
        )

    def tally_rule(self, references: int) -> TallyRule | None:
        return SumTally(self) if references == 1 else None

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        """Counts where there is nothing to draw; else what the closed form needs: means, covariances, fixed counts."""
        rows = self.read_rows(counts)
        rows, present = rows.astype(np.float64), is_present(rows)
        if self.only_reference >= 0:
            self._check_only(present)
            return rows[:, self.only_reference]
        if rows.shape[1] == 1 or self.draws == "mean-counts":
            return _mean_counts(rows, present)
        return self._moments(rows, present)

    def _check_only(self, present: NDArray[np.bool_]) -> None:
        if self.only_reference >= present.shape[1] or not present[:, self.only_reference].all():
            raise OptionError(f"only_reference: expected one that every sentence has, got {self.only_reference}")

    def takes_fractions(self, counts: Counts) -> bool:
        return not self._is_closed_form_off(counts) and not self._all_draws_are_few(counts)

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        """By sums; where the closed form is off or all draws are few, each weighting by the draws themselves."""
        few = self._all_draws_are_few(counts)
        if not few and not self._is_closed_form_off(counts):
            return super()._score_many(counts, weights)
        present = counts.present()
        scores = np.empty(len(weights))
        for number, weighting in enumerate(weights):
            places = np.repeat(np.arange(len(counts)), weighting)
            # A repeated sentence draws for itself, as it does in the closed form.
            repeated = counts.take(places).with_fields(index=np.arange(len(places)))
            if few:
                drawn = self._every_draw(repeated.rows, present[places])
            else:
                drawn = self._draw_sums([repeated], present[places])[0]
            if drawn is None:  # the sentences with most references are repeated
                scores[number] = super()._score_many(counts, weighting[None])[0]
            else:
                scores[number] = self._of_sums(drawn).mean()
        return scores

    def _all_draws_are_few(self, counts: Counts) -> bool:
        """Whether the mean over all draws is found by enumerating them, where the closed form is asked for."""
        expected = self.draws == "expected" and self.only_reference < 0 and len(counts.columns) > 1
        return expected and number_of_draws(counts.present()) <= _MOST_DRAWS

    @staticmethod
    def _every_draw(rows: NDArray[Any], present: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """The sums of every draw of one reference for each sentence; None where these are too many."""
        if number_of_draws(present) > _MOST_DRAWS:
            return None
        sums = np.zeros((1, rows.shape[2]))
        for of_sentence, is_there in zip(rows, present, strict=True):
            sums = (sums[:, None] + of_sentence[is_there]).reshape(-1, rows.shape[2])
        return sums

    def _is_closed_form_off(self, counts: Counts) -> bool:
        """Whether a few references of very different lengths decide the brevity penalty.

        A sum of few, very different lengths is not nearly normal, as the closed form wants it.
        """
        if self.only_reference >= 0 or self.draws not in ("official", "python3") or len(counts.columns) == 1:
            return False
        length, variance = 0.0, 0.0
        for part in stretches(len(counts)):
            rows = counts.part(part).rows[:, :, -2:].astype(np.float64)
            rows[rows[..., 0] == ABSENT] = np.nan
            length += float(np.nanmax(rows[..., 0], axis=1).sum())
            variance += float(np.nanvar(rows[..., 1], axis=1).sum())
        return variance > (_CLOSED_FORM_SPREAD * length) ** 2

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """For draws the closed form: drawing for every resample would not tell more."""
        return (
            self._of_sums(sums)
            if sums.shape[1] == 2 * self.orders + 2
            else self._solve_in_closed_form(sums, spread=False)[0]
        )

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Every zero becomes 1, then the formula; the mean over references."""
        cells = np.ascontiguousarray(
            self.read_rows(counts).T, dtype=np.float64
        )  # cells first: a training loop asks often
        present = cells[0] >= 0
        scores = np.ascontiguousarray(self._of_positive(np.maximum(cells, 1.0)).T)
        if present.all():
            return np.asarray(scores.sum(axis=1) / scores.shape[1])
        return np.asarray(np.where(present.T, scores, 0.0).sum(axis=1) / present.sum(axis=0))

    def _of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The formula over the last axis: numerators, denominators, lengths. Any zero sum gives 0."""
        positive = np.asarray((sums > 0).all(axis=-1))
        safe = np.where(positive[..., None], sums, 1.0)
        return np.asarray(np.where(positive, self._of_positive(np.moveaxis(safe, -1, 0)), 0.0))

    def _of_positive(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """The formula over the first axis, where nothing is zero."""
        n = self.orders
        precision = (np.log(cells[:n]) - np.log(cells[n : 2 * n])).sum(axis=0) / n
        hypothesis, reference = cells[-2], cells[-1]
        if self.brevity_penalty == "inverted":
            hypothesis, reference = reference, hypothesis
        return np.asarray(np.exp(np.minimum(0.0, 1 - reference / hypothesis) + precision))

    def _over_draws(
        self, counts: Counts, present: NDArray[np.bool_], drawn: NDArray[np.float64] | None
    ) -> tuple[float, float]:
        if self.draws == "mean-counts":
            return float(self._of_sums(self._sum(counts)[None])[0]), 0.0
        if self.draws == "expected":
            if self.brevity_penalty == "inverted":
                raise OptionError("brevity_penalty: expected current with draws expected, got inverted")
            if self._all_draws_are_few(counts):
                drawn = self._every_draw(counts.rows, present)
                assert drawn is not None, "they are few"
                scores = self._of_sums(drawn)
                return float(scores.mean()), float(scores.std())
            first, spread = self._solve_in_closed_form(self._sum(counts)[None])
            return float(first[0]), float(spread[0])
        scores = self._of_sums(self._draw_sums([counts], present)[0] if drawn is None else drawn)
        return float(scores.mean()), float(scores.std())

    def _sum(self, counts: Counts) -> NDArray[np.float64]:
        """The sum of all summands, added one sentence after the other, though never all of them are there."""
        sums: NDArray[np.float64] | None = None
        for part in stretches(len(counts)):
            more = self.summands(counts.part(part))
            sums = (more if sums is None else np.concatenate([sums[None], more])).sum(axis=0)
        assert sums is not None, "there is a sentence"
        return sums

    def _draw_together(
        self, counts: Sequence[Counts], summaries: Sequence[_Summary]
    ) -> Sequence[NDArray[np.float64] | None]:
        """The sums of each draw for every system; None for each where they are not drawn alike."""
        if self.only_reference >= 0 or self.draws not in ("official", "python3") or len(counts) < 2:
            return [None] * len(counts)
        first, present = counts[0], summaries[0].present
        alike = all(
            np.array_equal(of_system.index, first.index) and np.array_equal(summary.present, present)
            for of_system, summary in zip(counts[1:], summaries[1:], strict=True)
        )
        if not alike or len(first.columns) == 1 or not len(first):
            return [None] * len(counts)
        longest = next(stretches(len(first))).stop
        size = max(1, CELLS_TOGETHER // (longest * math.prod(first.row_shape)))
        parts = [counts[start : start + size] for start in range(0, len(counts), size)]
        return [sums for part in parts for sums in self._draw_sums(part, present)]

    def _draw_sums(self, systems: Sequence[Counts], present: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
        """For each system and draw, the sums of the counts against the references drawn, the same for all systems. A
        draw is tied to the sentence's place, so a part of a corpus draws as the whole would.
        """
        index = systems[0].index
        places = int(index.max()) + 1
        references = present.sum(axis=1, dtype=np.int32)
        bounds = np.full(places, references[0])
        if (references != references[0]).any():
            bounds[:] = 1
            bounds[index] = references
        if (index[1:] < index[:-1]).any():
            order = np.argsort(index, kind="stable")
            systems, index = [counts.take(order) for counts in systems], index[order]
        # A sentence may be left out, or stand there twice.
        offsets = np.searchsorted(index, np.arange(places + 1))
        cells = len(systems) * systems[0].row_shape[1]
        sums = []
        for first in range(0, self.iterations, _DRAWS_TOGETHER):
            size = min(_DRAWS_TOGETHER, self.iterations - first)
            draws = _kernels.ReferenceDraws(first, size, int(self.draws == "python3"), _SEED_STEP, cells)
            for part in stretches(places):
                begin, end = offsets[part.start], offsets[part.stop]
                rows = np.concatenate([counts.part(slice(begin, end)).rows for counts in systems], axis=2)
                of_part = offsets[part.start : part.stop + 1] - begin
                draws.add(rows, of_part, bounds[part], thread_count(size))
            sums.append(draws.sums())
        drawn = np.concatenate(sums).astype(np.float64)
        return [np.ascontiguousarray(of_system) for of_system in np.split(drawn, len(systems), axis=1)]

    def _moments(self, rows: NDArray[np.float64], present: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Of each sentence: means and covariances of numerators and reference length, denominators, its own length."""
        n = self.orders
        x = np.where(present[..., None], rows[..., [*range(n), 2 * n + 1]], 0.0)
        share = 1.0 / present.sum(axis=1)[:, None]
        means = x.sum(axis=1) * share
        second = np.einsum("ira,irb->iab", x, x) * share[..., None]
        covariances = second - np.einsum("ia,ib->iab", means, means)
        fixed = np.where(present[..., None], rows, 0.0).max(axis=1)[:, n : 2 * n + 1]
        return np.concatenate([means, covariances.reshape(len(rows), -1), fixed], axis=1)

    def _solve_in_closed_form(
        self, sums: NDArray[np.float64], *, spread: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and, where it is asked for, spread over draws: numerators and reference length are sums of independent
        choices, so nearly normal; the mean splits at the kink of the brevity penalty.
        """
        n = self.orders
        means, covariances = sums[:, : n + 1], sums[:, n + 1 : (n + 1) * (n + 2)].reshape(-1, n + 1, n + 1)
        denominators, length = sums[:, -n - 1 : -1], sums[:, -1]
        positive = (means[:, :n] > 0).all(axis=1) & (denominators > 0).all(axis=1) & (length > 0)
        numerators, reference = np.where(positive[:, None], means[:, :n], 1.0), means[:, n]
        denominators, length = np.where(positive[:, None], denominators, 1.0), np.where(positive, length, 1.0)
        weights = 1 / (n * numerators)
        variances = np.diagonal(covariances, axis1=1, axis2=2)
        m_l = np.log(numerators / denominators).mean(axis=1) - (variances[:, :n] / numerators**2).sum(axis=1) / (2 * n)
        v_l = np.einsum("ba,bac,bc->b", weights, covariances[:, :n, :n], weights)
        if self.brevity_penalty == "inverted":  # 1 − length/reference, which is no sum: to the first order
            m, slope = 1 - length / np.where(positive, reference, 1.0), length / np.where(positive, reference, 1.0) ** 2
        else:
            m, slope = 1 - reference / length, -1 / length
        v = slope**2 * variances[:, n]
        q = slope * np.einsum("ba,ba->b", covariances[:, n, :n], weights)
        first = _moment(1, m, v, m_l, v_l, q)
        second = _moment(2, m, v, m_l, v_l, q) if spread else first**2
        around = np.sqrt(np.maximum(0.0, second - first**2))
        return np.where(positive, first, 0.0), np.where(positive, around, 0.0)


def number_of_draws(present: NDArray[np.bool_]) -> float:
    """In how many ways one reference can be drawn for each sentence; infinite where they are too many to count.

    >>> number_of_draws(np.ones((3, 2), dtype=np.bool_))
    8.0
    """
    with np.errstate(over="ignore"):
        return float(present.sum(axis=1, dtype=np.float64).prod())


def _mean_counts(rows: NDArray[np.float64], present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each sentence's counts averaged over its references."""
    return np.asarray(np.where(present[..., None], rows, 0.0).sum(axis=1) / present.sum(axis=1)[:, None])


Values = NDArray[np.float64]


def _moment(power: int, m: Values, v: Values, m_l: Values, v_l: Values, q: Values) -> Values:
    """E of exp(power · (min(0, u) + l)) for u, l jointly normal: split at the kink of the brevity penalty."""
    m_l, v_l, q = power * m_l, power**2 * v_l, power * q
    certain = np.exp(power * np.minimum(0.0, m) + m_l + v_l / 2)
    s = np.sqrt(np.where(v > 0, v, 1.0))
    above = _exp_times_normal(m_l + v_l / 2, (m + q) / s)
    below = _exp_times_normal(power * m + m_l + (power**2 * v + v_l + 2 * power * q) / 2, -(m + power * v + q) / s)
    return np.asarray(np.where(v > 0, above + below, certain))


def _exp_times_normal(exponent: Values, z: Values) -> Values:
    """exp(exponent) · Φ(z), by logarithms where the first factor alone would be too large for a double."""
    large = exponent > _LARGE_EXPONENT
    product = np.exp(np.where(large, 0.0, exponent)) * _normal(z)
    if large.any():
        from scipy.special import log_ndtr

        product[large] = np.exp(exponent[large] + log_ndtr(z[large]))
    return product


def _normal(z: Values) -> Values:
    return np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in z.tolist()])


class GleuScorer(Scorer[Gleu]):
    """GLEU with its references."""

    metric: Gleu

    def __init__(self, metric: Gleu, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.texts = ReferenceTexts(self.corpus, rule=metric.reference_rule)

    def sees_texts_alone(self, system: System) -> bool:
        return True

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = _kernels.count_gleu(
            sources=self.texts.encoded_sources,
            **self.texts.arguments(hypotheses, source_of),
            orders=self.metric.orders,
            formula=int(self.metric.behaviour == "paper"),
            columns=self.texts.columns,
        )
        return self.counts_of(rows, tuple(map(str, range(self.texts.columns))), source_of)

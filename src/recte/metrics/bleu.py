"""BLEU over words or characters, corpus level (Papineni et al. 2002; Lin et al. 2022, section 3.2).

The counts are additive and so few that we make them ourselves, from the same kernel as GLEU's; sacreBLEU, whose formula
and smoothing we follow, is the oracle in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus
from recte.corpus.counts import Counts
from recte.edits.projection import segmented
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.references import REFERENCE_RULES, ReferenceRule
from recte.errors import OptionError
from recte.metrics.base import Column, Score, Scorer, SummedMetric, option
from recte.metrics.sentence_accuracy import LIN_2022
from recte.metrics.tally import SumTally, TallyRule
from recte.text.segmenters import Characters

__all__ = ["Bleu", "BleuScore", "BleuScorer", "CharBleu", "NgramMetric"]

Smoothing = Literal["none", "exp", "floor", "add-k"]
SMOOTHINGS: tuple[Smoothing, ...] = ("none", "exp", "floor", "add-k")
_FLOOR = 0.1


@dataclass(frozen=True, kw_only=True)
class BleuScore(Score):
    """`precisions` by order; the brevity penalty from the lengths of hypotheses and closest references."""

    precisions: tuple[float, ...]
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int


class NgramMetric(SummedMetric):
    """A row has matches of each order, n-grams of each order, and two lengths. Subclasses have the option `orders`."""

    orders: int

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (2 * self.orders + 2,)

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Of each order no more n-grams that match than there are."""
        fits = rows[:, : self.orders] <= rows[:, self.orders : 2 * self.orders]
        return super().valid_rows(rows) if fits.all() else super().valid_rows(rows) & fits.all(axis=1)

    @property
    def ngram_orders(self) -> int:
        return self.orders


@dataclass(frozen=True, kw_only=True)
class Bleu(NgramMetric):
    """BLEU over the tokens given.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["a b c d e"], [["a b c d f"]])
    >>> round(Bleu().score(gold, ["a b c d g"]).score, 4)
    0.6687
    """

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "BLEU"
    do_nothing_can_win: ClassVar[bool] = True
    compares_with_source: ClassVar[bool] = False
    sentence_meaning: ClassVar[str] = "n-grams clipped by the most any reference has, and the closest reference length"
    bibtex: ClassVar[str] = """@inproceedings{papineni-etal-2002-bleu,
  title = {{B}leu: a Method for Automatic Evaluation of Machine Translation},
  author = {Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
  booktitle = {Proceedings of ACL 2002},
  pages = {311--318},
  year = {2002}
}"""

    orders: int = option(4, "the longest n-grams", least=1, most=10)
    weights: str = option("uniform", "weights of the orders, as 0.4,0.3,0.2,0.1", scoring_only=True)
    smoothing: Smoothing = option(
        "exp", "of orders without a match, as in sacreBLEU", choices=SMOOTHINGS, scoring_only=True
    )
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.order_weights()

    def order_weights(self) -> NDArray[np.float64]:
        """The weight of each order, adding up to 1."""
        if self.weights == "uniform":
            return np.full(self.orders, 1 / self.orders)
        try:
            weights = np.array([float(weight) for weight in self.weights.split(",")])
        except ValueError:
            weights = np.zeros(0)
        if len(weights) != self.orders or (weights < 0).any() or not np.isclose(weights.sum(), 1):
            raise OptionError(
                f"weights: expected uniform, or {self.orders} numbers from 0 that add up to 1, got {self.weights!r}"
            )
        return weights

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("length", ("hypothesis_length",), percentage=False),
            Column("reference length", ("reference_length",), percentage=False),
            Column("BP", ("brevity_penalty",)),
            Column(self.title, ("score",)),
        )

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {"orders": self.orders, "smoothing": self.smoothing}
        return self.with_changed_options(parts)

    def prepare(self, gold: Corpus) -> BleuScorer:
        return BleuScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> BleuScore:
        sums = self.read_rows(counts)[:, 0].sum(axis=0, dtype=np.int64).tolist()
        score, precisions, brevity = self._bleu(sums, effective_order=False)
        return BleuScore(
            **self.common_figures(counts),
            score=score,
            precisions=precisions,
            brevity_penalty=brevity,
            hypothesis_length=sums[-2],
            reference_length=sums[-1],
            sentences=self.all_entries(counts) if sentences else None,
        )

    def tally_rule(self, references: int) -> TallyRule | None:
        return SumTally(self)

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        return self.read_rows(counts)[:, 0].astype(np.float64)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([self._bleu(row, effective_order=False)[0] for row in sums.tolist()])

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """With smoothing, only orders that the sentence is long enough for count, as in sacreBLEU."""
        effective = self.smoothing != "none"
        return np.array(
            [self._bleu(row, effective_order=effective)[0] for row in self.read_rows(counts)[:, 0].tolist()]
        )

    def _bleu(self, sums: Sequence[int], *, effective_order: bool) -> tuple[float, tuple[float, ...], float]:
        n = self.orders
        matches, totals, (hypothesis, reference) = sums[:n], sums[n : 2 * n], sums[2 * n :]
        brevity = 1.0 if hypothesis >= reference else float(np.exp(1 - reference / hypothesis)) if hypothesis else 0.0
        precisions = [0.0] * n
        if not any(matches):
            return 0.0, tuple(precisions), brevity
        halved, used = 1.0, n
        for k in range(n):
            more = 1 if self.smoothing == "add-k" and k else 0
            matched, total = matches[k] + more, totals[k] + more
            if total == 0:
                used = k if effective_order else n
                break
            if matched:
                precisions[k] = matched / total
            elif self.smoothing == "exp":
                halved *= 2
                precisions[k] = 1 / (halved * total)
            elif self.smoothing == "floor":
                precisions[k] = _FLOOR / total
        if not all(precisions[:used]):
            return 0.0, tuple(precisions), brevity
        weights = self.order_weights()[:used]
        mean = float((weights * np.log(precisions[:used])).sum() / weights.sum()) if weights.sum() else 0.0
        return brevity * float(np.exp(mean)), tuple(precisions), brevity


@dataclass(frozen=True, kw_only=True)
class CharBleu(Bleu):
    """BLEU over characters, which no word segmenter changes; unsmoothed, as Lin et al. (2022) have it.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["我喜欢苹果"], [["我喜欢吃苹果"]])
    >>> CharBleu().score(gold, ["我 喜欢 吃 苹果"]).score
    1.0
    """

    name: ClassVar[str] = "char-bleu"
    title: ClassVar[str] = "Character BLEU"
    sentence_meaning: ClassVar[str] = (
        "n-grams of characters clipped by the most any reference has, and the closest reference length"
    )
    bibtex: ClassVar[str] = LIN_2022

    smoothing: Smoothing = option(
        "none", "of orders without a match, as in sacreBLEU", choices=SMOOTHINGS, scoring_only=True
    )

    def prepare(self, gold: Corpus) -> BleuScorer:
        return BleuScorer(self, segmented(gold, Characters()))


class BleuScorer(Scorer[Bleu]):
    """BLEU with its references."""

    metric: Bleu

    def __init__(self, metric: Bleu, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.texts = ReferenceTexts(corpus, rule=metric.reference_rule)

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = _kernels.count_bleu(**self.texts.arguments(hypotheses, source_of), orders=self.metric.orders)
        return self.counts_of(rows[:, None], ("all",), source_of)

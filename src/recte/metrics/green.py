"""GREEN: the F-score of n-grams kept, inserted and deleted (Koyama et al. 2024, "n-gram F-score for Evaluating
Grammatical Error Correction").

Every n-gram of source, reference and hypothesis is kept, deleted or inserted by both, by the hypothesis alone or by the
reference alone; the first is a true positive, the second a false positive, the third a false negative. Text that nobody
touches is a true positive too, so doing nothing scores high. A row holds seven counts for each order and reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus
from recte.corpus.counts import ABSENT, Counts, plain_rows, stretches
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.references import REFERENCE_RULES, ReferenceRule
from recte.metrics.base import Column, PrecisionRecall, Score, Scorer, SummedMetric, option
from recte.metrics.metric_validation import check_counts

__all__ = ["Green", "GreenScore", "GreenScorer"]

_KINDS = ("kept", "deleted", "inserted", "over_deleted", "over_inserted", "under_deleted", "under_inserted")


@dataclass(frozen=True, kw_only=True)
class GreenScore(Score):
    """`precision` and `recall` are geometric means over orders; `shorter_orders` is F over n-grams up to each order.

    `mean` is the mean of the sentences' own F. `ngrams` has for each order how many n-grams were kept, deleted and
    inserted by both, by the hypothesis alone (`over_`) and by the reference alone (`under_`).
    """

    precision: float
    recall: float
    shorter_orders: Mapping[str, float]
    mean: float
    ngrams: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class Green(SummedMetric):
    """GREEN over words or characters; for each sentence the reference with the highest F counts.

    `official` is the authors' program. Its quirk: where no text has an n-gram of some order, recall of that order is 0
    there, so a sentence of fewer than four words scores 0 even if it is perfect. `gec-metrics` is that library's
    variant: recall is 1 there, ties between references go to the first, lines are stripped.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["He go to school ."], [["He goes to school ."]])
    >>> round(Green().score(gold, ["He went to school ."]).score, 4)
    0.6389
    """

    name: ClassVar[str] = "green"
    title: ClassVar[str] = "GREEN"
    do_nothing_can_win: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = "F against the reference that suits it best, over n-grams kept, inserted, deleted"
    bibtex: ClassVar[str] = """@inproceedings{koyama-etal-2024-n,
  title = {n-gram {F}-score for Evaluating Grammatical Error Correction},
  author = {Koyama, Shota and Nagata, Ryo and Takamura, Hiroya and Okazaki, Naoaki},
  booktitle = {Proceedings of the 17th International Natural Language Generation Conference},
  pages = {303--313},
  year = {2024}
}"""

    behaviour: Literal["official", "gec-metrics"] = option(
        "official",
        "official: as the authors' program; gec-metrics: as that library, whose default for beta is 2",
        choices=("official", "gec-metrics"),
    )
    ngram_unit: Literal["word", "char"] = option(
        "word", "what n-grams are made of: words, or every character of a line, blanks too", choices=("word", "char")
    )
    beta: float = option(
        1.0, "weight of recall in F; below 1 leans to precision", least=0.01, most=100, scoring_only=True
    )
    orders: int = option(4, "the longest n-grams", least=1, most=10)
    strip_lines: bool = option(False, "cut blanks at both ends of a line, which count as characters in official")
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self.orders, len(_KINDS))

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column("P", ("precision",)),
            Column("R", ("recall",)),
            Column("mean of sentences", ("mean",)),
            Column(f"GREEN F{self.beta:g}", ("score",)),
        )

    @property
    def ngram_orders(self) -> int:
        return self.orders if self.ngram_unit == "word" else 0

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return self._choose(counts)[0].astype(np.int32)

    def precision_recall(self, score: Score) -> PrecisionRecall | None:
        if not isinstance(score, GreenScore):
            return None
        return PrecisionRecall(score.precision, score.recall, self.beta)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options(
            {
                "behaviour": self.behaviour,
                "ngram_unit": self.ngram_unit,
                "references": len(counts.columns),
                "beta": self.beta,
                "orders": self.orders,
            }
        )

    def prepare(self, gold: Corpus) -> GreenScorer:
        return GreenScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> GreenScore:
        common = self.common_figures(counts)
        sums, of_sentences = np.zeros(self.cells), np.zeros(len(counts))
        for part in stretches(len(counts)):
            rows, chosen, of_sentences[part] = self._choose_in_rows(counts.part(part))
            sums += rows[np.arange(len(rows)), chosen].sum(axis=0)
        precision, recall, f = self._figures(sums)
        return GreenScore(
            **common,
            score=float(f[-1]),
            precision=float(precision[-1]),
            recall=float(recall[-1]),
            shorter_orders={str(n + 1): float(value) for n, value in enumerate(f)},
            mean=float(of_sentences.mean()),
            ngrams={
                str(n + 1): dict(zip(_KINDS, map(int, of_order), strict=True))
                for n, of_order in enumerate(sums.tolist())
            },
            sentences=self.all_entries(counts) if sentences else None,
        )

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        rows, chosen, _ = self._choose_in_rows(counts)
        picked = rows[np.arange(len(rows)), chosen]
        return picked.reshape(len(counts), -1).astype(np.float64)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self._figures(sums.reshape(-1, *self.cells))[2][:, -1])

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return self._choose(counts)[1]

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        chosen, _ = self._choose(counts)
        for entry, (column,) in zip(super().sentence_entries(counts), plain_rows(chosen), strict=True):
            yield {**entry, "chosen": counts.columns[column]}

    def _choose(self, counts: Counts) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Each sentence's reference and its F. Ties: in `official` F over fewer and fewer orders, then the first."""
        check_counts(self, counts)
        chosen, scores = np.zeros(len(counts), dtype=np.int64), np.zeros(len(counts))
        for part in stretches(len(counts)):
            _, chosen[part], scores[part] = self._choose_in_rows(counts.part(part))
        return chosen, scores

    def _choose_in_rows(self, counts: Counts) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.float64]]:
        """The rows, and each one's reference and F, where there are not too many."""
        rows = self.read_rows(counts)
        _, _, f = self._figures(rows.astype(np.float64))
        f = np.where((rows[:, :, 0, 0] == ABSENT)[..., None], -1.0, f)
        best = np.zeros(len(f), dtype=np.int64)
        here = np.arange(len(f))
        orders = range(self.orders - 1, -1, -1) if self.behaviour == "official" else [self.orders - 1]
        for column in range(1, f.shape[1]):
            better, tied = np.zeros(len(f), dtype=np.bool_), np.ones(len(f), dtype=np.bool_)
            for order in orders:
                mine, theirs = f[:, column, order], f[here, best, order]
                better |= tied & (mine > theirs)
                tied &= mine == theirs
            best[better] = column
        return rows, best, np.asarray(f[here, best, -1])

    def _figures(
        self, counts: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """P, R and F over n-grams up to each order; counts have orders and kinds as their last axes."""
        tp, fp, fn = counts[..., :3].sum(axis=-1), counts[..., 3:5].sum(axis=-1), counts[..., 5:].sum(axis=-1)
        empty_recall = 0.0 if self.behaviour == "official" else 1.0
        with np.errstate(invalid="ignore", divide="ignore"):
            precisions = np.where(tp + fp > 0, tp / (tp + fp), 1.0)
            recalls = np.where(tp + fn > 0, tp / (tp + fn), empty_recall)
            exponent = 1.0 / np.arange(1, self.orders + 1)
            precision, recall = (np.cumprod(x, axis=-1) ** exponent for x in (precisions, recalls))
            beta2 = self.beta * self.beta
            f = np.where(
                (precision > 0) & (recall > 0), (1 + beta2) * precision * recall / (beta2 * precision + recall), 0.0
            )
        return precision, recall, f


class GreenScorer(Scorer[Green]):
    """GREEN with its references."""

    metric: Green

    def __init__(self, metric: Green, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        words = metric.ngram_unit == "word" and metric.behaviour == "official"
        tokenise = str.split if words else self._tokens
        self.texts = ReferenceTexts(corpus, rule=metric.reference_rule, tokenise=tokenise)

    def _tokens(self, text: str) -> Sequence[str]:
        if self.metric.strip_lines or self.metric.behaviour == "gec-metrics":
            text = text.strip()
        if self.metric.ngram_unit == "char":
            # What a segmenter put between its tokens is no part of the text.
            return text if self.corpus.segmenter is None else "".join(text.split())
        return text.split(" ") if text else []

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = _kernels.count_green(
            sources=self.texts.encoded_sources,
            **self.texts.arguments(hypotheses, source_of),
            orders=self.metric.orders,
            columns=self.texts.columns,
        )
        return self.counts_of(rows, tuple(map(str, range(self.texts.columns))), source_of)

"""Character meaning preservation (Lin et al. 2022, section 3.3): does a system change as much as the references do?

S compares a text with its source by the characters they share. MP is its mean over hypotheses, MP_average its mean over
all distinct references; the score MP′ is the distance of the two, so smaller means an amount of change nearer the
references' (not, as the paper has it, less change). A row holds the counts of the hypothesis and of each reference, so
that both means can be made again from any part of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import Corpus
from recte.corpus.counts import ABSENT, Counts, stretches
from recte.corpus.vocabulary import Vocabulary
from recte.edits.projection import segmented
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.references import REFERENCE_RULES, ReferenceRule
from recte.errors import TooLongError
from recte.metrics.base import Column, Score, Scorer, SummedMetric, option
from recte.metrics.sentence_accuracy import LIN_2022
from recte.text.segmenters import Characters
from recte.threads import thread_count

__all__ = ["CharMeaning", "CharMeaningScore", "CharMeaningScorer"]

_BAG, _LCS, _TEXT, _SOURCE = range(4)  # characters shared, common subsequence, lengths of text and source
MOST_CELLS = 1_000_000_000  # a longest common subsequence takes about a second for so many
_HYPOTHESIS = "hypothesis"


@dataclass(frozen=True, kw_only=True)
class CharMeaningScore(Score):
    """`mp` of the hypotheses, `mp_average` of the references; the score is their distance MP′."""

    mp: float
    mp_average: float


@dataclass(frozen=True, kw_only=True)
class CharMeaning(SummedMetric):
    """Character meaning preservation.

    >>> from recte import Corpus
    >>> gold = Corpus.from_references(["我喜欢苹果"], [["我喜欢吃苹果"]])
    >>> round(CharMeaning().score(gold, ["我喜欢苹果"]).mp_average, 4)
    0.9709
    """

    name: ClassVar[str] = "char-meaning"
    title: ClassVar[str] = "Character meaning preservation"
    cells: ClassVar[tuple[int, ...]] = (4,)
    higher_is_better: ClassVar[bool] = False
    do_nothing_can_win: ClassVar[bool] = True
    empty_can_win: ClassVar[bool] = True
    sentence_meaning: ClassVar[str] = (
        "characters shared with the source; MP′ compares its mean with that of the references"
    )
    bibtex: ClassVar[str] = LIN_2022

    recall_weight: float = option(
        0.85, "weight t of recall in the harmonic mean with precision", least=0, most=1, scoring_only=True
    )
    matching: Literal["bag", "lcs"] = option(
        "bag",
        "what counts as shared: characters wherever they stand, or a longest common subsequence",
        choices=("bag", "lcs"),
        scoring_only=True,
    )
    reference_rule: ReferenceRule = option("nus", "how references are made from gold edits", choices=REFERENCE_RULES)

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """No more shared than either text has, and no more in order than in all."""
        bag, lcs, text, source = rows.T
        return np.asarray(super().valid_rows(rows) & (lcs <= bag) & (bag <= text) & (bag <= source))

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("MP", ("mp",)), Column("MP average", ("mp_average",)), Column("MP′", ("score",)))

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({"recall_weight": self.recall_weight, "matching": self.matching})

    def prepare(self, gold: Corpus) -> CharMeaningScorer:
        return CharMeaningScorer(self, segmented(gold, Characters()))

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> CharMeaningScore:
        common = self.common_figures(counts)
        # The rows of a large corpus are never all unpacked.
        values = np.concatenate([self._values(counts.part(part).rows) for part in stretches(len(counts))])
        mp, average = float(values[:, 0].mean()), float(np.nanmean(values[:, 1:]))
        return CharMeaningScore(
            **common,
            score=abs(mp - average),
            mp=mp,
            mp_average=average,
            sentences=self.all_entries(counts) if sentences else None,
        )

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        values = self._values(self.read_rows(counts))
        references = values[:, 1:]
        present = ~np.isnan(references)
        columns = [values[:, 0], np.ones(len(values)), np.nansum(references, axis=1), present.sum(axis=1)]
        return np.stack(columns, axis=1)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.abs(sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]))

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Each sentence's S; MP′ is a distance of means and has no value for one sentence."""
        return self._values(self.read_rows(counts))[:, 0]

    def _values(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """S by sentence and column: 1 where both texts are empty, 0 where nothing is shared, NaN where absent."""
        shared = rows[..., _LCS if self.matching == "lcs" else _BAG].astype(np.float64)
        text, source = rows[..., _TEXT].astype(np.float64), rows[..., _SOURCE].astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = shared / text, shared / source
            t = self.recall_weight
            value = precision * recall / (t * precision + (1 - t) * recall)
        value = np.where(shared > 0, value, np.where((text == 0) & (source == 0), 1.0, 0.0))
        return np.where(rows[..., _TEXT] == ABSENT, np.nan, value)


class CharMeaningScorer(Scorer[CharMeaning]):
    """Character meaning preservation with its references."""

    metric: CharMeaning

    def __init__(self, metric: CharMeaning, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        texts = ReferenceTexts(corpus, rule=metric.reference_rule, distinct=True)
        self.columns = (_HYPOTHESIS, *map(str, range(texts.columns)))
        pairs = [(r, s) for s, of_sentence in enumerate(texts.references) for r in of_sentence]
        flat = self._overlap([" ".join(reference) for reference, _ in pairs], [s for _, s in pairs])
        self.reference_rows = np.full((len(corpus), texts.columns, 4), ABSENT, dtype=np.int32)
        places = [c for of_sentence in texts.references for c in range(len(of_sentence))]
        self.reference_rows[[s for _, s in pairs], places] = flat

    def _overlap(self, texts: Sequence[str], source_of: Sequence[int]) -> NDArray[np.int32]:
        vocabulary = Vocabulary()
        sources = [self.corpus[s].tokens for s in source_of]
        tokens = [text.split() for text in texts]
        for number, (text, source) in enumerate(zip(tokens, sources, strict=True), 1):
            if len(text) * len(source) > MOST_CELLS:
                raise TooLongError(
                    f"expected at most {MOST_CELLS:,} pairs of characters to compare with the source, "
                    f"got {len(text):,} by {len(source):,}",
                    number,
                )
        (encoded, _), (encoded_sources, _) = (vocabulary.encode(t, extend=True) for t in (tokens, sources))
        shared = _kernels.count_overlap(encoded, encoded_sources, thread_count(len(texts)))
        lengths = np.array([(len(a), len(b)) for a, b in zip(tokens, sources, strict=True)], dtype=np.int32)
        return np.concatenate([shared, lengths.reshape(-1, 2)], axis=1)

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        with_source = self._overlap(hypotheses, source_of)[:, None]
        rows = np.concatenate([with_source, self.reference_rows[list(source_of)]], axis=1)
        return self.counts_of(np.ascontiguousarray(rows), self.columns, source_of)

    def reference_figures(self, place: int, hypothesis: str, reference: str) -> dict[str, float | str]:
        """None: the hypothesis is compared with its source, whatever the reference."""
        return {}

"""HOO scores: detection, recognition and correction, with and without bonus (MaxMatch paper, section 4).

1. Edits are found as for MaxMatch, or by a word diff as in the HOO scorer (`extraction`); each criterion has the
   reading of the hypothesis that is best for it.
2. The criteria differ in what makes a gold edit count as met: touched (detection), found at its exact place
   (recognition), or found and put right (correction). The kernel decides it while it searches (`cpp/edits/hoo.hpp`).
   With bonus, an optional gold edit that the system left alone counts as met.
3. Precision, recall and F follow from the sums (`_triples`). Without bonus and with β 1, correction is the F1 of the
   MaxMatch paper.
4. Annotators are chosen as for MaxMatch, by each criterion for itself (`Hoo.choice`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import ABSENT, Counts, plain_rows
from recte.edits.edit_search import CRITERIA
from recte.metrics.annotator_choice import ChoiceRule, best_f, precision_recall_f
from recte.metrics.base import Column, Metric, Score, option
from recte.metrics.edit_metric import BetaOption
from recte.metrics.maxmatch import INEXACT, EditSearchOptions, EditSearchScorer
from recte.metrics.resamples import Resamples

if TYPE_CHECKING:
    from recte.metrics.explanation import Explanation

__all__ = ["CRITERIA", "Hoo", "HooScore", "HooScorer"]

_MET, _SPURIOUS, _SYSTEM, _GOLD, _MISSED_OPTIONAL = range(5)


@dataclass(frozen=True, kw_only=True)
class HooScore(Score):
    """Each criterion has `precision`, `recall` and `f`, the same `with_bonus`, and each annotator alone.

    `score` is correction without bonus.
    """

    detection: Mapping[str, Any]
    recognition: Mapping[str, Any]
    correction: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Hoo(EditSearchOptions, BetaOption, Metric):
    """HOO's three criteria over MaxMatch's edits, or over those of a word diff as in the HOO scorer.

    >>> from recte import Corpus, Edit
    >>> gold = Corpus.from_edits(["It feeds word in ."], [[[Edit(2, 3, ("a word", "words"))]]])
    >>> Hoo(extraction="word-diff").score(gold, ["It feeds a word in ."]).correction["f"]
    0.0
    >>> Hoo(extraction="maxmatch").score(gold, ["It feeds a word in ."]).correction["f"]
    1.0
    """

    name: ClassVar[str] = "hoo"
    title: ClassVar[str] = "HOO detection, recognition, correction"
    empty_can_win: ClassVar[bool] = True  # as for MaxMatch, whose search it shares
    cells: ClassVar[tuple[int, ...]] = (3, 5)
    inexact: ClassVar[str] = INEXACT
    sentence_meaning: ClassVar[str] = "correction F against the best annotator"
    bibtex: ClassVar[str] = """@inproceedings{dale-kilgarriff-2011-helping,
  title = {Helping Our Own: The {HOO} 2011 Pilot Shared Task},
  author = {Dale, Robert and Kilgarriff, Adam},
  booktitle = {Proceedings of the 13th European Workshop on Natural Language Generation},
  pages = {242--249},
  year = {2011}
}"""

    beta: float = option(
        1.0, "weight of recall in F; below 1 leans to precision", least=0.01, most=100, scoring_only=True
    )

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        cells = rows.reshape(len(rows), *self.cells)
        fits = (cells[..., _MET] <= cells[..., _GOLD]) & (cells[..., _SPURIOUS] <= cells[..., _SYSTEM])
        return np.asarray((rows >= 0).all(axis=1) & fits.all(axis=1))

    @property
    def columns(self) -> tuple[Column, ...]:
        return (
            Column(f"detection F{self.beta:g}", ("detection", "f")),
            Column("recognition", ("recognition", "f")),
            Column("correction", ("score",)),
            *(Column(f"{c} +bonus", (c, "with_bonus", "f")) for c in CRITERIA),
        )

    @property
    def main_columns(self) -> tuple[Column, ...]:
        return self.columns[:3]

    @property
    def more_columns(self) -> tuple[Column, ...]:
        """P, R and F of detection (D…), recognition (R…) and correction (C…)."""
        figures = {"P": "precision", "R": "recall", f"F{self.beta:g}": "f"}
        columns = (Column(f"{c[0].upper()}{header}", (c, key)) for c in CRITERIA for header, key in figures.items())
        return tuple(replace(c, path=("score",)) if c.path == ("correction", "f") else c for c in columns)

    def prepare(self, gold: Corpus) -> HooScorer:
        return HooScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> HooScore:
        figures: dict[str, Any] = {criterion: self._criterion(counts, c) for c, criterion in enumerate(CRITERIA)}
        return HooScore(
            **self.common_figures(counts),
            **figures,
            score=figures["correction"]["f"],
            sentences=self.all_entries(counts) if sentences else None,
        )

    @property
    def choice(self) -> ChoiceRule:
        """Each criterion chooses its own annotators, as MaxMatch does."""
        return ChoiceRule("optimal" if self.behaviour == "optimal" else "running")

    def triples(self, counts: Counts) -> NDArray[np.int32]:
        """Correction's, which the score follows from."""
        return _triples(self.read_rows(counts), CRITERIA.index("correction"), bonus=False)

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return self.choice.choose(self.triples(counts), self.beta)

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return best_f(self.triples(counts), self.beta)

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        return self.choice.scores(self.triples(counts), weights, self.beta)

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        drawn = self.choice.draw_scores(self.triples(counts), resamples, self.beta)
        return super().score_resamples(counts, resamples) if drawn is None else drawn

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        parts: dict[str, Any] = {
            "behaviour": self.behaviour,
            "annotators": len(counts.columns),
            "beta": self.beta,
            "max_unchanged_words": self.max_unchanged_words,
        }
        return self.with_changed_options(parts, leaving_out=("annotator",))  # the edits' name has its content

    def _criterion(self, counts: Counts, criterion: int) -> dict[str, Any]:
        with_bonus = self._figures(counts, _triples(self.read_rows(counts), criterion, bonus=True))
        return {**self._figures(counts, _triples(counts.rows, criterion, bonus=False)), "with_bonus": with_bonus}

    def _figures(self, counts: Counts, triples: NDArray[np.int32]) -> dict[str, Any]:
        chosen = self.choice.choose(triples, self.beta)
        annotated = np.flatnonzero(chosen != ABSENT)
        best = self._sums(triples[annotated, chosen[annotated]])
        alone = {column: self._sums(triples[triples[:, c, 0] != ABSENT, c]) for c, column in enumerate(counts.columns)}
        return {**best, "annotators": alone}

    def _sums(self, triples: NDArray[np.int32]) -> dict[str, Any]:
        met, proposed, gold = (int(total) for total in triples.sum(axis=0, dtype=np.int64))
        precision, recall, f = precision_recall_f(met, proposed, gold, self.beta)
        return {"met": met, "proposed": proposed, "gold": gold, "precision": precision, "recall": recall, "f": f}

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        f = [best_f(_triples(counts.rows, c, bonus=False), self.beta) for c in range(len(CRITERIA))]
        for index, *of_sentence in plain_rows(counts.index, *f):
            by_criterion: dict[str, float] = dict(zip(CRITERIA, of_sentence, strict=True))
            yield {"sentence": index + 1, "score": by_criterion["correction"], **by_criterion}


def _triples(rows: NDArray[np.int32], criterion: int, *, bonus: bool) -> NDArray[np.int32]:
    """Numerator and the denominators of P and R, in the form that annotators are chosen by.

    Detection counts a gold edit touched by several system edits once, so its P is over gold edits met and system
    edits that meet none; the other two are over all system edits.
    """
    cells = rows[:, :, criterion]
    met, gold = cells[..., _MET], cells[..., _GOLD]
    proposed = met + cells[..., _SPURIOUS] if CRITERIA[criterion] == "detection" else cells[..., _SYSTEM]
    extra = cells[..., _MISSED_OPTIONAL] if bonus else np.zeros_like(met)
    triples = np.stack([met + extra, proposed + extra, gold], axis=-1)
    triples[met == ABSENT] = ABSENT
    return np.ascontiguousarray(triples)


class HooScorer(EditSearchScorer):
    """HOO scores with their gold."""

    metric: Hoo

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        listed = self.errant_edits(hypotheses, source_of)
        rows, fallbacks = self.search.count_hoo(hypotheses, self.search_options, source_of, listed)
        return self.counts_of(rows, self.search.annotators, source_of, fallbacks)

    def explain(self, system: System, number: int) -> Explanation:
        """One view per annotator, with what each of the three criteria counted."""
        from recte.metrics.explanation import TextView, explain_texts

        place = number - 1
        of_sentence = type(self)(self.metric, self.corpus[place : place + 1])
        counts = of_sentence.count([system.outputs[place]])
        views = []
        for column, annotator in enumerate(counts.columns):
            figures: dict[str, float | str] = {}
            for criterion, cells in zip(CRITERIA, counts.rows[0, column].tolist(), strict=True):
                met, spurious, proposed, gold, _ = cells
                figures[criterion] = f"{met} of {gold} gold edits met, {spurious} of {proposed} system edits meet none"
            views.append(TextView(f"annotator {annotator}", of_sentence.sentences[0].corrected(annotator), figures))
        return explain_texts(self, system, number, tuple(views))

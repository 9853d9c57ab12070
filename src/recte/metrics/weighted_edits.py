"""Metrics over edits in which edits count by weight, or by a verdict on those that the gold lacks.

`WeightedEdits(MaxMatch(), "length")` finds, matches and chooses as MaxMatch does, but true positives, proposed and gold
edits are sums of weights. Verdicts go first: an edit that is right after all counts as a true positive that the gold
has too. PT-M² and PT-ERRANT (`WeightedMetric`) weigh by BERTScore.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, Sentence, System, annotator_order
from recte.corpus.counts import ABSENT, Counts, absent_rows
from recte.edits.edit_context import DeferredEdits, EditsInContext
from recte.edits.edit_verdicts import EDIT_VERDICTS, EditJudge, EditVerdict, edit_judge
from recte.edits.edit_weights import EditWeigher, edit_weigher, report_unused_weights, weights_of
from recte.edits.verdicts import JudgedEdit
from recte.metrics.base import Column, Metric, PrecisionRecall, Score
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.edit_explanation import explain_edits
from recte.metrics.edit_metric import EditMetric, EditScore
from recte.metrics.explanation import Explanation
from recte.metrics.resamples import Resamples
from recte.metrics.scorer import Scorer
from recte.options import check_option

__all__ = ["WeighedSums", "WeightedEdits", "WeightedMetric", "WeightedScorer", "sum_weights"]

_RIGHT_AFTER_ALL: tuple[EditVerdict, ...] = ("valid", "better")


class WeightedMetric(Metric):
    """A metric over edits, wrapped: it scores the sums of weights that stand where its rows have numbers of edits."""

    judges_edits: ClassVar[bool] = True
    counts_types: ClassVar[bool] = True

    metric: EditMetric  # finds and matches edits, and chooses among annotators

    @abstractmethod
    def weigher(self) -> EditWeigher | None:
        """How much each edit counts; 1 without."""

    def judge(self) -> EditJudge | None:
        """Whose verdicts on edits that the gold lacks count, if anyone's."""
        return edit_judge(self.edit_verdicts) if self.edit_verdicts else None

    def row_cells(self, sums: WeighedSums, place: NDArray[np.int64]) -> NDArray[Any]:
        """A pair's cells as the wrapped metric has them; `place` is that of the pair among those of the sentence."""
        return np.column_stack([sums.triples, place])[:, : self.metric.cells[0]]

    def __getattr__(self, name: str) -> Any:
        """Options and rules of the wrapped metric are its own."""
        if name.startswith("__") or name == "metric":
            raise AttributeError(name)
        return getattr(self.metric, name)

    @property
    def verdict_names(self) -> tuple[EditVerdict, ...]:
        """The verdicts that rows count, after the cells of the wrapped metric."""
        return EDIT_VERDICTS if self.edit_verdicts else ()

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (self.metric.cells[0] + len(self.verdict_names),)

    @property
    def empty_can_win(self) -> bool:  # type: ignore[override]
        return self.metric.empty_can_win

    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """No more weight found than proposed; the gold's edits may have other weights."""
        tp, proposed = rows[:, 0], rows[:, 1]
        correct = (tp <= proposed) | ((self.metric.overcounted == "proposed") & (proposed > 0))
        return super().valid_rows(rows) & correct

    def _inner(self, counts: Counts) -> Counts:
        """The counts as the wrapped metric takes them, sums of weights in place of numbers."""
        metric, rows = self.metric, self.read_rows(counts)
        inner = replace(counts, metric=metric.name, options=metric.options(), rows=rows[:, :, : metric.cells[0]])
        inner.mark_validated(metric)
        return inner

    def prepare(self, gold: Corpus) -> WeightedScorer:
        return WeightedScorer(self, gold)

    @property
    def columns(self) -> tuple[Column, ...]:
        *figures, score = self.metric.columns
        return (*figures, *(Column(v, ("rejudged", v), percentage=False) for v in self.verdict_names), score)

    @property
    def chooses_alone(self) -> bool:
        return self.metric.chooses_alone

    @property
    def chooses_together(self) -> bool:
        return not self.chooses_alone

    def triples(self, counts: Counts) -> NDArray[Any]:
        return self.metric.triples(self._inner(counts))

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32]:
        return self.metric.chosen_columns(self._inner(counts))

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return self.metric.sentence_scores(self._inner(counts))

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        chosen, scores = self.chosen_columns(counts), self.sentence_scores(counts)
        return self.metric.entries_against(self._inner(counts), chosen, scores)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> EditScore:
        inner = self._inner(counts)
        counts.check_some()
        chosen = self.metric.chosen_columns(inner)
        rejudged: dict[str, int] | None = None
        if self.verdict_names:
            annotated = np.flatnonzero(chosen != ABSENT)
            sums = counts.rows[annotated, chosen[annotated], -len(self.verdict_names) :].sum(axis=0)
            rejudged = dict(zip(self.verdict_names, map(int, sums), strict=True))
        return replace(
            self.metric.score_against(inner, chosen),
            **self.common_figures(counts),
            rejudged=rejudged,
            sentences=self.all_entries(counts) if sentences else None,
        )

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        return self.metric._score_many(self._inner(counts), weights)

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        return self.metric.score_resamples(self._inner(counts), resamples)

    @property
    def reads_english(self) -> bool:
        return self.metric.reads_english

    @property
    def other_language(self) -> str:
        return self.metric.other_language

    def type_scores(self, counts: Counts, weights: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        return self.metric.type_scores(self._inner(counts), weights)

    def precision_recall(self, score: Score) -> PrecisionRecall | None:
        return self.metric.precision_recall(score)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.metric.signature_parts(counts)


@dataclass(frozen=True)
class WeightedEdits(WeightedMetric):
    """Any metric over edits, with the weights or verdicts of these names.

    >>> from recte import Corpus, Edit, MaxMatch
    >>> gold = Corpus.from_edits(["He go to school ."], [[[Edit(1, 2, ("has gone",)), Edit(3, 4, ("schools",))]]])
    >>> WeightedEdits(MaxMatch(), "length").score(gold, ["He has gone to school ."]).recall
    0.6666666666666666
    """

    metric: EditMetric
    edit_weights: str = ""
    edit_verdicts: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "title", "bibtex", "inexact", "sentence_meaning", "tie_rule"):
            object.__setattr__(self, name, getattr(self.metric, name))
        for f in self.option_fields:
            if f.name in ("edit_weights", "edit_verdicts"):
                check_option(f, getattr(self, f.name))

    @property
    def option_fields(self) -> tuple[Field[Any], ...]:
        return self.metric.option_fields

    def with_options(self, **changes: Any) -> Metric:
        return type(self.metric)(**{**self.options(), **changes})

    @property
    def dtype(self) -> type[np.int32] | type[np.float64]:  # type: ignore[override]
        return np.float64 if self.edit_weights else np.int32

    def weigher(self) -> EditWeigher | None:
        return edit_weigher(self.edit_weights) if self.edit_weights else None

    def all_counted(self) -> None:
        self.metric.all_counted()
        report_unused_weights(self.edit_weights)


class WeightedScorer(Scorer[Any]):
    """A metric over edits with its gold, and the weights or verdicts of edits."""

    metric: WeightedMetric

    def __init__(self, metric: WeightedMetric, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.edits = metric.metric.prepare(corpus)

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        return self._count_parts(self.edits.defer(hypotheses, source_of), source_of, self.edits.edit_sources(None))

    def _count_system(self, system: System) -> Counts:
        places = range(len(self.corpus))
        counts = self._count_parts(self.edits.defer_system(system), places, self.edits.edit_sources(system))
        return self.edits.with_needed_types(system, counts)

    def _count_parts(
        self, parts: Sequence[DeferredEdits], source_of: Sequence[int], sources: Mapping[str, str]
    ) -> Counts:
        metric, weigher, judge = self.metric, self.metric.weigher(), self.metric.judge()
        results = weights_of(weigher, [(part.ahead, part.find) for part in parts])
        names = {name for edits, _ in results for name in edits.matches.columns[0]}
        columns = tuple(sorted(names, key=annotator_order))
        place = {name: column for column, name in enumerate(columns)}
        rows = absent_rows((len(source_of), len(columns), *metric.cells), metric.dtype)
        for part, (edits, weights) in zip(parts, results, strict=True):
            matches = edits.matches
            sums = sum_weights(edits, np.asarray(weights, dtype=np.float64), judge)
            verdicts = sums.verdicts[:, : len(metric.verdict_names)]
            of_part, numbers = matches.columns
            ranks = np.array([place[name] for name in of_part], dtype=np.int64)
            cells = np.column_stack([metric.row_cells(sums, matches.places), verdicts])
            rows[part.first + matches.rows, ranks[numbers]] = cells
        named = {
            key: what.name for key, what in (("edit_weights", weigher), ("edit_verdicts", judge)) if what is not None
        }
        return replace(self.counts_of(rows, columns, source_of), made_with={**sources, **named})

    def gold_sentences(self) -> Sequence[Sentence]:
        return self.edits.gold_sentences()

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        return self.edits.judged_edits(hypotheses, annotators=annotators)

    def judged_all(
        self, systems: Sequence[System], outputs: DistinctTexts, annotators: Sequence[Sequence[str] | None]
    ) -> Iterable[list[dict[str, tuple[JudgedEdit, ...]]]]:
        return self.edits.judged_all(systems, outputs, annotators)

    def count_types(self, system: System, counts: Counts) -> Counts:
        return self.edits.count_types(system, counts)

    def explain(self, system: System, number: int) -> Explanation:
        return self.explain_part(system, number)

    def explain_part(self, system: System, number: int, counts: Counts | None = None) -> Explanation:
        of_sentence = self.metric.metric.prepare(self.corpus[number - 1 : number])
        return explain_edits(self, of_sentence, system, number, counts=counts, weigher=self.metric.weigher())


class WeighedSums(NamedTuple):
    """tp, proposed and gold of each pair in sums of weights and in numbers, and how many edits that the gold lacks had
    which verdict.
    """

    triples: NDArray[np.float64]
    numbers: NDArray[np.int64]
    verdicts: NDArray[np.int64]


def sum_weights(edits: EditsInContext, weights: NDArray[np.float64], judge: EditJudge | None) -> WeighedSums:
    """Verdicts are asked for of all edits that the gold lacks together. One that is right after all counts as a true
    positive, and as one that the gold has too: recall cannot exceed 1.
    """
    size = len(edits.matches)
    verdicts = np.zeros((size, len(EDIT_VERDICTS)), dtype=np.int64)
    after_all = np.zeros(len(edits), dtype=np.bool_)
    if judge is not None:
        wrong = np.flatnonzero(edits.proposed & ~edits.correct)
        answers = judge([edits[e] for e in wrong.tolist()])
        kinds = np.array([EDIT_VERDICTS.index(verdict) for verdict in answers], dtype=np.int64)
        np.add.at(verdicts, (edits.pairs[wrong], kinds), 1)
        after_all[wrong] = [verdict in _RIGHT_AFTER_ALL for verdict in answers]

    def sums(*kinds: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
        """By pair, one edit after the other in their order, those of the first kind first."""
        which = np.concatenate([np.flatnonzero(kind) for kind in kinds])
        pairs = edits.pairs[which]
        return np.bincount(pairs, weights=weights[which], minlength=size), np.bincount(pairs, minlength=size)

    of_kind = [sums(edits.correct | after_all), sums(edits.proposed), sums(~edits.proposed, after_all)]
    triples, numbers = (np.stack(columns, axis=1) for columns in zip(*of_kind, strict=True))
    return WeighedSums(triples, numbers, verdicts)

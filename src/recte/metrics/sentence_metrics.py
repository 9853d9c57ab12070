"""The shortest way to a metric: one number per sentence, whose mean is the score.

    @recte.sentence_metric("word-overlap")
    def overlap(source, hypothesis, references):
        ...

A metric with options is a subclass of `SentenceMetric` with the method `score_sentence`. Both have intervals, tests,
explanations, a page and counts files, as every metric does.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.edits.reference_texts import ReferenceTexts
from recte.edits.references import ReferenceRule
from recte.errors import MetricError, OptionError
from recte.metrics.base import Column, MeanMetric, Score, Scorer
from recte.metrics.metric_validation import naming_faults
from recte.metrics.registry import check_name

__all__ = ["SentenceMetric", "SentenceScorer", "reference_texts", "sentence_metric"]

SentenceFunction = Callable[[str, str, Sequence[str]], float]


def reference_texts(gold: Corpus, *, rule: ReferenceRule = "nus") -> list[list[str]]:
    """The references of each sentence as texts: as given, or made from gold edits by a published rule.

    Raises `InputError` for a sentence that has neither.

    >>> import recte
    >>> edit = recte.Edit(1, 2, ("goes",))
    >>> reference_texts(recte.Corpus.from_edits(["He go ."], [[[edit]]]))
    [['He goes .']]
    """
    references = ReferenceTexts(gold, rule=rule).references
    return [[" ".join(words) for words in of_sentence] for of_sentence in references]


@dataclass(frozen=True, kw_only=True)
class SentenceMetric(MeanMetric):
    """A metric that scores each sentence by one number, `score_sentence`; its score is their mean.

    >>> import recte
    >>> class Exact(SentenceMetric):
    ...     name = "exact"
    ...     title = "Exact match"
    ...     def score_sentence(self, source, hypothesis, references):
    ...         return hypothesis in references
    >>> recte.score(["a", "b"], ["A", "b"], references=[["A", "B"]], metric=Exact()).score
    0.5
    """

    cells: ClassVar[tuple[int, ...]] = (1,)
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.float64
    do_nothing_can_win: ClassVar[bool] = True
    percentage: ClassVar[bool] = True  # whether tables show the score times 100

    @abstractmethod
    def score_sentence(self, source: str, hypothesis: str, references: Sequence[str]) -> float:
        """The score of one hypothesis: a finite number. Texts are tokens joined by spaces.

        `references` are given or made from gold edits. A metric with `needs_references = False` receives none.
        """

    @property
    def columns(self) -> tuple[Column, ...]:
        return (Column("score", ("score",), percentage=self.percentage),)

    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        return self.with_changed_options({})

    def prepare(self, gold: Corpus) -> Scorer[Any]:
        return SentenceScorer(self, gold)

    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Score:
        return Score(
            **self.common_figures(counts),
            score=float(self.sentence_scores(counts).mean()),
            sentences=self.all_entries(counts) if sentences else None,
        )

    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        return np.asarray(self.read_rows(counts)[:, 0, 0])


class SentenceScorer(Scorer[SentenceMetric]):
    """A sentence metric with its sources and references."""

    def __init__(self, metric: SentenceMetric, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.sources = [" ".join(sentence.tokens) for sentence in corpus]
        self.references = reference_texts(corpus) if metric.needs_references else None

    def sees_texts_alone(self, system: System) -> bool:
        return True

    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        rows = np.empty((len(source_of), 1, 1))
        for row, hypothesis, place in zip(rows, hypotheses, source_of, strict=True):
            row[:] = self._score_sentence(hypothesis, place)
        return self.counts_of(rows, ("all",), source_of)

    def _score_sentence(self, hypothesis: str, place: int) -> float:
        metric, number = self.metric, place + self.corpus.first + 1
        references = [] if self.references is None else self.references[place]
        with naming_faults(metric, f"scoring sentence {number}"):
            score = float(metric.score_sentence(self.sources[place], hypothesis, references))
        if not math.isfinite(score):
            raise MetricError(f"{metric.name}: expected a finite score for sentence {number}, got {score}")
        return score


@dataclass(frozen=True, kw_only=True)
class _FunctionMetric(SentenceMetric):
    """A sentence metric whose numbers come from a function. The metric can be called as the function was."""

    function: ClassVar[SentenceFunction]

    def score_sentence(self, source: str, hypothesis: str, references: Sequence[str]) -> float:
        return type(self).function(source, hypothesis, references)

    def __call__(self, source: str, hypothesis: str, references: Sequence[str] = ()) -> float:
        return self.score_sentence(source, hypothesis, references)


def sentence_metric(
    name: str,
    *,
    title: str = "",
    higher_is_better: bool = True,
    needs_references: bool = True,
    percentage: bool = True,
    bibtex: str = "",
) -> Callable[[SentenceFunction], SentenceMetric]:
    """Make a metric of a function that scores one sentence; the metric's score is the mean over sentences.

    The function receives the source, the hypothesis and the references as texts, and returns a finite number. The
    metric takes the place of the function and can be called like it. `needs_references=False` is for a function that
    uses no reference; `percentage=False` shows scores as they are, not times 100.

    >>> import recte
    >>> @sentence_metric("first-word")
    ... def first_word(source, hypothesis, references):
    ...     return any(hypothesis.split()[:1] == reference.split()[:1] for reference in references)
    >>> recte.score(["he go"], ["He go"], references=[["He goes"]], metric=first_word).score
    1.0
    """
    if not isinstance(name, str):
        raise OptionError(
            f"sentence_metric: expected a name, as in @recte.sentence_metric('my-metric'), got {type(name).__name__}"
        )
    check_name(name)

    def make_metric(function: SentenceFunction) -> SentenceMetric:
        what = getattr(function, "__doc__", None) or f"Scores each sentence by {function.__name__}."
        members = {
            "__module__": function.__module__,
            "__qualname__": function.__qualname__,
            "__doc__": what,
            "function": staticmethod(function),
            "loaded_as": f"{function.__module__}:{function.__qualname__}",
            "name": name,
            "title": title or name,
            "higher_is_better": higher_is_better,
            "needs_references": needs_references,
            "percentage": percentage,
            "bibtex": bibtex,
        }
        cls: type[_FunctionMetric] = type(function.__name__, (_FunctionMetric,), members)
        return cls()

    return make_metric

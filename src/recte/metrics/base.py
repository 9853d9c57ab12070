"""The recipe every metric follows: sentences become counts, counts become a score.

metric = MaxMatch(beta=0.5)             options, frozen
scorer = metric.prepare(gold)           gold read once
counts = scorer.count(hypotheses)       one row of numbers per sentence
score = metric.score_counts(counts)     a frozen result with its signature

That is all a metric must do. What else it can do is asked of it by methods that have a default: explain a sentence,
judge edits, count error types, align texts, look at all systems at once. docs/metrics-of-your-own.md shows how.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from recte._version import __version__
from recte.alignment.references import changes_of_system
from recte.corpus import Corpus, Edit, Sentence, System
from recte.counts import Counts
from recte.errors import InputError, OptionError, TooLongError
from recte.metrics.candidates import candidate_scores, candidate_utilities
from recte.metrics.guarded import GuardedMetric, GuardedScorer, check_counts
from recte.metrics.options import converted, in_signature, option
from recte.metrics.resamples import Resamples, sum_of_stretches
from recte.metrics.score import AlignedSentence, Column, PrecisionRecall, Score
from recte.metrics.sentence_weights import checked_weights
from recte.metrics.tally import Tally, TallyRule

if TYPE_CHECKING:
    from recte.alignment.verdicts import JudgedEdit
    from recte.metrics.explanation import Explanation

__all__ = ["AlignedSentence", "Column", "Metric", "PrecisionRecall", "Score", "Scorer", "SummedMetric", "option"]


@dataclass(frozen=True, kw_only=True)
class Metric(GuardedMetric, ABC):
    """A metric with its options.

    >>> import recte
    >>> recte.MaxMatch(beta=1.0).options()["beta"]
    1.0
    """

    name: ClassVar[str]
    title: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    bibtex: ClassVar[str] = ""
    cells: ClassVar[tuple[int, ...]]  # the shape of a row's counts for one column
    dtype: ClassVar[type[np.int32] | type[np.float64]] = np.int32  # what a row holds
    needs_references: ClassVar[bool] = True  # or gold edits; else sources are enough
    do_nothing_can_win: ClassVar[bool] = False  # show what leaving the source alone would score
    judges_edits: ClassVar[bool] = False  # its scorer has `judged_edits`
    counts_types: ClassVar[bool] = False  # its scorer has `count_types`
    compares_with_source: ClassVar[bool] = True  # n-grams of the source matter to it
    sentence_meaning: ClassVar[str] = "the sentence's score, as if it stood alone"
    inexact: ClassVar[str] = "not scored exactly"  # what a fallback was

    def possible(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows the metric can have counted, cells last. A counts file may come from anywhere."""
        return np.asarray((rows >= 0 if rows.dtype.kind == "i" else np.isfinite(rows)).all(axis=-1))

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The metric with those of the options that it has."""
        return cls(**{f.name: options[f.name] for f in fields(cls) if f.name in options})

    def __post_init__(self) -> None:
        for f in fields(self):
            value, choices = converted(f, getattr(self, f.name)), f.metadata.get("choices", ())
            object.__setattr__(self, f.name, value)
            if choices and value not in choices:
                raise OptionError(f"{f.name}: expected one of {', '.join(choices)}, got {value!r}")

    def options(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def recount_needed(self, counted_with: Mapping[str, Any]) -> str | None:
        """An option that counts made with other options do not fit, or None where they can be scored."""
        for f in fields(self):
            if not f.metadata.get("scoring_only") and counted_with.get(f.name, f.default) != getattr(self, f.name):
                return f.name
        return None

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """What a table of this metric shows, the score among it."""

    @property
    def main_columns(self) -> tuple[Column, ...]:
        """What a table of several metrics shows of this one: precision and recall, where it has them, and the score."""
        return tuple(c for c in self.columns if c.path in (("precision",), ("recall",), ("score",)))

    @property
    def ngram_orders(self) -> int:
        """The longest n-grams that the metric counts, 0 where it counts none; an explanation shows them."""
        return 0

    @abstractmethod
    def prepare(self, gold: Corpus) -> Scorer[Any]:
        """Read the gold once, to score any number of hypotheses."""

    def prepare_with(self, gold: Corpus, systems: Mapping[str, System]) -> Scorer[Any]:
        """As `prepare`, for a metric that looks at all systems before it scores one; `systems` are by name."""
        return self.prepare(gold)

    @property
    def looks_at_other_systems(self) -> bool:
        """Whether a system's score depends on the other systems that are given beside it."""
        return False

    @abstractmethod
    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Score:
        """Counts into a score, with an entry for each sentence on request."""

    @abstractmethod
    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Each sentence's score, as if it stood alone."""

    def score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        """The score of each weighting of the sentences, one row of `weights` each; all that inference needs.

        A weight says how often a sentence stands in the corpus, repeated ones in a row. What is chosen for the corpus
        as a whole is chosen anew for each weighting. Fractions are refused where a repeated sentence is a new choice.
        """
        check_counts(self, counts)
        return self._score_many(counts, checked_weights(counts, weights, fractions=self.takes_fractions(counts)))

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        """The score of each resample of the sentences."""
        return np.concatenate([self.score_many(counts, weights) for weights in resamples.blocks()])

    @abstractmethod
    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        """`score_many` for weights that fit: int32, or float64 where `takes_fractions` says so."""

    def takes_fractions(self, counts: Counts) -> bool:
        """Whether weights may be fractions: whether the score follows from weighted sums."""
        return False

    def type_scores(self, counts: Counts, weights: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """Each error type's score for each weighting of the sentences; none where the metric has no such scores."""
        return {}

    def chosen_columns(self, counts: Counts) -> NDArray[np.int32] | None:
        """The column that each sentence is scored by, `ABSENT` where it has none; None if the metric chooses none."""
        return None

    def precision_recall(self, score: Score) -> PrecisionRecall | None:
        """Precision and recall of a score, to draw one against the other; None where the metric has none."""
        return None

    def paired_scores(self, counts: Counts) -> NDArray[np.float64]:
        """What a test over pairs of sentences compares: by default each sentence's score."""
        return self.sentence_scores(counts)

    def baseline_scores(self, counts: Counts) -> NDArray[np.float64]:
        """What the source, left alone, has to set against `paired_scores`, where the metric's rows know it."""
        raise OptionError(f"expected counts of a metric whose rows know their baseline (imeasure), got {self.name}")

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        """What a score says of each sentence on request; metrics may have more to say."""
        for index, score in zip(counts.index.tolist(), self.sentence_scores(counts).tolist(), strict=True):
            yield {"sentence": index + 1, "score": score}

    @abstractmethod
    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        """What tells this score from others of the same name, in order."""

    def with_changed_options(self, parts: dict[str, Any], *, leaving_out: Sequence[str] = ()) -> dict[str, Any]:
        """Signature parts, and every option beside them that differs from its default."""
        changed = {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name not in parts
            and f.name not in leaving_out
            and getattr(self, f.name) != f.default
            and not f.metadata.get("loader")  # what was loaded has a name of its own among what counts are made with
        }
        return {**parts, **changed}

    def score(self, gold: Corpus, hypotheses: System | Iterable[str]) -> Score:
        """The score of one system."""
        return self.prepare(gold).score(hypotheses)

    def tally_rule(self, references: int) -> TallyRule | None:
        """How the score follows from sums over parts, if the gold has so many references; None if rows are needed."""
        return None

    def signature(self, counts: Counts | Tally) -> str:
        """One line that says how the score was made, the same in every output."""
        header = counts if isinstance(counts, Counts) else counts.header
        parts = {
            **self.signature_parts(header),
            **header.made_with,
            "tokens": header.tokens,
            "data": f"{counts.data:08x}",
        }
        return "|".join(
            [self.name, *(f"{key}:{in_signature(value)}" for key, value in parts.items()), f"version:{__version__}"]
        )

    def common_figures(self, counts: Counts | Tally) -> dict[str, Any]:
        """What every score has, from its counts; of no sentence there is none."""
        counts.check_some()
        return {
            "system": counts.system,
            "metric": self.name,
            "signature": self.signature(counts),
            "higher_is_better": self.higher_is_better,
            "options": self.options(),
            "sentence_count": len(counts),
            "fallback_sentences": counts.fallback_sentences,
        }


class SummedMetric(Metric):
    """A metric whose score follows from sums over sentences: many weightings are one matrix product."""

    @abstractmethod
    def summands(self, counts: Counts) -> NDArray[np.float64]:
        """What adds up over sentences, one row each: enough for the score of any sum."""

    @abstractmethod
    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The score of each row of sums of `summands`."""

    def takes_fractions(self, counts: Counts) -> bool:
        return True

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        """Sums stretch by stretch where weights can be had so: summands of a large corpus are never all there."""
        stretches = resamples.stretches() if self.takes_fractions(counts) else None
        if stretches is None:
            return super().score_resamples(counts, resamples)
        return self.scores_of_sums(sum_of_stretches(self.summands, counts, stretches))

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        return self.scores_of_sums(weights.astype(np.float64, copy=False) @ self.summands(counts))


MetricT = TypeVar("MetricT", bound=Metric)


class Scorer(GuardedScorer, ABC, Generic[MetricT]):
    """A metric with its gold, ready for hypotheses. Holds no state between calls; pickles.

    >>> import recte
    >>> scorer = recte.MaxMatch().prepare(recte.Corpus.from_references(["He go ."], [["He goes ."]]))
    >>> scorer.candidate_scores([["He goes .", "He go ."]])
    [[1.0, 0.0]]
    """

    def __init__(self, metric: MetricT, corpus: Corpus) -> None:
        if not isinstance(corpus, Corpus):
            raise InputError(f"gold: expected a Corpus, got {type(corpus).__name__}")
        if not len(corpus):
            raise InputError("expected at least one sentence in the gold, got none")
        self.metric = metric
        self.corpus = corpus

    @abstractmethod
    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        """Count hypotheses, each against the sentence that `source_of` says."""

    def _count_texts(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        """As `_count`; for a family of metrics that have another way to count under some option."""
        return self._count(hypotheses, source_of)

    def _count_system(self, system: System) -> Counts:
        """Count a system that fits the corpus; a metric that looks at a system's own edits overrides this."""
        return self._count_texts(self.segmented(system.outputs), range(len(self.corpus)))

    def segmented(self, hypotheses: Sequence[str]) -> Sequence[str]:
        """Hypotheses cut into tokens as the corpus was, joined by spaces."""
        segmenter = self.corpus.segmenter
        return hypotheses if segmenter is None else [" ".join(segmenter(h)) for h in hypotheses]

    def counts_of(
        self,
        rows: NDArray[Any],
        columns: tuple[str, ...],
        source_of: Sequence[int],
        fallbacks: NDArray[np.bool_] | None = None,
    ) -> Counts:
        """Rows as counts of this metric and corpus: hypotheses by columns by the metric's cells.

        `columns` are names of annotators or references; `fallbacks` marks rows that were not counted exactly.
        """
        shape = (len(source_of), len(columns), *self.metric.cells)
        if rows.shape != shape or rows.dtype != self.metric.dtype:
            raise InputError(
                f"{self.metric.name}: expected rows of shape {shape} and type {np.dtype(self.metric.dtype)}, "
                f"got {rows.shape} and {rows.dtype}"
            )
        return Counts(
            metric=self.metric.name,
            options=self.metric.options(),
            system="",
            columns=columns,
            rows=rows,
            index=(places := np.asarray(source_of, dtype=np.int64)) + self.corpus.first,
            fallbacks=np.zeros(len(rows), dtype=np.bool_) if fallbacks is None else fallbacks,
            fingerprints=self.corpus.fingerprints.astype(np.uint32)[places],
            tokens="given" if self.corpus.segmenter is None else self.corpus.segmenter.name,
        )

    def system_of(self, hypotheses: System | Iterable[str], name: str = "system") -> System:
        """Hypotheses as a system that fits the corpus: one for each source sentence."""
        system = System.of(hypotheses, name)
        if len(system.outputs) != len(self.corpus):
            raise InputError(
                f"{system.name}: expected {len(self.corpus)} hypotheses, one for each source sentence, "
                f"got {len(system.outputs)}"
            )
        return system

    def count(self, hypotheses: System | Iterable[str], *, name: str = "system") -> Counts:
        """One row of counts per sentence."""
        system = self.system_of(hypotheses, name)
        try:
            counts = self._count_system(system)
        except TooLongError as error:  # say which line of which system
            raise TooLongError(error.message, error.hypothesis + self.corpus.first, system.name) from None
        except MemoryError:
            raise TooLongError("a sentence needs more memory than there is; split long lines", 0, system.name) from None
        return self.named(counts, system)

    def named(self, counts: Counts, system: System) -> Counts:
        """The counts of all sentences under the system's name, with the labels of the corpus."""
        labels = {key: np.array(values, dtype=np.str_) for key, values in self.corpus.label_columns.items()}
        return replace(counts, system=system.name, labels=labels)

    def explain(self, system: System, number: int) -> Explanation:
        """Why sentence `number` (from 1) was scored as it was; by default reference by reference."""
        from recte.metrics.text_explanation import explain_texts

        return explain_texts(self, system, number)

    def reference_figures(self, place: int, hypothesis: str, reference: str) -> dict[str, float | str]:
        """What an explanation says of one hypothesis and one reference; by default the score against it alone."""
        sentence = self.corpus[place]
        alone = Sentence(" ".join(sentence.tokens), sentence.tokens, references=(reference,))
        scorer = self.metric.prepare(Corpus((alone,), segmenter=self.corpus.segmenter))
        return {"score": float(self.metric.sentence_scores(scorer.count([hypothesis]))[0])}

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        """For each sentence and annotator, every edit with its verdict; where `annotators` names one for each
        sentence, against these alone. Metrics that can say so have `judges_edits`.
        """
        raise OptionError(f"{self.metric.name}: expected a metric that judges edits, such as m2")

    def changes(self, system: System, places: Sequence[int]) -> list[tuple[Sequence[str], Sequence[Edit]]]:
        """For each place the source's tokens and the system's edits: its own, or those that its output shows."""
        return changes_of_system(self.corpus, system, places)

    def gold_sentences(self) -> Sequence[Sentence]:
        """The sentences as the metric sees their gold; edits are shown and judged beside these."""
        return self.corpus.sentences

    def count_types(self, system: System, counts: Counts) -> Counts:
        """The counts with a table by error type beside the rows. Metrics that can do so have `counts_types`."""
        raise OptionError(f"{self.metric.name}: expected a metric that counts error types, such as m2")

    def count_and_align(self, system: System) -> tuple[Counts, tuple[AlignedSentence, ...] | None]:
        """Counts, and for each sentence the three texts aligned, for metrics that align them; else None."""
        return self.count(system), None

    def score(self, hypotheses: System | Iterable[str], *, name: str = "system", sentences: bool = False) -> Score:
        """The corpus score, with an entry for each sentence on request."""
        return self.metric.score_counts(self.count(hypotheses, name=name), sentences=sentences)

    def sentence_scores(self, hypotheses: System | Iterable[str]) -> list[float]:
        """Each sentence's score, as if it stood alone."""
        scores: list[float] = self.metric.sentence_scores(self.count(hypotheses)).tolist()
        return scores

    def count_candidates(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        """Counts of hypotheses in any order and number, each against the sentence that `source_of` says."""
        return self._count_texts(self.segmented(hypotheses), source_of)

    def candidate_scores(self, candidates: Sequence[Sequence[str]]) -> list[list[float]]:
        """Several hypotheses for each source, as many as one likes: each one's score alone."""
        return candidate_scores(self, candidates)

    def utilities(self, candidates: Sequence[Sequence[str]]) -> list[list[float]]:
        """How well each candidate agrees with the others: its mean score with each other one as the only reference.

        The highest is the choice of minimum Bayes risk (Kumar and Byrne 2004). Of the gold, sources alone have a say.
        """
        return candidate_utilities(self, candidates)

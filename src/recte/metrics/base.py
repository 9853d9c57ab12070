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
from dataclasses import Field, dataclass, fields, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts, plain_rows, stretches
from recte.errors import OptionError
from recte.metrics.metric_validation import check_counts, is_foreign, validate_metric_class
from recte.metrics.resamples import Resamples, check_weights, sum_of_stretches
from recte.metrics.score import AlignedSentence, Column, PrecisionRecall, Score
from recte.metrics.scorer import Scorer
from recte.metrics.tally import Tally, TallyRule
from recte.options import check_declared, check_options, option
from recte.signature import Signature
from recte.streamed import Streamed

__all__ = [
    "CELLS_TOGETHER",
    "AlignedSentence",
    "Column",
    "MeanMetric",
    "Metric",
    "PrecisionRecall",
    "Score",
    "Scorer",
    "SummedMetric",
    "make_metric",
    "option",
]

CELLS_TOGETHER = 4_000_000  # of all systems' rows, that are summed or drawn from at once


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
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
    empty_can_win: ClassVar[bool] = False  # an empty output can score above the unchanged source, which rewards silence
    judges_edits: ClassVar[bool] = False  # its scorer has `judged_edits`
    counts_types: ClassVar[bool] = False  # its scorer has `count_types`
    compares_with_source: ClassVar[bool] = True  # n-grams of the source matter to it
    sentence_meaning: ClassVar[str] = "the sentence's score, as if it stood alone"
    one_machine: ClassVar[str] = ""  # why parts of a corpus cannot be counted on several at once, where that is so
    inexact: ClassVar[str] = "not scored exactly"  # what a fallback was
    loaded_as: ClassVar[str] = ""  # `module:name` of a metric that was loaded so: it is pickled by that name

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        validate_metric_class(cls)

    def read_rows(self, counts: Counts) -> NDArray[Any]:
        """The rows of counts, which are validated once: sentences by columns by cells. Of a large corpus read the rows
        of one `part` of the counts after the other.

        Raises `InputError` where they are counts of another metric or of other options, or cannot be.
        """
        check_counts(self, counts)
        return counts.rows

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows the metric can have counted, cells last. A counts file may come from anywhere."""
        if rows.dtype.kind == "i" and rows.min(initial=0) >= 0:  # nearly always, and much faster
            return np.ones(rows.shape[:-1], dtype=np.bool_)
        return np.asarray((rows >= 0 if rows.dtype.kind == "i" else np.isfinite(rows)).all(axis=-1))

    def possible(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """The old name of `valid_rows`, for a metric of another package that extends the method of its parent."""
        parent = next(cls for cls in type(self).__mro__ if issubclass(cls, Metric) and not is_foreign(cls))
        return parent.valid_rows(self, rows)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The metric with those of the options that it has."""
        return cls(**{f.name: options[f.name] for f in fields(cls) if f.name in options})

    def __post_init__(self) -> None:
        check_declared(type(self))
        check_options(self)

    @property
    def reads_english(self) -> bool:
        """Whether English rules find edits of the texts."""
        return False

    @property
    def other_language(self) -> str:
        """The language of the rules that find edits, where it is not English; tables name it."""
        return ""

    @property
    def heading(self) -> str:
        """The title of a table of its scores."""
        return f"{self.title} ({self.other_language})" if self.other_language else self.title

    @property
    def option_fields(self) -> tuple[Field[Any], ...]:
        """The declarations of its options, in order."""
        return fields(self)

    def options(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in self.option_fields}

    def with_options(self, **changes: Any) -> Metric:
        """The metric with some options changed."""
        return replace(self, **changes)

    def recount_needed(self, counted_with: Mapping[str, Any]) -> str | None:
        """An option that counts made with other options do not fit, or None where they can be scored."""
        for f in self.option_fields:
            if not f.metadata.get("scoring_only") and counted_with.get(f.name, f.default) != getattr(self, f.name):
                return f.name
        known = {f.name for f in self.option_fields}
        return next((name for name, value in counted_with.items() if name not in known and value != ""), None)

    def __reduce_ex__(self, protocol: Any) -> Any:
        loaded_as = vars(type(self)).get("loaded_as")  # that of a parent is not this class
        return (make_metric, (loaded_as, self.options())) if loaded_as else super().__reduce_ex__(protocol)

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """What a table of this metric shows, the score among it."""

    @property
    def more_columns(self) -> tuple[Column, ...]:
        """What a table can show on request beyond `columns`."""
        return ()

    @property
    def main_columns(self) -> tuple[Column, ...]:
        """What a table of several metrics shows of this one: precision and recall, where it has them, and the score."""
        return tuple(c for c in self.columns if c.path in (("precision",), ("recall",), ("score",)))

    @property
    def score_factor(self) -> int:
        """What the score, and differences of scores, are multiplied by to be printed: 100 for fractions, else 1."""
        return next((100 if c.percentage else 1 for c in self.columns if c.path == ("score",)), 100)

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

    def all_counted(self) -> None:  # noqa: B027  a metric need not define it
        """Called when everything is counted that a command wants, before it is shown or written.

        A metric that only says what counting would cost does so here, by `DryRun`.
        """

    @property
    def looks_at_other_systems(self) -> bool:
        """Whether a system's score depends on the other systems that are given with it."""
        return False

    @property
    def chooses_together(self) -> bool:
        """Whether what is chosen for a sentence depends on the other sentences."""
        return False

    @abstractmethod
    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Score:
        """Counts into a score, with an entry for each sentence on request."""

    def score_all(self, counts: Sequence[Counts]) -> list[Score]:
        """`score_counts` of several systems."""
        return [self.score_counts(of_system) for of_system in counts]

    @abstractmethod
    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Each sentence's score, as if it stood alone."""

    def score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        """The score of each weighting of the sentences, one row of `weights` each; all that inference needs.

        A weight says how often a sentence stands in the corpus, repeated ones in a row. What is chosen for the corpus
        as a whole is chosen again for each weighting. Fractions are refused where a repeated sentence is a new choice.
        """
        check_counts(self, counts)
        return self._score_many(counts, check_weights(counts, weights, fractions=self.takes_fractions(counts)))

    def score_resamples(self, counts: Counts, resamples: Resamples) -> NDArray[np.float64]:
        """The score of each resample of the sentences."""
        return np.concatenate([self.score_many(counts, weights) for weights in resamples.blocks()])

    def score_all_resamples(self, counts: Sequence[Counts], resamples: Resamples) -> list[NDArray[np.float64]]:
        """`score_resamples` of several systems on the same sentences."""
        return [self.score_resamples(of_system, resamples) for of_system in counts]

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
        raise OptionError(f"expected counts that hold the source's own score (imeasure), got {self.name}")

    def remarks(self, counts: Counts) -> Mapping[int, str]:
        """What a reader should know of single rows, in words and by their place, with their numbers."""
        return {}

    def _remarks_by_number(self, counts: Counts) -> tuple[dict[str, Any], ...] | None:
        """Remarks with the numbers of sentences (from 1), in their order; None where there are none."""
        numbers = counts.index + 1
        of_sentences = sorted(self.remarks(counts).items())
        return tuple({"sentence": int(numbers[place]), "remark": text} for place, text in of_sentences) or None

    def sentence_entries(self, counts: Counts) -> Iterator[dict[str, Any]]:
        """What a score says of each sentence on request; metrics may have more to say."""
        remarks = self.remarks(counts)
        for place, (index, score) in enumerate(plain_rows(counts.index, self.sentence_scores(counts))):
            remark = {"remark": remarks[place]} if place in remarks else {}
            yield {"sentence": index + 1, "score": score, **remark}

    def all_entries(self, counts: Counts) -> Streamed[dict[str, Any]]:
        """`sentence_entries` as the sequence that a score has, made when it is read."""
        return Streamed(len(counts), partial(self._entries_of_parts, counts))

    def _entries_of_parts(self, counts: Counts) -> Iterator[dict[str, Any]]:
        """Rows of a large corpus are never all unpacked, where a sentence's entry follows from its row."""
        if self.chooses_together:
            yield from self.sentence_entries(counts)
            return
        for part in stretches(len(counts)):
            yield from self.sentence_entries(counts.part(part))

    def all_sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """`sentence_scores` of a large corpus, whose rows are never all unpacked."""
        parts = [self.sentence_scores(counts.part(part)) for part in stretches(len(counts))]
        return np.concatenate(parts) if parts else self.sentence_scores(counts)

    @abstractmethod
    def signature_parts(self, counts: Counts) -> dict[str, Any]:
        """What tells this score from others of the same name, in order."""

    def with_changed_options(self, parts: dict[str, Any], *, leaving_out: Sequence[str] = ()) -> dict[str, Any]:
        """Signature parts, and every option that differs from its default."""
        changed = {
            f.name: getattr(self, f.name)
            for f in self.option_fields
            if f.name not in parts
            and f.name not in leaving_out
            and getattr(self, f.name) != f.default
            and not f.metadata.get("loader")  # what was loaded has a name of its own among what counts are made with
        }
        return {**parts, **changed}

    def score(self, gold: Corpus, hypotheses: System | Iterable[str], *, sentences: bool = False) -> Score:
        """The score of one system, with an entry for each sentence on request."""
        return self.prepare(gold).score(hypotheses, sentences=sentences)

    def tally_rule(self, references: int) -> TallyRule | None:
        """How the score follows from sums over parts, if the gold has so many references; None if rows are needed."""
        return None

    def signature(self, counts: Counts | Tally) -> str:
        """One line that says how the score was made, the same in every output."""
        header = counts if isinstance(counts, Counts) else counts.header
        parts = {
            **self.signature_parts(header),
            **header.made_with,
            **header.read_as,
            "data": f"{counts.data:08x}",
        }
        return str(Signature.of(self.name, **parts))

    def common_figures(self, counts: Counts | Tally) -> dict[str, Any]:
        """What every score has, from its counts; of no sentence there is none."""
        if not isinstance(counts, Tally):
            check_counts(self, counts)
        counts.check_some()
        return {
            "system": counts.system,
            "metric": self.name,
            "signature": self.signature(counts),
            "higher_is_better": self.higher_is_better,
            "score_factor": self.score_factor,
            "options": self.options(),
            "sentence_count": len(counts),
            "fallback_sentences": counts.fallback_sentences,
            "remarks": self._remarks_by_number(counts) if isinstance(counts, Counts) else None,
        }


def make_metric(name: str, options: Mapping[str, Any]) -> Metric:
    """A metric by name with these options; pickles of metrics from plain files call it."""
    from recte.metrics.registry import metric_class

    return metric_class(name)(**options)


class SummedMetric(Metric):
    """A metric whose score follows from sums over sentences: many weightings are one matrix product.

    >>> import recte
    >>> issubclass(recte.Gleu, SummedMetric), issubclass(recte.MaxMatch, SummedMetric)
    (True, False)
    """

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
        check_counts(self, counts)
        stretches = resamples.stretches() if self.takes_fractions(counts) else None
        if stretches is None:
            return super().score_resamples(counts, resamples)
        return self.scores_of_sums(sum_of_stretches(self.summands, counts, stretches))

    def score_all_resamples(self, counts: Sequence[Counts], resamples: Resamples) -> list[NDArray[np.float64]]:
        """One product for all systems, as long as that is small: with few columns it takes as long as with many."""
        for of_system in counts:
            check_counts(self, of_system)
        fractions = all(map(self.takes_fractions, counts))
        if (
            sum(of_system.size for of_system in counts) > CELLS_TOGETHER
            or not fractions
            or resamples.stretches() is not None
        ):
            return super().score_all_resamples(counts, resamples)
        summands = [self.summands(of_system) for of_system in counts]
        together = np.concatenate(summands, axis=1)
        ends = np.cumsum([block.shape[1] for block in summands])[:-1]
        blocks = (check_weights(counts[0], weights, fractions=True) for weights in resamples.blocks())
        sums = np.concatenate([weights.astype(np.float64, copy=False) @ together for weights in blocks])
        return [self.scores_of_sums(np.ascontiguousarray(block)) for block in np.split(sums, ends, axis=1)]

    def _score_many(self, counts: Counts, weights: NDArray[Any]) -> NDArray[np.float64]:
        parts = ((part, weights[:, part]) for part in stretches(len(counts)))
        return self.scores_of_sums(sum_of_stretches(self.summands, counts, parts))


class MeanMetric(SummedMetric):
    """A metric whose score is the mean of its sentences' scores.

    >>> import recte
    >>> issubclass(recte.metrics.SentenceAccuracy, MeanMetric)
    True
    """

    def summands(self, counts: Counts) -> NDArray[np.float64]:
        return np.stack([self.sentence_scores(counts), np.ones(len(counts))], axis=1)

    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(sums[:, 0] / sums[:, 1])

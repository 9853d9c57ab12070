"""The recipe every metric follows: sentences become counts, counts become a score.

metric = MaxMatch(beta=0.5)             options, frozen
scorer = metric.prepare(gold)           gold read once
counts = scorer.count(hypotheses)       one row of integers a sentence
score = metric.score_counts(counts)     a frozen result with its signature
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from recte._version import __version__
from recte.corpus import Corpus, System
from recte.counts import Counts
from recte.errors import InputError, OptionError, TooLongError

__all__ = ["Column", "Metric", "Score", "Scorer", "SummedMetric", "option"]


def option(default: Any, help: str, *, choices: Sequence[str] = (), scoring_only: bool = False) -> Any:
    """A metric's option: the same name in the API, on the command line and in the signature.

    A `scoring_only` option does not change what is counted, so saved counts can be scored with any value of it.
    """
    return field(default=default, metadata={"help": help, "choices": tuple(choices), "scoring_only": scoring_only})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a metric's table: where the figure is in a score, and whether to print it as a percentage."""

    header: str
    path: tuple[str, ...]
    percentage: bool = True


@dataclass(frozen=True, kw_only=True)
class Score:
    """A system's score by one metric. Fractions in full precision; metrics add their own figures.

    >>> import recte
    >>> score = recte.score(["He go ."], ["He goes ."], references=[["He goes ."]])
    >>> score.metric, score.score, sorted(score.to_dict())[:4]
    ('m2', 1.0, ['annotators', 'fallback_sentences', 'fn', 'fp'])
    """

    system: str
    metric: str
    score: float
    signature: str
    higher_is_better: bool
    options: Mapping[str, Any]
    interval: Mapping[str, Any] | None = None
    subset: Mapping[str, str] | None = field(default=None, metadata={"on_request": True})
    sentence_count: int
    fallback_sentences: tuple[int, ...] = ()
    sentences: tuple[Mapping[str, Any], ...] | None = field(default=None, metadata={"on_request": True})

    def __float__(self) -> float:
        return self.score

    def to_dict(self) -> dict[str, Any]:
        """The score as plain dicts, lists, numbers and text; what was not asked for is left out."""
        row = {f.name: _plain(getattr(self, f.name)) for f in fields(self)}
        on_request = {f.name for f in fields(self) if f.metadata.get("on_request")}
        return {key: value for key, value in row.items() if value is not None or key not in on_request}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


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
    do_nothing_can_win: ClassVar[bool] = False  # show what leaving the source alone would score
    has_edits: ClassVar[bool] = False  # judges edits, so that they can be shown and broken down by type
    inexact: ClassVar[str] = "not scored exactly"  # what a fallback was

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Metric:
        """The metric with those of the options that it has."""
        return cls(**{f.name: options[f.name] for f in fields(cls) if f.name in options})

    def __post_init__(self) -> None:
        for f in fields(self):
            value, choices = getattr(self, f.name), f.metadata.get("choices", ())
            if type(f.default) is float and type(value) is int:
                object.__setattr__(self, f.name, value := float(value))
            if type(value) is not type(f.default):
                wanted = type(f.default).__name__
                raise OptionError(f"{f.name}: expected {wanted}, got {type(value).__name__} {value!r}")
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

    @abstractmethod
    def prepare(self, gold: Corpus) -> Scorer[Any]:
        """Read the gold once, to score any number of hypotheses."""

    @abstractmethod
    def score_counts(self, counts: Counts, *, sentences: bool = False) -> Score:
        """Counts into a score, with an entry for each sentence on request."""

    @abstractmethod
    def sentence_scores(self, counts: Counts) -> NDArray[np.float64]:
        """Each sentence's score, as if it stood alone."""

    @abstractmethod
    def score_many(self, counts: Counts, weights: NDArray[np.int32]) -> NDArray[np.float64]:
        """The score of each weighting of the sentences, a row of `weights` each; all that inference needs.

        A weight says how often a sentence stands in the corpus, repeated ones in a row. What is chosen for the corpus
        as a whole is chosen anew for each weighting.
        """

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
            if f.name not in parts and f.name not in leaving_out and getattr(self, f.name) != f.default
        }
        return {**parts, **changed}

    def score(self, gold: Corpus, hypotheses: System | Iterable[str]) -> Score:
        """The score of one system."""
        return self.prepare(gold).score(hypotheses)

    def signature(self, counts: Counts) -> str:
        """One line that says how the score was made, the same in every output."""
        parts = {**self.signature_parts(counts), "tokens": counts.tokens, "data": f"{counts.data:08x}"}
        return "|".join(
            [self.name, *(f"{key}:{_short(value)}" for key, value in parts.items()), f"version:{__version__}"]
        )

    def common_figures(self, counts: Counts) -> dict[str, Any]:
        """What every score has, from its counts."""
        return {
            "system": counts.system,
            "metric": self.name,
            "signature": self.signature(counts),
            "higher_is_better": self.higher_is_better,
            "options": self.options(),
            "sentence_count": len(counts),
            "fallback_sentences": tuple((counts.index[np.flatnonzero(counts.fallbacks)] + 1).tolist()),
        }


class SummedMetric(Metric):
    """A metric whose score follows from sums over sentences: many weightings are one matrix product."""

    @abstractmethod
    def summands(self, counts: Counts) -> NDArray[np.float64]:
        """What adds up over sentences, a row each: enough for the score of any sum."""

    @abstractmethod
    def scores_of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The score of each row of sums of `summands`."""

    def score_many(self, counts: Counts, weights: NDArray[np.int32]) -> NDArray[np.float64]:
        return self.scores_of_sums(weights.astype(np.float64) @ self.summands(counts))


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


MetricT = TypeVar("MetricT", bound=Metric)


class Scorer(ABC, Generic[MetricT]):
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

    def segmented(self, hypotheses: Sequence[str]) -> Sequence[str]:
        """Hypotheses cut into tokens as the corpus was, joined by spaces."""
        segmenter = self.corpus.segmenter
        return hypotheses if segmenter is None else [" ".join(segmenter(h)) for h in hypotheses]

    def counts_of(
        self,
        rows: NDArray[np.int32],
        columns: tuple[str, ...],
        source_of: Sequence[int],
        fallbacks: NDArray[np.bool_] | None = None,
    ) -> Counts:
        """Rows as counts of this metric and corpus."""
        return Counts(
            metric=self.metric.name,
            options=self.metric.options(),
            system="",
            columns=columns,
            rows=rows,
            index=np.asarray(source_of, dtype=np.int64) + self.corpus.first,
            fallbacks=np.zeros(len(rows), dtype=np.bool_) if fallbacks is None else fallbacks,
            data=self.corpus.fingerprint,
            tokens="given" if self.corpus.segmenter is None else self.corpus.segmenter.name,
        )

    def count(self, hypotheses: System | Iterable[str], *, name: str = "system") -> Counts:
        """One row of counts a sentence."""
        system = System.of(hypotheses, name)
        if len(system.outputs) != len(self.corpus):
            raise InputError(
                f"{system.name}: expected {len(self.corpus)} hypotheses, one for each source sentence, "
                f"got {len(system.outputs)}"
            )
        try:
            counts = self._count(self.segmented(system.outputs), range(len(self.corpus)))
        except TooLongError as error:  # say which line of which system
            raise TooLongError(error.message, error.hypothesis + self.corpus.first, system.name) from None
        except MemoryError:
            raise TooLongError("a sentence needs more memory than there is; split long lines", 0, system.name) from None
        return replace(counts, system=system.name, labels=self.corpus.label_columns)

    def score(self, hypotheses: System | Iterable[str], *, name: str = "system", sentences: bool = False) -> Score:
        """The corpus score, with an entry for each sentence on request."""
        return self.metric.score_counts(self.count(hypotheses, name=name), sentences=sentences)

    def sentence_scores(self, hypotheses: System | Iterable[str]) -> list[float]:
        """Each sentence's score, as if it stood alone."""
        scores: list[float] = self.metric.sentence_scores(self.count(hypotheses)).tolist()
        return scores

    def candidate_scores(self, candidates: Sequence[Sequence[str]]) -> list[list[float]]:
        """Several hypotheses for each source, as many as one likes: each one's score alone."""
        if len(candidates) != len(self.corpus):
            raise InputError(
                f"expected candidates for {len(self.corpus)} source sentences, got them for {len(candidates)}"
            )
        wrong = next((c for c in candidates if isinstance(c, str)), None)
        if wrong is not None:
            raise InputError(f"candidates: expected a list of hypotheses a sentence, got the text {wrong[:40]!r}")
        flat = System.of(hypothesis for of_sentence in candidates for hypothesis in of_sentence).outputs
        source_of = [sentence for sentence, of_sentence in enumerate(candidates) for _ in of_sentence]
        scores = iter(self.metric.sentence_scores(self._count(self.segmented(flat), source_of)).tolist())
        return [[next(scores) for _ in of_sentence] for of_sentence in candidates]

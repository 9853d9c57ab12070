"""A metric with its gold, ready for hypotheses: what every scorer does, and what one may do besides counting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, Edit, Sentence, System
from recte.corpus.counts import Counts
from recte.edits.references import changes_of_system
from recte.errors import InputError, OptionError, TooLongError
from recte.gc_paused import gc_paused
from recte.metrics.candidates import candidate_scores, candidate_utilities, check_candidates
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.metric_validation import check_rows, validate_scorer_class
from recte.metrics.score import AlignedSentence, Score
from recte.text.line_alignment import describe_length

if TYPE_CHECKING:
    from recte.edits.verdicts import JudgedEdit
    from recte.metrics.base import Metric
    from recte.metrics.explanation import Explanation

__all__ = ["MetricT", "Scorer"]

MetricT = TypeVar("MetricT", bound="Metric")
CountedT = TypeVar("CountedT")

_TEXTS_TOGETHER = 40_000  # in one call of `_count`, so that memory stays bounded


class Scorer(ABC, Generic[MetricT]):
    """A metric with its gold, ready for hypotheses. Holds no state between calls; pickles.

    >>> import recte
    >>> scorer = recte.MaxMatch().prepare(recte.Corpus.from_references(["He go ."], [["He goes ."]]))
    >>> scorer.candidate_scores([["He goes .", "He go ."]])
    [[1.0, 0.0]]
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        validate_scorer_class(cls)

    def __init__(self, metric: MetricT, corpus: Corpus) -> None:
        if not isinstance(corpus, Corpus):
            raise InputError(f"gold: expected a Corpus, got {type(corpus).__name__}")
        if not len(corpus):
            raise InputError("expected at least one sentence in the gold, got none")
        self.metric = metric
        self.corpus = corpus

    @property
    def compares_given_spans(self) -> bool:
        """Whether spans that annotators gave are compared with spans that rules find in texts, at little cost."""
        return False

    @abstractmethod
    def _count(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        """Count hypotheses, each against the sentence that `source_of` says."""

    def _count_system(self, system: System) -> Counts:
        """Count a system that fits the corpus; a metric that looks at a system's own edits overrides this."""
        return self._count(self.segmented(system.outputs), range(len(self.corpus)))

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
        places = np.asarray(source_of, dtype=np.int64)
        counts = Counts(
            metric=self.metric.name,
            options=self.metric.options(),
            system="",
            columns=columns,
            rows=rows,
            index=places + self.corpus.first,
            fallbacks=np.zeros(len(rows), dtype=np.bool_) if fallbacks is None else fallbacks,
            fingerprints=self.corpus.fingerprints[places].astype(np.uint32),
            tokens="given" if self.corpus.segmenter is None else self.corpus.segmenter.name,
            reading=self.corpus.reading,
        )
        check_rows(self.metric, counts)  # before anyone saves them
        return counts

    def system_of(self, hypotheses: System | Iterable[str], name: str = "system") -> System:
        """Hypotheses as a system that fits the corpus: one for each source sentence."""
        system = System.of(hypotheses, name)
        if len(system.outputs) != len(self.corpus):
            where = describe_length(self.corpus.unchanged, system.outputs)
            raise InputError(
                f"{system.name}: expected {len(self.corpus)} hypotheses, one for each source sentence, "
                f"got {len(system.outputs)}{': ' if where else ''}{where}"
            )
        return system

    def count(self, hypotheses: System | Iterable[str], *, name: str = "system") -> Counts:
        """One row of counts per sentence."""
        system = self.system_of(hypotheses, name)
        with self.locating_errors(system):
            counts = self._count_system(system)
        return self.name_counts(counts, system)

    @contextmanager
    def locating_errors(self, system: System) -> Iterator[None]:
        """Name the system and the line in an error about a text that is too long; counts are made inside the block."""
        try:
            with gc_paused():
                yield
        except TooLongError as error:
            known = error.hypothesis and error.hypothesis + self.corpus.first  # 0 where it is not known
            raise TooLongError(error.message, known, system.name) from None
        except MemoryError:
            raise TooLongError("a sentence needs more memory than there is; split long lines", 0, system.name) from None

    def name_counts(self, counts: Counts, system: System) -> Counts:
        """The counts of all sentences under the system's name, with the labels of the corpus."""
        labels = {key: np.array(values, dtype=np.str_) for key, values in self.corpus.label_columns.items()}
        named = replace(counts, system=system.name, labels=labels, outputs="+".join(system.changed))
        named.mark_validated(counts.validated_by)
        return named

    def explain(self, system: System, number: int) -> Explanation:
        """Why sentence `number` (from 1) was scored as it was; by default reference by reference."""
        from recte.metrics.explanation import explain_texts

        return explain_texts(self, system, number)

    def explain_part(self, system: System, number: int, counts: Counts | None = None) -> Explanation:
        """As `explain`, where the corpus is a part of a larger one: `counts` are the system's of the whole, for metrics
        that choose by them.
        """
        return self.explain(system, number)

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
        raise OptionError(f"{self.metric.name}: expected a metric that judges edits, such as m2 or errant")

    def judged_all(
        self, systems: Sequence[System], outputs: DistinctTexts, annotators: Sequence[Sequence[str] | None]
    ) -> Iterable[list[dict[str, tuple[JudgedEdit, ...]]]]:
        """`judged_edits` of each system, whose `outputs` these are, against its own choice of annotators."""
        return (
            self.judged_edits(system, annotators=chosen) for system, chosen in zip(systems, annotators, strict=True)
        )

    def changes(self, system: System, places: Sequence[int]) -> list[tuple[Sequence[str], Sequence[Edit]]]:
        """For each place the source's tokens and the system's edits: its own, or those that its output shows."""
        return changes_of_system(self.corpus, system, places)

    def gold_sentences(self) -> Sequence[Sentence]:
        """The sentences as the metric sees their gold; edits are shown and judged with these."""
        return self.corpus.sentences

    def count_types(self, system: System, counts: Counts) -> Counts:
        """The counts with a table by error type of the rows. Metrics that can do so have `counts_types`."""
        raise OptionError(f"{self.metric.name}: expected a metric that counts error types, such as m2 or errant")

    def count_and_align(self, system: System) -> tuple[Counts, tuple[AlignedSentence, ...] | None]:
        """Counts, and for each sentence the three texts aligned, for metrics that align them; else None."""
        return self.count(system), None

    def sees_texts_alone(self, system: System) -> bool:
        """Whether a system's counts follow from its texts and their sentences: then equal outputs are counted once."""
        return False

    def _count_and_align_texts(
        self, hypotheses: Sequence[str], source_of: Sequence[int]
    ) -> tuple[Counts, Sequence[AlignedSentence] | None]:
        """As `_count`, with the alignments that `count_and_align` gives; for scorers that see texts alone."""
        return self._count(hypotheses, source_of), None

    def count_all(self, systems: Sequence[System]) -> Iterator[Counts]:
        """`count` of each system, of several together where these see texts alone."""
        systems = [self.system_of(system) for system in systems]
        size = max(1, _TEXTS_TOGETHER // len(self.corpus))
        for start in range(0, len(systems), size):
            together, counted = systems[start : start + size], None
            if len(together) > 1 and all(map(self.sees_texts_alone, together)):
                outputs = DistinctTexts.of_systems(together)
                counted = self._unless_too_long(self._count, outputs)
            if counted is None:
                yield from map(self.count, together)
                continue
            for system, number in zip(together, outputs.number, strict=True):
                yield self.name_counts(counted.take(number), system)

    def count_and_align_all(
        self, systems: Sequence[System], outputs: DistinctTexts
    ) -> Iterator[tuple[Counts, tuple[AlignedSentence, ...] | None]]:
        """`count_and_align` of each system; `outputs` are theirs."""
        counted = None
        if all(map(self.sees_texts_alone, systems)):
            counted = self._unless_too_long(self._count_and_align_texts, outputs)
        if counted is None:
            yield from map(self.count_and_align, systems)
            return
        counts, aligned = counted
        for system, number in zip(systems, outputs.number, strict=True):
            of_system = None if aligned is None else tuple(aligned[place] for place in number.tolist())
            yield self.name_counts(counts.take(number), system), of_system

    def _unless_too_long(
        self, count: Callable[[Sequence[str], Sequence[int]], CountedT], outputs: DistinctTexts
    ) -> CountedT | None:
        """What `count` says of distinct outputs; None where one is too long: systems one by one say where."""
        try:
            with gc_paused():
                return count(self.segmented(outputs.texts), outputs.places)
        except (TooLongError, MemoryError):
            return None

    def score(self, hypotheses: System | Iterable[str], *, name: str = "system", sentences: bool = False) -> Score:
        """The corpus score, with an entry for each sentence on request."""
        return self.metric.score_counts(self.count(hypotheses, name=name), sentences=sentences)

    def sentence_scores(self, hypotheses: System | Iterable[str]) -> list[float]:
        """Each sentence's score, as if it stood alone."""
        scores: list[float] = self.metric.sentence_scores(self.count(hypotheses)).tolist()
        self.metric.all_counted()
        return scores

    def count_candidates(self, hypotheses: Sequence[str], source_of: Sequence[int]) -> Counts:
        """Counts of hypotheses in any order and number, each against the sentence that `source_of` says."""
        texts, places = check_candidates(hypotheses, source_of, len(self.corpus))
        with gc_paused():
            return self._count(self.segmented(texts), places)

    def candidate_scores(self, candidates: Sequence[Sequence[str]]) -> list[list[float]]:
        """Several hypotheses for each source, as many as one likes: each one's score alone."""
        scores = candidate_scores(self, candidates)
        self.metric.all_counted()
        return scores

    def utilities(self, candidates: Sequence[Sequence[str]]) -> list[list[float]]:
        """How well each candidate agrees with the others: its mean score with each other one as the only reference.

        The highest is the choice of minimum Bayes risk (Kumar and Byrne 2004); scores are negated where less is better.
        Of the gold, only sources matter.
        """
        return candidate_utilities(self, candidates)

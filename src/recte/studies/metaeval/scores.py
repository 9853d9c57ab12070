"""The two sides of a meta-evaluation: what a metric says of systems and sentences, and what humans say of systems."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts
from recte.errors import InputError, OptionError
from recte.metrics.base import Metric

__all__ = ["MetricScores", "check_all_scored", "metrics_from_files"]

_DIGITS = 12
Floats = NDArray[np.float64]
SystemScores = Mapping[str, Mapping[str, float]]
SentenceScores = Mapping[str, Mapping[str, Sequence[float]]]


# Ways to score systems again for weighted sentences, one row per weighting. Classes and not closures: these pickle.
Resampled = Callable[[NDArray[np.int32]], Floats]


@dataclass(frozen=True, eq=False)
class _FromCounts:
    metric: Metric
    counts: tuple[Counts, ...]
    sign: float

    def __call__(self, weights: NDArray[np.int32]) -> Floats:
        return self.sign * np.stack(
            [self.metric.score_many(system_counts, weights) for system_counts in self.counts], axis=1
        )


@dataclass(frozen=True, eq=False)
class _OfSystems:
    scored: Resampled
    rows: tuple[int, ...]

    def __call__(self, weights: NDArray[np.int32]) -> Floats:
        return self.scored(weights)[:, list(self.rows)]


@dataclass(frozen=True, eq=False)
class _SentenceMeans:
    sentences: Floats

    def __call__(self, weights: NDArray[np.int32]) -> Floats:
        result: Floats = weights @ self.sentences.T / weights.sum(axis=1, keepdims=True)
        return result


def check_all_scored(name: str, judged: Iterable[str], scored: Collection[str]) -> None:
    """Refuse a metric of that name where a judged system has no score."""
    absent = sorted(system for system in judged if system not in scored)
    if absent:
        raise InputError(
            f"{name}: expected scores for every judged system, got none for {', '.join(absent)} "
            "(--without leaves systems out, in Python `without`)"
        )


@dataclass(frozen=True)
class MetricScores:
    """A metric's score for each system, and where they are known each sentence's.

    `systems` are in order of their names; `scores` has one value each, `sentences` one row each. `resampled` gives the
    systems' scores for weighted sentences, one row per weighting, where the metric can score again.

    >>> MetricScores.of("mine", {"wren": 0.3, "heron": 0.5}).systems
    ('heron', 'wren')
    """

    name: str
    systems: tuple[str, ...]
    scores: Floats
    sentences: Floats | None = None
    resampled: Resampled | None = None
    signature: str = ""
    sentence_means: bool = False  # a system's score is the mean of its sentences'
    aggregation: str = ""  # how sentence scores became systems', where neither the metric nor a mean did it

    @classmethod
    def of(
        cls, name: str, scores: Mapping[str, float], sentences: Mapping[str, Sequence[float]] | None = None
    ) -> MetricScores:
        """From scores by system, and lists of sentence scores by system."""
        systems = tuple(sorted(scores))
        if sentences is None:
            return cls(name, systems, np.array([scores[s] for s in systems]))
        absent = sorted(set(systems) ^ set(sentences))
        if absent:
            raise InputError(
                f"{name}: expected system and sentence scores of the same systems, got one of {absent[0]!r}"
            )
        lengths = {len(sentences[s]) for s in systems}
        if len(lengths) > 1:
            raise InputError(f"{name}: expected as many sentence scores for each system, got {sorted(lengths)}")
        table = np.array([sentences[s] for s in systems], dtype=np.float64)
        return cls(name, systems, np.array([scores[s] for s in systems]), table)

    @classmethod
    def from_counts(cls, metric: Metric, counts: Sequence[Counts]) -> MetricScores:
        """From a metric's counts of each system; better is higher, whatever the metric."""
        ordered = sorted(counts, key=lambda one: one.system)
        sign = 1.0 if metric.higher_is_better else -1.0
        return cls(
            metric.name,
            tuple(system_counts.system for system_counts in ordered),
            sign * np.array([metric.score_counts(system_counts).score for system_counts in ordered]),
            # Equal scores can come out a last digit apart, which would not be a tie any more.
            sign * np.stack([metric.all_sentence_scores(system_counts) for system_counts in ordered]).round(_DIGITS),
            _FromCounts(metric, tuple(ordered), sign),
            metric.signature(ordered[0]),
        )

    def for_systems(self, systems: Sequence[str]) -> MetricScores:
        """The scores of these systems, in order of their names; an error where one has none."""
        names = tuple(sorted(systems))
        check_all_scored(self.name, names, self.systems)
        rows = [self.systems.index(system) for system in names]
        rescore = self.resampled
        return replace(
            self,
            systems=names,
            scores=self.scores[rows],
            sentences=None if self.sentences is None else self.sentences[rows],
            resampled=None if rescore is None else _OfSystems(rescore, tuple(rows)),
        )

    def on_sentences(self, places: Sequence[int]) -> MetricScores:
        """The metric on some sentences of its corpus alone, by their places from 0; systems are scored again."""
        sentences = self.sentence_table("a judged subset")
        rows = np.asarray(places, dtype=np.int64)
        rescore, length = self.resampled, sentences.shape[1]
        if isinstance(rescore, _FromCounts):
            parts = [system_counts.take(rows) for system_counts in rescore.counts]
            return replace(MetricScores.from_counts(rescore.metric, parts), name=self.name)
        if rescore is None:
            raise OptionError(
                f"{self.name}: expected sentence means, or scores computed here, to score a judged subset, got a file's"
            )

        def resampled(weights: NDArray[np.int32]) -> Floats:
            whole = np.zeros((len(weights), length), dtype=np.int32)
            whole[:, rows] = weights
            return rescore(whole)

        once = np.ones((1, len(rows)), dtype=np.int32)
        return replace(self, sentences=sentences[:, rows], scores=resampled(once)[0], resampled=resampled)

    def with_sentence_means(self) -> MetricScores:
        """The same metric with the mean of its sentence scores as a system's score."""
        sentences = self.sentence_table("sentence means")
        return replace(self, scores=sentences.mean(axis=1), resampled=_SentenceMeans(sentences), sentence_means=True)

    def sentence_table(self, purpose: str) -> Floats:
        if self.sentences is None:
            raise OptionError(f"{self.name}: {purpose}: expected sentence scores, got scores of systems alone")
        return self.sentences


def metrics_from_files(files: Iterable[tuple[SystemScores, SentenceScores]]) -> list[MetricScores]:
    """Metrics whose scores were read; without one for a system, it is the mean of the system's sentence scores.

    >>> [metric.name for metric in metrics_from_files([({"mine": {"wren": 0.3}}, {})])]
    ['mine']
    """
    systems: dict[str, Mapping[str, float]] = {}
    sentences: dict[str, Mapping[str, Sequence[float]]] = {}
    for of_systems, of_sentences in files:
        for name in (systems.keys() & of_systems.keys()) | (sentences.keys() & of_sentences.keys()):
            raise InputError(f"expected each metric's scores in one file, got {name!r} in two")
        systems.update(of_systems)
        sentences.update(of_sentences)
    metrics = []
    for name in dict.fromkeys([*systems, *sentences]):
        table = sentences.get(name)
        scores = systems.get(name) or {s: sum(values) / len(values) for s, values in (table or {}).items()}
        metrics.append(MetricScores.of(name, scores, table))
        if name not in systems:
            metrics[-1] = metrics[-1].with_sentence_means()
    return metrics

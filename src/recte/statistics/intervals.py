"""Confidence intervals of any metric's score, and of differences between systems, from their counts.

A system may have several runs, such as one model trained with several seeds. Its score is then the mean of its runs,
and its interval has two levels: how much runs differ, and how much sentences differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from recte.argument_types import check_fields
from recte.corpus.counts import Counts
from recte.errors import InputError, OptionError, check_choice
from recte.metrics import metric_class
from recte.metrics.base import Metric
from recte.statistics.bootstrap import (
    INTERVAL_METHODS,
    Interval,
    IntervalMethod,
    bca_interval,
    leave_one_out_blocks,
    percentile_interval,
)
from recte.statistics.drawing import Drawing

__all__ = [
    "FEWEST_UNITS",
    "TWO_LEVEL",
    "UNITS",
    "Replicates",
    "Resampling",
    "SystemRuns",
    "Unit",
    "check_comparable",
    "check_units",
    "confidence_interval",
    "difference_interval",
    "first_run",
    "metric_of",
]

Unit = Literal["auto", "sentence", "document"]
UNITS: tuple[Unit, ...] = get_args(Unit)
_DOCUMENTS_WANTED = 10  # fewer say too little of how documents differ
FEWEST_UNITS = 5  # below, resamples say nothing
TWO_LEVEL = "two-level"  # the method of intervals, and the test, over runs and sentences

SystemRuns = Counts | Sequence[Counts]  # a system's counts, or those of each of its runs


@dataclass(frozen=True)
class Resampling:
    """How intervals are made: `percentile` or `bca`, how sure, how many resamples, the seed, and what is drawn.

    `auto` draws documents where every sentence has one and there are ten or more, else sentences: sentences of one
    document are alike, and drawing them alone would make intervals too narrow.

    >>> Resampling(method="bca").resamples
    1000
    """

    method: IntervalMethod = "percentile"
    level: float = 0.95
    resamples: int = 1000
    seed: int = 12345
    unit: Unit = "auto"

    def __post_init__(self) -> None:
        check_fields(self)
        check_choice("method", self.method, INTERVAL_METHODS)
        check_choice("unit", self.unit, UNITS)
        if not 0 < self.level < 1:
            raise OptionError(f"level: expected a number between 0 and 1, got {self.level}")
        if not 10 <= self.resamples <= 1_000_000:
            raise OptionError(f"resamples: expected 10 to 1,000,000, got {self.resamples}")
        if self.seed < 0:
            raise OptionError(f"seed: expected a number from 0, got {self.seed}")

    def groups(self, counts: Counts) -> NDArray[np.int64] | None:
        """The document of each sentence as a number, where documents are drawn."""
        documents = counts.labels.get("document", np.zeros(0, dtype=np.str_))
        whole = len(documents) == len(counts) and bool((documents != "").all())
        if self.unit == "document" and not whole:
            without = "some" if (documents != "").any() else "none"
            raise OptionError(f"unit: expected a document for every sentence, got {without}; --labels TSV gives them")
        if self.unit == "sentence" or not whole:
            return None
        _, groups = np.unique(documents, return_inverse=True)
        enough = int(groups.max()) + 1 >= _DOCUMENTS_WANTED
        return np.asarray(groups, dtype=np.int64) if enough or self.unit == "document" else None

    def units(self, counts: Counts) -> int:
        """How many sentences or documents there are to draw from."""
        groups = self.groups(counts)
        return len(counts) if groups is None else int(groups.max(initial=-1)) + 1

    def signature(self, interval: Interval) -> str:
        """What the score's signature says of its interval."""
        unit = "" if interval.unit == "sentence" else f"-{interval.unit}s"
        weights = "" if interval.weights is None else f"-{interval.weights}"
        runs = "" if interval.runs is None else f"-{interval.runs}runs"
        return f"ci:{interval.method}{100 * self.level:g}-{self.resamples}{runs}{unit}{weights}-seed{self.seed}"


def metric_of(counts: Counts) -> Metric:
    """The metric, with the options, that made the counts."""
    try:
        cls = metric_class(counts.metric)
    except OptionError as error:
        hint = "give the metric itself as metric=, or make it known by recte.metrics.register"
        raise OptionError(f"{error}; {hint}") from None
    return cls.from_options(counts.options)


@dataclass(frozen=True)
class RunSpread:
    """The variance of the mean of a system's runs on the same sentences, estimated from so many runs."""

    variance: float
    runs: int

    @classmethod
    def of(cls, scores: NDArray[np.float64], resampled: NDArray[np.float64]) -> RunSpread:
        """From the score of each run, and from each run's scores on the same resamples, one row a run.

        Runs also differ because each meets these sentences in its own way. This part of their variance is measured on
        the resamples and taken off: the resamples of the mean hold it already.
        """
        runs = len(scores)
        of_sentences = (resampled - resampled.mean(axis=0)).var(axis=1, ddof=1).mean() * runs / (runs - 1)
        return cls(max(0.0, float(scores.var(ddof=1) - of_sentences)) / runs, runs)

    def half_width(self, p: float) -> float:
        """Half the width of the interval that misses with probability p, by Student's t: wide where runs are few."""
        from scipy.special import stdtrit

        return -float(stdtrit(self.runs - 1, p / 2)) * math.sqrt(self.variance) if self.variance else 0.0


@dataclass(frozen=True)
class Replicates:
    """A system's score on the test set itself, on each resample of it, and (for BCa) with each unit left out.

    Systems share resamples, so that a difference of replicates is that of the systems. Of a system with several runs,
    `observed` and `values` are means over the runs, and `spreads` says how much runs differ; a difference has the
    spreads of both systems.
    """

    resampling: Resampling
    unit: str
    observed: float
    values: NDArray[np.float64]
    left_out: NDArray[np.float64] | None
    weights: str | None = None  # how they were drawn, where it is not the usual way
    spreads: tuple[RunSpread, ...] = ()

    @classmethod
    def of(cls, counts: SystemRuns, metric: Metric, resampling: Resampling) -> Replicates:
        if not isinstance(counts, Counts):
            return cls._of_runs([cls.of(of_run, metric, resampling) for of_run in counts])
        size, groups = len(counts), resampling.groups(counts)
        drawing = Drawing.of(counts, resampling.resamples, resampling.seed, groups)
        left_out = leave_one_out_blocks(size, groups=groups) if resampling.method == "bca" else None
        return cls(
            resampling,
            "sentence" if groups is None else "document",
            float(metric.score_many(counts, np.ones((1, size), dtype=np.int32))[0]),
            metric.score_resamples(counts, drawing),
            None if left_out is None else np.concatenate([metric.score_many(counts, w) for w in left_out]),
            drawing.generator,
        )

    @classmethod
    def _of_runs(cls, runs: Sequence[Replicates]) -> Replicates:
        """The mean of runs on the same resamples. One run says nothing of how much runs differ."""
        if len(runs) == 1:
            return runs[0]
        if runs[0].resampling.method != INTERVAL_METHODS[0]:
            method = runs[0].resampling.method
            raise OptionError(f"ci: expected {INTERVAL_METHODS[0]} for a system with several runs, got {method}")
        scores, values = np.array([run.observed for run in runs]), np.array([run.values for run in runs])
        spread = RunSpread.of(scores, values)
        return replace(runs[0], observed=float(scores.mean()), values=values.mean(axis=0), spreads=(spread,))

    @classmethod
    def of_all(cls, counts: Mapping[str, Counts], metric: Metric, resampling: Resampling) -> dict[str, Replicates]:
        """Those of several systems on the same sentences."""
        if resampling.method == "bca" or not counts:
            return {system: cls.of(of_system, metric, resampling) for system, of_system in counts.items()}
        first = next(iter(counts.values()))
        size, groups = len(first), resampling.groups(first)
        drawing = Drawing.of(first, resampling.resamples, resampling.seed, groups)
        whole = np.ones((1, size), dtype=np.int32)
        values = metric.score_all_resamples(list(counts.values()), drawing)
        return {
            system: cls(
                resampling,
                "sentence" if groups is None else "document",
                float(metric.score_many(of_system, whole)[0]),
                drawn,
                None,
                drawing.generator,
            )
            for (system, of_system), drawn in zip(counts.items(), values, strict=True)
        }

    @classmethod
    def by_type(cls, counts: Counts, metric: Metric, resampling: Resampling) -> dict[str, Replicates]:
        """The same of each error type's score, for metrics that have them; resamples without the type say nothing."""
        size, groups = len(counts), resampling.groups(counts)
        observed = metric.type_scores(counts, np.ones((1, size), dtype=np.int32))
        if not observed:
            return {}
        drawing = Drawing.of(counts, resampling.resamples, resampling.seed, groups)
        drawn = [metric.type_scores(counts, weights) for weights in drawing.blocks()]
        left_out = (
            [metric.type_scores(counts, weights) for weights in leave_one_out_blocks(size, groups=groups)]
            if resampling.method == "bca"
            else None
        )
        return {
            type_: cls(
                resampling,
                "sentence" if groups is None else "document",
                float(value[0]),
                _finite_rows(block[type_] for block in drawn),
                None if left_out is None else _finite_rows(block[type_] for block in left_out),
                drawing.generator,
            )
            for type_, value in observed.items()
        }

    def __sub__(self, other: Replicates) -> Replicates:
        left_out = None if self.left_out is None or other.left_out is None else self.left_out - other.left_out
        observed, values = self.observed - other.observed, self.values - other.values
        spreads = (*self.spreads, *other.spreads)
        return replace(self, observed=observed, values=values, left_out=left_out, spreads=spreads)

    def interval(self) -> Interval:
        level, seed = self.resampling.level, self.resampling.seed
        if self.spreads:
            # Both levels have an interval of their own. Their half widths add up as squares (Zou and Donner 2008).
            of_sentences = percentile_interval(self.values, level)
            of_runs = [spread.half_width(1 - level) for spread in self.spreads]
            low = self.observed - math.hypot(self.observed - min(of_sentences.low, self.observed), *of_runs)
            high = self.observed + math.hypot(max(of_sentences.high, self.observed) - self.observed, *of_runs)
            runs = self.spreads[0].runs if len(self.spreads) == 1 else None
            interval = Interval(low, high, level, TWO_LEVEL, seed=seed, runs=runs)
        elif self.left_out is None:
            interval = percentile_interval(self.values, level, seed=seed)
        else:
            interval = bca_interval(self.values, self.observed, self.left_out, level, seed=seed)
        return replace(interval, resamples=self.resampling.resamples, unit=self.unit, weights=self.weights)


def _finite_rows(blocks: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    values = np.concatenate(list(blocks))
    return np.asarray(values[~np.isnan(values)])


def confidence_interval(
    counts: SystemRuns, *, metric: Metric | None = None, resampling: Resampling | None = None
) -> Interval:
    """The interval of a system's score, by the bootstrap over sentences or documents.

    What a metric chooses for the corpus as a whole (annotators, references) each resample chooses again. Fewer than
    five sentences (or documents) are refused: resamples of them say nothing.

    A list of counts is one system's runs: the interval is of their mean, over runs and sentences.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 20, [["He goes .", "I am ."] * 20])
    >>> interval = confidence_interval(recte.MaxMatch().prepare(gold).count(["He goes .", "I are ."] * 20))
    >>> 0.2 < interval.low < 0.5 < interval.high < 0.8
    True
    """
    how = resampling or Resampling()
    first = first_run(counts)
    check_units(first, how)
    return Replicates.of(counts, metric or metric_of(first), how).interval()


def first_run(counts: SystemRuns) -> Counts:
    """The counts of a system, or those of its first run, once all are known to be of the same sentences."""
    if isinstance(counts, Counts):
        return counts
    if not counts:
        raise InputError("expected the counts of at least one run, got none")
    check_comparable(counts)
    return counts[0]


def difference_interval(
    first: SystemRuns, second: SystemRuns, *, metric: Metric | None = None, resampling: Resampling | None = None
) -> Interval:
    """The interval of the first system's score less the second's, both on the same resamples.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 20, [["He goes .", "I am ."] * 20])
    >>> scorer = recte.MaxMatch().prepare(gold)
    >>> good, idle = scorer.count(["He goes .", "I am ."] * 20), scorer.count(["He go .", "I am ."] * 20)
    >>> difference_interval(good, idle).low
    1.0
    """
    first_counts, second_counts = first_run(first), first_run(second)
    check_comparable([first_counts, second_counts])
    how, chosen = resampling or Resampling(), metric or metric_of(first_counts)
    check_units(first_counts, how)
    return (Replicates.of(first, chosen, how) - Replicates.of(second, chosen, how)).interval()


def check_units(counts: Counts, resampling: Resampling) -> None:
    """Whether there is enough to draw from."""
    units = resampling.units(counts)
    if units < FEWEST_UNITS:
        what = "sentences" if resampling.groups(counts) is None else "documents"
        raise InputError(f"expected at least {FEWEST_UNITS} {what} for an interval or a test, got {units}")


def check_comparable(counts: Sequence[Counts]) -> None:
    """Whether counts are of the same metric and sentences, so that systems can be paired."""
    first = counts[0]
    for other in counts[1:]:
        for what in ("metric", "options", "data", "tokens", "reading"):
            if getattr(first, what) != getattr(other, what):
                raise InputError(
                    f"expected counts with the same {what}, got {getattr(first, what)!r} ({first.system}) and "
                    f"{getattr(other, what)!r} ({other.system})"
                )
        if not np.array_equal(first.index, other.index):
            raise InputError(f"expected counts of the same sentences, got others for {first.system} and {other.system}")

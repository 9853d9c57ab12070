"""Who beats whom: every pair of systems, or each against a baseline, with differences, intervals and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from recte.corpus.counts import Counts
from recte.data_frames import flat_figures, make_data_frame
from recte.errors import OptionError, check_choice
from recte.metrics.base import Metric
from recte.signature import Signature
from recte.statistics.bootstrap import Interval
from recte.statistics.intervals import (
    TWO_LEVEL,
    Replicates,
    Resampling,
    SystemRuns,
    check_comparable,
    check_units,
    first_run,
    metric_of,
)
from recte.statistics.paired import DEFAULT_TEST, PairedTest, TestName, bootstrap_test, paired_test, two_level_test
from recte.statistics.power import Power, detectable_difference

__all__ = ["ComparedPair", "Comparison", "clusters_of", "compare_systems", "holm", "open_ranks"]


@dataclass(frozen=True)
class ComparedPair:
    """One pair: the first's score less the second's, its interval, and the test's p, as it is and by Holm. Tests over
    sentences see `mean_difference`, of sentence scores.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    p: float
    p_holm: float
    mean_difference: float | None = None
    power: Power | None = None


@dataclass(frozen=True)
class Comparison:
    """Systems by one metric, best first, with what was compared.

    `clusters` holds groups of systems, best first, such that every system of one differs significantly from every
    system of the next; within one, no test separates all. None where systems were compared with a baseline alone.
    """

    metric: str
    signature: str
    higher_is_better: bool
    score_factor: int  # what tables multiply scores and differences by
    systems: tuple[str, ...]
    scores: tuple[float, ...]
    intervals: tuple[Interval, ...]
    baseline: str | None
    pairs: tuple[ComparedPair, ...]
    test: str
    trials: int | None
    unit: str
    seed: int | None
    alpha: float
    corrected: bool  # Holm's p decides
    clusters: tuple[tuple[str, ...], ...] | None

    def p(self, pair: ComparedPair) -> float:
        """The p that decides."""
        return pair.p_holm if self.corrected else pair.p

    def is_significant(self, pair: ComparedPair) -> bool:
        return self.p(pair) < self.alpha

    @property
    def has_too_few_trials(self) -> bool:
        """Whether no pair can be significant: with n trials no p is below 1/(n + 1), which Holm multiplies by pairs."""
        counted = self.test in ("randomisation", "bootstrap", "bootstrap-sacrebleu") and self.trials is not None
        return counted and self.corrected and len(self.pairs) / ((self.trials or 0) + 1) >= self.alpha

    @property
    def rank_ranges(self) -> dict[str, tuple[int, int]]:
        """From which to which rank each system may be: behind those that beat it, ahead of those that it beats."""
        return open_ranks(
            self.systems,
            [
                (pair.first, pair.second) if self._leads(pair) else (pair.second, pair.first)
                for pair in self.pairs
                if self.is_significant(pair)
            ],
        )

    def _leads(self, pair: ComparedPair) -> bool:
        return pair.difference > 0 if self.higher_is_better else pair.difference < 0

    def to_dataframe(self, *, library: Any = None) -> Any:
        """A data frame of pandas or Polars with a row for each pair; `library` is the module to use."""
        return make_data_frame(self.rows(), library)

    def rows(self) -> list[dict[str, Any]]:
        """What `to_dataframe` shows, as plain rows."""
        return [
            {"metric": self.metric, **dict(flat_figures(asdict(pair))), "significant": self.is_significant(pair)}
            for pair in self.pairs
        ]

    def pair(self, first: str, second: str) -> tuple[ComparedPair, int] | None:
        """The comparison of two systems, and 1, or −1 where it was made the other way round."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair, 1
            if (pair.first, pair.second) == (second, first):
                return pair, -1
        return None


def compare_systems(
    counts: Sequence[SystemRuns],
    *,
    metric: Metric | None = None,
    baseline: str | None = None,
    test: TestName | None = None,
    trials: int | None = None,
    alpha: float = 0.05,
    corrected: bool = True,
    power: bool = False,
    resampling: Resampling | None = None,
    replicates: Mapping[str, Replicates] | None = None,
    scores: Mapping[str, float] | None = None,
    progress: Callable[[int], None] = lambda pairs: None,
) -> Comparison:
    """Compare systems by one metric, all pairs or each with the baseline, p corrected for many tests by Holm.

    A list of counts among the `counts` is one system's runs, all under its name: means of runs are compared, and the
    test is `two-level`. Else the `test` is `bootstrap-normal` where none is given, as on the page of `report`.
    `replicates` and `scores` by system may be given where they are known, made with the same metric and resampling.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 20, [["He goes .", "I am ."] * 20])
    >>> scorer = recte.MaxMatch().prepare(gold)
    >>> outputs = {"good": ["He goes .", "I am ."] * 20, "idle": ["He go .", "I am ."] * 20}
    >>> compare_systems([scorer.count(texts, name=name) for name, texts in outputs.items()]).clusters
    (('good',), ('idle',))
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha: expected a number between 0 and 1, got {alpha}")
    with_runs = any(not isinstance(c, Counts) and len(c) > 1 for c in counts)
    runs_by_name = {first_run(c).system: c for c in counts}
    by_name = {name: first_run(c) for name, c in runs_by_name.items()}
    if len(by_name) < 2 or len(by_name) != len(counts):
        raise OptionError(f"expected at least two systems with different names, got {', '.join(by_name) or 'none'}")
    if baseline is not None:
        check_choice("baseline", baseline, by_name)
    how = resampling or Resampling()
    if with_runs:
        if test is not None:
            raise OptionError(f"test: expected none with several runs, whose test is {TWO_LEVEL}, got {test}")
        if power:
            raise OptionError("power: expected systems of one run, got several runs")
        if trials not in (None, how.resamples):
            raise OptionError(f"trials: expected none with several runs, which are tested by resamples, got {trials}")
    first = next(iter(by_name.values()))
    chosen = metric_of(first) if metric is None else metric
    check_comparable(list(by_name.values()))
    check_units(first, how)
    if replicates is None:
        replicates = {name: Replicates.of(c, chosen, how) for name, c in runs_by_name.items()}
    if scores is None:
        scores = {
            name: float(
                np.mean([chosen.score_counts(of_run).score for of_run in ([c] if isinstance(c, Counts) else c)])
            )
            for name, c in runs_by_name.items()
        }
    order = sorted(by_name, key=lambda name: (-scores[name] if chosen.higher_is_better else scores[name], name))
    others = [name for name in order if name != baseline]
    compared = list(combinations(order, 2)) if baseline is None else [(name, baseline) for name in others]

    chosen_test = test or DEFAULT_TEST

    def run_test(a: Counts, b: Counts) -> PairedTest:
        return paired_test(a, b, test=chosen_test, metric=chosen, trials=trials, seed=how.seed, unit=how.unit)

    tested = []
    for a, b in compared:
        if with_runs:
            tested.append(two_level_test(a, b, replicates[a] - replicates[b]))
        elif chosen_test.startswith("bootstrap") and trials in (None, how.resamples):  # the intervals' own resamples
            tested.append(bootstrap_test(chosen_test, a, b, replicates[a] - replicates[b]))
        else:
            tested.append(run_test(by_name[a], by_name[b]))
        progress(1)
    pairs = tuple(
        ComparedPair(
            a,
            b,
            difference=scores[a] - scores[b],
            interval=(replicates[a] - replicates[b]).interval(),
            p=outcome.p,
            p_holm=p_holm,
            mean_difference=outcome.mean_difference,
            power=detectable_difference(
                by_name[a], by_name[b], metric=chosen, alpha=alpha, seed=how.seed, unit=how.unit
            )
            if power
            else None,
        )
        for (a, b), outcome, p_holm in zip(compared, tested, holm([t.p for t in tested]), strict=True)
    )
    separated = {
        frozenset((pair.first, pair.second)) for pair in pairs if (pair.p_holm if corrected else pair.p) < alpha
    }
    return Comparison(
        metric=chosen.name,
        signature=str(
            Signature.parse(chosen.signature(first)).with_interval(how.signature(replicates[order[0]].interval()))
        ),
        higher_is_better=chosen.higher_is_better,
        score_factor=chosen.score_factor,
        systems=tuple(order),
        scores=tuple(scores[name] for name in order),
        intervals=tuple(replicates[name].interval() for name in order),
        baseline=baseline,
        pairs=pairs,
        test=tested[0].test,
        trials=tested[0].trials,
        unit=replicates[order[0]].unit,
        seed=tested[0].seed,
        alpha=alpha,
        corrected=corrected,
        clusters=clusters_of(order, separated) if baseline is None else None,
    )


def open_ranks(systems: Sequence[str], beats: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """From which to which rank each system may be; `beats` are pairs, each the better one and the worse one.

    >>> open_ranks(["a", "b", "c"], [("a", "c")])
    {'a': (1, 2), 'b': (1, 3), 'c': (2, 3)}
    """
    wins, losses = Counter(better for better, _ in beats), Counter(worse for _, worse in beats)
    return {name: (1 + losses[name], len(systems) - wins[name]) for name in systems}


def clusters_of(order: Sequence[str], separated: set[frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    """Cut the ranking wherever every system above differs significantly from every system below."""
    cuts = [
        place
        for place in range(1, len(order))
        if all(frozenset((above, below)) in separated for above in order[:place] for below in order[place:])
    ]
    ends = [0, *cuts, len(order)]
    return tuple(tuple(order[begin:end]) for begin, end in pairwise(ends))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: the chance of a single false alarm among all tests stays at α.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = np.zeros(len(p_values))
    highest = 0.0
    for rank, place in enumerate(np.argsort(p_values, kind="stable")):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    values: list[float] = corrected.tolist()
    return values

"""The final ranking of a shared task: all submissions beside each other, with clusters, which no platform makes.

Systems on the test sets of a phase: each score with its resamples, the mean over sets, and ranks from both.

The scoring program and the final ranking share this, so that both give the digits of `recte score`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.errors import InputError, OptionError, describe_choices
from recte.evaluation.counting import count_files
from recte.evaluation.plausibility.finding import Finding
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.evaluation.scoring import with_interval
from recte.metrics.base import Metric, Score
from recte.statistics.bootstrap import percentile_interval
from recte.statistics.comparison import clusters_of, holm, open_ranks
from recte.statistics.intervals import FEWEST_UNITS, Replicates, Resampling
from recte.statistics.paired import bootstrap_p
from recte.statistics.rank_clusters import rank_ranges
from recte.tasks.bundle.codabench import UNPACKED, expected_files, scored_sets
from recte.tasks.bundle.program.submission_check import BadSubmissionError, checked_files, one_line, unpack
from recte.tasks.bundle.scoring_task import ScoredSet
from recte.tasks.bundle.task import Phase, Task

__all__ = [
    "FinalRanking",
    "Standing",
    "TaskRanking",
    "final_ranking",
    "mean_ranking",
    "phase_named",
    "rank_range",
    "ranking_of",
    "set_rankings",
]

_TEST = "bootstrap-normal"


@dataclass(frozen=True)
class Standing:
    """One system's figure, in percent where the metric's tables have it so, with its interval and resamples."""

    value: float
    low: float
    high: float
    observed: float  # as resamples see it: GLEU's are made without its draws
    resamples: NDArray[np.float64]
    score: Score | None = None  # None for a mean over test sets


@dataclass(frozen=True)
class TaskRanking:
    """Systems best first; the best and worst rank that tests leave open for each; groups that tests tell apart."""

    title: str
    higher_is_better: bool
    standings: Mapping[str, Standing]
    ranks: Mapping[str, tuple[int, int]]
    clusters: Mapping[str, int]
    signature: str = ""


def set_rankings(
    test_set: ScoredSet,
    systems: Mapping[str, Path],
    resampling: Resampling | None,
    look: Callable[[Corpus, Mapping[str, System]], None] = lambda corpus, systems: None,
) -> dict[Metric, dict[str, Standing]]:
    """Every system by every metric of a test set; `systems` are files by name.

    Without resampling there are no intervals. `look` is shown each part of the texts before it is counted.
    """
    found: dict[Metric, dict[str, Standing]] = {metric: {} for metric in test_set.metrics}
    for counted in count_files(test_set.gold, systems, test_set.metrics, look=look):
        metric, counts = counted.metric, counted.counts
        score = metric.score_counts(counts)
        scale = float(metric.score_factor)
        if resampling is None:
            value = scale * score.score
            found[metric][counts.system] = Standing(value, value, value, value, np.empty(0), score)
            continue
        if resampling.units(counts) < FEWEST_UNITS:
            raise InputError(
                f"{test_set.name}: expected at least {FEWEST_UNITS} sentences (or documents) for intervals, "
                f"got {resampling.units(counts)}"
            )
        replicates = Replicates.of(counts, metric, resampling)
        interval = replicates.interval()
        found[metric][counts.system] = Standing(
            scale * score.score,
            scale * interval.low,
            scale * interval.high,
            scale * replicates.observed,
            scale * replicates.values,
            with_interval(score, interval, resampling),
        )
    return found


def mean_ranking(
    of_sets: Sequence[Mapping[str, Standing]], systems: Sequence[str], resampling: Resampling | None
) -> dict[str, Standing]:
    """The mean over test sets of every system that has a score on all of them.

    Test sets are drawn apart from each other: a set's resamples are shuffled, the same way for all systems, before they
    are averaged, since one seed draws the same places in every set.
    """
    means = {}
    for name in systems:
        parts = [of_set[name] for of_set in of_sets if name in of_set]
        if len(parts) < len(of_sets):
            continue
        value = float(np.mean([part.value for part in parts]))
        if resampling is None:
            means[name] = Standing(value, value, value, value, np.empty(0))
            continue
        orders = [
            np.random.default_rng((resampling.seed, n)).permutation(resampling.resamples) for n in range(len(parts))
        ]
        values = np.mean([part.resamples[order] for part, order in zip(parts, orders, strict=True)], axis=0)
        interval = percentile_interval(values, resampling.level, seed=resampling.seed)
        observed = float(np.mean([part.observed for part in parts]))
        means[name] = Standing(value, interval.low, interval.high, observed, values)
    return means


def rank_range(system: str, standings: Mapping[str, Standing], higher_is_better: bool, level: float) -> tuple[int, int]:
    """The best and the worst rank of one system beside the others, over resamples."""
    values = np.stack([one.resamples for one in standings.values()], axis=1)
    ranges = rank_ranges(values if higher_is_better else -values, level)
    return ranges[list(standings).index(system)]


def ranking_of(
    title: str,
    standings: Mapping[str, Standing],
    *,
    higher_is_better: bool,
    alpha: float = 0.05,
    signature: str = "",
) -> TaskRanking:
    """Systems ranked, and grouped: every system of a cluster is told apart from every system of the next.

    All pairs are tested as in a report: by the normal distribution over the shared resamples, p corrected by Holm. A
    system's ranks are behind those that beat it, and ahead of those that it beats.
    """
    order = sorted(
        standings, key=lambda name: (-standings[name].value if higher_is_better else standings[name].value, name)
    )
    pairs = list(combinations(order, 2))
    p_values = [
        bootstrap_p(
            _TEST, standings[a].resamples - standings[b].resamples, standings[a].observed - standings[b].observed
        )
        for a, b in pairs
    ]
    beats = [pair for pair, p in zip(pairs, holm(p_values), strict=True) if p < alpha]  # the better one comes first
    groups = clusters_of(order, {frozenset(pair) for pair in beats})
    return TaskRanking(
        title,
        higher_is_better,
        {name: standings[name] for name in order},
        open_ranks(order, beats),
        {name: number for number, group in enumerate(groups, 1) for name in group},
        signature,
    )


@dataclass(frozen=True)
class FinalRanking:
    """Rankings, the one that decides first; submissions that could not be scored, with the reason.

    `sets` are the test sets, `outputs` the files of every system on each, and `findings` what looks wrong there, both
    by the set's name.
    """

    rankings: tuple[TaskRanking, ...]
    refused: Mapping[str, str]
    sets: tuple[ScoredSet, ...]
    outputs: Mapping[str, Mapping[str, Path]]
    findings: Mapping[str, tuple[Finding, ...]]


def phase_named(task: Task, name: str | None) -> Phase:
    """A phase of the task; the last where none is named, since it decides."""
    found = [phase for phase in task.phases if name is None or phase.name == name]
    if not found:
        raise OptionError(f"phase: {describe_choices([phase.name for phase in task.phases], name)}")
    return found[-1]


def final_ranking(
    task: Task,
    phase: Phase,
    submissions: Mapping[str, str | Path],
    folder: Path,
    *,
    resampling: Resampling | None = None,
    alpha: float = 0.05,
    tell: Callable[[str, str], None] = lambda name, reason: None,
) -> FinalRanking:
    """Score and rank all submissions, with the task's baselines among them.

    `submissions` are zips by the names of their systems; they are unpacked below an empty `folder`. A submission that
    cannot be scored is left out, and the rest is ranked without it; `tell` hears its name and the reason at once.
    """
    how = resampling or Resampling()
    sent, refused = _sent(task, phase, submissions, folder)
    for name, reason in refused.items():
        tell(name, reason)
    sets = scored_sets(task, phase)
    outputs = {
        one.name: {**{name: files[one.submission] for name, files in sent.items()}, **_baselines(one, sent)}
        for one in sets
    }
    rankings, mains, findings = [], [], {}
    for one in sets:
        if len(outputs[one.name]) < 2:
            raise InputError(f"expected at least two systems to rank on {one.name}, got {len(outputs[one.name])}")
        check = PlausibilityCheck()
        scored = set_rankings(one, outputs[one.name], how, check.look)
        findings[one.name] = check.findings()
        mains.append(scored[one.metrics[0]])
        for metric, standings in scored.items():
            score = next(iter(standings.values())).score
            rankings.append(
                ranking_of(
                    f"{one.title}: {metric.title}" if len(sets) > 1 else metric.title,
                    standings,
                    higher_is_better=metric.higher_is_better,
                    alpha=alpha,
                    signature="" if score is None else score.signature,
                )
            )
    if len(sets) > 1:
        means = mean_ranking(mains, list(dict.fromkeys(name for of_set in mains for name in of_set)), how)
        higher = sets[0].metrics[0].higher_is_better
        title = f"Mean of {len(sets)} test sets"
        rankings.insert(0, ranking_of(title, means, higher_is_better=higher, alpha=alpha))
    return FinalRanking(tuple(rankings), refused, sets, outputs, findings)


def _baselines(test_set: ScoredSet, sent: Mapping[str, Mapping[str, Path]]) -> dict[str, Path]:
    taken = next((name for name in test_set.baselines if name in sent), None)
    if taken is not None:
        raise OptionError(f"names: expected others than those of the baselines, got {taken!r}")
    return dict(test_set.baselines)


def _sent(
    task: Task, phase: Phase, submissions: Mapping[str, str | Path], folder: Path
) -> tuple[dict[str, dict[str, Path]], dict[str, str]]:
    """The files of each submission by their names, and what is wrong with those that have others."""
    expected = expected_files(task, phase)
    sent, refused = {}, {}
    for number, (name, path) in enumerate(submissions.items()):
        place = folder / str(number)
        place.mkdir(parents=True)
        try:
            if not Path(path).is_file():
                raise InputError("no such file", str(path))
            unpack(Path(path), place, UNPACKED, tuple(expected))
            _refuse_pack(place)
            sent[name] = checked_files(place, expected)[0]
        except BadSubmissionError as error:
            refused[name] = one_line(str(error))
    return sent, refused


def _refuse_pack(folder: Path) -> None:
    """Platforms give organisers all submissions in one zip, which is no submission."""
    inside = sorted(path.name for path in folder.rglob("*.zip"))
    if inside:
        raise BadSubmissionError(
            f"expected one submission, got a zip of zips ({', '.join(inside[:3])}): unpack it, and name the zips in it"
        )

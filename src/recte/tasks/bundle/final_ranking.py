"""The final ranking of a shared task: all submissions in one table, with clusters, which no platform makes.

Systems on the test sets of a phase: each score with its resamples, the mean over sets, and ranks from both.

The scoring program and the final ranking share this, so that both give the digits of `recte score`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.errors import InputError, OptionError, check_choice, describe_choices
from recte.evaluation.counting import CountRequest, count_files
from recte.evaluation.plausibility.finding import Finding
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.evaluation.scoring import with_interval
from recte.metrics.base import Metric, Score
from recte.statistics.bootstrap import percentile_interval
from recte.statistics.comparison import clusters_of, holm, open_ranks
from recte.statistics.intervals import FEWEST_UNITS, Replicates, Resampling
from recte.statistics.paired import bootstrap_p
from recte.statistics.rank_clusters import rank_ranges
from recte.tasks.bundle.codabench import UNPACKED, list_expected_files, list_scored_sets, sample_submission
from recte.tasks.bundle.platform_names import DownloadedName
from recte.tasks.bundle.program.submission_check import BadSubmissionError, find_files, one_line, unpack
from recte.tasks.bundle.scoring_task import ScoredSet
from recte.tasks.bundle.submission_findings import find_refused, submission_findings
from recte.tasks.bundle.task import Phase, Task

__all__ = [
    "PER_TEAM",
    "UNCHANGED",
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

PER_TEAM = ("all", "best", "last")
Value = TypeVar("Value")
UNCHANGED = "/unchanged"  # no system is called so: names of files have no /
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
    *,
    types: bool = False,
) -> dict[Metric, dict[str, Standing]]:
    """Every system by every metric of a test set; `systems` are files by name.

    Without resampling there are no intervals. `look` is shown each part of the texts before it is counted, `types`
    asks for error types, where a metric counts them.
    """
    standings_of: dict[Metric, dict[str, Standing]] = {metric: {} for metric in test_set.metrics}
    for counted in count_files(test_set.gold, systems, test_set.metrics, CountRequest(types=types), look=look):
        metric, counts = counted.metric, counted.counts
        score = metric.score_counts(counts)
        scale = float(metric.score_factor)
        if resampling is None:
            value = scale * score.score
            standings_of[metric][counts.system] = Standing(value, value, value, value, np.empty(0), score)
            continue
        if resampling.units(counts) < FEWEST_UNITS:
            raise InputError(
                f"{test_set.name}: expected at least {FEWEST_UNITS} sentences (or documents) for intervals, "
                f"got {resampling.units(counts)}"
            )
        replicates = Replicates.of(counts, metric, resampling)
        interval = replicates.interval()
        standings_of[metric][counts.system] = Standing(
            scale * score.score,
            scale * interval.low,
            scale * interval.high,
            scale * replicates.observed,
            scale * replicates.values,
            with_interval(score, interval, resampling),
        )
    return standings_of


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
    """The best and the worst rank of one system among the others, over resamples."""
    values = np.stack([standing.resamples for standing in standings.values()], axis=1)
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
    """Systems ranked, and grouped: every system of a cluster differs significantly from every system of the next.

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
    phases = [phase for phase in task.phases if name is None or phase.name == name]
    if not phases:
        raise OptionError(f"phase: {describe_choices([phase.name for phase in task.phases], name)}")
    return phases[-1]


def final_ranking(
    task: Task,
    phase: Phase,
    submissions: Mapping[str, str | Path],
    folder: Path,
    *,
    per_team: str = "all",
    resampling: Resampling | None = None,
    alpha: float = 0.05,
    tell: Callable[[str, str], None] = lambda name, reason: None,
) -> FinalRanking:
    """Score and rank all submissions, with the task's baselines among them.

    `submissions` are zips by the names of their systems; they are unpacked below an empty `folder`. A submission that
    cannot be scored is left out, and the rest is ranked without it; `tell` hears its name and the reason at once. Where
    the platform named the files, those sent outside of the phase are left out, and `per_team` chooses the last
    submission of each team, or the best, which is then called as its team.
    """
    check_choice("per_team", per_team, PER_TEAM)
    how = resampling or Resampling()
    sets = list_scored_sets(task, phase)
    sent, refused = _read_submissions(task, phase, sets, submissions, folder)
    for name, reason in refused.items():
        tell(name, reason)
    teams = _teams({name: submissions[name] for name in sent})
    if per_team == "last":
        sent = {teams[name].name: sent[name] for name in _last_of_teams(teams)}
    taken = {*sent, *(team.name for team in teams.values())}
    outputs = {test_set.name: {**_outputs_for(test_set, sent), **_baselines(test_set, taken)} for test_set in sets}
    unchanged = _write_unchanged(task, phase, folder)
    scored, findings = {}, {}
    for test_set in sets:
        if not outputs[test_set.name]:
            raise InputError(f"expected systems to rank on {test_set.name}, got none")
        check = PlausibilityCheck()
        baseline = {UNCHANGED: unchanged[test_set.submission]} if len(_outputs_for(test_set, sent)) < len(sent) else {}
        scored[test_set.name] = set_rankings(test_set, {**outputs[test_set.name], **baseline}, how, check.look)
        findings[test_set.name] = tuple(finding for finding in check.findings() if finding.where != UNCHANGED)
    means = _means(sets, scored, list(sent), how)
    for of_metric in scored.values():
        for standings in of_metric.values():
            standings.pop(UNCHANGED, None)
    if per_team == "best":
        main = means if means is not None else scored[sets[0].name][sets[0].metrics[0]]
        chosen = _best_of_teams(teams, main, sets[0].metrics[0].higher_is_better)
        rename = {name: teams[name].name for name in chosen} | {name: name for name in main if name not in teams}
        for test_set in sets:
            rename |= {name: name for name in outputs[test_set.name] if name not in teams}
            outputs[test_set.name] = _rename_keys(outputs[test_set.name], rename)
            scored[test_set.name] = {metric: _rename_keys(of, rename) for metric, of in scored[test_set.name].items()}
            findings[test_set.name] = tuple(
                replace(finding, where=rename.get(finding.where, finding.where))
                for finding in findings[test_set.name]
                if finding.where in rename or finding.where not in teams
            )
        means = None if means is None else _rename_keys(means, rename)
    rankings = []
    if means is not None:
        title = f"Mean of {len(sets)} test sets"
        higher = sets[0].metrics[0].higher_is_better
        rankings.append(ranking_of(title, means, higher_is_better=higher, alpha=alpha))
    for test_set in sets:
        for metric, standings in scored[test_set.name].items():
            score = next(iter(standings.values())).score
            rankings.append(
                ranking_of(
                    f"{test_set.title}: {metric.title}" if len(sets) > 1 else metric.title,
                    standings,
                    higher_is_better=metric.higher_is_better,
                    alpha=alpha,
                    signature="" if score is None else score.signature,
                )
            )
    return FinalRanking(tuple(rankings), refused, sets, outputs, findings)


def _means(
    sets: Sequence[ScoredSet],
    scored: Mapping[str, Mapping[Metric, Mapping[str, Standing]]],
    sent: Sequence[str],
    resampling: Resampling,
) -> dict[str, Standing] | None:
    """The means over test sets; where a submission has no outputs, the unchanged sources count for it."""
    if len(sets) < 2:
        return None
    mains = []
    for test_set in sets:
        main = scored[test_set.name][test_set.metrics[0]]
        mains.append({**{name: main[UNCHANGED] for name in sent if name not in main}, **main})
    names = dict.fromkeys(name for of_set in mains for name in of_set if name != UNCHANGED)
    return mean_ranking(mains, list(names), resampling)


def _write_unchanged(task: Task, phase: Phase, folder: Path) -> dict[str, Path]:
    """A submission that changes nothing, by the names of its files."""
    place = folder / "unchanged"
    place.mkdir(parents=True)
    files = {}
    for name, content in sample_submission(task, phase).items():
        files[name] = place / name
        files[name].write_bytes(content)
    return files


@dataclass(frozen=True)
class _Team:
    name: str
    number: int = 0
    sent: datetime = datetime.min.replace(tzinfo=UTC)


def _teams(submissions: Mapping[str, str | Path]) -> dict[str, _Team]:
    """Whose each submission is; one that the platform did not name is a team of its own."""
    teams = {}
    for name, path in submissions.items():
        known = DownloadedName.of(path)
        teams[name] = _Team(name) if known is None else _Team(known.team, known.number, known.sent)
    return teams


def _last_of_teams(teams: Mapping[str, _Team]) -> list[str]:
    last: dict[str, str] = {}
    for name, team in teams.items():
        other = teams[last.setdefault(team.name, name)]
        if (team.sent, team.number) > (other.sent, other.number):
            last[team.name] = name
    return list(last.values())


def _best_of_teams(teams: Mapping[str, _Team], main: Mapping[str, Standing], higher_is_better: bool) -> list[str]:
    """The best submission of each team; the earliest of equal ones."""
    best: dict[str, str] = {}
    sign = 1 if higher_is_better else -1
    for name in sorted(
        (name for name in teams if name in main), key=lambda name: (teams[name].sent, teams[name].number)
    ):
        other = best.setdefault(teams[name].name, name)
        if sign * main[name].value > sign * main[other].value:
            best[teams[name].name] = name
    return list(best.values())


def _rename_keys(values: Mapping[str, Value], names: Mapping[str, str]) -> dict[str, Value]:
    return {names[name]: value for name, value in values.items() if name in names}


def _outputs_for(test_set: ScoredSet, sent: Mapping[str, Mapping[str, Path]]) -> dict[str, Path]:
    return {name: files[test_set.submission] for name, files in sent.items() if test_set.submission in files}


def _baselines(test_set: ScoredSet, names: Collection[str]) -> dict[str, Path]:
    taken = next((name for name in test_set.baselines if name in names), None)
    if taken is not None:
        raise OptionError(f"names: expected others than those of the baselines, got {taken!r}")
    return dict(test_set.baselines)


def _read_submissions(
    task: Task, phase: Phase, sets: Sequence[ScoredSet], submissions: Mapping[str, str | Path], folder: Path
) -> tuple[dict[str, dict[str, Path]], dict[str, str]]:
    """The files of each submission by their names, and what is wrong with those that have others."""
    expected = list_expected_files(task, phase)
    sent, refused = {}, {}
    for number, (name, path) in enumerate(submissions.items()):
        place = folder / str(number)
        place.mkdir(parents=True)
        try:
            if Path(path).is_dir():
                raise InputError("expected the zip of a submission, got a folder: name the zips in it", str(path))
            if not Path(path).is_file():
                raise InputError("no such file", str(path))
            _check_time(phase, DownloadedName.of(path))
            unpack(Path(path), place, UNPACKED, tuple(expected))
            _refuse_pack(place)
            files = find_files(place, expected)[0]
            for test_set in sets if task.refuse else ():
                if test_set.submission in files:
                    refusal = find_refused(submission_findings(test_set, files[test_set.submission]), task.refuse)
                    if refusal is not None:
                        raise BadSubmissionError(f"{test_set.submission}: {refusal.message}")
            sent[name] = files
        except BadSubmissionError as error:
            refused[name] = one_line(str(error))
    return sent, refused


def _check_time(phase: Phase, name: DownloadedName | None) -> None:
    """Refuse what was sent before or after the phase, which the platform's programming interface does not."""
    if name is None:
        return
    minute = timedelta(minutes=1)
    if name.sent + minute <= phase.start:
        raise BadSubmissionError(f"sent {name.sent:%Y-%m-%d %H:%M}, before the start of {phase.name} ({phase.start})")
    if phase.end is not None and name.sent > phase.end:
        raise BadSubmissionError(f"sent {name.sent:%Y-%m-%d %H:%M}, after the end of {phase.name} ({phase.end})")


def _refuse_pack(folder: Path) -> None:
    """Platforms give organisers all submissions in one zip, which is no submission."""
    inside = sorted(path.name for path in folder.rglob("*.zip"))
    if inside:
        raise BadSubmissionError(
            f"expected one submission, got a zip of zips ({', '.join(inside[:3])}): unpack it, and name the zips in it"
        )

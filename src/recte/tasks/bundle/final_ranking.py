"""The final ranking of a shared task: all submissions beside each other, with clusters, which no platform makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from recte.errors import InputError, OptionError, describe_choices
from recte.evaluation.plausibility.finding import Finding
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.statistics.intervals import Resampling
from recte.tasks.bundle.codabench import UNPACKED, expected_files, scored_sets
from recte.tasks.bundle.program.submission_check import BadSubmissionError, checked_files, one_line, unpack
from recte.tasks.bundle.scoring_task import ScoredSet
from recte.tasks.bundle.standings import TaskRanking, mean_ranking, ranking_of, set_rankings
from recte.tasks.bundle.task import Phase, Task

__all__ = ["FinalRanking", "final_ranking", "phase_named"]


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

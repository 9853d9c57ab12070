"""What the scoring program knows of a phase: `task.json` in its reference data, read back where it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from recte.evaluation.inputs import GoldFiles
from recte.evaluation.scoring import with_files
from recte.formats.output_tables import TableColumns
from recte.metrics import metric_class
from recte.metrics.base import Metric
from recte.tasks.bundle.leaderboard_columns import LeaderboardColumn

__all__ = ["ScoredSet", "ScoringTask"]


@dataclass(frozen=True)
class ScoredSet:
    """A test set of one phase: its gold, its metrics (the main one first), outputs of fixed baselines by name.

    `unchanged` is a submission that changes nothing, where one may count for a test set that was not sent.
    """

    name: str
    title: str
    submission: str
    gold: GoldFiles
    metrics: tuple[Metric, ...]
    baselines: Mapping[str, Path]
    unchanged: Path | None = None

    def to_dict(self) -> dict[str, Any]:
        gold = {key: _plain(value) for key, value in asdict(self.gold).items()}
        metrics = [{"name": metric.name, "options": metric.options()} for metric in self.metrics]
        baselines = {name: str(path) for name, path in self.baselines.items()}
        names = {"name": self.name, "title": self.title, "submission": self.submission}
        unchanged = None if self.unchanged is None else str(self.unchanged)
        return {**names, "gold": gold, "metrics": metrics, "baselines": baselines, "unchanged": unchanged}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ScoredSet:
        gold = dict(values["gold"])
        gold["references"], gold["normalise"] = tuple(gold["references"]), tuple(gold["normalise"])
        gold["columns"] = TableColumns(**gold.get("columns", {}))
        return cls(
            values["name"],
            values["title"],
            values["submission"],
            GoldFiles(**gold),
            tuple(with_files(metric_class(entry["name"])(**entry["options"])) for entry in values["metrics"]),
            {name: Path(path) for name, path in values["baselines"].items()},
            None if values["unchanged"] is None else Path(values["unchanged"]),
        )


@dataclass(frozen=True)
class ScoringTask:
    """The test sets and columns of a phase, with the limits that a submission is held to.

    A `blind` phase has no gold: submissions are compared with their sources and get no figures. By findings of the
    kinds in `refuse` a submission fails. `detailed` asks for a page of detailed results.
    `files` is what `submission_check` asks for, `seconds` the platform's limit, `memory` ours, in bytes.
    """

    phase: str
    sets: tuple[ScoredSet, ...]
    columns: tuple[LeaderboardColumn, ...]
    files: tuple[Mapping[str, Any], ...]
    seconds: int
    memory: int
    refuse: tuple[str, ...] = ()
    blind: bool = False
    detailed: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "sets": [entry.to_dict() for entry in self.sets],
            "columns": [asdict(entry) for entry in self.columns],
            "files": list(self.files),
            "seconds": self.seconds,
            "memory": self.memory,
            "refuse": list(self.refuse),
            "blind": self.blind,
            "detailed": self.detailed,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ScoringTask:
        columns = [LeaderboardColumn(**{**entry, "figure": tuple(entry["figure"])}) for entry in values["columns"]]
        sets = tuple(ScoredSet.from_dict(entry) for entry in values["sets"])
        return cls(
            values["phase"],
            sets,
            tuple(columns),
            tuple(values["files"]),
            values["seconds"],
            values["memory"],
            tuple(values["refuse"]),
            values["blind"],
            values["detailed"],
        )


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return value.as_posix()
    return [_plain(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, str) else value

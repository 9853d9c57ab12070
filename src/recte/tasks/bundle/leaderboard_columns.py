"""The columns of the leaderboard: each metric's main figure, its interval, and the rank among submission and fixed
baselines.

The platform's columns hold numbers alone, so an interval is two of them, and so is a rank range. Every column is
written for every submission, since one that is missing would rank first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from recte.errors import InputError
from recte.metrics.base import Column, Metric
from recte.tasks.bundle.task import ChosenMetric, Task

__all__ = ["MEAN", "LeaderboardColumn", "explain_missing_ranks", "figure_named", "leaderboard_columns", "main_figure"]

MEAN = "mean"  # the set of the columns over all test sets
_LONGEST = 36
_ENDS = (("low", "low"), ("high", "high"))
_RANKS = (("rank_from", "rank from"), ("rank_to", "rank to"))


@dataclass(frozen=True)
class LeaderboardColumn:
    """One column: its key in scores.json, and what it shows: the figure of a metric on a test set, or over all.

    `figure` is the place of a figure in a score; or ("low",), ("high",), ("rank_from",), ("rank_to",).
    """

    key: str
    title: str
    test_set: str
    metric: str
    figure: tuple[str, ...]
    percentage: bool
    ascending: bool
    precision: int

    def entry(self, index: int) -> dict[str, Any]:
        """The column as competition.yaml has it."""
        sorting = "asc" if self.ascending else "desc"
        return {
            "title": self.title,
            "key": self.key,
            "index": index,
            "sorting": sorting,
            "precision": self.precision,
            "hidden": False,
        }


def main_figure(metric: Metric) -> Column:
    """The metric's main figure, as its tables name it."""
    return next(column for column in metric.columns if column.path == ("score",))


def figure_named(metric: Metric, name: str) -> Column | None:
    """A figure of the metric's table by its header or its key, whatever the case."""
    lowered = name.casefold()
    return next((c for c in metric.columns if lowered in (c.header.casefold(), c.path[-1].casefold())), None)


def leaderboard_columns(task: Task) -> tuple[LeaderboardColumn, ...]:
    """All columns, that which ranks first; where there are several test sets, the mean of their main figures ranks."""
    columns: list[LeaderboardColumn] = []
    several = len(task.test_sets) > 1
    if several:
        mains = [task.metrics_of(entry)[0].metric for entry in task.test_sets]
        if len({metric.higher_is_better for metric in mains}) > 1:
            raise InputError("metrics: expected main metrics of one direction, since they are averaged", str(task.file))
        columns += _group(task, MEAN, MEAN, "Mean", "Mean", mains[0], [], ranked=task.is_ranked(*task.test_sets))
    for test_set in task.test_sets:
        chosen = task.metrics_of(test_set)
        for entry in chosen:
            key = entry.metric.name.replace("-", "_")
            columns += _group(
                task,
                test_set.name,
                f"{test_set.name}_{key}" if several else key,
                *_titles(entry, test_set.title if several else "", alone=len(chosen) == 1),
                entry.metric,
                _figures(task, entry),
                ranked=task.is_ranked(test_set),
            )
    _check(task, columns)
    return tuple(columns)


def explain_missing_ranks(task: Task) -> list[str]:
    """Why rank columns were left out, though there are baselines: one line for each test set, and for their mean."""
    if not task.intervals or not any(
        phase.data[test_set.name].baselines for phase in task.phases for test_set in task.test_sets
    ):
        return []
    lines = []
    for test_set in task.test_sets:
        lacking = [phase.name for phase in task.phases if not phase.data[test_set.name].baselines]
        if lacking:
            lines.append(f"{test_set.name}: no rank columns, since there are no baselines in the phase {lacking[0]}")
    if len(task.test_sets) > 1:
        lacking = [phase.name for phase in task.phases if not phase.baselines_of(task.test_sets)]
        if lacking:
            lines.append(
                "mean: no rank columns, since no baseline has outputs of one name for every test set in the phase "
                f"{lacking[0]}"
            )
    return lines


def _titles(chosen: ChosenMetric, test_set: str, *, alone: bool) -> tuple[str, str]:
    """What the main figure is called, and what stands before further ones: no longer than they must be."""
    metric = chosen.metric.title.partition(" (")[0]
    header = main_figure(chosen.metric).header
    named = header if alone else metric if metric.startswith(header) else f"{metric} {header}"
    before = chosen.title or ("" if alone else metric)
    return f"{test_set} {chosen.title or named}".strip(), f"{test_set} {before}".strip()


def _figures(task: Task, chosen: ChosenMetric) -> list[Column]:
    columns = []
    for name in chosen.figures:
        column = figure_named(chosen.metric, name)
        if column is None:
            known = ", ".join(c.path[-1] for c in chosen.metric.columns)
            raise InputError(
                f"metrics: figures: expected some of {known} for {chosen.metric.name}, got {name!r}", str(task.file)
            )
        if column.path != ("score",):
            columns.append(column)
    return columns


def _group(
    task: Task,
    test_set: str,
    key: str,
    title: str,
    before: str,
    metric: Metric,
    figures: list[Column],
    *,
    ranked: bool,
) -> list[LeaderboardColumn]:
    """A main figure with its interval, its rank range and further figures.

    `test_set` may be the mean of all; `key` is the main figure's, `title` too; `before` stands before the names of
    further figures.
    """
    ascending, percentage = not metric.higher_is_better, main_figure(metric).percentage

    def column(suffix: str, words: str, figure: tuple[str, ...], **changed: Any) -> LeaderboardColumn:
        values = {"percentage": percentage, "ascending": ascending, "precision": task.digits, **changed}
        return LeaderboardColumn(f"{key}{suffix}", words, test_set, metric.name, figure, **values)

    group = [column("", title, ("score",))]
    if task.intervals:
        group += [column(f"_{end}", f"{title} {words}", (end,)) for end, words in _ENDS]
    if ranked and task.intervals:
        ranks = {"percentage": False, "ascending": True, "precision": 0}
        group += [column(f"_{end}", f"{title} {words}", (end,), **ranks) for end, words in _RANKS]
    for figure in figures:
        precision = task.digits if figure.percentage else 0
        settings = {"percentage": figure.percentage, "ascending": False, "precision": precision}
        group.append(column(f"_{figure.path[-1]}", f"{before} {figure.header}".strip(), figure.path, **settings))
    return group


def _check(task: Task, columns: list[LeaderboardColumn]) -> None:
    for column in columns:
        for what, text in (("title", column.title), ("key", column.key)):
            if len(text) > _LONGEST:
                raise InputError(
                    f"a column's {what}: expected at most {_LONGEST} characters, got {text!r}: "
                    "give its test set or metric a shorter title",
                    str(task.file),
                )
    for what in ("title", "key"):
        texts = [getattr(column, what) for column in columns]
        repeated = next((text for text in texts if texts.count(text) > 1), None)
        if repeated is not None:
            raise InputError(
                f"columns: expected different ones, got the {what} {repeated!r} twice: give a metric another title",
                str(task.file),
            )

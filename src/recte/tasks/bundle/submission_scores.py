"""The scoring process: a submission's files into the numbers of the leaderboard.

`python -m recte.tasks.bundle.submission_scores REFERENCE FILES ANSWER` runs inside the scoring program. It answers by a
file, and its messages never hold a text of the references: only what the participant sent, or numbers.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from errno import ENOMEM
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from recte.errors import InputError, TooLongError
from recte.metrics.base import Metric
from recte.output.score_tables import score_table, type_table
from recte.output.tables import Table
from recte.statistics.intervals import Resampling
from recte.tasks.bundle.final_ranking import Standing, mean_ranking, rank_range, set_rankings
from recte.tasks.bundle.leaderboard_columns import MEAN
from recte.tasks.bundle.scoring_task import ScoredSet, ScoringTask
from recte.tasks.bundle.submission_findings import SUBMISSION, find_refused, submission_findings

__all__ = ["ACCEPTED", "SubmissionResult", "column_values", "main"]

ACCEPTED = "accepted: the organisers score it after the phase"
_HEAD = (
    '<!doctype html><meta charset="utf-8"><title>Detailed results</title><style>body{font-family:sans-serif;'
    "max-width:60em;margin:1em}table{border-collapse:collapse}th,td{padding:.2em .6em;text-align:right}"
    "th:first-child,td:first-child{text-align:left}p{overflow-wrap:anywhere}</style>"
)


class SubmissionResult(NamedTuple):
    """Values by the keys of columns, lines for the log, and the page of detailed results where the phase has one."""

    scores: dict[str, float]
    lines: list[str]
    page: str | None = None


def column_values(task: ScoringTask, files: Mapping[str, Path]) -> SubmissionResult:
    """The value of each column, and lines that say how they were made; `files` are those sent, by their names.

    Raises `InputError` with the participant's file where a finding of a kind that the task refuses is among them.
    """
    lines: list[str] = []
    for test_set in task.sets:
        if test_set.submission not in files:
            continue
        findings = submission_findings(test_set, files[test_set.submission])
        refused = find_refused(findings, task.refuse)
        if refused is not None:
            raise InputError(refused.message, str(files[test_set.submission]))
        lines += [f"warning: {test_set.submission}: {finding.message}" for finding in findings]
    if task.blind:
        # A column that is missing would rank first, so all have the same harmless number.
        return SubmissionResult({column.key: 0.0 for column in task.columns}, [*lines, ACCEPTED])
    how = Resampling() if any(column.figure == ("low",) for column in task.columns) else None
    systems: dict[tuple[str, str], dict[str, Standing]] = {}
    directions: dict[tuple[str, str], bool] = {}
    mains = []
    tables: list[Table] = []
    for test_set in task.sets:
        sent = files.get(test_set.submission, test_set.unchanged)
        assert sent is not None, "a test set without outputs is optional"
        rankings = set_rankings(test_set, {SUBMISSION: sent, **test_set.baselines}, how, types=task.detailed)
        mains.append(rankings[test_set.metrics[0]])
        for metric, standings in rankings.items():
            systems[test_set.name, metric.name] = standings
            directions[test_set.name, metric.name] = metric.higher_is_better
            tables += _tables_in_detail(test_set, metric, standings)
    main = task.sets[0].metrics[0]
    systems[MEAN, main.name] = mean_ranking(mains, [SUBMISSION, *task.sets[0].baselines], how)
    directions[MEAN, main.name] = main.higher_is_better
    values = {}
    for column in task.columns:
        standings = systems[column.test_set, column.metric]
        standing = standings[SUBMISSION]
        if column.figure in (("rank_from",), ("rank_to",)):
            assert how is not None, "ranks come with intervals"
            best, worst = rank_range(SUBMISSION, standings, directions[column.test_set, column.metric], how.level)
            values[column.key] = float(best if column.figure == ("rank_from",) else worst)
        elif column.figure in (("score",), ("low",), ("high",)):
            values[column.key] = {"score": standing.value, "low": standing.low, "high": standing.high}[column.figure[0]]
        else:
            assert standing.score is not None, "a mean has no further figures"
            figure: Any = standing.score.to_dict()
            for part in column.figure:
                figure = figure[part]
            values[column.key] = float(figure) * (100.0 if column.percentage else 1.0)
    figures = [f"{column.title}: {values[column.key]:.{column.precision}f}" for column in task.columns]
    scores = [standings[SUBMISSION].score for standings in systems.values()]
    signatures = dict.fromkeys(score.signature for score in scores if score is not None)
    page = _page(task.phase, lines, tables) if task.detailed else None
    return SubmissionResult(values, [*lines, *figures, *signatures], page)


def _tables_in_detail(test_set: ScoredSet, metric: Metric, standings: Mapping[str, Standing]) -> list[Table]:
    """The scores of the submission and of the baselines, and the error types of the submission."""
    shown = {name: standing.score for name, standing in standings.items() if standing.score is not None}
    scores = [replace(score, system="submission" if name == SUBMISSION else name) for name, score in shown.items()]
    title = f"{test_set.title}: {metric.title}"
    types = [type_table(f"{title}, error types", scores[:1])] if scores[0].types else []
    return [score_table(title, scores, metric.columns), *types]


def _page(phase: str, lines: Sequence[str], tables: Sequence[Table]) -> str:
    """A page without styles of others, scripts and references to other files."""
    parts = [f"<h1>{escape(phase)}</h1>", *(f"<p>{escape(line)}</p>" for line in lines)]
    for table in tables:
        rows = [
            "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
            for tag, row in [("th", table.headers), *(("td", row) for row in table.rows)]
        ]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        notes = "".join(f"<p>{escape(note)}</p>" for note in table.notes)
        parts.append(f"<h2>{escape(table.title)}</h2><table>{body}</table>{notes}")
    return f"{_HEAD}{''.join(parts)}\n"


def main(arguments: Sequence[str]) -> int:
    """Answer by a file: scores and lines to show, or an error that a participant may read."""
    reference, named, answer = arguments
    files = {name: Path(path) for name, path in json.loads(named).items()}
    os.chdir(reference)  # where paths of the task are found
    result: dict[str, Any]
    try:
        content = json.loads(Path("task.json").read_text("utf-8"))
        _limit_memory(content["memory"])
        result = column_values(ScoringTask.from_dict(content), files)._asdict()
    except MemoryError:
        result = _no_memory()
    except InputError as error:
        name = next((name for name, path in files.items() if error.file == str(path)), None)
        place = f"{name}:{error.line}" if error.line else name
        result = _failure(error) if name is None else {"error": f"{place}: {error.public_message}"}
    except TooLongError as error:
        result = {"error": f"line {error.hypothesis} of a file is too long to be scored"}
    except Exception as error:
        # The loader of libraries says "failed to map segment" where memory ends.
        ended = (isinstance(error, OSError) and error.errno == ENOMEM) or "map segment" in str(error)
        result = _no_memory() if ended else _failure(error)
    _limit_memory(None)
    Path(answer).write_text(json.dumps(result), "utf-8")
    return 0


def _no_memory() -> dict[str, str]:
    return {"error": "scoring needs more memory than there is; are there very long lines?"}


def _failure(error: BaseException) -> dict[str, str]:
    """What failed and where, for everybody; the message, which may hold a text of the references, for organisers."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
    return {"error": f"the scoring program failed; please tell the organisers: {place}", "details": str(error)}


def _limit_memory(size: int | None) -> None:
    """Memory beyond `size` bytes is refused; None lifts the limit, so that an answer can be written."""
    try:
        import resource
    except ImportError:  # not on Windows, where no platform's worker runs
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard if size is None else size, hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

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
from errno import ENOMEM
from pathlib import Path
from typing import Any

from recte.errors import InputError, TooLongError
from recte.evaluation.plausibility.finding import WARNING, Finding

__all__ = ["column_values", "main"]

SUBMISSION = "/submission"  # no baseline is called so: names of files have no /


def column_values(task: Any, files: Mapping[str, Path]) -> tuple[dict[str, float], list[str]]:
    """The value of each column, and lines that say how they were made; `files` are those sent, by their names."""
    from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
    from recte.statistics.intervals import Resampling
    from recte.tasks.bundle.final_ranking import Standing, mean_ranking, rank_range, set_rankings
    from recte.tasks.bundle.leaderboard_columns import MEAN

    how = Resampling() if any(column.figure == ("low",) for column in task.columns) else None
    systems: dict[tuple[str, str], dict[str, Standing]] = {}
    directions: dict[tuple[str, str], bool] = {}
    mains, oddities = [], []
    for test_set in task.sets:
        given = {SUBMISSION: files[test_set.submission], **test_set.baselines}
        check = PlausibilityCheck()
        rankings = set_rankings(test_set, given, how, check.look)
        oddities += _oddities(check.findings(), test_set.submission)
        mains.append(rankings[test_set.metrics[0]])
        for metric, standings in rankings.items():
            systems[test_set.name, metric.name] = standings
            directions[test_set.name, metric.name] = metric.higher_is_better
    main = task.sets[0].metrics[0]
    systems[MEAN, main.name] = mean_ranking(mains, [SUBMISSION, *task.sets[0].baselines], how)
    directions[MEAN, main.name] = main.higher_is_better
    values = {}
    for column in task.columns:
        standings = systems[column.test_set, column.metric]
        own = standings[SUBMISSION]
        if column.figure in (("rank_from",), ("rank_to",)):
            assert how is not None, "ranks come with intervals"
            best, worst = rank_range(SUBMISSION, standings, directions[column.test_set, column.metric], how.level)
            values[column.key] = float(best if column.figure == ("rank_from",) else worst)
        elif column.figure in (("score",), ("low",), ("high",)):
            values[column.key] = {"score": own.value, "low": own.low, "high": own.high}[column.figure[0]]
        else:
            assert own.score is not None, "a mean has no further figures"
            figure: Any = own.score.to_dict()
            for part in column.figure:
                figure = figure[part]
            values[column.key] = float(figure) * (100.0 if column.percentage else 1.0)
    lines = [f"{column.title}: {values[column.key]:.{column.precision}f}" for column in task.columns]
    scores = [standings[SUBMISSION].score for standings in systems.values()]
    return values, [*oddities, *lines, *dict.fromkeys(score.signature for score in scores if score is not None)]


def _oddities(found: Sequence[Finding], file: str) -> list[str]:
    """What looks wrong with the submission. Nothing is said of gold or baselines: these are hidden."""
    return [f"warning: {file}: {one.message}" for one in found if one.where == SUBMISSION and one.level == WARNING]


def main(arguments: Sequence[str]) -> int:
    """Answer by a file: scores and lines to show, or an error that a participant may read."""
    reference, named, answer = arguments
    files = {name: Path(path) for name, path in json.loads(named).items()}
    os.chdir(reference)  # where paths of the task are found
    result: dict[str, Any]
    try:
        content = json.loads(Path("task.json").read_text("utf-8"))
        _limit_memory(content["memory"])
        from recte.tasks.bundle.scoring_task import ScoringTask

        scores, lines = column_values(ScoringTask.from_dict(content), files)
        result = {"scores": scores, "lines": lines}
    except MemoryError:
        result = _no_memory()
    except InputError as error:
        name = next((name for name, path in files.items() if error.file == str(path)), None)
        place = f"{name}:{error.line}" if error.line else name
        result = _failure(error) if name is None else {"error": f"{place}: {error.public_message}"}
    except TooLongError as error:
        result = {"error": f"line {error.hypothesis} of a file is too long to be scored"}
    except Exception as error:
        result = _no_memory() if isinstance(error, OSError) and error.errno == ENOMEM else _failure(error)
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

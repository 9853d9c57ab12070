"""What `report` and `figures` share: gold, systems, metrics and people from the command line, gathered for showing."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recte.cli.arguments import gold_and_systems
from recte.cli.counted_systems import resampling_of
from recte.cli.human_arguments import add_humans
from recte.cli.input_warnings import expected_tokens, note, tell
from recte.cli.metric_flags import metrics_of
from recte.errors import OptionError
from recte.evaluation import Evaluation, evaluate
from recte.inputs import read_corpus_and_systems, system_names
from recte.rendering.terminal import progress_bar
from recte.sentence_names import SentenceNames

if TYPE_CHECKING:
    from recte.cli.human_side import Humans

__all__ = ["add_human", "charts_of_humans", "evaluated", "humans_of"]

_FEWEST = 3  # systems for a correlation
_WINDOW = 4
_OF_HUMANS = ("method", "without", "document", "first_sentence", "protocol", "system_set", "ids", "ratings", "windows")


def add_human(parser: argparse.ArgumentParser) -> None:
    """What people say of the systems, and how it is read."""
    group = parser.add_argument_group("humans")
    group.add_argument(
        "--human",
        metavar="HUMAN",
        help="judgments or ratings of the systems, human scores, or a protocol's folder: their ranking, and metrics "
        "against it",
    )
    add_humans(group)


def humans_of(arguments: argparse.Namespace) -> Humans | None:
    """What people say, read before the work; None where nobody was asked."""
    if arguments.human is None:
        for option in _OF_HUMANS:
            if getattr(arguments, option) not in (None, []):
                raise OptionError(f"--{option.replace('_', '-')}: expected --human beside it, got none")
        return None
    from recte.cli.human_side import read_humans  # few reports need it

    humans = read_humans(arguments, arguments.human)
    arguments.subset = humans.ids
    return humans


def charts_of_humans(arguments: argparse.Namespace, humans: Humans, data: Evaluation) -> dict[str, dict[str, Any]]:
    """Charts of the judged systems that were scored; those of metrics need three systems or more."""
    from recte.human.ranking import rank_systems
    from recte.metaeval.scores import MetricScores
    from recte.metaeval.study import StudyOptions, study_metrics
    from recte.rendering.charts.human import human_charts

    scored = {system.name for system in data.systems}
    absent = sorted(system for system in humans.systems if system not in scored and system not in humans.outside)
    if absent:
        note(f"no output of {', '.join(absent)}: left out of what people say", arguments)
        humans = replace(humans, outside=(*humans.outside, *absent))
    metrics = [MetricScores.from_counts(metric, list(data.counts[metric.name].values())) for metric in data.metrics]
    names = SentenceNames.of(gold_and_systems(arguments)[0].sentences())
    side, metrics = humans.beside(arguments, metrics, names)
    drawn = {"resamples": arguments.resamples, "level": arguments.level, "seed": arguments.seed}
    rankings = []
    if side.judgments is not None:
        rankings = [rank_systems(side.judgments, method=method, **drawn) for method in humans.methods]
    systems = len(side.scores[0].systems)
    if systems < _FEWEST:
        return human_charts(rankings, None)
    options = StudyOptions(
        windows=arguments.windows or min(humans.window or _WINDOW, systems),
        rank_gaps=side.judgments is not None,
        clusters=len(metrics) > 1,
        average=arguments.average,
        rater_scale=arguments.rater_scale,
        **drawn,
    )
    return human_charts(rankings, study_metrics(side, metrics, options))


def evaluated(
    arguments: argparse.Namespace, command: str, title: str | None = None, *, attribute: bool = False
) -> Evaluation:
    """Everything a report shows, called by its `title`, or by its gold's file and folder.

    With `attribute`, also what each edit is worth.
    """
    gold, paths = gold_and_systems(arguments)
    if not paths:
        raise OptionError(f"{command}: expected at least one system, got none")
    metrics = metrics_of(arguments)
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, arguments.names))
    with progress_bar("metrics", quiet=arguments.quiet) as advance:
        results = evaluate(
            corpus,
            systems,
            metrics,
            name=title or "/".join(Path(gold.name).parts[-2:]),
            resampling=resampling_of(arguments),
            attribute=attribute,
            strict=arguments.strict,
            expected_tokens=expected_tokens(arguments),
            progress=advance,
        )
    tell(results.findings, arguments)
    return results

"""What `report` and `figures` share: gold, systems, metrics and human data, evaluated for showing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recte.cli.counted_systems import ResamplingOptions, SystemSelection
from recte.cli.input_warnings import find_expected_tokens, print_findings
from recte.cli.paired_tests import TestOptions
from recte.corpus.sentence_names import SentenceNames
from recte.errors import OptionError
from recte.evaluation.counting import CHUNK
from recte.evaluation.evaluation import Evaluation, evaluate, evaluate_files
from recte.evaluation.inputs import read_corpus_and_systems, system_names
from recte.messages import note
from recte.options import option, part
from recte.output.terminal import progress_bar
from recte.statistics.intervals import Resampling
from recte.studies.human.arguments import HumanOptions

if TYPE_CHECKING:
    from recte.studies.human.human_scores import HumanData

__all__ = ["ShownHumanOptions", "draw_human_data", "evaluate_selection"]

_FEWEST = 3  # systems for a correlation
_WINDOW = 4


@dataclass(frozen=True, kw_only=True)
class ShownHumanOptions:
    """What people say of the systems, and how it is read."""

    human: str | None = option(
        None,
        "judgments or ratings of the systems, human scores, or a protocol's folder: their ranking, and metrics "
        "against it",
        kind=str,
        metavar="HUMAN",
    )
    reading: HumanOptions = part(HumanOptions)

    def read(self, seed: int) -> HumanData | None:
        """What people say, read before the work; None where no file is named."""
        if self.human is None:
            judging = self.reading.judging
            for name, value in (
                ("method", judging.method),
                ("without", judging.without),
                ("document", judging.document),
                ("first-sentence", judging.first_sentence),
                ("protocol", judging.protocol),
                ("system-set", judging.system_set),
                ("ids", self.reading.ids),
                ("ratings", self.reading.ratings),
                ("windows", self.reading.rating.windows),
            ):
                if value not in (None, ()):
                    raise OptionError(f"--{name}: expected --human with it, got none")
            return None
        from recte.studies.human.human_scores import read_human_data  # few reports need it

        return read_human_data(self.human, self.reading, seed=seed)


def draw_human_data(
    humans: HumanData,
    options: HumanOptions,
    resampling: ResamplingOptions,
    selection: SystemSelection,
    data: Evaluation,
) -> dict[str, dict[str, Any]]:
    """Charts of the judged systems that were scored; those of metrics need three systems or more."""
    from recte.studies.human.ranking import rank_systems
    from recte.studies.metaeval.charts import human_charts
    from recte.studies.metaeval.human_side import match_human_data
    from recte.studies.metaeval.scores import MetricScores
    from recte.studies.metaeval.study import StudyOptions, study_metrics

    scored = {system.name for system in data.systems}
    absent = sorted(system for system in humans.systems if system not in scored and system not in humans.left_out)
    if absent:
        note(f"no output of {', '.join(absent)}: left out of what people say")
        humans = replace(humans, left_out=(*humans.left_out, *absent))
    metrics = [MetricScores.from_counts(metric, list(data.counts[metric.name].values())) for metric in data.metrics]
    names = SentenceNames.of(selection.read_files()[0].sentences())
    study_options = StudyOptions(
        rank_gaps=False,
        clusters=len(metrics) > 1,
        average=options.rating.average,
        rater_scale=options.rating.rater_scale,
        resamples=resampling.resamples,
        level=resampling.level,
        seed=resampling.seed,
    )
    side, metrics = match_human_data(humans, metrics, names, study_options)
    rankings = []
    if side.judgments is not None:
        rankings = [rank_systems(side.judgments, method=method, **study_options.drawn) for method in humans.methods]
    systems = len(side.scores[0].systems)
    if systems < _FEWEST:
        return human_charts(rankings, None)
    study_options = replace(
        study_options,
        windows=options.rating.windows or min(humans.window or _WINDOW, systems),
        rank_gaps=side.judgments is not None,
    )
    return human_charts(rankings, study_metrics(side, metrics, study_options))


def evaluate_selection(
    selection: SystemSelection,
    command: str,
    resampling: Resampling,
    *,
    tests: TestOptions,
    title: str | None = None,
    attribute: bool = False,
) -> Evaluation:
    """Everything a report shows, called by its `title`, or by its gold's file and folder.

    With `attribute`, also what each edit is worth.
    """
    gold, paths = selection.read_files()
    if not paths:
        raise OptionError(f"{command}: expected at least one system, got none")
    metrics = selection.make_metrics()
    named = system_names(paths, selection.names)
    options: dict[str, Any] = {
        "name": title or "/".join(Path(gold.name).parts[-2:]),
        "resampling": resampling,
        "attribute": attribute,
        "strict": selection.strict,
        "expected_tokens": find_expected_tokens(selection.metrics.preset),
    }
    how: dict[str, Any] = {"test": tests.test, "trials": tests.trials, "alpha": tests.alpha, "corrected": tests.holm}
    with progress_bar("metrics") as advance:
        if (gold.sentence_count() or 0) > CHUNK:
            results = evaluate_files(gold, named, metrics, tests=how, **options, progress=advance)
        else:
            corpus, systems = read_corpus_and_systems(gold, named)
            results = evaluate(corpus, systems, metrics, **how, **options, progress=advance)
    print_findings(results.findings)
    if results.scored > len(results.corpus):
        note(
            f"{command}: scores, intervals and tests are of all {results.scored:,} sentences; sentences, edits and "
            f"error types are of the first {len(results.corpus):,}"
        )
    return results

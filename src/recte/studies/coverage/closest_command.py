"""`recte closest GOLD SYSTEM... --closest FILE...`: systems on references that follow their output."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recte.cli.arguments import GoldOptions, format_option, names_option, quiet_option, width_option
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.metric_flags import DEFAULT_METRIC, MetricOptions, ScoreFileOptions
from recte.errors import OptionError
from recte.evaluation.inputs import read_corpus_and_systems, system_names
from recte.formats.parallel import read_system
from recte.options import REQUIRED, option, part
from recte.output.document import document
from recte.output.terminal import print_tables, progress_bar
from recte.studies.coverage.closest_gold import closest_gold_study
from recte.studies.coverage.tables import closest_gold_tables


@dataclass(frozen=True, kw_only=True)
class ClosestOptions:
    gold: GoldOptions = part(GoldOptions)
    score_files: ScoreFileOptions = part(ScoreFileOptions)
    closest: tuple[str, ...] = option(
        REQUIRED,
        "corrections that somebody made of each system's output, in the order of the systems",
        kind=str,
        values="+",
        metavar="FILE",
    )
    resamples: int = option(1000, "for intervals (default 1000)", metavar="N")
    level: float = option(0.95, "of intervals (default 0.95)", metavar="X")
    seed: int = option(12345, "of everything drawn (default 12345)", metavar="N")
    names: tuple[str, ...] = names_option("output")
    width: int = width_option(group="output")
    format: str = format_option(group="output")
    quiet: bool = quiet_option("no progress", "output")
    metrics: MetricOptions = part(MetricOptions)


def run(options: ClosestOptions) -> None:
    selection = SystemSelection(
        gold=options.gold, metrics=options.metrics, score_files=options.score_files, names=options.names
    )
    gold, paths = selection.read_files()
    if len(options.closest) != len(paths):
        raise OptionError(f"--closest: expected {len(paths)} files, one for each system, got {len(options.closest)}")
    named = system_names(paths, options.names)
    # Judges in files take no references: they cannot replace the default metric.
    with_default = replace(options.metrics, names=options.metrics.names or (DEFAULT_METRIC,))
    asked = with_default.make_metrics(options.score_files)
    metrics = [metric for metric in asked if metric.needs_references]
    judges = [metric for metric in asked if not metric.needs_references]
    if not metrics:
        names = ", ".join(judge.name for judge in judges)
        raise OptionError(f"closest: expected a metric that compares with references, such as -m m2, got {names} alone")
    corpus, systems = read_corpus_and_systems(gold, named)
    closest = {
        name: list(read_system(path, name=name).outputs) for name, path in zip(named, options.closest, strict=True)
    }
    with progress_bar("metrics") as advance:
        studies = []
        for metric in metrics:
            studies.append(
                closest_gold_study(
                    corpus,
                    {system.name: system.outputs for system in systems},
                    closest,
                    metric=metric,
                    judges=judges,
                    resamples=options.resamples,
                    level=options.level,
                    seed=options.seed,
                )
            )
            advance(1)
    if options.format == "json":
        print(document(closest_gold=[study.to_dict() for study in studies]))
    else:
        tables = [table for study in studies for table in closest_gold_tables(study, options.width)]
        print_tables(tables, options.format)


COMMAND = Command(
    run=run,
    options=ClosestOptions,
    forms=("GOLD SYSTEM... --closest FILE...",),
    examples=(
        (
            "recte closest sample/gold.m2 sample/systems/wren.txt --closest sample/systems/heron.txt",
            "heron's lines as corrections of wren's",
        ),
        (
            "recte closest sample/gold.m2 sample/systems/wren.txt --closest sample/systems/heron.txt -m gleu",
            "by another metric",
        ),
    ),
    common=("--closest", "-m", "-s", "-r", "-i", "--names", "--resamples", "--level", "--seed", "-f", "-w", "-q"),
)

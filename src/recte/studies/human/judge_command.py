"""`recte judge GOLD SYSTEM... --judge MODEL -o JUDGMENTS`: a language model says which of two outputs is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from recte.cli.arguments import GoldOptions, names_option, quiet_option
from recte.cli.command import Command
from recte.cli.metric_flags import add_flags_of_metric, read_options_of_metric
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.evaluation.inputs import read_corpus_and_systems, system_names
from recte.files import check_folder_of
from recte.metrics.llm_judge import LlmJudge
from recte.options import option, part
from recte.output.terminal import progress_bar
from recte.studies.human.asked_judgments import judge_pairs
from recte.studies.human.judgment_files import write_judgments


@dataclass(frozen=True, kw_only=True)
class JudgeModelOptions:
    """The model that judges, and a flag for each of its options."""

    metric: LlmJudge = field(default_factory=LlmJudge)

    @classmethod
    def add_flags(cls, parser: Parser) -> None:
        add_flags_of_metric(parser, LlmJudge)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        return cls(metric=LlmJudge.from_options(read_options_of_metric(values, LlmJudge)))


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    gold: GoldOptions = part(GoldOptions)
    names: tuple[str, ...] = names_option()
    output: str | None = option(
        None,
        "write the comparisons, for recte rank and metaeval",
        kind=str,
        flags=("-o", "--output"),
        metavar="TSV",
    )
    sentences: int = option(0, "so many, drawn by chance (default all)", metavar="N")
    seed: int = option(12345, "of the sentences drawn (default 12345)")
    quiet: bool = quiet_option("no progress")
    model: JudgeModelOptions = part(JudgeModelOptions)


def run(options: JudgeOptions) -> None:
    metric = options.model.metric
    if options.output is None and not metric.dry_run:
        raise OptionError("-o: expected a file for the judgments, got none")
    if options.output is not None:
        check_folder_of("-o", options.output)  # before anything is paid for
    gold, paths = options.gold.read_files(needs_references=False, lists={"--names": options.names})
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, options.names))
    judge = metric.pair_judge()
    with progress_bar("judging"):
        judged = judge_pairs(
            judge,
            corpus,
            systems,
            sentences=options.sentences,
            seed=options.seed,
            dry_run=metric.dry_run,
        )
    assert options.output is not None, "a dry run ends while it judges"
    write_judgments(options.output, judged.judgments)
    listed = ", ".join(map(str, judged.flagged_sentences[:10]))
    more = ", ..." if len(judged.flagged_sentences) > 10 else ""
    print(
        f"{options.output}: {len(judged.judgments):,} comparisons; {judged.asked:,} pairs of different outputs "
        f"judged by {judge.signature}, of which the position decided {judged.by_position:,} (ties); "
        f"{judged.flagged:,} flagged{f' (sentences {listed}{more})' if listed else ''}"
    )


COMMAND = Command(
    run=run,
    options=JudgeOptions,
    forms=("GOLD SYSTEM... --judge MODEL -o JUDGMENTS",),
    examples=(
        (
            "recte judge sample/gold.m2 sample/systems/*.txt --judge my-model --dry-run",
            "how many requests and tokens it would take",
        ),
        (
            "recte judge sample/gold.m2 sample/systems/*.txt --judge my-model --sentences 20 --criterion fluency "
            "--dry-run",
            "on twenty sentences; then recte rank JUDGMENTS",
        ),
    ),
    common=(
        *("--judge", "--endpoint", "--criterion", "--basis", "--sentences", "--dry-run", "--budget"),
        *("-o", "-s", "-i", "--names", "-q"),
    ),
)

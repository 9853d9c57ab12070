"""`recte judge GOLD SYSTEM... --judge MODEL -o JUDGMENTS`: a language model says which of two outputs is better."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_gold, add_names, gold_and_systems
from recte.cli.metric_flags import add_options_of, given_options
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.formats.files import check_folder_of
from recte.formats.judgments import write_judgments
from recte.human.asked_judgments import judge_pairs
from recte.inputs import read_corpus_and_systems, system_names
from recte.metrics.llm_judge import LlmJudge
from recte.rendering.terminal import progress_bar


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    parser.set_defaults(metrics=[LlmJudge.name])  # sources are enough
    add_names(parser)
    parser.add_argument("-o", "--output", metavar="TSV", help="write the comparisons, for recte rank and metaeval")
    parser.add_argument("--sentences", type=int, default=0, metavar="N", help="so many, drawn by chance (default all)")
    parser.add_argument("--seed", type=int, default=12345, help="of the sentences drawn (default 12345)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_options_of(parser, LlmJudge)


def run(arguments: argparse.Namespace) -> None:
    metric = LlmJudge.from_options(given_options(arguments, LlmJudge))
    if arguments.output is None and not metric.dry_run:
        raise OptionError("-o: expected a file for the judgments, got none")
    if arguments.output is not None:
        check_folder_of("-o", arguments.output)  # before anything is paid for
    gold, paths = gold_and_systems(arguments)
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, arguments.names))
    judge = metric.pair_judge()
    with progress_bar("judging", quiet=arguments.quiet):
        judged = judge_pairs(
            judge,
            corpus,
            systems,
            sentences=arguments.sentences,
            seed=arguments.seed,
            dry_run=metric.dry_run,
        )
    write_judgments(arguments.output, judged.judgments)
    listed = ", ".join(map(str, judged.flagged_sentences[:10]))
    more = ", ..." if len(judged.flagged_sentences) > 10 else ""
    print(
        f"{arguments.output}: {len(judged.judgments):,} comparisons; {judged.asked:,} pairs of different outputs "
        f"judged by {judge.signature}, of which the position decided {judged.by_position:,} (ties); "
        f"{judged.flagged:,} flagged{f' (sentences {listed}{more})' if listed else ''}"
    )

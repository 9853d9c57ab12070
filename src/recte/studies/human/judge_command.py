"""`recte judge GOLD SYSTEM... --judge MODEL -o JUDGMENTS`: a language model says which of two outputs is better.

Judgments by a language model, in place of people's: which of two systems' outputs is better, sentence by sentence.

Both orders of a pair are asked, since models prefer a position. Where the answers contradict each other, the pair is a
tie: what decided was the position.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple, Self

from recte.caching.result_cache import results_of
from recte.cli.arguments import TO, GoldOptions, names_option, quiet_option
from recte.cli.command import Command
from recte.cli.metric_flags import add_flags_of_metric, read_options_of_metric
from recte.cli.parser import Parser
from recte.corpus.corpus import Corpus, System
from recte.errors import DryRun, OptionError
from recte.evaluation.inputs import read_corpus_and_systems, system_names
from recte.files import check_folder_of
from recte.judges.judge import PairJudge
from recte.judges.judge_client import describe_cost
from recte.judges.prompt_injection import has_prompt_injection
from recte.metrics.llm_judge import LlmJudge
from recte.options import option, part
from recte.output.terminal import progress_bar
from recte.studies.human.judgment_files import write_judgments
from recte.studies.human.judgments import Judgments, Preference

__all__ = ["JudgedPairs", "judge_pairs"]


class JudgedPairs(NamedTuple):
    """Judgments of all pairs of systems on some sentences, and what to know of them.

    `asked` is how many pairs of different outputs were judged, `by_position` how many of them the position decided,
    `flagged` how many had a text that seems to speak to the judge, in the `flagged_sentences` (from 1).
    """

    judgments: Judgments
    asked: int
    by_position: int
    flagged: int
    flagged_sentences: tuple[int, ...] = ()


def judge_pairs(
    judge: PairJudge,
    corpus: Corpus,
    systems: Sequence[System],
    *,
    sentences: int = 0,
    seed: int = 12345,
    dry_run: bool = False,
) -> JudgedPairs:
    """Every pair of systems on every sentence, as judgments that `rank_systems` and `metaeval` take.

    Equal outputs, white space at their ends apart, tie, and nobody is asked. `sentences` draws so many of them by
    `seed`, 0 takes all. With `dry_run`, nothing is asked: `DryRun` says how much there is to ask.
    """
    if len(systems) < 2:
        raise OptionError(f"expected at least two systems to compare, got {len(systems)}")
    if sentences < 0:
        raise OptionError(f"sentences: expected 0 or more, got {sentences}")
    places = list(range(len(corpus)))
    if 0 < sentences < len(places):
        places = sorted(random.Random(seed).sample(places, sentences))
    sources = [source.strip() for source in corpus.unchanged]
    compared = [
        (place, first.name, second.name, sources[place], first.outputs[place].strip(), second.outputs[place].strip())
        for place in places
        for first, second in combinations(systems, 2)
    ]
    requests = [order for _, _, _, source, a, b in compared if a != b for order in ((source, a, b), (source, b, a))]
    if dry_run:
        told = f"{len(compared):,} pairs of outputs on {len(places):,} sentences, both orders of each pair that differs"
        raise DryRun(f"{told}: {describe_cost(judge, requests)}")
    injections = {text: has_prompt_injection(text) for _, a, b in requests for text in (a, b)}
    rating_of = dict(zip(requests, results_of(judge, requests).tolist(), strict=True))
    preferences, pairs = [], set()
    by_position, flagged = set(), set()
    of_flagged: set[int] = set()
    for place, first, second, source, a, b in compared:
        outcome = 0
        if a != b:
            (rating, flag), (other, other_flag) = rating_of[source, a, b], rating_of[source, b, a]
            outcome = int(rating > other) - int(rating < other)
            pair = (source, *sorted((a, b)))
            pairs.add(pair)
            by_position |= {pair} if rating == other != 0 else set()
            if flag or other_flag or injections[a] or injections[b]:
                flagged.add(pair)
                of_flagged.add(place + 1)
        preferences.append(Preference(place + 1, judge.endpoint.model, first, second, outcome, place))
    judgments = Judgments.from_preferences(preferences, first_sentence=1)
    return JudgedPairs(judgments, len(pairs), len(by_position), len(flagged), tuple(sorted(of_flagged)))


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
        flags=(*TO, "--output"),
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

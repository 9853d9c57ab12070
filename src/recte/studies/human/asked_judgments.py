"""Judgments by a language model, in place of people's: which of two systems' outputs is better, sentence by sentence.

Both orders of a pair are asked, since models prefer a position. Where the answers contradict each other, the pair is a
tie: what decided was the position.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from recte.caching.result_cache import results_of
from recte.corpus.corpus import Corpus, System
from recte.errors import DryRun, OptionError
from recte.judges.judge import PairJudge
from recte.judges.judge_client import describe_cost
from recte.judges.prompt_injection import speaks_to_judge
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
    wanted = [order for _, _, _, source, a, b in compared if a != b for order in ((source, a, b), (source, b, a))]
    if dry_run:
        told = f"{len(compared):,} pairs of outputs on {len(places):,} sentences, both orders of each pair that differs"
        raise DryRun(f"{told}: {describe_cost(judge, wanted)}")
    pleas = {text: speaks_to_judge(text) for _, a, b in wanted for text in (a, b)}
    said = dict(zip(wanted, results_of(judge, wanted).tolist(), strict=True))
    preferences, pairs = [], set()
    by_position, flagged = set(), set()
    of_flagged: set[int] = set()
    for place, first, second, source, a, b in compared:
        outcome = 0
        if a != b:
            (one, flag), (other, other_flag) = said[source, a, b], said[source, b, a]
            outcome = int(one > other) - int(one < other)
            pair = (source, *sorted((a, b)))
            pairs.add(pair)
            by_position |= {pair} if one == other != 0 else set()
            if flag or other_flag or pleas[a] or pleas[b]:
                flagged.add(pair)
                of_flagged.add(place + 1)
        preferences.append(Preference(place + 1, judge.endpoint.model, first, second, outcome, place))
    judgments = Judgments.from_preferences(preferences, first_sentence=1)
    return JudgedPairs(judgments, len(pairs), len(by_position), len(flagged), tuple(sorted(of_flagged)))

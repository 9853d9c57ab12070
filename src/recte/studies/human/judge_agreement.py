"""How far judges agree, with each other and with themselves, beyond chance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from recte.studies.human.judgments import Judgments

__all__ = ["Agreement", "JudgmentSummary", "agreement", "summarise"]

Verdicts = list[tuple[int, int]]
FEWEST_COMMON = 50


@dataclass(frozen=True)
class Agreement:
    """Cohen's κ and what it is made of: comparisons made twice, the share judged alike, and the share by chance."""

    kappa: float | None
    comparisons: int
    observed: float | None
    by_chance: float


@dataclass(frozen=True)
class JudgmentSummary:
    """What a set of judgments holds.

    `inter` is the agreement of two judges, `intra` of a judge with themself, both None where nothing was judged twice
    often enough.

    >>> from recte.studies.human.judgments import Preference
    >>> summarise(Judgments.from_preferences([Preference(1, "ann", "heron", "wren", 0, 0)])).pairs
    1
    """

    pairs: int
    ties: int
    systems: tuple[str, ...]
    sentences: int
    rankings: int
    judges: Mapping[str, int]
    inter: Agreement
    intra: Agreement


def summarise(judgments: Judgments, *, unexpanded: Judgments | None = None) -> JudgmentSummary:
    """Counts of the judgments, and how far judges agree: on unexpanded ones, since systems with the same output tie
    without anybody's judgment; `unexpanded` gives these where the judgments do not know them.

    >>> from recte.studies.human.judgments import Preference
    >>> summarise(Judgments.from_preferences([Preference(1, "ann", "heron", "wren", 0, 0)])).ties
    1
    """
    inter, intra = agreement(unexpanded or judgments.unexpanded())
    counts = np.bincount(judgments.judge, minlength=len(judgments.judges)).tolist()
    return JudgmentSummary(
        pairs=len(judgments),
        ties=judgments.ties,
        systems=judgments.systems,
        sentences=len(judgments.sentences),
        rankings=len(np.unique(judgments.ranking)),
        judges=dict(zip(judgments.judges, counts, strict=True)),
        inter=inter,
        intra=intra,
    )


def agreement(judgments: Judgments) -> tuple[Agreement, Agreement]:
    """Agreement of two judges, and of a judge with themself, on comparisons of the same systems in the same sentence.

    κ is taken for each pair of judges with at least 50 common comparisons, and averaged by their number. Chance is the
    sum of the squared shares of the three verdicts among all judgments (Bojar et al. 2013; Grundkiewicz et al. 2015).
    """
    shares = np.bincount(judgments.outcome + 1, minlength=3) / len(judgments)
    by_chance = float((shares**2).sum())
    by_comparison: dict[tuple[int, int, int], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    columns = (judgments.sentence_groups, judgments.first, judgments.second, judgments.judge, judgments.outcome)
    for sentence, first, second, judge, outcome in zip(*(column.tolist() for column in columns), strict=True):
        by_comparison[sentence, first, second][judge].append(outcome)
    two: dict[Hashable, Verdicts] = defaultdict(list)
    by_judge: dict[Hashable, Verdicts] = defaultdict(list)
    for verdicts in by_comparison.values():
        for judge, of_judge in verdicts.items():
            by_judge[judge] += combinations(of_judge, 2)
        for a, b in combinations(sorted(verdicts), 2):
            two[a, b] += product(verdicts[a], verdicts[b])
    return _agreement(two.values(), by_chance), _agreement(by_judge.values(), by_chance)


def _agreement(groups: Iterable[Verdicts], by_chance: float) -> Agreement:
    alike = Counter[bool]()
    for verdicts in groups:
        if len(verdicts) >= FEWEST_COMMON:
            alike.update(a == b for a, b in verdicts)
    comparisons = alike.total()
    if not comparisons or by_chance == 1:
        return Agreement(None, comparisons, None, by_chance)
    # With one chance for all, the mean of κ weighted by comparisons is the κ of all of them together.
    observed = alike[True] / comparisons
    return Agreement((observed - by_chance) / (1 - by_chance), comparisons, observed, by_chance)

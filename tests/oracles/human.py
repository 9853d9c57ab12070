"""Human rankings and agreement, as literally as the papers define them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations

import trueskill

Comparison = tuple[str, str, int]  # two systems; 1 where the first is better, 0 for a tie, -1 where the second is


def expected_wins(comparisons: Sequence[Comparison]) -> dict[str, float]:
    """The mean over opponents of the share of wins, ties ignored (Bojar et al. 2013)."""
    systems = sorted({s for a, b, _ in comparisons for s in (a, b)})
    scores = {}
    for system in systems:
        shares = []
        for opponent in systems:
            won = sum((a, b, o) in ((system, opponent, 1), (opponent, system, -1)) for a, b, o in comparisons)
            lost = sum((a, b, o) in ((system, opponent, -1), (opponent, system, 1)) for a, b, o in comparisons)
            if won + lost:
                shares.append(won / (won + lost))
        scores[system] = sum(shares) / len(shares) if shares else 0.5
    return scores


def trueskill_run(comparisons: Sequence[Comparison], matches: int, beta: float, seed: int) -> dict[str, float]:
    """One run of TrueSkill as published, by the package that the published script used."""
    env = trueskill.TrueSkill(mu=0.0, sigma=0.5, beta=beta, tau=0.0, draw_probability=0.25)
    generator = random.Random(seed)
    judged: dict[tuple[str, str], list[int]] = {}
    for a, b, outcome in comparisons:
        judged.setdefault((a, b), []).append(outcome)
        judged.setdefault((b, a), []).append(-outcome)
    ratings = {system: env.create_rating() for pair in judged for system in pair}
    for _ in range(matches):
        first = min(ratings, key=lambda s: (-ratings[s].sigma, s))
        others = sorted(b for a, b in judged if a == first)
        weights = [math.exp(-abs(ratings[first].mu - ratings[b].mu)) for b in others]
        second = generator.choices(others, weights)[0]
        outcome = generator.choice(judged[first, second])
        if outcome >= 0:
            new = trueskill.rate_1vs1(ratings[first], ratings[second], drawn=outcome == 0, env=env)
            ratings[first], ratings[second] = new
        else:
            ratings[second], ratings[first] = trueskill.rate_1vs1(ratings[second], ratings[first], env=env)
    return {system: rating.mu for system, rating in ratings.items()}


def kendall_variant(humans: Sequence[int], metrics: Sequence[int], *, human_ties: bool) -> float:
    """Chollampatt and Ng (2018), section 3.2, comparison by comparison."""
    concordant = discordant = total = 0
    for human, metric in zip(humans, metrics, strict=True):
        if human == 0 and not human_ties:
            continue
        total += 1
        concordant += human == metric
        discordant += human * metric < 0
    return (concordant - discordant) / total


def calibrated_accuracy(humans: Sequence[int], differences: Sequence[float]) -> float:
    """The best share judged alike over all thresholds below which scores are tied."""
    thresholds = [0.0, *map(abs, differences)]
    return max(
        sum(
            human == (0 if abs(d) <= threshold else 1 if d > 0 else -1)
            for human, d in zip(humans, differences, strict=True)
        )
        / len(humans)
        for threshold in thresholds
    )


def pairwise_accuracy(humans: Sequence[float], metrics: Sequence[float]) -> float:
    told_apart = [(i, j) for i, j in combinations(range(len(humans)), 2) if humans[i] != humans[j]]
    agreed = sum((humans[i] - humans[j]) * (metrics[i] - metrics[j]) > 0 for i, j in told_apart)
    return agreed / len(told_apart)

"""Tables of human rankings and of judges."""

from __future__ import annotations

from recte.output.tables import Table
from recte.statistics.bootstrap import Interval
from recte.studies.human.judge_agreement import Agreement, JudgmentSummary
from recte.studies.human.ranking import HumanRanking, RankedSystem

__all__ = [
    "METHOD_TITLES",
    "format_number",
    "format_range",
    "head_to_head_table",
    "judge_table",
    "method_title",
    "ranking_table",
]

METHOD_TITLES = {
    "expected-wins": "Expected Wins",
    "trueskill": "TrueSkill",
    "expected-trueskill": "TrueSkill without chance",
    "mean-rating": "mean ratings",
    "mean-rating-z": "mean ratings, raters' z-scores",
    "mean-rating-rank": "mean ratings, raters' ranks",
}


def method_title(human: str) -> str:
    return METHOD_TITLES.get(human, human)


def format_number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"  # no -0.000


def format_range(interval: Interval | None, digits: int = 3) -> str:
    return (
        "–" if interval is None else f"[{format_number(interval.low, digits)}, {format_number(interval.high, digits)}]"
    )


def ranking_table(ranking: HumanRanking, *, apart: bool = False) -> Table:
    """Systems best first, with their clusters and rank ranges; ends of ranges in columns of their own if `apart`."""
    ranks = ("best rank", "worst rank") if apart else ("ranks",)
    interval = ("low", "high") if apart else (f"{100 * ranking.level:g}% interval",)
    rows = tuple(
        (
            system.system,
            str(system.cluster),
            *((str(system.best_rank), str(system.worst_rank)) if apart else (_ranks(system),)),
            format_number(system.score),
            *(
                (format_number(system.interval.low), format_number(system.interval.high))
                if apart
                else (format_range(system.interval),)
            ),
            str(system.wins),
            str(system.ties),
            str(system.losses),
        )
        for system in ranking.systems
    )
    headers = ("system", "cluster", *ranks, "score", *interval, "wins", "ties", "losses")
    return Table(method_title(ranking.method), headers, rows, (ranking.signature,))


def _ranks(system: RankedSystem) -> str:
    if system.best_rank == system.worst_rank:
        return str(system.best_rank)
    return f"{system.best_rank}–{system.worst_rank}"


def head_to_head_table(ranking: HumanRanking) -> Table:
    """How often (of 100 decided comparisons) the system of a row beats that of a column."""
    names = [system.system for system in ranking.systems]
    shares = {(pair.system, pair.opponent): pair.share for pair in ranking.head_to_head}

    def cell(a: str, b: str) -> str:
        share = shares.get((a, b))
        return "·" if a == b else "–" if share is None else f"{100 * share:.0f}"

    rows = tuple((a, *(cell(a, b) for b in names)) for a in names)
    return Table("Head to head: % of decided comparisons won by the row", ("system", *names), rows)


def judge_table(summary: JudgmentSummary) -> Table:
    """Who judged how much, and how far judges agree."""
    rows = tuple((judge, str(count), f"{100 * count / summary.pairs:.1f}") for judge, count in summary.judges.items())
    notes = (
        f"{summary.pairs} pairs ({summary.ties} ties), {len(summary.systems)} systems, {summary.sentences} sentences",
        f"agreement of two judges {_agreement(summary.inter)}",
        f"agreement of a judge with themself {_agreement(summary.intra)}",
    )
    return Table("Judges", ("judge", "pairs", "%"), rows, notes)


def _agreement(agreement: Agreement) -> str:
    if agreement.kappa is None:
        return "unknown: fewer than 50 comparisons judged twice"
    return f"κ {agreement.kappa:.3f} ({agreement.comparisons} comparisons judged twice)"

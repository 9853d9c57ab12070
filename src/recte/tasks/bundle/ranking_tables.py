"""The final ranking of a shared task as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.output.tables import Table
from recte.tasks.bundle.final_ranking import FinalRanking
from recte.tasks.bundle.standings import TaskRanking

__all__ = ["ranking_entries", "ranking_table", "rankings_table", "warning_entries"]


def ranking_table(ranking: TaskRanking, digits: int = 2) -> Table:
    """One row per system, best first: its figure, interval, rank range and cluster."""
    rows = []
    for name, standing in ranking.standings.items():
        best, worst = ranking.ranks[name]
        ranks = str(best) if best == worst else f"{best}-{worst}"
        ends = f"[{standing.low:.{digits}f}, {standing.high:.{digits}f}]"
        rows.append((name, f"{standing.value:.{digits}f}", ends, ranks, str(ranking.clusters[name])))
    notes = (ranking.signature,) if ranking.signature else ()
    return Table(ranking.title, ("system", "score", "95 %", "ranks", "cluster"), tuple(rows), notes)


def rankings_table(rankings: Sequence[TaskRanking], digits: int = 2) -> Table:
    """All rankings in one table, each row with the title of its own: for a format that has no titles."""
    tables = [ranking_table(one, digits) for one in rankings]
    rows = tuple((table.title, *row) for table in tables for row in table.rows)
    return Table("Rankings", ("ranking", *tables[0].headers), rows)


def warning_entries(final: FinalRanking) -> list[dict[str, Any]]:
    """What looks wrong on each test set, notes included, as plain values."""
    return [{"test_set": name, **one.to_dict()} for name, found in final.findings.items() for one in found]


def ranking_entries(final: FinalRanking) -> list[dict[str, Any]]:
    """The rankings as plain values, for JSON."""
    return [
        {
            "title": ranking.title,
            "higher_is_better": ranking.higher_is_better,
            "signature": ranking.signature or None,
            "systems": [
                {
                    "system": name,
                    "score": standing.value,
                    "low": standing.low,
                    "high": standing.high,
                    "rank_from": ranking.ranks[name][0],
                    "rank_to": ranking.ranks[name][1],
                    "cluster": ranking.clusters[name],
                }
                for name, standing in ranking.standings.items()
            ],
        }
        for ranking in final.rankings
    ]

"""The final ranking of a shared task as tables.

The final ranking of a shared task as pages for any web host: a leaderboard for each test set, and one for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from recte.evaluation.evaluation import evaluate
from recte.evaluation.inputs import read_corpus_and_systems
from recte.output.page.leaderboard import render_leaderboard
from recte.output.page.table_page import PagePart, PageSection, render_tables
from recte.output.tables import Table
from recte.tasks.bundle.final_ranking import FinalRanking, TaskRanking

__all__ = ["INDEX", "final_pages", "ranking_entries", "ranking_table", "rankings_table", "warning_entries"]


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
    """All rankings in one table of plain numbers, each row with the title of its own: for a format without titles."""
    rows = []
    for ranking in rankings:
        for name, standing in ranking.standings.items():
            figures = (f"{figure:.{digits}f}" for figure in (standing.value, standing.low, standing.high))
            rows.append((ranking.title, name, *figures, *map(str, ranking.ranks[name]), str(ranking.clusters[name])))
    headers = ("ranking", "system", "score", "low", "high", "rank_from", "rank_to", "cluster")
    return Table("Rankings", headers, tuple(rows))


def warning_entries(final: FinalRanking) -> list[dict[str, Any]]:
    """What looks wrong on each test set, notes included, as plain values."""
    return [
        {"test_set": name, **finding.to_dict()} for name, findings in final.findings.items() for finding in findings
    ]


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


INDEX = "index.html"
_RANKS = (
    "Ranks: a system stands behind those that beat it, and ahead of those that it beats (p < 0.05, corrected by Holm "
    "over all pairs); what lies between is open. A cluster ends where every system above beats every system below. "
    "A system without outputs for every test set has no mean."
)


def final_pages(
    final: FinalRanking, title: str, tracks: Mapping[str, Sequence[str]] | None = None, digits: int = 2
) -> dict[str, str]:
    """Pages by the names of their files; `index.html` is the one to begin with.

    With one test set, that is its leaderboard; with several, all rankings, the mean first, with links to the
    leaderboards of the sets. `tracks` are those of each system, `digits` those behind the point.
    """
    boards = {}
    home = (INDEX, "All test sets") if len(final.sets) > 1 else None
    for test_set in final.sets:
        corpus, systems = read_corpus_and_systems(test_set.gold, final.outputs[test_set.name])
        data = evaluate(corpus, systems, test_set.metrics, name=title if home is None else f"{title}: {test_set.title}")
        boards[f"{test_set.name}.html"] = render_leaderboard(data, tracks, home=home)
    if len(boards) == 1:
        return {INDEX: next(iter(boards.values()))}
    mean, *others = final.rankings
    ranked = iter(others)  # in the order of the test sets, and of the metrics of each
    sections = [
        PageSection(
            test_set.title,
            "",
            tuple(PagePart(ranking_table(next(ranked), digits)) for _ in test_set.metrics),
            link=(f"{test_set.name}.html", "Leaderboard of this test set, with every sentence"),
        )
        for test_set in final.sets
    ]
    systems_count = len({name for outputs in final.outputs.values() for name in outputs})
    lede = f"{systems_count} systems on {len(final.sets)} test sets"
    summary = replace(ranking_table(mean, digits), notes=(_RANKS,))
    return {INDEX: render_tables(title, lede, summary, sections), **boards}

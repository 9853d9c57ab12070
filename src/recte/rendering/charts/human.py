"""Charts of what people say: rankings with clusters, metrics against them, windows, rank gaps, clusters of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.human.ranking import HumanRanking
from recte.metaeval.study import Study
from recte.rendering.charts.metaeval import metaeval_charts
from recte.rendering.charts.metric_clusters import cluster_charts
from recte.rendering.charts.ranking import ranking_chart
from recte.rendering.charts.windows import rank_gap_chart, window_charts

__all__ = ["human_charts", "study_charts"]


def human_charts(rankings: Sequence[HumanRanking], study: Study | None) -> dict[str, dict[str, Any]]:
    """Charts by name: the rankings of systems, the first of them called `ranking`, and those of a study."""
    names = ["ranking", *(f"ranking-{ranking.method}" for ranking in rankings[1:])]
    charts = {name: ranking_chart(ranking) for name, ranking in zip(names, rankings, strict=False)}
    return charts if study is None else {**charts, **study_charts(study)}


def study_charts(study: Study) -> dict[str, dict[str, Any]]:
    """Charts of a study by name."""
    charts = {**metaeval_charts(study.systems), **window_charts(study.windows)}
    if study.rank_groups is not None and study.rank_groups.by_gap:
        charts["rank-gaps"] = rank_gap_chart(study.rank_groups)
    return {**charts, **cluster_charts(study.clusters)}

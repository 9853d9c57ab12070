"""Charts that human judgments allow: rankings with clusters, metrics against them, windows, rank gaps, clusters."""

from __future__ import annotations

from typing import Any

from recte.evaluation import Evaluation
from recte.human.judgments import Judgments
from recte.human.ranking import rank_systems
from recte.metaeval.metric_comparison import sentence_clusters, system_clusters
from recte.metaeval.rank_gaps import rank_groups
from recte.metaeval.scores import HumanScores, MetricScores
from recte.metaeval.system_correlation import system_level
from recte.metaeval.windows import window_analysis
from recte.rendering.charts.metaeval import metaeval_charts
from recte.rendering.charts.metric_clusters import cluster_charts
from recte.rendering.charts.ranking import ranking_chart
from recte.rendering.charts.windows import rank_gap_chart, window_charts

__all__ = ["human_charts"]

_FEWEST = 3
_WINDOW = 4


def human_charts(data: Evaluation, judgments: Judgments, *, seed: int = 12345) -> dict[str, dict[str, Any]]:
    """Charts by name, of the judged systems that were scored; those of metrics need three systems or more."""
    scored = {system.name for system in data.systems}
    judged = judgments.without([system for system in judgments.systems if system not in scored])
    charts = {"ranking": ranking_chart(rank_systems(judged, seed=seed))}
    if len(judged.systems) < _FEWEST:
        return charts
    metrics = [_scores(data, name, judged.systems) for name in data.scores]
    human = HumanScores.from_judgments(judged)
    charts |= metaeval_charts([system_level(human, metrics, seed=seed)])
    size = min(_WINDOW, len(judged.systems))
    charts |= window_charts([window_analysis(human, metrics, size=size)])
    groups = rank_groups(judged, metrics)
    if groups.by_gap:
        charts["rank-gaps"] = rank_gap_chart(groups)
    if len(metrics) > 1:
        both = [system_clusters(human, metrics, seed=seed), sentence_clusters(judged, metrics, seed=seed)]
        charts |= cluster_charts(both)
    return charts


def _scores(data: Evaluation, metric: str, systems: tuple[str, ...]) -> MetricScores:
    """A metric's scores of systems and sentences; better is higher, whatever the metric."""
    sign = 1.0 if data.score(metric, systems[0]).higher_is_better else -1.0
    of_sentences = {system: [sign * s for s in data.sentence_scores[metric][system]] for system in systems}
    return MetricScores.of(metric, {s: sign * data.score(metric, s).score for s in systems}, of_sentences)

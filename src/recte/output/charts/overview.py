"""The charts of a report, in the order they are shown."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from recte.evaluation.evaluation import Evaluation
from recte.metrics.base import Metric, Score
from recte.output.charts.error_types import chart_changed_sentences, error_type_charts
from recte.output.charts.scatter_plots import metric_scatter_chart, precision_recall_chart
from recte.output.charts.scores import score_chart, sentence_score_chart, significance_chart
from recte.output.charts.theme import best_first

__all__ = ["overview_charts"]


def overview_charts(data: Evaluation, *, differences: bool = True) -> dict[str, dict[str, Any]]:
    """Vega-Lite specifications by file stem, each with a title and, for those who cannot see it, a description.

    Without `differences`, none of who beats whom, which a page has as a table.
    They carry no look of their own: `chart_config` has one for light and one for dark.
    """
    charts: dict[str, dict[str, Any] | None] = {}
    for metric in data.metrics:
        charts[f"scores-{metric.name}"] = score_chart(metric, data.scores[metric.name], data.do_nothing_name)
    for metric in data.metrics:
        if differences and metric.name in data.comparisons:
            charts[f"significance-{metric.name}"] = significance_chart(metric, data.comparisons[metric.name])
    for metric in data.metrics:
        charts[f"precision-recall-{metric.name}"] = precision_recall_chart(metric, _of_systems(data, metric))
    charts |= error_type_charts(data, {metric.name: _order(data, metric) for metric in data.metrics})
    for metric in data.metrics:
        of_metric = data.sentence_scores[metric.name]
        charts[f"sentence-scores-{metric.name}"] = sentence_score_chart(metric, of_metric, _order(data, metric))
    if len(data.systems) > 1:
        for across, up in combinations(data.metrics, 2):
            charts[f"metric-scatter-{across.name}-{up.name}"] = metric_scatter_chart(
                across, _of_systems(data, across), up, _of_systems(data, up)
            )
    charts["conservatism"] = chart_changed_sentences(data.corpus, data.systems)
    return {stem: chart for stem, chart in charts.items() if chart is not None}


def _of_systems(data: Evaluation, metric: Metric) -> list[Score]:
    names = {system.name for system in data.systems}
    return [score for score in data.scores[metric.name] if score.system in names]


def _order(data: Evaluation, metric: Metric) -> list[str]:
    return [score.system for score in best_first(_of_systems(data, metric))]

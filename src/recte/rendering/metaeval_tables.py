"""Tables of metrics against ratings, and of metrics against each other."""

from __future__ import annotations

from recte.human.ratings import RaterAgreement
from recte.inference.bootstrap import Interval
from recte.metaeval.metric_clusters import MetricClusters
from recte.metaeval.rating_level import RatingLevel
from recte.rendering.human_tables import METHOD_TITLES
from recte.rendering.tables import Table

__all__ = ["STATISTIC_TITLES", "metric_cluster_table", "rater_table", "rating_level_table"]

STATISTIC_TITLES = {
    "soft_pairwise_accuracy": "SPA",
    "calibrated_accuracy": "calibrated accuracy",
    "accuracy": "accuracy",
    "hties": "HTies",
    "noties": "NoTies",
}
_RATED = {"pearson": "r", "spearman": "ρ", "kendall_b": "τ-b", "kendall_c": "τ-c", "accuracy_23": "accuracy"}
_AVERAGES = {"item": "the mean over items", "system": "the mean over systems", "none": "all cells at once"}
_RATING_LEGEND = "accuracy: pairs judged alike, ties count; calibrated: scores within ε tie; ± half an interval"
_LEVELS = {"system": "System level", "sentence": "Sentence level", "ratings": "Ratings"}


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"  # no -0.000


def _half(interval: Interval | None) -> str:
    return "–" if interval is None else f"{(interval.high - interval.low) / 2:.3f}"


def rating_level_table(result: RatingLevel) -> Table:
    """One row per metric: correlations with ratings, and accuracy over pairs of cells."""
    headers = ["metric"]
    with_intervals = any(metric.intervals for metric in result.metrics)
    for title in _RATED.values():
        headers += [title, "±"] if with_intervals else [title]
    rows = []
    for metric in result.metrics:
        cells = [metric.metric]
        for statistic in _RATED:
            cells.append(_number(getattr(metric, statistic)))
            if with_intervals:
                cells.append(_half(metric.intervals.get(statistic)))
        epsilon = "–" if metric.epsilon is None else f"{metric.epsilon:.3g}"
        rows.append((*cells, _number(metric.calibrated_accuracy), epsilon))
    notes = (f"{result.cells} ratings of {result.items} items", _RATING_LEGEND, result.signature)
    title = f"Ratings, {_AVERAGES[result.average]}"
    return Table(title, (*headers, "calibrated", "ε"), tuple(rows), notes)


def rater_table(agreement: RaterAgreement) -> Table:
    """How far raters agree."""
    rows = (
        ("Krippendorff's α, nominal", _number(agreement.nominal)),
        ("Krippendorff's α, ordinal", _number(agreement.ordinal)),
        ("Krippendorff's α, interval", _number(agreement.interval)),
        ("Krippendorff's α, ratio", _number(agreement.ratio)),
        ("Cohen's κ, quadratic weights", _number(agreement.kappa)),
        ("ICC(A,1)", _number(agreement.icc)),
    )
    note = (
        f"{agreement.ratings} ratings by {agreement.raters}, {agreement.rated_twice} of {agreement.units} outputs twice"
    )
    return Table("Agreement of raters", ("statistic", "value"), rows, (note,))


def metric_cluster_table(clusters: MetricClusters) -> Table:
    """Metrics best first, with their clusters and p where the row beats the column."""
    names = [metric.metric for metric in clusters.metrics]
    p_values = {(test.higher, test.lower): test.p for test in clusters.tests}
    rows = tuple(
        (
            metric.metric,
            str(metric.cluster),
            _number(metric.value),
            *(
                "" if (metric.metric, other) not in p_values else _number(p_values[metric.metric, other], 4)
                for other in names[1:]
            ),
        )
        for metric in clusters.metrics
    )
    human = METHOD_TITLES.get(clusters.human, "")
    title = f"Clusters of metrics: {_LEVELS[clusters.level]}{', ' + human if human else ''}"
    statistic = STATISTIC_TITLES[clusters.statistic]
    notes = (f"p that the row's lead over the column is chance; one beaten at p ≤ {clusters.alpha:g} opens a cluster",)
    return Table(title, ("metric", "cluster", statistic, *names[1:]), rows, (*notes, clusters.signature))

"""Tables of metrics against ratings, and of metrics against each other."""

from __future__ import annotations

from recte.output.tables import Table
from recte.statistics.bootstrap import Interval
from recte.studies.human.ratings import RaterAgreement
from recte.studies.human.tables import METHOD_TITLES, format_number, method_title
from recte.studies.metaeval.metric_clusters import MetricClusters
from recte.studies.metaeval.rank_gaps import RankGroups
from recte.studies.metaeval.rating_correlation import RatingLevel
from recte.studies.metaeval.windows import WindowStudy

__all__ = [
    "STATISTIC_TITLES",
    "metric_cluster_table",
    "rank_gap_table",
    "rater_table",
    "rating_level_table",
    "tie_rule_table",
    "window_table",
]

STATISTIC_TITLES = {
    "soft_pairwise_accuracy": "SPA",
    "calibrated_accuracy": "calibrated accuracy",
    "accuracy": "accuracy",
    "hties": "HTies",
    "noties": "NoTies",
}
_RATED = {"pearson": "r", "spearman": "ρ", "kendall_b": "τ-b", "kendall_c": "τ-c", "accuracy_23": "accuracy"}
_AVERAGES = {"item": "the mean over items", "system": "the mean over systems", "none": "all cells at once"}
_RATING_LEGEND = "accuracy: pairs judged alike, ties count; calibrated: scores within ε tie"
_LEVELS = {"system": "System level", "sentence": "Sentence level", "ratings": "Ratings"}


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
            cells.append(format_number(getattr(metric, statistic)))
            if with_intervals:
                cells.append(_half(metric.intervals.get(statistic)))
        epsilon = "–" if metric.epsilon is None else f"{metric.epsilon:.3g}"
        rows.append((*cells, format_number(metric.calibrated_accuracy), epsilon))
    legend = f"{_RATING_LEGEND}; ± half an interval" if with_intervals else _RATING_LEGEND
    notes = (f"{result.cells} ratings of {result.items} items", legend, result.signature)
    title = f"Ratings, {_AVERAGES[result.average]}"
    return Table(title, (*headers, "calibrated", "ε"), tuple(rows), notes)


def window_table(study: WindowStudy) -> Table:
    """One row per window, from the best systems down: r and ρ of each metric."""
    metrics = list(dict.fromkeys(window.metric for window in study.windows))
    with_intervals = any(window.intervals for window in study.windows)
    headers = ["ranks"]
    for metric in metrics:
        headers += [f"{metric} r", "±", "ρ", "±"] if with_intervals else [f"{metric} r", "ρ"]
    by_place = {(window.metric, window.first_rank): window for window in study.windows}
    rows = []
    for start in sorted({window.first_rank for window in study.windows}):
        cells = [f"{start}–{start + study.size - 1}"]
        for metric in metrics:
            window = by_place[metric, start]
            for kind in ("pearson", "spearman"):
                cells.append(format_number(getattr(window, kind)))
                if with_intervals:
                    cells.append(_half(window.intervals.get(kind)))
        rows.append(tuple(cells))
    title = f"Windows of {study.size} systems, {method_title(study.human)}"
    drawn = ("± half an interval over sentences",) if with_intervals else ()
    notes = (f"in human order: {', '.join(study.systems)}", *drawn, study.signature)
    return Table(title, tuple(headers), tuple(rows), notes)


def tie_rule_table(groups: RankGroups) -> Table:
    """Accuracy and τ over decided pairs: a metric's tie counted half, and as the published scripts count it."""
    rows = tuple(
        (
            one.metric,
            *map(format_number, (one.accuracy, one.tau, one.tie_is_second, one.tau_tie_is_second)),
            *map(format_number, (one.tie_is_first, one.tau_tie_is_first)),
            str(one.metric_ties),
        )
        for one in groups.metrics
    )
    headers = ("metric", "accuracy", "τ", "published accuracy", "τ", "reversed accuracy", "τ", "ties")
    pairs = groups.metrics[0].pairs if groups.metrics else 0
    notes = (
        f"{pairs} decided pairs; accuracy, τ: a metric's tie counts half",
        f"published: a tie is a win of the second system {'as listed' if groups.system_order else 'by name'}; "
        "reversed: the same with systems the other way round",
        groups.signature,
    )
    return Table("Sentence level, by what a metric's tie counts", headers, rows, notes)


def rank_gap_table(groups: RankGroups) -> Table:
    """Accuracy by how far apart judges ranked the two outputs."""
    metrics = list(dict.fromkeys(group.metric for group in groups.by_gap))
    by_place = {(group.metric, group.gap): group for group in groups.by_gap}
    rows = []
    for gap in sorted({group.gap for group in groups.by_gap}):
        found = [by_place[metric, gap] for metric in metrics]
        cells = [
            cell for group in found for cell in (format_number(group.accuracy), format_number(group.tie_is_second))
        ]
        rows.append((str(gap), str(found[0].pairs), *cells))
    headers = [header for metric in metrics for header in (metric, "published")]
    note = (
        "accuracy by the difference of the two ranks in their ranking; published: a tie is a win of the second system"
    )
    return Table("Pairs by rank gap", ("gap", "pairs", *headers), tuple(rows), (note,))


def rater_table(agreement: RaterAgreement) -> Table:
    """How far raters agree."""
    rows = (
        ("Krippendorff's α, nominal", format_number(agreement.nominal)),
        ("Krippendorff's α, ordinal", format_number(agreement.ordinal)),
        ("Krippendorff's α, interval", format_number(agreement.interval)),
        ("Krippendorff's α, ratio", format_number(agreement.ratio)),
        ("Cohen's κ, quadratic weights", format_number(agreement.kappa)),
        ("ICC(A,1)", format_number(agreement.icc)),
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
            format_number(metric.value),
            *(
                "" if (metric.metric, other) not in p_values else format_number(p_values[metric.metric, other], 4)
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

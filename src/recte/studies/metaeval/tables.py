"""Tables of metrics against judgments: systems, sentences, tests of differences.

Tables of metrics against ratings, and of metrics against each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from recte.output.tables import Table
from recte.statistics.bootstrap import Interval
from recte.studies.human.ratings import RaterAgreement
from recte.studies.human.tables import METHOD_TITLES, format_number, format_range, method_title
from recte.studies.metaeval.ceiling import CorrelationCeiling
from recte.studies.metaeval.metric_comparison import MetricClusters
from recte.studies.metaeval.rating_correlation import RatingLevel
from recte.studies.metaeval.sentence_correlation import RankGroups, SentenceLevel
from recte.studies.metaeval.system_correlation import SystemLevel, WilliamsTest
from recte.studies.metaeval.windows import WindowStudy

__all__ = [
    "STATISTIC_TITLES",
    "difference_table",
    "metric_cluster_table",
    "permutation_table",
    "rank_gap_table",
    "rater_table",
    "rating_level_table",
    "sentence_level_table",
    "system_level_table",
    "table_without_each",
    "tie_rule_table",
    "williams_table",
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


def _half_width(interval: Interval | None) -> str:
    return "–" if interval is None else f"{(interval.high - interval.low) / 2:.3f}"


def _best_first(metrics: Sequence[Any], statistic: str) -> list[Any]:
    """Metrics by a figure, the highest first; those without it last."""
    values = {id(metric): getattr(metric, statistic) for metric in metrics}
    return sorted(metrics, key=lambda m: -math.inf if values[id(m)] is None else values[id(m)], reverse=True)


def _verdict(metrics: Sequence[Any], titles: Mapping[str, str]) -> list[str]:
    """One line: which metric is closest to people, by which figures. A figure by which all are alike says nothing."""
    by_winner: dict[str, list[str]] = {}
    for statistic, title in titles.items():
        known = {metric.metric: getattr(metric, statistic) for metric in metrics}
        known = {name: value for name, value in known.items() if value is not None}
        best = max(known.values(), default=0.0)
        winners = [name for name, value in known.items() if value > best - 1e-12]
        if len(winners) < len(known):
            by_winner.setdefault(" and ".join(winners), []).append(title)
    parts = [f"{names} by {', '.join(figures)}" for names, figures in by_winner.items()]
    return [f"closest to people: {'; '.join(parts)}"] if parts else []


def rating_level_table(result: RatingLevel) -> Table:
    """One row per metric: correlations with ratings, and accuracy over pairs of cells."""
    headers = ["metric"]
    with_intervals = any(metric.intervals for metric in result.metrics)
    for title in _RATED.values():
        headers += [title, "±"] if with_intervals else [title]
    rows = []
    for metric in _best_first(result.metrics, "pearson"):
        cells = [metric.metric]
        for statistic in _RATED:
            cells.append(format_number(getattr(metric, statistic)))
            if with_intervals:
                cells.append(_half_width(metric.intervals.get(statistic)))
        epsilon = "–" if metric.epsilon is None else f"{metric.epsilon:.3g}"
        rows.append((*cells, format_number(metric.calibrated_accuracy), epsilon))
    legend = f"{_RATING_LEGEND}; ± half an interval" if with_intervals else _RATING_LEGEND
    counted = f"{result.cells} ratings of {result.items} items"
    notes = (*_verdict(result.metrics, _RATED), counted, legend, result.signature)
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
                    cells.append(_half_width(window.intervals.get(kind)))
        rows.append(tuple(cells))
    title = f"Windows of {study.size} systems, {method_title(study.human)}"
    drawn = ("± half an interval over sentences",) if with_intervals else ()
    notes = (f"in human order: {', '.join(study.systems)}", *drawn, study.signature)
    return Table(title, tuple(headers), tuple(rows), notes)


def tie_rule_table(groups: RankGroups) -> Table:
    """Accuracy and τ over decided pairs: a metric's tie counted half, and as the published scripts count it."""
    rows = tuple(
        (
            of_metric.metric,
            *map(
                format_number, (of_metric.accuracy, of_metric.tau, of_metric.tie_is_second, of_metric.tau_tie_is_second)
            ),
            *map(format_number, (of_metric.tie_is_first, of_metric.tau_tie_is_first)),
            str(of_metric.metric_ties),
        )
        for of_metric in groups.metrics
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
        of_gap = [by_place[metric, gap] for metric in metrics]
        cells = [
            cell for group in of_gap for cell in (format_number(group.accuracy), format_number(group.tie_is_second))
        ]
        rows.append((str(gap), str(of_gap[0].pairs), *cells))
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


CORRELATION_TITLES = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ"}
_STATISTICS = {
    "pearson": "r",
    "spearman": "ρ",
    "kendall": "τ",
    "pairwise_accuracy": "PA",
    "soft_pairwise_accuracy": "SPA",
}
_SYSTEM_LEGEND = "r Pearson, ρ Spearman, τ Kendall; PA, SPA: pairwise accuracy, soft pairwise accuracy"
_SENTENCE_LEGEND = (
    "HTies, NoTies: Kendall's τ with and without human ties; accuracy: ties count;",
    "calibrated: scores within ε tie; ± half an interval; * above all others",
)
_JUDGE = "(a judge)"
_JUDGE_LEGEND = f"{_JUDGE}: what one judge reaches against the others, on average"
_VARIANTS = {"hties": "HTies", "noties": "NoTies", "accuracy": "accuracy"}


def system_level_table(result: SystemLevel, ceiling: CorrelationCeiling | None = None) -> Table:
    """One row a metric: correlations, their intervals where they were asked for, and what a judge reaches."""
    headers = ["metric"]
    for statistic, symbol in _STATISTICS.items():
        headers.append(symbol)
        if result.intervals and statistic != "soft_pairwise_accuracy":
            headers.append(f"{symbol} {_level(result)}")
    rows = []
    for metric in _best_first(result.metrics, "pearson"):
        cells = [metric.metric]
        for statistic in _STATISTICS:
            cells.append(format_number(getattr(metric, statistic)))
            if result.intervals and statistic != "soft_pairwise_accuracy":
                cells.append(format_range((metric.intervals or {}).get(statistic), 2))
        rows.append(tuple(cells))
    best = _best(rows, headers, set(_STATISTICS.values()))
    notes = [*_verdict(result.metrics, _STATISTICS), _SYSTEM_LEGEND, result.signature]
    if ceiling is not None and ceiling.pearson is not None:
        of_judge = {symbol: format_number(getattr(ceiling, s, None)) for s, symbol in _STATISTICS.items()}
        rows.append((_JUDGE, *(of_judge.get(header, "") for header in headers[1:])))
        notes.insert(-1, _JUDGE_LEGEND)
    published = [
        f"{metric.metric} {', '.join(map(format_number, metric.published_soft_accuracy))}"
        for metric in result.metrics
        if metric.published_soft_accuracy is not None
        and format_number(metric.published_soft_accuracy[0]) != format_number(metric.published_soft_accuracy[1])
    ]
    if published:
        told = "SPA as published, ties counted whole, with systems by name and reversed"
        notes.insert(-1, f"{told}: {'; '.join(published)}")
    title = f"System level, {method_title(result.human)} ({len(result.systems)} systems)"
    return Table(title, tuple(headers), tuple(rows), tuple(notes), best)


def _level(result: SystemLevel) -> str:
    intervals = next((m.intervals for m in result.metrics if m.intervals), None)
    level = next(iter(intervals.values())).level if intervals else 0.95
    return f"{100 * level:g}%"


def _best(rows: Sequence[tuple[str, ...]], headers: Sequence[str], columns: set[str]) -> frozenset[tuple[int, int]]:
    best = set()
    for c, header in enumerate(headers):
        values = (
            {r: float(row[c].rstrip("*")) for r, row in enumerate(rows) if row[c] != "–"} if header in columns else {}
        )
        if len(values) > 1:
            best |= {(r, c) for r, value in values.items() if value == max(values.values())}
    return frozenset(best)


def williams_table(result: SystemLevel, kind: str) -> Table:
    """The paper's Figure 2 as a table: p where the row's metric correlates better than the column's."""
    names = [metric.metric for metric in result.metrics]
    tests = {
        (test.higher, test.lower): test for test in result.williams if test.correlation == kind and test.difference > 0
    }
    rows = tuple((a, *(_p(tests.get((a, b))) for b in names)) for a in names)
    title = (
        f"Williams' test, {method_title(result.human)}, {CORRELATION_TITLES[kind]}: p where the row correlates better"
    )
    return Table(title, ("metric", *names), rows)


def _p(test: WilliamsTest | None) -> str:
    return "" if test is None else format_number(test.p, 5)


def table_without_each(result: SystemLevel) -> Table:
    """Each metric's r and ρ without one system."""
    headers = ["without"]
    columns: list[Mapping[str, float | None]] = []
    for metric in result.metrics:
        for kind in ("pearson", "spearman"):
            headers.append(f"{metric.metric} {_STATISTICS[kind]}")
            columns.append((metric.left_out or {}).get(kind, {}))
    rows = tuple((system, *(format_number(column.get(system)) for column in columns)) for system in result.systems)
    return Table(f"One system left out, {method_title(result.human)}", tuple(headers), rows)


def permutation_table(result: SystemLevel) -> Table:
    """Differences of correlation and how likely they are by chance."""
    rows = tuple(
        (
            f"{test.first} − {test.second}",
            test.permuted,
            CORRELATION_TITLES[test.correlation],
            f"{test.difference:+.3f}",
            format_number(test.p, 4),
            format_number(test.p_one_sided, 4),
        )
        for test in result.permutations
    )
    headers = ("metrics", "swapped", "correlation", "difference", "p", "p one-sided")
    return Table(f"Permutation tests, {method_title(result.human)}", headers, rows)


def sentence_level_table(result: SentenceLevel, ceiling: CorrelationCeiling | None = None) -> Table:
    """The paper's Table 3: a star where a metric's interval lies above all others'."""
    headers = ["metric"]
    for title in _VARIANTS.values():
        headers += [title, "±"]
    headers += ["calibrated", "ε"]
    rows: list[tuple[str, ...]] = []
    for metric in _best_first(result.metrics, next(iter(_VARIANTS))):
        cells = [metric.metric]
        for variant in _VARIANTS:
            star = "*" if variant in metric.stands_out else ""
            cells += [f"{format_number(getattr(metric, variant))}{star}", _half_width(metric.intervals.get(variant))]
        rows.append((*cells, format_number(metric.calibrated_accuracy), f"{metric.epsilon:.3g}"))
    best = _best(rows, headers, set(_VARIANTS.values()))
    legend: tuple[str, ...] = _SENTENCE_LEGEND
    if ceiling is not None and ceiling.common:
        values: dict[str, Any] = {variant: format_number(getattr(ceiling, variant)) for variant in _VARIANTS}
        rows.append((_JUDGE, *(cell for v in _VARIANTS for cell in (values[v], "")), "", ""))
        legend = (*_SENTENCE_LEGEND, _JUDGE_LEGEND)
    counted = f"{result.pairs} pairs, {result.decided} of them decided (NoTies), {result.sentences} sentences"
    notes = (*_verdict(result.metrics, _VARIANTS), counted, *legend, result.signature)
    return Table("Sentence level", tuple(headers), tuple(rows), notes, best)


def difference_table(result: SentenceLevel) -> Table:
    """Paired differences of two metrics on the same resamples."""
    rows = tuple(
        (
            f"{d.first} − {d.second}",
            _VARIANTS[d.statistic],
            f"{d.difference:+.3f}",
            format_range(d.interval),
            format_number(d.p, 3),
        )
        for d in result.differences
    )
    return Table("Paired differences", ("metrics", "statistic", "difference", "interval", "p"), rows)

"""Tables of metrics against judgments: systems, sentences, tests of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recte.output.tables import Table
from recte.statistics.bootstrap import Interval
from recte.studies.human.tables import format_number, format_range, method_title
from recte.studies.metaeval.ceiling import CorrelationCeiling
from recte.studies.metaeval.sentence_correlation import SentenceLevel
from recte.studies.metaeval.system_correlation import SystemLevel, WilliamsTest

__all__ = [
    "difference_table",
    "left_out_table",
    "permutation_table",
    "sentence_level_table",
    "system_level_table",
    "williams_table",
]

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
    for metric in result.metrics:
        cells = [metric.metric]
        for statistic in _STATISTICS:
            cells.append(format_number(getattr(metric, statistic)))
            if result.intervals and statistic != "soft_pairwise_accuracy":
                cells.append(format_range((metric.intervals or {}).get(statistic), 2))
        rows.append(tuple(cells))
    best = _best(rows, headers, set(_STATISTICS.values()))
    notes = [_SYSTEM_LEGEND, result.signature]
    if ceiling is not None and ceiling.pearson is not None:
        of_judge = {symbol: format_number(getattr(ceiling, s, None)) for s, symbol in _STATISTICS.items()}
        rows.append((_JUDGE, *(of_judge.get(header, "") for header in headers[1:])))
        notes.insert(1, _JUDGE_LEGEND)
    published = [
        f"{metric.metric} {', '.join(map(format_number, metric.published_soft_accuracy))}"
        for metric in result.metrics
        if metric.published_soft_accuracy is not None
        and format_number(metric.published_soft_accuracy[0]) != format_number(metric.published_soft_accuracy[1])
    ]
    if published:
        told = "SPA as published, ties counted whole, with systems by name and reversed"
        notes.insert(1, f"{told}: {'; '.join(published)}")
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


def left_out_table(result: SystemLevel) -> Table:
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
    for metric in result.metrics:
        cells = [metric.metric]
        for variant in _VARIANTS:
            star = "*" if variant in metric.stands_out else ""
            cells += [f"{format_number(getattr(metric, variant))}{star}", _half(metric.intervals.get(variant))]
        rows.append((*cells, format_number(metric.calibrated_accuracy), f"{metric.epsilon:.3g}"))
    best = _best(rows, headers, set(_VARIANTS.values()))
    legend: tuple[str, ...] = _SENTENCE_LEGEND
    if ceiling is not None and ceiling.common:
        values: dict[str, Any] = {variant: format_number(getattr(ceiling, variant)) for variant in _VARIANTS}
        rows.append((_JUDGE, *(cell for v in _VARIANTS for cell in (values[v], "")), "", ""))
        legend = (*_SENTENCE_LEGEND, _JUDGE_LEGEND)
    counted = f"{result.pairs} pairs, {result.decided} of them decided (NoTies), {result.sentences} sentences"
    return Table("Sentence level", tuple(headers), tuple(rows), (counted, *legend, result.signature), best)


def _half(interval: Interval | None) -> str:
    return "–" if interval is None else f"{(interval.high - interval.low) / 2:.3f}"


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

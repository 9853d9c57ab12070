"""Tables of human rankings and of metrics against humans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recte.human.judge_agreement import Agreement, JudgmentSummary
from recte.human.ranking import HumanRanking, RankedSystem
from recte.inference.bootstrap import Interval
from recte.metaeval.ceiling import Ceiling
from recte.metaeval.sentence_correlation import SentenceLevel
from recte.metaeval.system_correlation import SystemLevel, WilliamsTest
from recte.rendering.tables import Table

__all__ = [
    "METHOD_TITLES",
    "difference_table",
    "head_to_head_table",
    "judge_table",
    "left_out_table",
    "permutation_table",
    "ranking_table",
    "sentence_level_table",
    "system_level_table",
    "williams_table",
]

METHOD_TITLES = {
    "expected-wins": "Expected Wins",
    "trueskill": "TrueSkill",
    "expected-trueskill": "TrueSkill without chance",
    "mean-rating": "mean ratings",
    "mean-rating-z": "mean ratings, raters' z-scores",
    "mean-rating-rank": "mean ratings, raters' ranks",
}
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


def _title(human: str) -> str:
    return METHOD_TITLES.get(human, human)


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"  # no -0.000


def _range(interval: Interval | None, digits: int = 3) -> str:
    return "–" if interval is None else f"[{_number(interval.low, digits)}, {_number(interval.high, digits)}]"


def ranking_table(ranking: HumanRanking, *, apart: bool = False) -> Table:
    """Systems best first, with their clusters and rank ranges; ends of ranges in columns of their own if `apart`."""
    ranks = ("best rank", "worst rank") if apart else ("ranks",)
    interval = ("low", "high") if apart else (f"{100 * ranking.level:g}% interval",)
    rows = tuple(
        (
            system.system,
            str(system.cluster),
            *((str(system.best_rank), str(system.worst_rank)) if apart else (_ranks(system),)),
            _number(system.score),
            *((_number(system.interval.low), _number(system.interval.high)) if apart else (_range(system.interval),)),
            str(system.wins),
            str(system.ties),
            str(system.losses),
        )
        for system in ranking.systems
    )
    headers = ("system", "cluster", *ranks, "score", *interval, "wins", "ties", "losses")
    return Table(_title(ranking.method), headers, rows, (ranking.signature,))


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


def system_level_table(result: SystemLevel, ceiling: Ceiling | None = None) -> Table:
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
            cells.append(_number(getattr(metric, statistic)))
            if result.intervals and statistic != "soft_pairwise_accuracy":
                cells.append(_range((metric.intervals or {}).get(statistic), 2))
        rows.append(tuple(cells))
    best = _best(rows, headers, set(_STATISTICS.values()))
    notes = [_SYSTEM_LEGEND, result.signature]
    if ceiling is not None and ceiling.pearson is not None:
        of_judge = {symbol: _number(getattr(ceiling, s, None)) for s, symbol in _STATISTICS.items()}
        rows.append((_JUDGE, *(of_judge.get(header, "") for header in headers[1:])))
        notes.insert(1, _JUDGE_LEGEND)
    published = [
        f"{metric.metric} {_number(metric.published_soft_accuracy[0])}, {_number(metric.published_soft_accuracy[1])}"
        for metric in result.metrics
        if metric.published_soft_accuracy is not None
        and _number(metric.published_soft_accuracy[0]) != _number(metric.published_soft_accuracy[1])
    ]
    if published:
        told = "SPA as published, ties counted whole, with systems by name and reversed"
        notes.insert(1, f"{told}: {'; '.join(published)}")
    title = f"System level, {_title(result.human)} ({len(result.systems)} systems)"
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
    title = f"Williams' test, {_title(result.human)}, {CORRELATION_TITLES[kind]}: p where the row correlates better"
    return Table(title, ("metric", *names), rows)


def _p(test: WilliamsTest | None) -> str:
    return "" if test is None else _number(test.p, 5)


def left_out_table(result: SystemLevel) -> Table:
    """Each metric's r and ρ without one system."""
    headers = ["without"]
    columns: list[Mapping[str, float | None]] = []
    for metric in result.metrics:
        for kind in ("pearson", "spearman"):
            headers.append(f"{metric.metric} {_STATISTICS[kind]}")
            columns.append((metric.left_out or {}).get(kind, {}))
    rows = tuple((system, *(_number(column.get(system)) for column in columns)) for system in result.systems)
    return Table(f"One system left out, {_title(result.human)}", tuple(headers), rows)


def permutation_table(result: SystemLevel) -> Table:
    """Differences of correlation and how likely they are by chance."""
    rows = tuple(
        (
            f"{test.first} − {test.second}",
            test.permuted,
            CORRELATION_TITLES[test.correlation],
            f"{test.difference:+.3f}",
            _number(test.p, 4),
            _number(test.p_one_sided, 4),
        )
        for test in result.permutations
    )
    headers = ("metrics", "swapped", "correlation", "difference", "p", "p one-sided")
    return Table(f"Permutation tests, {_title(result.human)}", headers, rows)


def sentence_level_table(result: SentenceLevel, ceiling: Ceiling | None = None) -> Table:
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
            cells += [f"{_number(getattr(metric, variant))}{star}", _half(metric.intervals.get(variant))]
        rows.append((*cells, _number(metric.calibrated_accuracy), f"{metric.epsilon:.3g}"))
    best = _best(rows, headers, set(_VARIANTS.values()))
    legend: tuple[str, ...] = _SENTENCE_LEGEND
    if ceiling is not None and ceiling.common:
        values: dict[str, Any] = {variant: _number(getattr(ceiling, variant)) for variant in _VARIANTS}
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
            _range(d.interval),
            _number(d.p, 3),
        )
        for d in result.differences
    )
    return Table("Paired differences", ("metrics", "statistic", "difference", "interval", "p"), rows)

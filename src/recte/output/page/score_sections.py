"""What a page says of scores: who is best and how sure, one table of all metrics, and one part for each.

Where on the page each chart stands: what answers the first questions in sight, the rest folded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from recte.evaluation.evaluation import Evaluation
from recte.metrics.base import Metric, Score
from recte.output.charts.theme import best_first, figure_name, list_names
from recte.output.comparison import test_name
from recte.output.score_tables import interval_text, score_table
from recte.statistics.comparison import Comparison

__all__ = ["chart_sections", "metric_section", "score_summary", "sort_scores"]

# By the beginnings of their names. Differences between systems are a table on the page, not a chart.
_SECTIONS = {
    "scores": ("scores-",),
    "failures": ("error-types", "precision-recall-"),
    "more": ("sentence-scores-", "metric-scatter-", "conservatism"),
    "people": ("ranking", "metric-clusters-", "rank-gaps", "scatter-", "windows-"),
}


def chart_sections(charts: Mapping[str, Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The charts of each part of the page, in order: name, title, description. One point alone is no chart."""
    return {
        section: [
            _describe(name, charts[name])
            for start in starts
            for name in charts
            if name.startswith(start) and not _is_one_point(charts[name])
        ]
        for section, starts in _SECTIONS.items()
    }


def _is_one_point(chart: Mapping[str, Any]) -> bool:
    rows = chart.get("datasets", {})
    return "systems" in rows and len(rows["systems"]) + len(rows.get("idle", ())) == 1


def _describe(name: str, chart: Mapping[str, Any]) -> dict[str, Any]:
    title = chart.get("title", "")
    text = str(title.get("text", "") if isinstance(title, Mapping) else title)
    return {"name": name, "title": text, "description": chart.get("description", "") or text}


_NAMED = 4  # so many systems are called by name in a sentence


def score_summary(data: Evaluation) -> list[dict[str, Any]]:
    """One row per system, in the first metric's order: each metric's score with its interval."""
    order = [score.system for metric in data.metrics for score in sort_scores(data, metric)]
    return [
        {
            "system": name,
            "idle": name == data.do_nothing_name,
            "cells": [_summary_cell(data, metric, name) for metric in data.metrics],
        }
        for name in dict.fromkeys(order)
    ]


def _summary_cell(data: Evaluation, metric: Metric, system: str) -> dict[str, Any]:
    scores = data.scores[metric.name]
    score = next((score for score in scores if score.system == system), None)
    if score is None:
        return {"score": "–", "ends": "", "best": False, "level": False}
    best = best_first(scores)[0]
    return {
        "score": _with_minus(f"{metric.score_factor * score.score:.2f}"),
        "ends": _with_minus(interval_text(score.interval, 2, metric.score_factor)) if score.interval else "",
        "best": score.score == best.score,
        "level": _is_level(data.comparisons.get(metric.name), best.system, system),
    }


def _is_level(comparison: Comparison | None, best: str, system: str) -> bool:
    """Whether a test cannot tell the system from the best one."""
    pair_and_sign = None if comparison is None else comparison.pair(best, system)
    return comparison is not None and pair_and_sign is not None and not comparison.is_significant(pair_and_sign[0])


def sort_scores(data: Evaluation, metric: Metric) -> list[Score]:
    """A metric's scores, systems best first, doing nothing last where it is no system."""
    comparison = data.comparisons.get(metric.name)
    if comparison is None:
        return best_first(data.scores[metric.name])
    order = {name: place for place, name in enumerate(comparison.systems)}
    return sorted(data.scores[metric.name], key=lambda score: order.get(score.system, len(order)))


def metric_section(data: Evaluation, metric: Metric) -> dict[str, Any]:
    """A metric's verdict, its table, who beats whom, and its signature."""
    comparison = data.comparisons.get(metric.name)
    scores = sort_scores(data, metric)
    return {
        "title": metric.heading,
        "higher_is_better": metric.higher_is_better,
        "verdict": _verdict(data, metric, scores),
        "table": _table(metric, scores, comparison),
        "more": _more_figures(metric, scores),
        "matrix": None if comparison is None else _matrix(comparison),
        "signature": scores[0].signature,
    }


def _verdict(data: Evaluation, metric: Metric, scores: Sequence[Score]) -> dict[str, str]:
    """Which system is best by this metric, and whom it beats: significantly, as everywhere on the page."""
    best = next((score for score in scores if score.system != data.do_nothing_name), scores[0])
    idle = next((score for score in scores if score.system == data.do_nothing_name), best)
    comparison = data.comparisons.get(metric.name)
    sure = "" if comparison is None else _how_sure(comparison, best.system)
    if best_first([best, idle])[0] != best:
        sure = "; ".join(filter(None, (sure, f"doing nothing scores better ({metric.score_factor * idle.score:.2f})")))
    figure = f"{figure_name(metric)} {metric.score_factor * best.score:.2f}"
    figure += f" {interval_text(best.interval, 2, metric.score_factor)}" if best.interval else ""
    return {"system": best.system, "figure": _with_minus(figure), "sure": _with_minus(sure)}


def _how_sure(comparison: Comparison, best: str) -> str:
    others = [name for name in comparison.systems if name != best]
    level = [name for name in others if _is_level(comparison, best, name)]
    if not level:
        return f"beats {_all(len(others))}"
    if len(level) == len(others):
        return f"differs significantly from {'the other system' if len(others) == 1 else 'no other system'}"
    apart = list_names(level) if len(level) <= _NAMED else f"{len(level)} others"
    return f"beats {len(others) - len(level)} of {len(others)} others, and does not differ significantly from {apart}"


def _all(others: int) -> str:
    return {1: "the other system", 2: "both others"}.get(others, f"all {others} others")


def _more_figures(metric: Metric, scores: Sequence[Score]) -> dict[str, Any] | None:
    """Figures that the metric's own columns leave out, as detection by the I-measure; None where there are none."""
    shown = {column.path for column in metric.columns}
    columns = tuple({c.path: c for c in metric.more_columns if c.path not in shown}.values())
    if not columns:
        return None
    table = score_table(metric.title, scores, columns)
    rows = [[row[0], *map(_with_minus, row[1 : len(columns) + 1])] for row in table.rows]
    return {"headers": table.headers[: len(columns) + 1], "rows": rows}


def _table(metric: Metric, scores: Sequence[Score], comparison: Comparison | None) -> dict[str, Any]:
    """The score and its interval come first, then what it is made of."""
    table = score_table(metric.title, scores, metric.columns)
    first = next((c + 1 for c, column in enumerate(metric.columns) if column.path == ("score",)), None)
    columns = [] if first is None else [first]
    columns += range(len(metric.columns) + 1, len(table.headers))  # the interval
    order = [0, *columns, *(c for c in range(1, len(metric.columns) + 1) if c not in columns)]
    clusters = {} if comparison is None else _cluster_of(comparison.clusters or ())
    return {
        "headers": [table.headers[c] for c in order],
        "rows": [
            {
                "cells": [
                    {"text": _with_minus(row[c]) if c else row[c], "best": (number, c) in table.best} for c in order
                ],
                "cluster": clusters.get(scores[number].system),
            }
            for number, row in enumerate(table.rows)
        ],
        "notes": [note for note in table.notes if note not in {score.signature for score in scores}],
    }


def _with_minus(text: str) -> str:
    """A figure with minus signs, where it has hyphens before digits."""
    return _HYPHEN.sub("−", text)


_HYPHEN = re.compile(r"(?<![\w.])-(?=\d)")


def _cluster_of(clusters: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, cluster in enumerate(clusters, 1) for name in cluster}


def _matrix(comparison: Comparison) -> dict[str, Any]:
    """The better system of a pair is the row, the other the column: the difference, and whether it is significant."""
    above, below = comparison.systems[:-1], comparison.systems[1:]
    largest = max((abs(pair.difference) for pair in comparison.pairs), default=0.0) or 1.0

    def cell(row: int, column: int) -> dict[str, Any] | None:
        pair_and_sign = (
            comparison.pair(comparison.systems[row], comparison.systems[column + 1]) if column >= row else None
        )
        if pair_and_sign is None:
            return None
        pair, sign = pair_and_sign
        return {
            "text": _with_minus(f"{comparison.score_factor * sign * pair.difference:+.1f}"),
            "sure": comparison.is_significant(pair),
            "depth": 1 + round(3 * abs(pair.difference) / largest),  # of colour
            "p": "< 0.0001" if comparison.p(pair) < 0.00005 else f"= {comparison.p(pair):.4f}",
        }

    return {
        "columns": below,
        "rows": [
            {"system": name, "cells": [cell(row, column) for column in range(len(below))]}
            for row, name in enumerate(above)
        ],
        "test": f"p < {comparison.alpha:g} by {test_name(comparison)}",
    }

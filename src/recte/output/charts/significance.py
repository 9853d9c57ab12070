"""Who beats whom: differences of every pair of systems, those beyond chance filled and starred."""

from __future__ import annotations

from typing import Any

from recte.metrics.base import Metric
from recte.output.charts import vega_lite as alt
from recte.output.charts.axes import names_across, names_down
from recte.output.charts.naming import figure_name
from recte.output.charts.theme import drawn_from, specification
from recte.output.comparison import test_name
from recte.statistics.comparison import ComparedPair, Comparison

__all__ = ["significance_chart"]

_CELL_WIDTH, _CELL_HEIGHT = 52, 28


def significance_chart(metric: Metric, comparison: Comparison) -> dict[str, Any]:
    """The better system of a pair is the row, the other the column."""
    order = list(comparison.systems)
    cells = [_cell(comparison, pair) for pair in comparison.pairs]
    above, below = order[:-1], order[1:]
    tooltip = [
        alt.Tooltip("row:N", title="better"),
        alt.Tooltip("column:N", title="worse"),
        alt.Tooltip("difference:Q", title="difference", format="+.2f"),
        alt.Tooltip("interval:N", title=f"{100 * comparison.pairs[0].interval.level:g}% interval"),
        alt.Tooltip("p:N", title="p (Holm)" if comparison.corrected else "p"),
        alt.Tooltip("verdict:N", title="so"),
    ]
    layers = []
    data = {
        "chance": [cell for cell in cells if not cell["sure"]],
        "sure": [cell for cell in cells if cell["sure"]],
    }
    for kind in (kind for kind in data if data[kind]):
        sure = kind == "sure"
        base = drawn_from(kind).encode(
            x=names_across("column", below),
            y=names_down("row", above),
            tooltip=tooltip,
        )
        colour = alt.Color("difference:Q", scale=alt.Scale(zero=True), legend=None)
        rectangle = (
            base.mark_rect(style="full-cell").encode(color=colour) if sure else base.mark_rect(style="empty-cell")
        )
        layers += [rectangle, base.mark_text(style="sure" if sure else "quiet").encode(text=alt.Text("label:N"))]
    significant = len(data["sure"])
    best, second = order[0], order[1]
    told_apart = comparison.is_significant(comparison.pairs[0])
    drawn = specification(
        alt.layer(*layers),
        data,
        title=f"{metric.title}: who beats whom",
        subtitle=_subtitle(metric, comparison),
        description=f"Differences of {figure_name(metric)} between {len(order)} systems: {significant} of {len(cells)} "
        f"pairs differ significantly; the best, {best}, {'beats' if told_apart else 'is not told apart from'} the "
        f"second, {second} ({comparison.score_factor * abs(comparison.pairs[0].difference):.2f} points).",
        width=max(_CELL_WIDTH * len(below), 160),
        height=_CELL_HEIGHT * len(above),
        columns=len(below),
    )
    return {**drawn, "usermeta": {"narrowest": 0.85}}  # a cell is as wide as its figure


def _subtitle(metric: Metric, comparison: Comparison) -> str:
    first = f"row less column, in points of {figure_name(metric)}; filled with *: p < {comparison.alpha:g}"
    return f"{first}\n{test_name(comparison)}"


def _cell(comparison: Comparison, pair: ComparedPair) -> dict[str, Any]:
    sure = comparison.is_significant(pair)
    p, factor = comparison.p(pair), comparison.score_factor
    return {
        "row": pair.first,
        "column": pair.second,
        "difference": round(factor * pair.difference, 6),
        "interval": f"{factor * pair.interval.low:+.2f} to {factor * pair.interval.high:+.2f}",
        "p": "< 0.0001" if p < 0.00005 else f"{p:.4f}",
        "sure": sure,
        "verdict": "significant" if sure else "could be chance",
        "label": f"{factor * pair.difference:+.1f}{'*' if sure else ''}".replace("-", "−"),
    }

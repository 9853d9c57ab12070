"""Many systems on one page: rank ranges and clusters by each metric, tracks, and each system's sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from recte.errors import OptionError, describe_choices
from recte.evaluation.evaluation import Evaluation
from recte.metrics.base import Metric
from recte.output.charts.scores import score_chart
from recte.output.charts.theme import figure_name, list_names
from recte.output.page.score_sections import chart_sections, sort_scores
from recte.output.page.writing import with_sentences
from recte.output.score_tables import interval_text

__all__ = ["render_leaderboard"]

_NO_SCORE = {"value": "", "score": "–", "ends": "", "ranks": "", "cluster": ""}


def render_leaderboard(
    data: Evaluation, tracks: Mapping[str, Sequence[str]] | None = None, *, home: tuple[str, str] | None = None
) -> str:
    """The leaderboard as one HTML text that needs nothing else; `tracks` of each system, where it runs in some.

    Systems are in the order of the first metric. `home` is the page that it belongs to: its address and its name.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go ."] * 5, [["He goes ."] * 5])
    >>> systems = [recte.System("one", ("He goes .",) * 5), recte.System("two", ("He go .",) * 5)]
    >>> 'data-tracks="[&#34;open&#34;]"' in render_leaderboard(recte.evaluate(gold, systems), {"one": ["open"]})
    True
    """
    known = [system.name for system in data.systems]
    tracks = tracks or {}
    stranger = next((name for name in tracks if name not in known), None)
    if stranger is not None:
        raise OptionError(f"tracks: {describe_choices([list_names(known)], stranger, 'systems')}")
    charts = {f"scores-{m.name}": score_chart(m, data.scores[m.name], data.do_nothing_name) for m in data.metrics}
    columns = [_column(data, metric) for metric in data.metrics]
    order = [score.system for metric in data.metrics for score in sort_scores(data, metric)]
    return with_sentences(
        "leaderboard.html",
        data,
        charts,
        kind="leaderboard",
        home=home,
        charts=chart_sections(charts),
        metrics=[
            {"title": metric.title, "figure": figure_name(metric), "higher_is_better": metric.higher_is_better}
            for metric in data.metrics
        ],
        comparing=bool(data.comparisons),
        tracks=sorted({track for of_system in tracks.values() for track in of_system}),
        rows=[
            {
                "system": name,
                "place": known.index(name) if name in known else None,
                "idle": name == data.do_nothing_name,
                "address": f"#sentences?system={quote(name)}",
                "tracks": list(tracks.get(name, ())),
                "cells": [column.get(name, _NO_SCORE) for column in columns],
            }
            for name in dict.fromkeys(order)
        ],
    )


def _column(data: Evaluation, metric: Metric) -> dict[str, dict[str, Any]]:
    """By system: its score by a metric, its interval, its ranks and its cluster."""
    comparison = data.comparisons.get(metric.name)
    ranges = {} if comparison is None else comparison.rank_ranges
    clusters = () if comparison is None else comparison.clusters or ()
    numbers = {name: number for number, cluster in enumerate(clusters, 1) for name in cluster}
    return {
        score.system: {
            "value": repr(score.score),
            "score": f"{metric.score_factor * score.score:.2f}",
            "ends": interval_text(score.interval, 2, metric.score_factor) if score.interval else "",
            "ranks": _span(*ranges[score.system]) if score.system in ranges else "",
            "cluster": numbers.get(score.system, ""),
        }
        for score in data.scores[metric.name]
    }


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"

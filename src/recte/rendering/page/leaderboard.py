"""Many systems on one page: rank ranges and clusters by each metric, tracks, and each system's sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from recte.errors import OptionError
from recte.evaluation import Evaluation
from recte.metrics.base import Metric
from recte.rendering.charts.naming import figure_name, listed
from recte.rendering.charts.scores import score_chart
from recte.rendering.page.chart_sections import chart_sections
from recte.rendering.page.score_sections import ordered_scores
from recte.rendering.page.writing import with_sentences

__all__ = ["render_leaderboard"]


def render_leaderboard(data: Evaluation, tracks: Mapping[str, Sequence[str]] | None = None) -> str:
    """The leaderboard as one HTML text that needs nothing else; `tracks` of each system, where it runs in some.

    Systems are in the order of the first metric.

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
        raise OptionError(f"tracks: expected one of the systems {listed(known)}, got {stranger!r}")
    charts = {f"scores-{m.name}": score_chart(m, data.scores[m.name], data.idle) for m in data.metrics}
    order = [score.system for metric in data.metrics for score in ordered_scores(data, metric)]
    return with_sentences(
        "leaderboard.html",
        data,
        charts,
        kind="leaderboard",
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
                "idle": name == data.idle,
                "address": f"#sentences?system={quote(name)}",
                "tracks": list(tracks.get(name, ())),
                "cells": [_cell(data, metric, name) for metric in data.metrics],
            }
            for name in dict.fromkeys(order)
        ],
    )


def _cell(data: Evaluation, metric: Metric, system: str) -> dict[str, Any]:
    """A system's score by a metric, its interval, its ranks and its cluster."""
    score = next((score for score in data.scores[metric.name] if score.system == system), None)
    comparison = data.comparisons.get(metric.name)
    ranks = None if comparison is None else comparison.rank_ranges.get(system)
    clusters = () if comparison is None else comparison.clusters or ()
    ends = score.interval if score is not None else None
    return {
        "value": "" if score is None else repr(score.score),
        "score": "–" if score is None else f"{100 * score.score:.2f}",
        "ends": f"[{100 * ends['low']:.2f}, {100 * ends['high']:.2f}]" if ends else "",
        "ranks": "" if ranks is None else str(ranks[0]) if ranks[0] == ranks[1] else f"{ranks[0]}–{ranks[1]}",
        "cluster": next((number for number, cluster in enumerate(clusters, 1) if system in cluster), ""),
    }

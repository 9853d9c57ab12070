"""Where on the page each chart stands: what answers the first questions in sight, the rest folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["chart_sections"]

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
            _described(name, charts[name])
            for start in starts
            for name in charts
            if name.startswith(start) and not _is_one_point(charts[name])
        ]
        for section, starts in _SECTIONS.items()
    }


def _is_one_point(chart: Mapping[str, Any]) -> bool:
    rows = chart.get("datasets", {})
    return "systems" in rows and len(rows["systems"]) + len(rows.get("idle", ())) == 1


def _described(name: str, chart: Mapping[str, Any]) -> dict[str, Any]:
    title = chart.get("title", "")
    text = str(title.get("text", "") if isinstance(title, Mapping) else title)
    return {"name": name, "title": text, "description": chart.get("description", "") or text}

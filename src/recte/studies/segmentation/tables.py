"""Scores by word segmenter, as tables and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recte.metrics import metric_class
from recte.metrics.base import Score
from recte.output.tables import Table
from recte.studies.segmentation.study import SegmentationSpread

__all__ = ["segmentation_tables", "spread_to_dict"]

_PROJECTED = "characters, gold edits projected"


def segmentation_tables(study: SegmentationSpread, digits: int = 2) -> list[Table]:
    """A table for each of the two ways, the projected score and the spread as last rows."""
    title = metric_class(study.metric).title
    as_given = tuple((s.segmenter, s.gold_as_given) for s in study.segmenters if s.gold_as_given is not None)
    anew = tuple((s.segmenter, s.all_cut_anew) for s in study.segmenters)
    tables = [
        (f"{title}: gold as given, outputs cut by", "gold_as_given", as_given),
        (f"{title}: sources, references and outputs cut by", "all_cut_anew", anew),
    ]
    last = next(iter(study.projected.values()))
    factor = last.score_factor
    return [
        Table(
            name,
            ("segmenter", *study.systems),
            (
                *(_row(segmenter, scores, study, digits) for segmenter, scores in rows),
                ("spread", *(_figure(study.spread(system)[way], factor, digits) for system in study.systems)),
                _row(_PROJECTED, study.projected, study, digits),
            ),
            (f"signature of the last row: {last.signature}",),
        )
        for name, way, rows in tables
        if rows
    ]


def _row(name: str, scores: Mapping[str, Score], study: SegmentationSpread, digits: int) -> tuple[str, ...]:
    return (name, *(_figure(scores[s].score, scores[s].score_factor, digits) for s in study.systems))


def _figure(value: float | None, factor: int, digits: int) -> str:
    return "–" if value is None else f"{factor * value:.{digits}f}"


def spread_to_dict(study: SegmentationSpread) -> dict[str, Any]:
    """The study as plain data: docs/json.md."""

    def plain(scores: Mapping[str, Score] | None) -> dict[str, Any] | None:
        return None if scores is None else {name: score.to_dict() for name, score in scores.items()}

    return {
        "metric": study.metric,
        "systems": list(study.systems),
        "segmenters": [
            {
                "segmenter": s.segmenter,
                "gold_as_given": plain(s.gold_as_given),
                "all_cut_anew": plain(s.all_cut_anew),
            }
            for s in study.segmenters
        ],
        "projected": plain(study.projected),
        "spread": {system: study.spread(system) for system in study.systems},
    }

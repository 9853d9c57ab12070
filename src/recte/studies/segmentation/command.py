"""`recte segmentation GOLD SYSTEM...`: one gold, several word segmenters, and how much the score depends on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recte.cli.arguments import GoldOptions, format_option, names_option
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.metric_flags import MetricOptions
from recte.errors import OptionError
from recte.evaluation.inputs import system_names
from recte.metrics import metric_class
from recte.metrics.base import Score
from recte.options import option, part
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables
from recte.studies.segmentation.study import SegmentationSpread, segmentation_spreads
from recte.text.segmenters import GIVEN, segmenter_named

__all__ = ["segmentation_tables", "spread_to_dict"]

_PROJECTED = "characters, gold edits projected"


def segmentation_tables(study: SegmentationSpread, digits: int = 2) -> list[Table]:
    """A table for each of the two ways, the projected score and the spread as last rows."""
    title = metric_class(study.metric).title
    as_given = tuple((s.segmenter, s.gold_as_given) for s in study.segmenters if s.gold_as_given is not None)
    rescored = tuple((s.segmenter, s.all_cut_anew) for s in study.segmenters)
    tables = [
        (f"{title}: gold as given, outputs cut by", "gold_as_given", as_given),
        (f"{title}: sources, references and outputs cut by", "all_cut_anew", rescored),
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


_DEFAULT = (GIVEN, "jieba", "characters")
_PART = 2_000  # sentences that are cut at once: as characters they take much memory


@dataclass(frozen=True, kw_only=True)
class SegmentationOptions:
    gold: GoldOptions = part(GoldOptions)
    segmenters: tuple[str, ...] = option(
        _DEFAULT,
        "given, characters, jieba, pkuseg, thulac or module:function (default given jieba characters)",
        kind=str,
        metavar="HOW",
    )
    names: tuple[str, ...] = names_option()
    format: str = format_option()
    metrics: MetricOptions = part(MetricOptions)


def run(options: SegmentationOptions) -> None:
    if options.gold.tokens is not None:
        raise OptionError("--tokens: use --segmenters instead, which takes several")
    selection = SystemSelection(gold=options.gold, metrics=options.metrics, names=options.names)
    gold, paths = selection.read_files()
    names = options.segmenters
    if not gold.has_words:
        if GIVEN in names and names != _DEFAULT:
            raise OptionError(f"--segmenters: expected segmenters, since {gold.format_title} has no words, got given")
        names = tuple(name for name in names if name != GIVEN)
    segmenters = [segmenter_named(name) for name in names]
    parts = gold.chunks(system_names(paths, options.names), _PART)
    of_parts = ((corpus, list(systems.values())) for corpus, systems in parts)
    studies = segmentation_spreads(of_parts, selection.make_metrics(), segmenters)
    if options.format == "json":
        print(document(segmentation=[spread_to_dict(study) for study in studies]))
    else:
        print_tables([table for study in studies for table in segmentation_tables(study)], options.format)


COMMAND = Command(
    run=run,
    options=SegmentationOptions,
    forms=("GOLD SYSTEM...", "-s SOURCE -r REF... -i SYSTEM..."),
    examples=(
        (
            "recte segmentation sample/chinese/gold.m2 sample/chinese/systems/*.txt",
            "given words, jieba, characters",
        ),
        (
            "recte segmentation sample/chinese/gold.m2 sample/chinese/systems/*.txt --segmenters given characters",
            "two of them",
        ),
    ),
    common=("--segmenters", "-m", "-s", "-r", "-i", "--names", "-f"),
)

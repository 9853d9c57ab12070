"""`recte segmentation GOLD SYSTEM...`: one gold, several word segmenters, and how much the score depends on them."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import GoldOptions, format_option, names_option
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.metric_flags import MetricOptions
from recte.errors import OptionError
from recte.evaluation.inputs import read_corpus_and_systems, system_names
from recte.options import option, part
from recte.output.document import document
from recte.output.terminal import print_tables
from recte.studies.segmentation.study import segmentation_spread
from recte.studies.segmentation.tables import segmentation_tables, spread_to_dict
from recte.text.segmenters import GIVEN, segmenter_named

_DEFAULT = (GIVEN, "jieba", "characters")


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
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, options.names))
    segmenters = [segmenter_named(name) for name in names]
    studies = [segmentation_spread(corpus, systems, metric, segmenters) for metric in selection.make_metrics()]
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

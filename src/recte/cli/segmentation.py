"""`recte segmentation GOLD SYSTEM...`: one gold, several word segmenters, and how far the score hangs on them."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_format, add_gold, add_names, gold_and_systems
from recte.cli.metric_flags import add_metrics, metrics_of
from recte.cli.parser import Parser
from recte.errors import OptionError
from recte.inference.segmenter_study import segmentation_spread
from recte.inputs import read_corpus_and_systems, system_names
from recte.rendering.document import document
from recte.rendering.segmentation import segmentation_tables, spread_to_dict
from recte.rendering.terminal import print_tables
from recte.segmentation.segmenters import GIVEN, segmenter_named

DEFAULT = [GIVEN, "jieba", "characters"]


def add_arguments(parser: Parser) -> None:
    add_gold(parser)
    parser.add_argument(
        "--segmenters",
        nargs="+",
        default=DEFAULT,
        metavar="HOW",
        help="given, characters, jieba, pkuseg, thulac or module:function (default given jieba characters)",
    )
    add_names(parser)
    add_format(parser)
    add_metrics(parser)


def run(arguments: argparse.Namespace) -> None:
    if arguments.tokens is not None:
        raise OptionError("--tokens: expected --segmenters here, which takes several")
    gold, paths = gold_and_systems(arguments)
    if not gold.has_words:
        if GIVEN in arguments.segmenters and arguments.segmenters != DEFAULT:
            raise OptionError(f"--segmenters: expected segmenters, since {gold.format_title} has no words, got given")
        arguments.segmenters = [name for name in arguments.segmenters if name != GIVEN]
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, arguments.names))
    segmenters = [segmenter_named(name) for name in arguments.segmenters]
    studies = [segmentation_spread(corpus, systems, metric, segmenters) for metric in metrics_of(arguments)]
    if arguments.format == "json":
        print(document(segmentation=[spread_to_dict(study) for study in studies]))
    else:
        print_tables([table for study in studies for table in segmentation_tables(study)], arguments.format)

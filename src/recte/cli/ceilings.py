"""`recte ceilings GOLD... -i SYSTEM...`: what people score against people, and systems beside them."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_format, add_names, add_width, check_width
from recte.cli.chart_files import add_charts, draw_charts
from recte.coverage.human_ceilings import ceilings, joined
from recte.formats.files import read_once
from recte.formats.m2 import read_m2
from recte.formats.parallel import read_system
from recte.inputs import system_names
from recte.rendering.charts.coverage import ceiling_charts
from recte.rendering.coverage import ceiling_tables
from recte.rendering.document import document
from recte.rendering.terminal import print_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "gold", nargs="+", metavar="GOLD", help="M2 files of the same sentences, two annotators or more in all"
    )
    parser.add_argument("-i", "--input", nargs="+", default=[], metavar="SYSTEM", help="systems to set beside")
    parser.add_argument("--beta", type=float, default=0.5, metavar="X", help="weight of recall in F (default 0.5)")
    parser.add_argument(
        "--most-choices", type=int, default=300, metavar="N", help="choices of references to take at most (default 300)"
    )
    parser.add_argument("--lenient", action="store_true", help="drop gold edits that reach past their sentence")
    add_names(parser)
    add_width(parser)
    add_format(parser)
    add_charts(parser)


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    read_once([*arguments.gold, *arguments.input])
    gold = joined([read_m2(path, lenient=arguments.lenient) for path in arguments.gold])
    systems = [read_system(path, name=name) for name, path in system_names(arguments.input, arguments.names).items()]
    study = ceilings(gold, systems, beta=arguments.beta, most_choices=arguments.most_choices)
    draw_charts(arguments, lambda: ceiling_charts(study))
    if arguments.format == "json":
        print(document(ceilings=study.to_dict()))
    else:
        print_tables(ceiling_tables(study, arguments.width), arguments.format)

"""`recte difficulty GOLD SYSTEM...`: which error types are difficult, by how many systems get them right."""

from __future__ import annotations

import argparse

from recte.cli.arguments import add_format, add_gold, add_width, check_width, gold_and_systems
from recte.errors import OptionError
from recte.formats.edit_values import write_difficulty
from recte.inputs import read_corpus_and_systems, system_names
from recte.metrics.goto import Goto
from recte.rendering.document import document
from recte.rendering.tables import Table
from recte.rendering.terminal import print_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_gold(parser)
    parser.add_argument(
        "--reference-annotator", metavar="NAME", help="whose edits are the reference (default the first)"
    )
    parser.add_argument(
        "--to", metavar="FILE", help="save how many systems were right on each chunk, for `score -m goto --difficulty`"
    )
    parser.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names of the systems, for their files")
    add_format(parser)
    add_width(parser)


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    gold, paths = gold_and_systems(arguments)
    if not paths:
        raise OptionError("difficulty: expected two systems at least, got none")
    corpus, systems = read_corpus_and_systems(gold, system_names(paths, arguments.names))
    metric = Goto(reference_annotator=arguments.reference_annotator or "")
    scorer = metric.prepare_with(corpus, {system.name: system for system in systems})
    if arguments.to is not None:
        write_difficulty(arguments.to, scorer.published_difficulty())
    types = scorer.difficulty_of_types()
    if arguments.format == "json":
        print(document(systems=scorer.systems, types=[t._asdict() for t in types]))
        return
    digits = arguments.width
    rows = tuple((t.type or "(none)", str(t.edits), f"{t.mean:.{digits}f}", f"{t.std:.{digits}f}") for t in types)
    title = f"Difficulty of error types for {scorer.systems} systems"
    print_tables([Table(title, ("type", "edits", "mean weight", "std"), rows)], arguments.format)

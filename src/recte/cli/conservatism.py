"""`recte conservatism GOLD SYSTEM...`: how much systems and annotators change."""

from __future__ import annotations

import argparse
from pathlib import Path

from recte.alignment.references import annotators_of
from recte.cli.arguments import add_format, add_width, check_width
from recte.cli.chart_files import add_charts, draw_charts
from recte.conservatism.change_profiles import conservatism_of
from recte.conservatism.word_changes import CHANGE_RULES
from recte.corpus import Corpus, System
from recte.errors import InputError, OptionError
from recte.formats.files import read_once, stem
from recte.formats.m2 import is_m2_file, read_m2
from recte.formats.parallel import read_system
from recte.inputs import GoldFiles, system_names
from recte.rendering.charts.conservatism import conservatism_charts
from recte.rendering.conservatism import conservatism_tables
from recte.rendering.document import document
from recte.rendering.terminal import print_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="GOLD SYSTEM...; with -s the systems alone")
    parser.add_argument("-i", "--input", nargs="+", default=[], metavar="SYSTEM", help="systems, as in sacreBLEU")
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one per line, instead of GOLD")
    parser.add_argument("-r", "--reference", nargs="+", default=[], metavar="REF", help="rewritten references, with -s")
    parser.add_argument(
        "--annotators", nargs="+", default=[], metavar="FILE", help="more annotators: M2 files or rewritten references"
    )
    parser.add_argument(
        "--rule",
        choices=list(CHANGE_RULES),
        default="default",
        help="what a word and a change is: default, paper (non-alphanumerics removed inside tokens), official (the "
        "authors' program)",
    )
    parser.add_argument("--lenient", action="store_true", help="drop gold edits that reach past their sentence")
    parser.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names of the systems, for their files")
    add_width(parser)
    add_format(parser)
    add_charts(parser)


def run(arguments: argparse.Namespace) -> None:
    check_width(arguments)
    gold, paths = _gold_and_systems(arguments)
    read_once([*gold.paths(), *paths, *arguments.annotators])
    corpus = Corpus(tuple(gold.sentences()))
    systems = [read_system(path, name=name) for name, path in system_names(paths, arguments.names).items()]
    annotators = [*(annotators_of(corpus) if corpus.annotators else [])]
    for path in arguments.annotators:
        annotators += _annotators(path, corpus, arguments.lenient)
    if not systems and not annotators:
        raise OptionError("conservatism: expected systems or annotators, got neither")
    repeated = next((a.name for a in annotators if sum(a.name == b.name for b in annotators) > 1), None)
    if repeated is not None:
        raise OptionError(f"annotators: expected different names, got {repeated!r} twice")
    sources = [" ".join(sentence.tokens) for sentence in corpus]
    study = conservatism_of(sources, systems, annotators, rule=arguments.rule)
    draw_charts(arguments, lambda: conservatism_charts(study))
    if arguments.format == "json":
        print(document(conservatism=study.to_dict()))
    else:
        print_tables(conservatism_tables(study, arguments.width), arguments.format)


def _gold_and_systems(arguments: argparse.Namespace) -> tuple[GoldFiles, list[str]]:
    """Sources may come alone: systems can be looked at with nobody beside them."""
    files = [*arguments.files, *arguments.input]
    if arguments.source is not None:
        return GoldFiles(source=arguments.source, references=tuple(arguments.reference)), files
    if arguments.reference or not files:
        raise OptionError("conservatism: expected a gold file first, or sources with -s")
    return GoldFiles(gold=files[0], lenient=arguments.lenient), files[1:]


def _annotators(path: str | Path, corpus: Corpus, lenient: bool) -> list[System]:
    """The annotators of one more file, called after it (and by their number where it holds several)."""
    if not is_m2_file(path):
        return [read_system(path)]
    more = read_m2(path, lenient=lenient)
    if len(more) != len(corpus):
        raise InputError(f"expected {len(corpus)} sentences as in the gold, got {len(more)}", str(path))
    found = annotators_of(more)
    names = [stem(path)] if len(found) == 1 else [f"{stem(path)}:{system.name}" for system in found]
    return [System(name, system.outputs) for name, system in zip(names, found, strict=True)]

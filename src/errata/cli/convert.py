"""`errata convert`: gold between M2 and plain text."""

from __future__ import annotations

import argparse

from errata.alignment.references import EDIT_RULES, REFERENCE_RULES, references_from_edits, with_edits
from errata.corpus import Corpus
from errata.errors import OptionError
from errata.formats.m2 import iterate_m2, write_m2
from errata.formats.parallel import iterate_parallel, write_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", nargs="?", metavar="GOLD", help="an M2 file; - is standard input")
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one a line, instead of GOLD")
    parser.add_argument("-r", "--reference", nargs="+", default=[], metavar="REF", help="rewritten references, with -s")
    parser.add_argument("--to-m2", metavar="FILE", help="write an M2 file; - is standard output")
    parser.add_argument("--to-source", metavar="FILE", help="write the sources, one a line")
    parser.add_argument(
        "--to-references", nargs="+", default=[], metavar="FILE", help="write references, a file for each annotator"
    )
    parser.add_argument(
        "--reference-rule",
        choices=REFERENCE_RULES,
        default="nus",
        help="edits into references: nus skips edits of type Um and copies annotator 0 where an annotator has no line; "
        "seeda applies Um; gec-metrics applies Um and takes the source where there is no line (default nus)",
    )
    parser.add_argument(
        "--reference-edits",
        choices=EDIT_RULES,
        default="maxmatch",
        help="references into edits: MaxMatch's lattice, or a word diff (default maxmatch)",
    )
    parser.add_argument("--lenient", action="store_true", help="drop edits that reach past their sentence")


def run(arguments: argparse.Namespace) -> None:
    if (arguments.gold is None) == (arguments.source is None):
        raise OptionError("convert: expected either GOLD or -s SOURCE")
    if not (arguments.to_m2 or arguments.to_source or arguments.to_references):
        raise OptionError("convert: expected --to-m2, --to-source or --to-references, got none")
    if arguments.gold is not None:
        corpus = Corpus(tuple(iterate_m2(arguments.gold, lenient=arguments.lenient)))
    else:
        corpus = Corpus(tuple(iterate_parallel(arguments.source, arguments.reference)))
    # Everything is made before anything is written.
    columns: list[list[str]] = []
    if arguments.to_references:
        columns = _references(corpus, arguments)
    with_gold = with_edits(corpus.sentences, rule=arguments.reference_edits) if arguments.to_m2 else []
    if arguments.to_m2:
        write_m2(arguments.to_m2, with_gold)
    if arguments.to_source:
        write_text(arguments.to_source, (" ".join(s.tokens) for s in corpus))
    for path, column in zip(arguments.to_references, columns, strict=True):
        write_text(path, column)


def _references(corpus: Corpus, arguments: argparse.Namespace) -> list[list[str]]:
    annotators = corpus.annotators
    if len(arguments.to_references) != len(annotators):
        raise OptionError(
            f"--to-references: expected {len(annotators)} files, one for each annotator "
            f"({', '.join(annotators)}), got {len(arguments.to_references)}"
        )
    rows = [
        references_from_edits(s, annotators, rule=arguments.reference_rule) if s.annotations else s.references
        for s in corpus
    ]
    return [list(column) for column in zip(*rows, strict=True)]

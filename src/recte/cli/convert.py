"""`recte convert`: gold between M2, the I-measure's XML and plain text."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from recte.alignment.references import REFERENCE_RULES, references_from_edits
from recte.cli.extract import add_annotation, annotator_of
from recte.corpus import Corpus
from recte.errors import OptionError
from recte.extraction.reference_edits import EDIT_RULES, with_edits
from recte.formats.file_formats import written_formats
from recte.formats.files import encoded_lines, read_once, write_together
from recte.inputs import GoldFiles


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "gold",
        nargs="?",
        metavar="GOLD",
        help="an M2 file (- is standard input), the I-measure's .xml, or ChERRANT's .para",
    )
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one per line, instead of GOLD")
    parser.add_argument("-r", "--reference", nargs="+", default=[], metavar="REF", help="rewritten references, with -s")
    for one in written_formats():
        parser.add_argument(f"--to-{one.name}", metavar="FILE", help=f"write {one.title}; - is standard output")
    parser.add_argument("--to-source", metavar="FILE", help="write the sources, one per line")
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
        help="references into edits: MaxMatch's lattice, a word diff, or ERRANT's typed edits (default maxmatch)",
    )
    add_annotation(parser)
    parser.add_argument(
        "--treebank",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="with --to-xml, tokenise corrections as the Treebank is, as published",
    )
    parser.add_argument("--lenient", action="store_true", help="drop edits that reach past their sentence")


def run(arguments: argparse.Namespace) -> None:
    if (arguments.gold is None) == (arguments.source is None):
        raise OptionError("convert: expected either GOLD or -s SOURCE")
    if arguments.source is not None and not arguments.reference:
        raise OptionError("-s: expected references with -r, got none")
    gold = GoldFiles(
        gold=arguments.gold,
        source=arguments.source,
        references=tuple(arguments.reference),
        lenient=arguments.lenient,
    )
    read_once(gold.paths())
    written = {one: getattr(arguments, f"to_{one.name}") for one in written_formats()}
    targets = [p for p in (*written.values(), arguments.to_source, *arguments.to_references) if p is not None]
    if not targets:
        flags = ", ".join(f"--to-{one.name}" for one in written)
        raise OptionError(f"convert: expected {flags}, --to-source or --to-references, got none")
    if "" in targets:
        raise OptionError("convert: expected a file to write, got an empty name")
    repeated = next((path for path in targets if targets.count(path) > 1), None)
    if repeated is not None:
        raise OptionError(f"convert: expected different files to write, got {repeated!r} twice")
    corpus = gold.corpus(s for s in gold.sentences() if s.scored)
    lines: dict[str, Iterable[str]] = {}
    if any(written.values()):
        edited = with_edits(
            corpus.sentences,
            rule=arguments.reference_edits,
            annotator=annotator_of(arguments),
            language=arguments.language,
        )
        for one, path in written.items():
            if path and one.lines is not None:
                lines[path] = one.lines(edited, arguments.treebank)
    if arguments.to_source:
        lines[arguments.to_source] = (" ".join(s.tokens) + "\n" for s in corpus)
    if arguments.to_references:
        for path, column in zip(arguments.to_references, _references(corpus, arguments), strict=True):
            lines[path] = (text + "\n" for text in column)
    together: dict[str | Path, Iterable[bytes]] = {path: encoded_lines(path, text) for path, text in lines.items()}
    write_together(together)


def _references(corpus: Corpus, arguments: argparse.Namespace) -> list[tuple[str, ...]]:
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
    return list(zip(*rows, strict=True))

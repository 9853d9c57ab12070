"""`recte extract SOURCE CORRECTED... --to FILE`: corrected texts into M2 with typed edits."""

from __future__ import annotations

import argparse

from recte.cli.chinese_arguments import add_chinese_arguments, given_chinese_flags
from recte.corpus import Corpus
from recte.errors import OptionError
from recte.extraction.alignment import COSTS, MERGING
from recte.extraction.extract import EXTRACT_BEHAVIOURS, extract
from recte.extraction.gold_edits import GOLD_EDITS
from recte.extraction.languages import CHINESE
from recte.formats.files import check_targets, read_once, write_lines
from recte.formats.m2 import format_sentence, is_m2_file, iterate_m2
from recte.formats.para import is_para_file
from recte.formats.parallel import iterate_parallel

_STANDARD_OUTPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="source sentences, one per line, or an M2 file with edits")
    parser.add_argument(
        "corrected", nargs="*", metavar="CORRECTED", help="corrected sentences, one file for each annotator"
    )
    parser.add_argument("--to", default=_STANDARD_OUTPUT, metavar="M2", help="the file to write (default: print it)")
    parser.add_argument(
        "--edits",
        choices=GOLD_EDITS,
        default="auto",
        help="of an M2 file: auto finds edits anew in the corrected text; gold keeps their spans (default auto)",
    )
    parser.add_argument(
        "--minimise",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="gold spans without the unchanged words at their ends",
    )
    parser.add_argument(
        "--retype", action=argparse.BooleanOptionalAction, default=True, help="types of gold spans found anew"
    )
    add_annotation(parser)
    parser.add_argument("--alignment", choices=COSTS, default=COSTS[0], help=f"costs of aligning (default {COSTS[0]})")
    parser.add_argument(
        "--merging",
        choices=MERGING,
        default=MERGING[0],
        help="words into edits: by the published rules, not at all (split), all that touch (merge), all of one kind "
        f"that touch (equal); default {MERGING[0]}",
    )
    parser.add_argument(
        "--behaviour",
        choices=EXTRACT_BEHAVIOURS,
        default="careful",
        help="careful: every source line has its block; official: as the published tool, without those of empty lines "
        "and without a line for a text that differs in white space alone (default careful)",
    )
    parser.add_argument("--lenient", action="store_true", help="drop edits that reach past their sentence")
    add_chinese_arguments(parser)


def add_annotation(parser: argparse.ArgumentParser) -> None:
    """Who tags the texts, and which types there are."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--annotator", default="builtin", metavar="NAME", help="who tags: builtin, spacy:MODEL (default builtin)"
    )
    group.add_argument(
        "--annotations", metavar="FILE", help="tags, lemmas and dependencies from a file, CoNLL-U or TSV, instead"
    )
    parser.add_argument(
        "--language", default="en", metavar="CODE", help="whose edits: en, or zh for Chinese (default en)"
    )


def annotator_of(arguments: argparse.Namespace) -> str:
    return arguments.annotator if arguments.annotations is None else f"given:{arguments.annotations}"


def run(arguments: argparse.Namespace) -> None:
    chinese = arguments.language == CHINESE
    marked = is_m2_file(arguments.source)
    whole = marked or (chinese and is_para_file(arguments.source))
    if whole and arguments.corrected:
        raise OptionError(
            f"extract: expected an M2 file alone (Chinese: or .para), or a source with texts, got {arguments.source}"
        )
    if not whole and not arguments.corrected:
        raise OptionError("extract: expected corrected texts behind the source, got none")
    read_once([arguments.source, *arguments.corrected])
    check_targets([arguments.to], [arguments.source, *arguments.corrected])
    if chinese:
        from recte.cli.extract_chinese import run_chinese  # most runs never need what it loads

        run_chinese(arguments)
        return
    foreign = given_chinese_flags(arguments)
    if foreign:
        raise OptionError(f"{foreign[0]}: expected --language {CHINESE}, got {arguments.language}")
    sentences = (
        iterate_m2(arguments.source, lenient=arguments.lenient)
        if marked
        else iterate_parallel(arguments.source, arguments.corrected)
    )
    corpus = extract(
        Corpus(tuple(sentences)),
        annotator=annotator_of(arguments),
        language=arguments.language,
        alignment=arguments.alignment,
        merging=arguments.merging,
        edits=arguments.edits,
        minimise=arguments.minimise,
        retype=arguments.retype,
        behaviour=arguments.behaviour,
    )
    write_lines(arguments.to, (line for sentence in corpus for line in format_sentence(sentence)))

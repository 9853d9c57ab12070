"""`recte cut SOURCE CORRECTED`: a text and its correction, cut into pairs of sentences."""

from __future__ import annotations

import argparse

from recte.conservatism.sentence_cutting import SentencePair, cut_sentences
from recte.conservatism.sentence_ends import SENTENCE_RULES, has_sentences
from recte.errors import InputError, OptionError
from recte.formats.files import (
    check_targets,
    display_name,
    encoded_lines,
    read_lines,
    read_once,
    write_together,
)
from recte.rendering.document import document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a text, with one or more sentences on a line; none goes on in the next line"
    )
    parser.add_argument("corrected", metavar="CORRECTED", help="its correction; lines need not be those of the source")
    parser.add_argument(
        "-o",
        "--output",
        nargs=2,
        metavar=("SOURCES", "CORRECTIONS"),
        help="write both sides, one sentence pair per line, instead of printing them",
    )
    parser.add_argument(
        "--rule",
        choices=list(SENTENCE_RULES),
        default="default",
        help="where sentences end: default, or official (the program of Choshen and Abend, which changes the texts)",
    )
    parser.add_argument("-f", "--format", choices=["text", "json"], help="how to print (default text); not with -o")


def run(arguments: argparse.Namespace) -> None:
    if arguments.output is not None and arguments.format is not None:
        raise OptionError("--format: expected no --output beside it, which writes lines, got both")
    read_once([arguments.source, arguments.corrected])
    source, corrected = (_text(path) for path in (arguments.source, arguments.corrected))
    pairs = cut_sentences(source, corrected, rule=arguments.rule)
    if arguments.output is not None:
        sources, corrections = arguments.output
        check_targets([sources, corrections], [arguments.source, arguments.corrected])
        write_together(
            {
                sources: encoded_lines(sources, (f"{_line(pair.source)}\n" for pair in pairs)),
                corrections: encoded_lines(corrections, (f"{_line(pair.corrected)}\n" for pair in pairs)),
            }
        )
    elif arguments.format == "json":
        print(document(rule=arguments.rule, sentence_pairs=[_to_dict(pair) for pair in pairs]))
    else:
        for pair in pairs:
            print(pair.kind, _line(pair.source), _line(pair.corrected), sep="\t")


def _text(path: str) -> str:
    text = "".join(f"{line}\n" for line in read_lines(path))
    if not has_sentences(text):
        raise InputError("expected a text with words, got none", display_name(path))
    return text


def _line(text: str) -> str:
    return " ".join(text.split())


def _to_dict(pair: SentencePair) -> dict[str, str | int]:
    return {
        "kind": pair.kind,
        "source": _line(pair.source),
        "corrected": _line(pair.corrected),
        "source_sentences": pair.source_sentences,
        "corrected_sentences": pair.corrected_sentences,
    }

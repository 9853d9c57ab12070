"""`recte cut SOURCE CORRECTED`: a text and its correction, cut into pairs of sentences."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cli.arguments import TO
from recte.cli.command import Command
from recte.errors import InputError, OptionError
from recte.files import (
    check_targets,
    display_name,
    encode_lines,
    read_lines,
    read_once,
    write_together,
)
from recte.options import argument, option
from recte.output.document import document
from recte.studies.conservatism.sentence_cutting import SENTENCE_LINES, SentenceLines, SentencePair, cut_sentences
from recte.studies.conservatism.sentence_ends import SENTENCE_RULES, SentenceRuleName, has_sentences


@dataclass(frozen=True, kw_only=True)
class CutOptions:
    source: str = argument(
        "a text, with one or more sentences on a line; none goes on in the next line", metavar="SOURCE"
    )
    corrected: str = argument("its correction; lines need not be those of the source", metavar="CORRECTED")
    output: tuple[str, str] | None = option(
        None,
        "write both sides, one sentence pair per line, instead of printing them",
        kind=str,
        values=2,
        flags=(*TO, "--output"),
        metavar=("SOURCES", "CORRECTIONS"),
    )
    rule: SentenceRuleName = option(
        "default",
        "where sentences end: default, or official (the program of Choshen and Abend, which changes the texts)",
        choices=SENTENCE_RULES,
    )
    sentence_lines: SentenceLines = option(
        "none",
        "which texts have one sentence on a line: none, source, corrected or both; only their lines' ends end one",
        choices=SENTENCE_LINES,
    )
    format: str | None = option(
        None,
        "how to print (default text); not with -o",
        kind=str,
        flags=("-f", "--format"),
        choices=("text", "json"),
    )


def run(options: CutOptions) -> None:
    if options.output is not None and options.format is not None:
        raise OptionError("--format: expected no --output with it, which writes lines, got both")
    read_once([options.source, options.corrected])
    source, corrected = (_text(path) for path in (options.source, options.corrected))
    pairs = cut_sentences(source, corrected, rule=options.rule, sentence_lines=options.sentence_lines)
    if options.output is not None:
        sources, corrections = options.output
        check_targets([sources, corrections], [options.source, options.corrected])
        write_together(
            {
                sources: encode_lines(sources, (f"{_line(pair.source)}\n" for pair in pairs)),
                corrections: encode_lines(corrections, (f"{_line(pair.corrected)}\n" for pair in pairs)),
            }
        )
    elif options.format == "json":
        print(document(rule=options.rule, sentence_pairs=[_to_dict(pair) for pair in pairs]))
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


COMMAND = Command(
    run=run,
    options=CutOptions,
    forms=("SOURCE CORRECTED",),
    examples=(
        ("recte cut sample/essay/source.txt sample/essay/corrected.txt", "one pair of sentences per line"),
        (
            "recte cut sample/essay/source.txt sample/essay/corrected.txt -o source.lines corrected.lines",
            "as two files, for recte extract",
        ),
    ),
)

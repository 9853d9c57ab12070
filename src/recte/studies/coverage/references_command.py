"""`recte references extend ANSWERS`: grow a reference set from many people's answers."""

from __future__ import annotations

import json
from dataclasses import dataclass

from recte.cli.arguments import TO, format_option
from recte.cli.command import Command, Subcommand
from recte.errors import OptionError
from recte.evaluation.inputs import read_gold
from recte.files import check_targets, display_name, encode_lines, read_once, write_together
from recte.formats.para import is_para_file, para_line
from recte.metrics.sentence_metrics import reference_texts
from recte.options import argument, option
from recte.output.document import document
from recte.output.tables import Table
from recte.output.terminal import print_tables
from recte.studies.coverage.answer_files import read_answers
from recte.studies.coverage.extension import ExtendedReferences, extend_references, place_answers


@dataclass(frozen=True, kw_only=True)
class ExtendOptions:
    answers: str = argument("many answers a sentence, JSON lines or TSV", metavar="ANSWERS")
    gold: str | None = option(
        None,
        "a gold whose references stay, and grow by the answers; sentences are found by their letters",
        kind=str,
        metavar="GOLD",
    )
    to: str | None = option(
        None, "write the accepted references: .para to score with, or JSON lines", kind=str, flags=TO, metavar="FILE"
    )
    audit: str | None = option(None, "write the answers to be audited, JSON lines", kind=str, metavar="FILE")
    more_than: int = option(2, "accept what was given more than N times (default 2)", metavar="N")
    format: str = format_option()


def extend(options: ExtendOptions) -> None:
    read = [options.answers, *([] if options.gold is None else [options.gold])]
    check_targets([path for path in (options.to, options.audit) if path is not None], read)
    read_once(read)
    if "-" in (options.to, options.audit) and options.format == "json":
        raise OptionError(
            "-f json: expected files with --to and --audit, got standard output, where JSON is printed: name a file"
        )
    answered = read_answers(options.answers)
    if options.gold is None:
        extended = extend_references(answered, more_than=options.more_than)
    else:
        gold = read_gold(options.gold)
        placed = place_answers(answered, gold, display_name(options.gold))
        extended = extend_references(placed, reference_texts(gold), more_than=options.more_than)
    targets = {
        options.to: [_line(e, e.references, options.to) for e in extended if e.references],
        options.audit: [_line(e, e.to_audit, options.audit) for e in extended if e.to_audit],
    }
    write_together({path: encode_lines(path, lines) for path, lines in targets.items() if path is not None})
    if options.format == "json":
        print(document(references=[vars(e) for e in extended]))
    elif "-" not in targets:
        print_tables([_table(extended, options.more_than)], options.format)


def _line(extended: ExtendedReferences, texts: tuple[str, ...], path: str | None) -> str:
    if path is not None and is_para_file(path):
        return para_line(extended.id, extended.source, texts)
    row = {"id": extended.id, "source": extended.source, "corrections": texts}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _table(extended: list[ExtendedReferences], more_than: int) -> Table:
    figures = [
        ("sentences", len(extended)),
        (f"accepted (given more than {more_than} times)", sum(len(e.accepted) for e in extended)),
        ("to audit", sum(len(e.to_audit) for e in extended)),
        ("sentences without a reference", sum(not e.references for e in extended)),
        ("most references of a sentence", max(len(e.references) for e in extended)),
    ]
    return Table("References", ("", "number"), tuple((name, str(value)) for name, value in figures))


COMMAND = Command(
    forms=("extend ANSWERS",),
    examples=(
        ("recte references extend sample/answers.jsonl", "how many answers several people gave"),
        ("recte references extend sample/answers.jsonl --to more.para --audit rest.jsonl", "write them"),
    ),
    subcommands={
        "extend": Subcommand(
            "accept answers that several people gave, list the others for an audit", extend, ExtendOptions
        )
    },
)

"""`recte references extend ANSWERS`: grow a reference set from many people's answers."""

from __future__ import annotations

import argparse
import json

from recte.cli.arguments import add_format
from recte.coverage.extension import ExtendedReferences, extend_references
from recte.errors import OptionError
from recte.formats.answers import read_answers
from recte.formats.files import check_targets, encoded_lines, write_together
from recte.formats.para import is_para_file, para_line
from recte.rendering.document import document
from recte.rendering.tables import Table
from recte.rendering.terminal import print_tables


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    extend = actions.add_parser("extend", help="accept answers that several people gave, list the others for an audit")
    extend.add_argument("answers", metavar="ANSWERS", help="many answers a sentence, JSON lines or TSV")
    extend.add_argument(
        "--to", metavar="FILE", help="write the accepted references: .para to score with, or JSON lines"
    )
    extend.add_argument("--audit", metavar="FILE", help="write the answers to be audited, JSON lines")
    extend.add_argument(
        "--more-than", type=int, default=2, metavar="N", help="accept what was given more than N times (default 2)"
    )
    add_format(extend)


def run(arguments: argparse.Namespace) -> None:
    check_targets([path for path in (arguments.to, arguments.audit) if path is not None], [arguments.answers])
    if "-" in (arguments.to, arguments.audit) and arguments.format == "json":
        raise OptionError("-f json: expected files with --to and --audit, got standard output, where JSON is printed")
    extended = extend_references(read_answers(arguments.answers), more_than=arguments.more_than)
    targets = {
        arguments.to: [_line(e, e.references, arguments.to) for e in extended if e.references],
        arguments.audit: [_line(e, e.to_audit, arguments.audit) for e in extended if e.to_audit],
    }
    write_together({path: encoded_lines(path, lines) for path, lines in targets.items() if path is not None})
    if arguments.format == "json":
        print(document(references=[vars(e) for e in extended]))
    elif "-" not in targets:
        print_tables([_table(extended, arguments.more_than)], arguments.format)


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

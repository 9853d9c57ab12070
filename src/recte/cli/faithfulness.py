"""`recte faithfulness SOURCE CORRECTED`: is the meaning kept? By UCCA parses, or by any scorer of two texts."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from recte.cli.arguments import add_format, add_width, check_width
from recte.errors import OptionError
from recte.faithfulness.categories import LABELS
from recte.faithfulness.edge_f_score import COUNTED
from recte.faithfulness.leaf_alignment import BEHAVIOURS
from recte.faithfulness.passage_faithfulness import score_agreement, score_faithfulness
from recte.faithfulness.text_faithfulness import TextFaithfulness, score_text_faithfulness
from recte.formats.files import STANDARD_INPUT, make_folder, read_lines, write_together
from recte.formats.passages import PassagePair, pair_passages, read_pair_list, read_passages
from recte.inputs import system_names
from recte.rendering.document import document
from recte.rendering.faithfulness import agreement_table, faithfulness_table, text_faithfulness_table
from recte.rendering.graph_drawing import draw_graphs
from recte.rendering.tables import Table
from recte.rendering.terminal import print_tables
from recte.text_scoring import NAMED, command_scorer, named_scorer
from recte.visible_text import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        metavar="PARSES",
        help="SOURCE CORRECTED: folders or files of UCCA parses (.xml, .mrp); with a scorer, texts: SOURCE SYSTEM...",
    )
    parser.add_argument("--pairs", metavar="TSV", help="source parse, corrected parse, group: instead of PARSES")
    parser.add_argument("--agreement", action="store_true", help="two annotators of the same text: DAG F-score")
    options = parser.add_argument_group("options of the measures")
    options.add_argument(
        "--behaviour",
        choices=BEHAVIOURS,
        default="official",
        help="UCCASIM as released, or by equation 9 (default official)",
    )
    options.add_argument(
        "--labels", choices=LABELS, default="weak", help="weak takes P=S, H=C, N=L, F=R for the same (default weak)"
    )
    options.add_argument(
        "--min-terminals", type=int, default=2, metavar="N", help="words a unit must have to be compared (default 2)"
    )
    options.add_argument(
        "--counted",
        choices=COUNTED,
        default="units",
        help="what DAG F counts: units, or every edge as printed (default units)",
    )
    plugged = parser.add_argument_group("without parses")
    plugged.add_argument(
        "--scorer",
        metavar="MODULE:FUNCTION",
        help=f"a Python callable: source, correction to a number; or {', '.join(NAMED)}",
    )
    plugged.add_argument("--batched", action="store_true", help="call it once, with all sources and all corrections")
    plugged.add_argument(
        "--scorer-command", metavar="COMMAND", help="reads source TAB correction a line, prints a number a line"
    )
    output = parser.add_argument_group("output")
    add_format(output)
    add_width(output, None, "2; with a scorer 4")
    output.add_argument("-sl", "--sentence-level", action="store_true", help="with a scorer: every sentence's figure")
    output.add_argument("--draw", metavar="FOLDER", help="draw the two graphs of each pair as SVG")


def run(arguments: argparse.Namespace) -> None:
    plugged_in = arguments.scorer is not None or arguments.scorer_command is not None
    if arguments.width is None:
        arguments.width = 4 if plugged_in else 2
    check_width(arguments)
    if arguments.min_terminals < 1:
        raise OptionError(f"--min-terminals: expected at least 1, got {arguments.min_terminals}")
    _refuse_what_has_no_part(arguments, plugged_in)
    if plugged_in:
        results = _plugged_in(arguments)
        table = text_faithfulness_table(results, arguments.width, sentences=arguments.sentence_level)
        _print(arguments, table, text_faithfulness=[result.to_dict() for result in results])
        return
    pairs = _pairs(arguments)
    measures = {key: getattr(arguments, key) for key in ("behaviour", "labels", "min_terminals")}
    table, parts = _measured(pairs, arguments, measures)
    if arguments.draw:
        _draw(pairs, arguments)
    _print(arguments, table, **parts)


def _refuse_what_has_no_part(arguments: argparse.Namespace, plugged_in: bool) -> None:
    if arguments.scorer is not None and arguments.scorer_command is not None:
        raise OptionError("expected --scorer or --scorer-command, got both")
    of_parses = {"--pairs": arguments.pairs, "--agreement": arguments.agreement, "--draw": arguments.draw}
    of_scorers = {"--batched": arguments.batched, "-sl": arguments.sentence_level}
    for flag, given in (of_parses if plugged_in else of_scorers).items():
        if given:
            raise OptionError(f"{flag}: expected only {'with parses' if plugged_in else 'with a scorer'}")


def _measured(
    pairs: list[PassagePair], arguments: argparse.Namespace, measures: dict[str, Any]
) -> tuple[Table, dict[str, Any]]:
    if arguments.agreement:
        agreement = score_agreement(pairs, counted=arguments.counted, **measures)
        return agreement_table(agreement, arguments.width), {"agreement": agreement.to_dict()}
    result = score_faithfulness(pairs, **measures)
    return faithfulness_table(result, arguments.width), {"faithfulness": result.to_dict()}


def _print(arguments: argparse.Namespace, table: Table, **parts: object) -> None:
    if arguments.format == "json":
        print(document(**parts))
    else:
        print_tables([table], arguments.format)


def _pairs(arguments: argparse.Namespace) -> list[PassagePair]:
    if arguments.pairs:
        if arguments.files:
            raise OptionError(f"--pairs: expected no parses beside it, got {len(arguments.files)}")
        return read_pair_list(arguments.pairs)
    if len(arguments.files) != 2:
        raise OptionError(f"expected source and corrected parses (or --pairs), got {len(arguments.files)} of them")
    source, corrected = map(read_passages, arguments.files)
    return pair_passages(source, corrected)


def _plugged_in(arguments: argparse.Namespace) -> list[TextFaithfulness]:
    if len(arguments.files) < 2:
        raise OptionError(f"with a scorer: expected SOURCE and at least one SYSTEM, got {len(arguments.files)} files")
    if arguments.files.count(STANDARD_INPUT) > 1:
        raise OptionError("standard input can be read only once: expected one - at most")
    by_command = arguments.scorer_command is not None
    scorer = command_scorer(arguments.scorer_command) if by_command else named_scorer(arguments.scorer)
    sources = list(read_lines(arguments.files[0]))
    return [
        score_text_faithfulness(
            sources,
            list(read_lines(path)),
            scorer,
            batched=arguments.batched,
            system=name,
            name=arguments.scorer_command or arguments.scorer,
        )
        for name, path in system_names(arguments.files[1:], []).items()
    ]


def _draw(pairs: list[PassagePair], arguments: argparse.Namespace) -> None:
    folder = Path(arguments.draw)
    make_folder(folder)
    drawings: dict[str | Path, list[bytes]] = {}
    for pair in pairs:
        titles = ("first annotator", "second annotator") if arguments.agreement else ("source", "corrected")
        drawing = draw_graphs(
            pair.source,
            pair.corrected,
            titles=(f"{titles[0]}: {pair.source.id}", f"{titles[1]}: {pair.corrected.id}"),
            behaviour=arguments.behaviour,
            labels=arguments.labels,
            min_terminals=arguments.min_terminals,
        )
        name = re.sub(r"[^\w.-]+", "-", pair.name)  # an id may hold anything, a file's name may not
        if folder / f"{name}.svg" in drawings:
            name += f"-{len(drawings) + 1}"
        drawings[folder / f"{name}.svg"] = [drawing.encode()]
    write_together(drawings)
    print(
        f"recte: drew {len(drawings)} {'pair' if len(drawings) == 1 else 'pairs'} into {visible(str(folder))}",
        file=sys.stderr,
    )

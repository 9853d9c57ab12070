"""Arguments that several commands share: gold, systems, and the metrics' own options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from filecmp import cmp
from pathlib import Path
from typing import Any

from recte.errors import OptionError
from recte.formats.file_formats import looks_like_gold
from recte.formats.files import STANDARD_INPUT, can_be_read_again, read_once
from recte.formats.m2 import begins_like_m2
from recte.inputs import GoldFiles
from recte.metrics import metric_class, metric_names
from recte.metrics.base import Metric
from recte.rendering.terminal import TABLE_FORMATS
from recte.segmentation.normalisation import NORMALISATIONS
from recte.segmentation.segmenters import SEGMENTERS
from recte.visible_text import visible

__all__ = [
    "add_format",
    "add_gold",
    "add_names",
    "add_width",
    "check_one_system",
    "check_width",
    "gold_and_systems",
]


def add_format(parser: argparse._ActionsContainer, *more: str) -> None:
    """How a command prints its tables: for people, as JSON, or for a paper, a spreadsheet or a page; or as `more`."""
    parser.add_argument("-f", "--format", choices=[*TABLE_FORMATS, "json", *more], default="text", help="how to print")


def add_width(parser: argparse._ActionsContainer, default: int | None = 2, default_text: str = "2") -> None:
    """How many digits a table prints; `check_width` looks at what came."""
    parser.add_argument(
        "-w",
        "--width",
        type=int,
        default=default,
        metavar="DIGITS",
        help=f"digits behind the point (default {default_text})",
    )


def add_names(parser: argparse._ActionsContainer) -> None:
    """What systems are called, where not as their files."""
    parser.add_argument("--names", nargs="+", default=[], metavar="NAME", help="names of the systems, for their files")


def check_width(arguments: argparse.Namespace) -> None:
    if not 0 <= arguments.width <= 15:
        raise OptionError(f"-w: expected 0 to 15 digits, got {arguments.width}")


def add_gold(parser: argparse.ArgumentParser) -> None:
    """Where sources, gold and systems are."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="GOLD SYSTEM...; with -s the systems alone; - is standard input"
    )
    parser.add_argument("-i", "--input", nargs="+", default=[], metavar="SYSTEM", help="systems, as in sacreBLEU")
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one per line, instead of GOLD")
    parser.add_argument("-r", "--reference", nargs="+", default=[], metavar="REF", help="rewritten references, with -s")
    parser.add_argument("-t", "--test-set", metavar="NAME", help="gold by its name, instead of GOLD (recte data list)")
    parser.add_argument("--labels", metavar="TSV", help="document and labels of each sentence, a table with a header")
    parser.add_argument("--lenient", action="store_true", help="drop gold edits that reach past their sentence")
    add_reading(parser)
    parser.add_argument(
        "--tokens",
        metavar="HOW",
        help=f"{', '.join(SEGMENTERS)}, or module:function: gold edits are projected, outputs cut (default given; "
        "characters+marks for .para)",
    )
    parser.add_argument(
        "--normalise",
        nargs="+",
        default=[],
        choices=NORMALISATIONS,
        metavar="STEP",
        help=f"differences that are none: {', '.join(NORMALISATIONS)}",
    )


def _needs_references(arguments: argparse.Namespace) -> bool:
    names = getattr(arguments, "metrics", None) or ()
    if not names:
        return not getattr(arguments, "judges", ())  # scores that others made need no references
    return any(metric_class(name).needs_references for name in names)


def add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reading",
        metavar="HOW",
        help="of essays: whole (default) or lines; of FCGEC's JSON: official (default, as the task's converter) or "
        "complete",
    )


def gold_and_systems(arguments: argparse.Namespace) -> tuple[GoldFiles, list[str]]:
    """The gold and the system files, from positional arguments and options together."""
    files = [*arguments.files, *arguments.input]
    common = {
        "labels": arguments.labels,
        "lenient": arguments.lenient,
        "tokens": arguments.tokens,
        "normalise": tuple(arguments.normalise),
        "reading": arguments.reading,
        "subset": getattr(arguments, "subset", ()),  # the judged sentences, where a command read which they are
    }
    if arguments.test_set is not None:
        if arguments.source is not None or arguments.reference:
            raise OptionError("-t: expected no other gold beside a test set, got -s or -r")
        gold, systems = GoldFiles(**_files_of(arguments.test_set), **common), files
    elif arguments.source is not None:
        if not arguments.reference and _needs_references(arguments):
            raise OptionError("-s: expected references with -r, got none")
        gold = GoldFiles(source=arguments.source, references=tuple(arguments.reference), **common)
        systems = files
    elif arguments.reference:
        raise OptionError("-r: expected the source with -s, got none")
    elif not files:
        _check_swallowed(arguments)
        raise OptionError("expected a gold file and systems, got no file")
    else:
        gold, systems = GoldFiles(gold=files[0], **common), files[1:]
        _check_order(files[0], systems)
    if not systems:
        _check_swallowed(arguments)
    elif gold.gold is None or arguments.test_set is not None:
        _tell_second_gold(arguments, gold, systems)
    read_once([*gold.paths(), *(systems or [STANDARD_INPUT])])
    return gold, systems


def _files_of(test_set: str) -> dict[str, Any]:
    """The files of a test set, by what they are to a gold."""
    from recte.testsets.store import test_set_files

    paths = test_set_files(test_set)
    return {"gold": paths[0]} if len(paths) == 1 else {"source": paths[0], "references": tuple(paths[1:])}


def _check_order(gold: str, systems: Sequence[str]) -> None:
    """Whether the gold stands behind a system, as in other programs."""
    behind = next((path for path in systems if looks_like_gold(path)), None)
    if behind is not None and can_be_read_again(gold) and not looks_like_gold(gold):
        raise OptionError(
            f"expected GOLD before the systems, got {gold}, which is plain text; {behind} looks like gold: put it first"
        )


def _tell_second_gold(arguments: argparse.Namespace, gold: GoldFiles, systems: Sequence[str]) -> None:
    """One line where a file among the systems seems to be meant as gold, though -t or -s names it."""
    second = systems[0] if begins_like_m2(systems[0]) and not all(map(begins_like_m2, systems)) else None
    if gold.gold is not None:
        same = (path for path in systems if can_be_read_again(path) and _same_content(path, gold.gold))
        second = next(same, second)
    if second is not None and not getattr(arguments, "quiet", False):
        named = f"-s {arguments.source}" if arguments.test_set is None else f"-t {arguments.test_set}"
        line = f"{second} is scored as a system, since {named} names the gold; leave one of them out"
        print(f"recte: warning: {visible(line)}", file=sys.stderr)


def _same_content(path: str | Path, other: str | Path) -> bool:
    try:
        return Path(path).stat().st_size == Path(other).stat().st_size and cmp(path, other, shallow=False)
    except OSError:  # who reads it will say what is wrong
        return False


def _check_swallowed(arguments: argparse.Namespace) -> None:
    """Whether a list option took the systems that were meant to stand alone."""
    if len(arguments.reference) > 1:
        raise OptionError(
            f"-r takes all files behind it as references, got {len(arguments.reference)} and no system: "
            "expected systems before -r or after -i (- is standard input)"
        )
    for flag, values in (
        ("-m", getattr(arguments, "metrics", None) or ()),
        ("--names", getattr(arguments, "names", ())),
        ("--fail-under", getattr(arguments, "fail_under", ())),
    ):
        file = next((value for value in values if Path(value).exists() and value not in metric_names()), None)
        if file is not None:
            raise OptionError(f"{flag} takes all words behind it, got the file {file!r}: put {flag} after the files")


def check_one_system(command: str, systems: Sequence[str], metric: Metric) -> None:
    """Whether there is one system, or more where the metric looks at others than the first."""
    if not systems or (len(systems) > 1 and not metric.looks_at_other_systems):
        raise OptionError(f"{command}: expected one system, got {len(systems)}")

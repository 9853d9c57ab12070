"""Arguments that several commands share: gold, systems, and the metrics' own options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from recte.errors import InputError, OptionError
from recte.formats.files import STANDARD_INPUT
from recte.metrics import METRICS, metric_class
from recte.metrics.base import Metric
from recte.report.charts.writing import CHART_FORMATS, check_drawable, write_charts
from recte.report.terminal import TABLE_FORMATS
from recte.scoring import GoldFiles
from recte.segmentation.normalisation import NORMALISATIONS
from recte.segmentation.segmenters import SEGMENTERS

__all__ = [
    "add_chart_formats",
    "add_charts",
    "add_format",
    "add_gold",
    "add_metrics",
    "add_width",
    "check_width",
    "draw_charts",
    "given_options",
    "gold_and_systems",
    "metrics_of",
]

DEFAULT_METRIC = "m2"


def add_format(parser: argparse._ActionsContainer) -> None:
    """How a command prints its tables: for people, as JSON, or for a paper, a spreadsheet or a page."""
    parser.add_argument("-f", "--format", choices=[*TABLE_FORMATS, "json"], default="text", help="how to print")


def add_width(parser: argparse._ActionsContainer) -> None:
    """How many digits a table prints; `check_width` looks at what came."""
    parser.add_argument(
        "-w", "--width", type=int, default=2, metavar="DIGITS", help="digits behind the point (default 2)"
    )


def check_width(arguments: argparse.Namespace) -> None:
    if not 0 <= arguments.width <= 15:
        raise OptionError(f"-w: expected 0 to 15 digits, got {arguments.width}")


def add_charts(parser: argparse._ActionsContainer) -> None:
    """Where a command draws its pictures, and as what."""
    parser.add_argument("--charts", metavar="FOLDER", help="draw the pictures into this folder, too")
    add_chart_formats(parser, "--chart-formats")


def add_chart_formats(parser: argparse._ActionsContainer, flag: str = "--formats") -> None:
    """What files of charts are; json is the Vega-Lite specification."""
    parser.add_argument(
        flag,
        nargs="+",
        choices=CHART_FORMATS,
        default=["svg"],
        metavar="FORMAT",
        help=f"of the charts: {', '.join(CHART_FORMATS)} (default svg)",
    )


def draw_charts(arguments: argparse.Namespace, charts: Callable[[], Mapping[str, Mapping[str, Any]]]) -> None:
    """Draw where it was asked for; says on standard error what was written."""
    if arguments.charts is None:
        return
    check_drawable(arguments.chart_formats)
    for path in write_charts(charts(), arguments.charts, tuple(arguments.chart_formats)):
        print(f"recte: drew {path}", file=sys.stderr)


def add_gold(parser: argparse.ArgumentParser) -> None:
    """Where sources, gold and systems are."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="GOLD SYSTEM...; with -s the systems alone; - is standard input"
    )
    parser.add_argument("-i", "--input", nargs="+", default=[], metavar="SYSTEM", help="systems, as in sacreBLEU")
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one a line, instead of GOLD")
    parser.add_argument("-r", "--reference", nargs="+", default=[], metavar="REF", help="rewritten references, with -s")
    parser.add_argument("--labels", metavar="TSV", help="document and labels of each sentence, a table with a header")
    parser.add_argument("--lenient", action="store_true", help="drop gold edits that reach past their sentence")
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


def gold_and_systems(arguments: argparse.Namespace) -> tuple[GoldFiles, list[str]]:
    """The gold and the system files, from positional arguments and options together."""
    files = [*arguments.files, *arguments.input]
    common = {
        "labels": arguments.labels,
        "lenient": arguments.lenient,
        "tokens": arguments.tokens,
        "normalise": tuple(arguments.normalise),
    }
    if arguments.source is not None:
        if not arguments.reference:
            raise OptionError("-s: expected references with -r, got none")
        gold = GoldFiles(source=arguments.source, references=tuple(arguments.reference), **common)
        systems = files
    elif arguments.reference:
        raise OptionError("-r: expected the source with -s, got none")
    elif not files:
        raise OptionError("expected a gold file and systems, got no file")
    else:
        gold, systems = GoldFiles(gold=files[0], **common), files[1:]
    read_once([*gold.paths(), *(systems or [STANDARD_INPUT])])
    return gold, systems


def read_once(paths: Iterable[str | Path]) -> None:
    if sum(str(path) == STANDARD_INPUT for path in paths) > 1:
        raise InputError("standard input can be read only once: expected one - at most (or a system to score)")


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Which metrics, and a flag for each of their options."""
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help=f"{', '.join(METRICS)} (default {DEFAULT_METRIC})",
    )
    group = parser.add_argument_group("options of the metrics")
    declared: dict[str, Field[Any]] = {}
    for name in METRICS:
        for f in fields(metric_class(name)):
            declared.setdefault(f.name, f)
    for name, f in declared.items():
        flag = "--" + name.replace("_", "-")
        help_text = f"{f.metadata['help']} (default {_default(name)})".replace("%", "%%")
        if isinstance(f.default, bool):
            group.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=f.metadata["help"])
        else:
            choices = list(dict.fromkeys(c for m in METRICS for c in _choices(m, name))) or None
            metavar = None if choices else {int: "N", float: "X"}.get(type(f.default), "NAME")
            group.add_argument(flag, type=type(f.default), choices=choices, metavar=metavar, help=help_text)


def _choices(metric: str, option: str) -> tuple[str, ...]:
    return next((f.metadata["choices"] for f in fields(metric_class(metric)) if f.name == option), ())


def _default(option: str) -> str:
    """The default of an option, for each metric where they differ."""
    defaults = {name: getattr(metric_class(name)(), option, None) for name in METRICS}
    known = {name: value for name, value in defaults.items() if value is not None}
    if len(set(known.values())) == 1:
        return str(next(iter(known.values()))) or "none"
    return ", ".join(f"{value} for {name}" for name, value in known.items())


def metrics_of(arguments: argparse.Namespace) -> list[Metric]:
    """The metrics asked for, each with the options that it has."""
    names = arguments.metrics or [DEFAULT_METRIC]
    for name in names:
        if Path(name).exists() and name not in METRICS:
            raise OptionError(f"-m takes all names behind it as metrics, got the file {name!r}: put -m after the files")
    classes = list(dict.fromkeys(metric_class(name) for name in names))
    given = given_options(arguments)
    for option in given:
        if not any(option in known_options(cls) for cls in classes):
            flag = f"--{option.replace('_', '-')}"
            raise OptionError(f"{flag}: none of the metrics {', '.join(names)} has it")
    return [cls.from_options(given) for cls in classes]


def known_options(cls: type[Metric]) -> set[str]:
    return {f.name for f in fields(cls)}


def given_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The metric options that stood on the command line."""
    names = sorted({option for name in METRICS for option in known_options(metric_class(name))})
    return {name: getattr(arguments, name) for name in names if getattr(arguments, name, None) is not None}

"""Arguments that several commands share: gold, systems, and the metrics' own options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from recte.errors import InputError, OptionError
from recte.formats.files import STANDARD_INPUT, read_once, stem
from recte.inputs import GoldFiles
from recte.metrics import load_metrics, metric_class, metric_names
from recte.metrics.base import Metric
from recte.rendering.charts.writing import CHART_FORMATS, check_drawable, write_charts
from recte.rendering.terminal import TABLE_FORMATS
from recte.scoring import with_files
from recte.segmentation.normalisation import NORMALISATIONS
from recte.segmentation.segmenters import SEGMENTERS

__all__ = [
    "add_chart_formats",
    "add_charts",
    "add_format",
    "add_gold",
    "add_judges",
    "add_metrics",
    "add_names",
    "add_width",
    "check_one_system",
    "check_width",
    "draw_charts",
    "given_options",
    "gold_and_systems",
    "metrics_of",
    "usable_metrics",
]

DEFAULT_METRIC = "m2"


def add_format(parser: argparse._ActionsContainer) -> None:
    """How a command prints its tables: for people, as JSON, or for a paper, a spreadsheet or a page."""
    parser.add_argument("-f", "--format", choices=[*TABLE_FORMATS, "json"], default="text", help="how to print")


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
    parser.add_argument("-s", "--source", metavar="SOURCE", help="source sentences, one per line, instead of GOLD")
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
        _check_swallowed(arguments)
        raise OptionError("expected a gold file and systems, got no file")
    else:
        gold, systems = GoldFiles(gold=files[0], **common), files[1:]
    if not systems:
        _check_swallowed(arguments)
    read_once([*gold.paths(), *(systems or [STANDARD_INPUT])])
    return gold, systems


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
    ):
        file = next((value for value in values if Path(value).exists() and value not in metric_names()), None)
        if file is not None:
            raise OptionError(f"{flag} takes all words behind it, got the file {file!r}: put {flag} after the files")


@dataclass(frozen=True)
class MetricFlag:
    """A flag for an option of some metrics, and where its value stands among the arguments."""

    flag: str
    dest: str
    option: str
    metrics: tuple[str, ...]


def check_one_system(command: str, systems: Sequence[str], metric: Metric) -> None:
    """Whether there is one system, or more where the metric looks at others than the first."""
    if not systems or (len(systems) > 1 and not metric.looks_at_other_systems):
        raise OptionError(f"{command}: expected one system, got {len(systems)}")


def usable_metrics() -> Mapping[str, type[Metric]]:
    """Every metric that can be loaded, by name; one line on standard error for each that cannot."""
    metrics, failures = load_metrics()
    for line in failures:
        print(f"recte: warning: {line}", file=sys.stderr)
    return metrics


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Which metrics, and a flag for each of their options; to be called after a command's own arguments.

    Metrics share a flag if their options have the same name and type. Where the name is a flag of the command itself,
    or of an option of another type, the flag has the metric's name before it: `--my-metric-seed`.
    """
    metrics = usable_metrics()
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help=f"{', '.join(metrics)} (default {DEFAULT_METRIC})",
    )
    group = parser.add_argument_group("options of the metrics")
    declared = _flags(metrics, taken=set(parser._option_string_actions))
    for one in declared:
        options = {m: f for m in one.metrics for f in fields(metrics[m]) if f.name == one.option}
        f = next(iter(options.values()))
        help_text = f.metadata.get("help", "")
        if isinstance(f.default, bool):
            group.add_argument(
                one.flag, dest=one.dest, action=argparse.BooleanOptionalAction, default=None, help=help_text
            )
            continue
        choices = list(dict.fromkeys(c for o in options.values() for c in o.metadata.get("choices", ()))) or None
        metavar = None if choices else {int: "N", float: "X"}.get(type(f.default), "NAME")
        defaults = _defaults({m: o.default for m, o in options.items()})
        help_text = f"{help_text} (default {defaults})".replace("%", "%%")
        group.add_argument(
            one.flag, dest=one.dest, type=type(f.default), choices=choices, metavar=metavar, help=help_text
        )
    parser.set_defaults(metric_flags=declared)


def _flags(metrics: Mapping[str, type[Metric]], taken: set[str]) -> list[MetricFlag]:
    shared: dict[str, tuple[type, list[str]]] = {}
    own: list[MetricFlag] = []
    for name, cls in metrics.items():
        for f in fields(cls):
            flag = "--" + f.name.replace("_", "-")
            of_type, users = shared.setdefault(f.name, (type(f.default), []))
            if flag in taken or type(f.default) is not of_type:
                own.append(MetricFlag(f"--{name}{flag[1:]}", f"{name}.{f.name}", f.name, (name,)))
            else:
                users.append(name)
    both = [
        MetricFlag("--" + option.replace("_", "-"), option, option, tuple(users))
        for option, (_, users) in shared.items()
        if users
    ]
    return both + own


def _defaults(of_metrics: Mapping[str, Any]) -> str:
    """The default of an option, for each metric where they differ."""
    if len(set(of_metrics.values())) == 1:
        return str(next(iter(of_metrics.values()))) or "none"
    return ", ".join(f"{value} for {name}" for name, value in of_metrics.items())


def metrics_of(arguments: argparse.Namespace) -> list[Metric]:
    """The metrics asked for, each with the options that it has; and judges whose scores stand in files."""
    judges = _judges(arguments)
    names = arguments.metrics or ([] if judges else [DEFAULT_METRIC])
    for name in names:
        if Path(name).exists() and name not in metric_names():
            raise OptionError(f"-m takes all names behind it as metrics, got the file {name!r}: put -m after the files")
    classes = list(dict.fromkeys(metric_class(name) for name in names))
    for one in arguments.metric_flags:
        if getattr(arguments, one.dest) is not None and not any(cls.name in one.metrics for cls in classes):
            raise OptionError(f"{one.flag}: none of the metrics {', '.join(names)} has it")
    return [*(with_files(cls.from_options(given_options(arguments, cls))) for cls in classes), *judges]


def add_judges(parser: argparse._ActionsContainer) -> None:
    """Judges whose scores stand in files."""
    parser.add_argument(
        "--scores",
        dest="judges",
        nargs="+",
        default=[],
        metavar="FILE",
        help="scores of sentences that others made (TSV, JSON lines): each judge in them is one more metric",
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, metavar="X", help="what these scores are divided by (default 1)"
    )


def _judges(arguments: argparse.Namespace) -> list[Metric]:
    from recte.metrics.given_scores import given_metric

    return [
        given_metric(name, table, source=stem(path), scale=arguments.scale)
        for path in getattr(arguments, "judges", [])
        for name, table in _sentence_scores(path).items()
    ]


def _sentence_scores(path: str) -> Mapping[str, Mapping[str, Sequence[float]]]:
    from recte.formats.metric_scores import read_metric_scores

    found = read_metric_scores(path).sentences
    if not found:
        raise InputError("expected scores of sentences, got scores of systems alone", path)
    return found


def given_options(arguments: argparse.Namespace, cls: type[Metric]) -> dict[str, Any]:
    """The options of a metric that stood on the command line."""
    values = {f.option: getattr(arguments, f.dest) for f in arguments.metric_flags if cls.name in f.metrics}
    return {option: value for option, value in values.items() if value is not None}

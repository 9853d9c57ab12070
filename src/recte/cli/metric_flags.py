"""Which metrics a command computes, and a flag for each of their options.

A metric is imported only where it is asked for, by `-m` or by one of its flags: declaring the flags of all would be
most of the time that a small run takes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from recte.cli.parser import Parser, help_topic
from recte.errors import InputError, OptionError, did_you_mean
from recte.formats.files import stem
from recte.metrics import load_metrics, metric_class, metric_names
from recte.metrics.base import Metric
from recte.scoring import with_files
from recte.visible_text import visible

__all__ = ["add_judges", "add_metrics", "add_options_of", "given_options", "metrics_of", "usable_metrics"]

DEFAULT_METRIC = "m2"


@dataclass(frozen=True)
class MetricFlag:
    """A flag for an option of some metrics, or of one alone, and where its value stands among the arguments."""

    flag: str
    option: str
    value_type: type
    metric: str = ""  # whose it is alone

    @property
    def dest(self) -> str:
        return f"{self.metric or 'metrics'}.{self.option}"

    def is_for(self, cls: type[Metric]) -> bool:
        """Whether its value is one for that metric."""
        if self.metric:
            return self.metric == cls.name
        return any(f.name == self.option and type(f.default) is self.value_type for f in fields(cls))


def usable_metrics() -> Mapping[str, type[Metric]]:
    """Every metric that can be loaded, by name; one line on standard error for each that cannot."""
    metrics, failures = load_metrics()
    for line in failures:
        print(f"recte: warning: {visible(line)}", file=sys.stderr)
    return metrics


def add_metrics(parser: Parser) -> None:
    """Which metrics, and a flag for each of their options; to be called after a command's own arguments.

    Metrics share a flag if their options have the same name and type. With a metric's name before it (`--m2-beta`) a
    flag holds for this metric alone, whatever the shared one says. Where the name is a flag of the command itself, or
    of an option of another type, that is the only form: `--my-metric-seed`.
    """
    asked = parser.add_argument("-m", "--metrics", nargs="+", action="extend", metavar="METRIC")
    parser.add_argument("--preset", metavar="TASK", help="metrics and options of a shared task (recte data list)")
    parser.expand = _with_preset
    parser.set_defaults(metric_flags=[])
    parser.metric_group = "options of the metrics"
    taken = set(parser._option_string_actions)
    parser.declare = partial(_declare, parser, asked, taken)
    parser.topic = partial(_metric_page, parser.prog, taken)


def _with_preset(arguments: Sequence[str]) -> Sequence[str]:
    """What a preset stands for, before everything else, so that flags of the command line have the last word.

    A test set has a preset of its own, which holds where no metric is named.
    """
    only = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    only.add_argument("--preset")
    only.add_argument("-t", "--test-set")
    only.add_argument("-m", "--metrics", nargs="+")
    only.add_argument("--scores", nargs="+")
    try:
        given = only.parse_known_args(arguments)[0]
    except argparse.ArgumentError:  # a flag without its value: it is refused with everything else
        return arguments
    name = given.preset
    if name is None and given.test_set and not given.metrics and not given.scores:
        from recte.testsets.catalogue import test_set_named

        name = test_set_named(given.test_set).preset or None
    if name is None:
        return arguments
    from recte.testsets.presets import PRESETS

    if name not in PRESETS:
        raise OptionError(f"--preset: expected one of {', '.join(PRESETS)}, got {name!r}{did_you_mean(name, PRESETS)}")
    return ["--preset", name, *PRESETS[name].words, *arguments]  # named, too, where it is a test set's own


def _metric_page(prog: str, taken: set[str], name: str) -> str | None:
    """What a metric is, and its options."""
    from recte.cli.help_pages import group_page
    from recte.metrics.registry import aliases_of

    if name in ("", *metric_names()) or any(name in aliases_of(one) for one in metric_names()):
        cls = metric_class(name)
        also = ", ".join(aliases_of(cls.name))
        options = argparse.ArgumentParser(f"{prog} -m {cls.name}", add_help=False)
        flags = _flags({cls.name: cls}, taken)
        for one in flags:
            _add_flag(options, one, {cls.name: cls})
        what = " ".join((cls.__doc__ or "").partition(">>>")[0].split())
        lead = [
            f"{cls.name}: {cls.title}{f' (also {also})' if also else ''}",
            "",
            what,
            "",
            f"options of {prog} -m {cls.name}{_alone_form(cls.name, flags)}:",
        ]
        return group_page(options, lead)
    return None


def _alone_form(name: str, flags: Sequence[MetricFlag]) -> str:
    """How an option is set for one metric of several, by the example of its first."""
    shared = next((one.flag for one in flags if not one.metric), None)
    return "" if shared is None else f" (--{name}-{shared[2:]} and so on, where other metrics stand beside it)"


def _declare(parser: Parser, asked: argparse.Action, taken: set[str], arguments: Sequence[str]) -> None:
    """Declare the flags of the metrics that the arguments name; of all, for all help or a flag of another."""
    topic = help_topic(arguments)
    if topic is not None:
        metrics = usable_metrics() if topic == "all" else {}
        which = f"which of {', '.join(metric_names())}" if topic == "all" else "which metrics"
        asked.help = f"{which} (default {DEFAULT_METRIC}; see recte --list)"
    else:
        metrics = _named_metrics(arguments)
        if not _suffice(_flags(metrics, taken, arguments), taken, arguments):
            metrics = usable_metrics()
    flags = _flags(metrics, taken, arguments)
    description = "--METRIC-OPTION holds for one metric alone, as --bertscore-model beside --scribendi-model"
    group = parser.add_argument_group(parser.metric_group, description)
    for one in flags:
        _add_flag(group, one, metrics)
    parser.set_defaults(metric_flags=flags)


def _named_metrics(arguments: Sequence[str]) -> Mapping[str, type[Metric]]:
    """The metrics behind `-m`, where they can be loaded; what is wrong with others is said when they are used."""
    only = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    only.add_argument("-m", "--metrics", nargs="+", action="extend")
    try:
        names = only.parse_known_args(arguments)[0].metrics or [DEFAULT_METRIC]
    except argparse.ArgumentError:
        names = []
    found = {}
    for name in names:
        with suppress(OptionError):
            cls = metric_class(name)
            found[cls.name] = cls
    return found


def _suffice(flags: Sequence[MetricFlag], taken: set[str], arguments: Sequence[str]) -> bool:
    """Whether every argument that looks like a flag is one of these, or short for one."""
    known = {*taken, *(one.flag for one in flags), *(f"--no-{one.flag[2:]}" for one in flags if one.value_type is bool)}
    given = {argument.partition("=")[0] for argument in arguments if argument.startswith("--") and argument != "--"}
    return all(any(flag.startswith(one) for flag in known) for one in given)


def _flags(metrics: Mapping[str, type[Metric]], taken: set[str], arguments: Sequence[str] = ()) -> list[MetricFlag]:
    """The metrics' flags. Those that repeat a shared one for one metric are left out where no argument begins so."""
    shared: dict[str, MetricFlag] = {}
    own: list[MetricFlag] = []
    repeated: list[MetricFlag] = []
    for name, cls in metrics.items():
        named = any(argument.startswith((f"--{name}-", f"--no-{name}-")) for argument in arguments)
        for f in fields(cls):
            flag = "--" + f.name.replace("_", "-")
            alone = MetricFlag(f"--{name}{flag[1:]}", f.name, type(f.default), name)
            if flag in taken or not shared.setdefault(f.name, MetricFlag(flag, f.name, type(f.default))).is_for(cls):
                own.append(alone)
            elif named:
                repeated.append(alone)
    found = {one.flag: one for one in [*shared.values(), *own]}
    for one in repeated:  # a name that is a flag already stays what it is
        if one.flag not in taken:
            found.setdefault(one.flag, one)
    return list(found.values())


def _add_flag(group: argparse._ActionsContainer, one: MetricFlag, metrics: Mapping[str, type[Metric]]) -> None:
    options = {name: f for name, cls in metrics.items() if one.is_for(cls) for f in fields(cls) if f.name == one.option}
    first = next(iter(options.values()))
    help_text = first.metadata.get("help", "")
    if one.value_type is bool:
        group.add_argument(one.flag, dest=one.dest, action=argparse.BooleanOptionalAction, default=None, help=help_text)
        return
    choices = list(dict.fromkeys(c for f in options.values() for c in f.metadata.get("choices", ()))) or None
    metavar = None if choices else {int: "N", float: "X"}.get(one.value_type, "NAME")
    help_text = f"{help_text} (default {_defaults(options)})".replace("%", "%%")
    group.add_argument(one.flag, dest=one.dest, type=one.value_type, choices=choices, metavar=metavar, help=help_text)


def _defaults(options: Mapping[str, Field[Any]]) -> str:
    """The default of an option, for each metric where they differ."""
    values = {name: f.default for name, f in options.items()}
    if len(set(values.values())) == 1:
        return str(next(iter(values.values()))) or "none"
    return ", ".join(f"{value} for {name}" for name, value in values.items())


def metrics_of(arguments: argparse.Namespace) -> list[Metric]:
    """The metrics asked for, each with the options that it has; and judges whose scores stand in files."""
    judges = _judges(arguments)
    names = arguments.metrics or ([] if judges else [DEFAULT_METRIC])
    for name in names:
        if Path(name).exists() and name not in metric_names():
            raise OptionError(f"-m takes all names behind it as metrics, got the file {name!r}: put -m after the files")
    classes = list(dict.fromkeys(metric_class(name) for name in names))
    for one in arguments.metric_flags:
        if getattr(arguments, one.dest) is not None and not any(one.is_for(cls) for cls in classes):
            listed = f"the metrics {', '.join(names)}"
            alone = f"expected {one.metric} among {listed}"
            raise OptionError(f"{one.flag}: {alone if one.metric else f'none of {listed} has it'}")
    return [*(with_files(cls.from_options(given_options(arguments, cls))) for cls in classes), *judges]


def add_options_of(parser: Parser, cls: type[Metric]) -> None:
    """A flag for each option of one metric, for a command that asks no other."""
    flags = _flags({cls.name: cls}, set())
    for one in flags:
        _add_flag(parser, one, {cls.name: cls})
    parser.set_defaults(metric_flags=flags)


def given_options(arguments: argparse.Namespace, cls: type[Metric]) -> dict[str, Any]:
    """The options of a metric that stood on the command line; a flag of its own has the last word."""
    flags = sorted((one for one in arguments.metric_flags if one.is_for(cls)), key=lambda one: bool(one.metric))
    values = [(one.option, getattr(arguments, one.dest)) for one in flags]
    return {option: value for option, value in values if value is not None}


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

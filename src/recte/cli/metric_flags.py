"""Which metrics a command computes, and a flag for each of their options.

A metric is imported only where it is asked for, by `-m` or by one of its flags: declaring the flags of all would be
most of the time that a small run takes.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self

from recte.cli.parser import Parser, help_topic
from recte.errors import InputError, OptionError, describe_choices, did_you_mean
from recte.evaluation.scoring import with_files
from recte.files import stem
from recte.messages import warn
from recte.metrics import load_metrics, metric_class, metric_names
from recte.metrics.base import Metric
from recte.options import check_option, option

__all__ = [
    "DEFAULT_METRIC",
    "CountedMetricOptions",
    "MetricOptions",
    "ScoreFileOptions",
    "add_flags_of_metric",
    "load_usable_metrics",
    "read_options_of_metric",
]

DEFAULT_METRIC = "m2"


@dataclass(frozen=True)
class _TextOptions:
    """What a command does to the texts before a metric sees them."""

    tokens: str = option("", "what cuts the texts for this metric alone, as in --tokens")


_TOKENS = fields(_TextOptions)[0]


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


def load_usable_metrics() -> Mapping[str, type[Metric]]:
    """Every metric that can be loaded, by name; a warning for each that cannot."""
    metrics, failures = load_metrics()
    for line in failures:
        warn(line)
    return metrics


@dataclass(frozen=True, kw_only=True)
class ScoreFileOptions:
    """Judges whose scores stand in files."""

    judges: tuple[str, ...] = option(
        (),
        "scores of sentences that others made (TSV, JSON lines): each judge in them is one more metric",
        kind=str,
        flags=("--scores",),
        metavar="FILE",
    )
    scale: float = option(1.0, "what these scores are divided by (default 1)", metavar="X")

    def make_metrics(self) -> list[Metric]:
        """A metric for each judge."""
        if not self.judges:
            return []
        from recte.metrics.given_scores import given_metric

        return [
            given_metric(name, table, source=stem(path), scale=self.scale)
            for path in self.judges
            for name, table in _read_sentence_scores(path).items()
        ]


@dataclass(frozen=True, kw_only=True)
class MetricOptions:
    """Which metrics a command computes, and a flag for each of their options; the last part of a command's options.

    Metrics share a flag if their options have the same name and type. With a metric's name before it (`--m2-beta`) a
    flag holds for this metric alone, whatever the shared one says. Where the name is a flag of the command itself, or
    of an option of another type, that is the only form: `--my-metric-seed`.
    """

    has_tokens: ClassVar[bool] = False  # `--METRIC-tokens` says what cuts the texts for one metric
    names: tuple[str, ...] = ()
    preset: str | None = None
    values: Mapping[MetricFlag, Any] = field(default_factory=dict)  # of the flags that stood on the command line
    tokens: Mapping[str, str] = field(default_factory=dict)  # what cuts the texts, for metrics that have their own

    @classmethod
    def add_flags(cls, parser: Parser) -> None:
        metrics = parser.add_argument("-m", "--metrics", nargs="+", action="extend", metavar="METRIC")
        parser.add_argument("--preset", metavar="TASK", help="metrics and options of a shared task (recte data list)")
        parser.expand = _expand_preset
        parser.metric_group = "options of the metrics"
        taken = set(parser._option_string_actions)
        parser.declare = partial(_declare, parser, metrics, taken, cls.has_tokens)
        parser.topic = partial(_metric_page, parser.prog, taken, cls.has_tokens)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        flags = _read_flags(values)
        return cls(
            names=tuple(values["metrics"] or ()),
            preset=values["preset"],
            values={flag: value for flag, value in flags.items() if flag.option != _TOKENS.name},
            tokens={flag.metric: value for flag, value in flags.items() if flag.option == _TOKENS.name},
        )

    def options_of(self, metric: type[Metric]) -> dict[str, Any]:
        """The options of a metric that stood on the command line; a flag of this metric alone wins."""
        return _options_of(metric, self.values)

    def make_metrics(self, score_files: ScoreFileOptions | None = None) -> list[Metric]:
        """The metrics asked for, each with the options that it has, and judges whose scores stand in files.

        Where neither is named, the default metric.
        """
        judges = [] if score_files is None else score_files.make_metrics()
        names = self.names or (() if judges else (DEFAULT_METRIC,))
        for name in names:
            if Path(name).exists() and name not in metric_names():
                raise OptionError(
                    f"-m takes all names behind it as metrics, got the file {name!r}: put -m after the files"
                )
        classes = list(dict.fromkeys(metric_class(name) for name in names))
        self._check_flags(classes, names)
        return [*(with_files(cls.from_options(self.options_of(cls))) for cls in classes), *judges]

    def _check_flags(self, classes: Sequence[type[Metric]], names: Sequence[str]) -> None:
        """Refuse a flag that none of the metrics has."""
        for flag in self.values:
            if not any(flag.is_for(cls) for cls in classes):
                listed = f"the metrics {', '.join(names)}"
                alone = f"expected {flag.metric} among {listed}"
                raise OptionError(f"{flag.flag}: {alone if flag.metric else f'none of {listed} has it'}")
        for metric in self.tokens:
            if all(cls.name != metric for cls in classes):
                raise OptionError(f"--{metric}-tokens: expected {metric} among the metrics {', '.join(names)}")


@dataclass(frozen=True, kw_only=True)
class CountedMetricOptions(MetricOptions):
    """The same for commands that only count, where each metric can have tokens of its own: `--m2-tokens jieba`."""

    has_tokens: ClassVar[bool] = True


def _read_flags(values: Mapping[str, Any]) -> dict[MetricFlag, Any]:
    """The values of the metrics' flags that stood on the command line."""
    flags: Sequence[MetricFlag] = values["metric_flags"]
    return {flag: values[flag.dest] for flag in flags if values[flag.dest] is not None}


def _options_of(metric: type[Metric], values: Mapping[MetricFlag, Any]) -> dict[str, Any]:
    """The values by the names of the metric's options; a value that an option cannot have is refused by its flag."""
    flags = sorted((flag for flag in values if flag.is_for(metric)), key=lambda flag: bool(flag.metric))
    declared = {f.name: f for f in fields(metric)}
    return {flag.option: check_option(declared[flag.option], values[flag], flag.flag) for flag in flags}


def _expand_preset(arguments: Sequence[str]) -> Sequence[str]:
    """What a preset stands for, before everything else, so that flags of the command line have the last word.

    A test set has a preset of its own, which holds where no metric is named.
    """
    only = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    only.add_argument("--preset")
    only.add_argument("-t", "--test-set")
    only.add_argument("-m", "--metrics", nargs="+")
    only.add_argument("--scores", nargs="+")
    try:
        chosen = only.parse_known_args(arguments)[0]
    except argparse.ArgumentError:  # a flag without its value: it is refused with everything else
        return arguments
    name = chosen.preset
    if name is None and chosen.test_set and not chosen.metrics and not chosen.scores:
        from recte.tasks.catalogue import test_set_named

        name = test_set_named(chosen.test_set).preset or None
    if name is None:
        return arguments
    from recte.tasks.presets import PRESETS

    if name not in PRESETS:
        raise OptionError(f"--preset: {describe_choices(PRESETS, name)}{did_you_mean(name, PRESETS)}")
    return ["--preset", name, *PRESETS[name].words, *arguments]  # named, too, where it is a test set's own


def _metric_page(prog: str, taken: set[str], has_tokens: bool, name: str) -> str | None:
    """What a metric is, and its options."""
    from recte.cli.help_pages import group_page
    from recte.metrics.registry import aliases_of

    if name in ("", *metric_names()) or any(name in aliases_of(entry) for entry in metric_names()):
        cls = metric_class(name)
        also = ", ".join(aliases_of(cls.name))
        options = argparse.ArgumentParser(f"{prog} -m {cls.name}", add_help=False)
        flags = _flags({cls.name: cls}, taken, has_tokens=has_tokens)
        for entry in flags:
            _add_flag(options, entry, {cls.name: cls})
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
    shared = next((flag.flag for flag in flags if not flag.metric), None)
    return "" if shared is None else f" (--{name}-{shared[2:]} and so on, where it runs with other metrics)"


def _declare(
    parser: Parser, metrics_action: argparse.Action, taken: set[str], has_tokens: bool, arguments: Sequence[str]
) -> None:
    """Declare the flags of the metrics that the arguments name; of all, for all help or a flag of another."""
    topic = help_topic(arguments)
    if topic is not None:
        metrics = load_usable_metrics() if topic == "all" else {}
        which = f"which of {', '.join(metric_names())}" if topic == "all" else "which metrics"
        metrics_action.help = f"{which} (default {DEFAULT_METRIC}; see recte --list)"
    else:
        metrics = _load_named_metrics(arguments)
        if not _are_enough(_flags(metrics, taken, arguments, has_tokens=has_tokens), taken, arguments):
            metrics = load_usable_metrics()
    flags = _flags(metrics, taken, arguments, has_tokens=has_tokens)
    description = "--METRIC-OPTION holds for one metric alone, as --bertscore-model or --scribendi-model"
    group = parser.add_argument_group(parser.metric_group, description)
    for flag in flags:
        _add_flag(group, flag, metrics)
    parser.set_defaults(metric_flags=flags)


def _load_named_metrics(arguments: Sequence[str]) -> Mapping[str, type[Metric]]:
    """The metrics behind `-m`, where they can be loaded; what is wrong with others is said when they are used."""
    only = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    only.add_argument("-m", "--metrics", nargs="+", action="extend")
    try:
        names = only.parse_known_args(arguments)[0].metrics or [DEFAULT_METRIC]
    except argparse.ArgumentError:
        names = []
    metrics = {}
    for name in names:
        with suppress(OptionError):
            cls = metric_class(name)
            metrics[cls.name] = cls
    return metrics


def _are_enough(metric_flags: Sequence[MetricFlag], taken: set[str], arguments: Sequence[str]) -> bool:
    """Whether every argument that looks like a flag is one of these, or short for one."""
    negated = (f"--no-{flag.flag[2:]}" for flag in metric_flags if flag.value_type is bool)
    known = {*taken, *(flag.flag for flag in metric_flags), *negated}
    flags = {argument.partition("=")[0] for argument in arguments if argument.startswith("--") and argument != "--"}
    return all(any(name.startswith(flag) for name in known) for flag in flags)


def _flags(
    metrics: Mapping[str, type[Metric]], taken: set[str], arguments: Sequence[str] = (), *, has_tokens: bool = False
) -> list[MetricFlag]:
    """The metrics' flags. Those that repeat a shared one for one metric are left out where no argument begins so."""
    shared: dict[str, MetricFlag] = {}
    alone: list[MetricFlag] = []  # with the metric's name, since the shared one is another
    repeated: list[MetricFlag] = []
    for name, cls in metrics.items():
        named = any(argument.startswith((f"--{name}-", f"--no-{name}-")) for argument in arguments)
        for f in (*fields(cls), *([_TOKENS] if has_tokens else ())):
            short = "--" + f.name.replace("_", "-")
            of_metric = MetricFlag(f"--{name}{short[1:]}", f.name, type(f.default), name)
            if short in taken or not shared.setdefault(f.name, MetricFlag(short, f.name, type(f.default))).is_for(cls):
                alone.append(of_metric)
            elif named:
                repeated.append(of_metric)
    by_name = {flag.flag: flag for flag in [*shared.values(), *alone]}
    for flag in repeated:  # a name that is a flag already stays what it is
        if flag.flag not in taken:
            by_name.setdefault(flag.flag, flag)
    return list(by_name.values())


def _add_flag(group: argparse._ActionsContainer, flag: MetricFlag, metrics: Mapping[str, type[Metric]]) -> None:
    options = {
        name: f
        for name, cls in metrics.items()
        if flag.is_for(cls)
        for f in (*fields(cls), _TOKENS)
        if f.name == flag.option
    }
    first = next(iter(options.values()))
    help_text = first.metadata.get("help", "")
    if flag.value_type is bool:
        group.add_argument(
            flag.flag, dest=flag.dest, action=argparse.BooleanOptionalAction, default=None, help=help_text
        )
        return
    choices = list(dict.fromkeys(c for f in options.values() for c in f.metadata.get("choices", ()))) or None
    metavar = None if choices else {int: "N", float: "X"}.get(flag.value_type, "NAME")
    ranges = {(f.metadata.get("least"), f.metadata.get("most")) for f in options.values()}
    least, most = ranges.pop() if len(ranges) == 1 else (None, None)
    between = "" if least is None or most is None else f"{least:,} to {most:,}, "
    help_text = f"{help_text} ({between}default {_defaults(options)})".replace("%", "%%")
    group.add_argument(
        flag.flag, dest=flag.dest, type=flag.value_type, choices=choices, metavar=metavar, help=help_text
    )


def _defaults(options: Mapping[str, Field[Any]]) -> str:
    """The default of an option, for each metric where they differ."""
    values = {name: f.default for name, f in options.items()}
    if len(set(values.values())) == 1:
        return str(next(iter(values.values()))) or "none"
    return ", ".join(f"{value} for {name}" for name, value in values.items())


def add_flags_of_metric(parser: Parser, metric: type[Metric]) -> None:
    """Declare a flag for each option of one metric, for a command that uses no other."""
    flags = _flags({metric.name: metric}, set())
    for flag in flags:
        _add_flag(parser, flag, {metric.name: metric})
    parser.set_defaults(metric_flags=flags)


def read_options_of_metric(values: Mapping[str, Any], metric: type[Metric]) -> dict[str, Any]:
    """The metric's options that stood on the command line, by the names of its fields."""
    return _options_of(metric, _read_flags(values))


def _read_sentence_scores(path: str) -> Mapping[str, Mapping[str, Sequence[float]]]:
    from recte.formats.metric_scores import read_metric_scores

    scores = read_metric_scores(path).sentences
    if not scores:
        raise InputError("expected scores of sentences, got scores of systems alone", path)
    return scores

"""Arguments that several commands share: gold, systems, and the metrics' own options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from errata.errors import OptionError
from errata.metrics import METRICS, metric_class
from errata.metrics.base import Metric
from errata.scoring import GoldFiles

__all__ = ["add_gold", "add_metrics", "gold_and_systems", "metrics_of"]


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


def gold_and_systems(arguments: argparse.Namespace) -> tuple[GoldFiles, list[str]]:
    """The gold and the system files, from positional arguments and options together."""
    files = [*arguments.files, *arguments.input]
    common = {"labels": arguments.labels, "lenient": arguments.lenient}
    if arguments.source is not None:
        if not arguments.reference:
            raise OptionError("-s: expected references with -r, got none")
        return GoldFiles(source=arguments.source, references=tuple(arguments.reference), **common), files
    if arguments.reference:
        raise OptionError("-r: expected the source with -s, got none")
    if not files:
        raise OptionError("expected a gold file and systems, got no file")
    return GoldFiles(m2=files[0], **common), files[1:]


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Which metrics, and a flag for each of their options."""
    parser.add_argument("-m", "--metrics", nargs="+", default=["m2"], metavar="METRIC", help="m2 (the default), hoo")
    group = parser.add_argument_group("options of the metrics")
    seen: set[str] = set()
    for name in METRICS:
        for f in fields(metric_class(name)):
            if f.name in seen:
                continue
            seen.add(f.name)
            flag = "--" + f.name.replace("_", "-")
            help_text = f.metadata["help"].replace("%", "%%")
            if isinstance(f.default, bool):
                group.add_argument(flag, action="store_true", default=None, help=help_text)
            else:
                group.add_argument(
                    flag,
                    type=type(f.default),
                    choices=f.metadata["choices"] or None,
                    metavar=None if f.metadata["choices"] else "N",
                    help=f"{help_text} (default {_default(f.name)})",
                )


def _default(option: str) -> str:
    """The default of an option, for each metric where they differ."""
    defaults = {name: getattr(metric_class(name)(), option, None) for name in METRICS}
    known = {name: value for name, value in defaults.items() if value is not None}
    if len(set(known.values())) == 1:
        return str(next(iter(known.values())))
    return ", ".join(f"{value} for {name}" for name, value in known.items())


def metrics_of(arguments: argparse.Namespace) -> list[Metric]:
    """The metrics asked for, each with the options that it has."""
    classes = [metric_class(name) for name in dict.fromkeys(arguments.metrics)]
    given = given_options(arguments)
    for option in given:
        if not any(option in known_options(cls) for cls in classes):
            raise OptionError(
                f"--{option.replace('_', '-')}: none of the metrics {', '.join(arguments.metrics)} has it"
            )
    return [cls.from_options(given) for cls in classes]


def known_options(cls: type[Metric]) -> set[str]:
    return {f.name for f in fields(cls)}


def given_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The metric options that stood on the command line."""
    names: Sequence[str] = sorted({option for name in METRICS for option in known_options(metric_class(name))})
    return {name: getattr(arguments, name) for name in names if getattr(arguments, name, None) is not None}

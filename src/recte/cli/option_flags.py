"""Flags of the command line from options: a dataclass declares them, and gets what was read."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from recte.options import check_option, option_kind

__all__ = ["add_options", "flag_names", "read_options"]


def add_options(parser: argparse.ArgumentParser, options: type) -> None:
    """Declare a flag for each option of a dataclass and of its parts, in their order.

    A part whose flags depend on the command line declares them itself by a class method `add_flags(parser)`, and is
    made from what was read by `from_values(values)`.
    """
    _add_fields(parser, options, "", {"": parser})


def _add_fields(parser: argparse.ArgumentParser, options: type, title: str, groups: dict[str, Any]) -> None:
    for f in fields(options):
        if "group" not in f.metadata:
            raise TypeError(f"{options.__name__}.{f.name}: expected a field made by option, argument or part")
        group = f.metadata["group"] or title
        if group not in groups:
            groups[group] = parser.add_argument_group(group)
        options_of_part = f.metadata.get("part")
        if options_of_part is None:
            excluded = f.metadata["excludes"]
            if excluded and excluded not in groups:
                groups[excluded] = groups[group].add_mutually_exclusive_group()
            _add_flag(groups[excluded or group], f)
        elif hasattr(options_of_part, "add_flags"):
            options_of_part.add_flags(parser)
        else:
            _add_fields(parser, options_of_part, group, groups)


def flag_names(f: Field[Any]) -> tuple[str, ...]:
    """How an option is given on the command line, its main name first."""
    return f.metadata["flags"] or ("--" + f.name.replace("_", "-"),)


def _add_flag(target: argparse._ActionsContainer, f: Field[Any]) -> None:
    declared = f.metadata
    settings: dict[str, Any] = {"help": declared["help"]}
    if declared.get("positional"):
        names: tuple[str, ...] = (f.name,)
    else:
        names = flag_names(f)
        settings |= {"dest": f.name, "required": f.default is MISSING}
    if declared["action"] is not None:
        target.add_argument(*names, action=declared["action"], nargs=0, **settings)
        return
    if f.default is not MISSING and declared["values"] != "*":  # argparse lists those without a value by itself
        settings["default"] = list(f.default) if isinstance(f.default, tuple) else f.default
    if option_kind(f) is bool:
        action = "store_true" if f.default is False else argparse.BooleanOptionalAction
        target.add_argument(*names, action=action, **settings)
        return
    settings |= {"type": option_kind(f), "metavar": declared["metavar"] or None, "choices": declared["choices"] or None}
    if declared["values"]:
        settings["nargs"] = declared["values"]
    if declared["repeated"]:
        settings["action"] = "append"
    target.add_argument(*names, **settings)


def read_options(options: type, values: Mapping[str, Any]) -> Any:
    """The dataclass with the values that the parser read, by the names of its fields; checks their ranges."""
    read: dict[str, Any] = {}
    for f in fields(options):
        options_of_part = f.metadata.get("part")
        if options_of_part is not None:
            read_part = getattr(options_of_part, "from_values", None)
            read[f.name] = read_options(options_of_part, values) if read_part is None else read_part(values)
        elif f.metadata["repeated"]:
            read[f.name] = tuple(tuple(item) if isinstance(item, list) else item for item in values[f.name])
            for item in read[f.name]:
                check_option(f, item, flag_names(f)[0])
        elif f.metadata["action"] is None:
            read[f.name] = check_option(f, values[f.name], f.name if f.metadata.get("positional") else flag_names(f)[0])
    return options(**read)

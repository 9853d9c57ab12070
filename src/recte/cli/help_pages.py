"""Pages of help: a first page that fits a screen, one with everything, and one for each metric."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

from recte.cli.command_table import COMMAND_GROUPS

if TYPE_CHECKING:
    from recte.cli.parser import HelpContent, Parser

__all__ = ["ALL", "Formatter", "first_page", "full_page", "group_page"]

ALL = "all"  # the topic that explains every option
_ASIDE = 27  # where explanations begin
_MOST_LETTERS = 28  # of choices that stand in braces


class Formatter(argparse.HelpFormatter):
    """As argparse's, with an option's value named once: -f, --format FORMAT."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=_ASIDE, width=_width())

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if _has_many_choices(action):
            default_metavar = action.dest.rpartition(".")[2].upper()
            return f"{default_metavar}..." if action.nargs == "+" else default_metavar
        text = super()._format_args(action, default_metavar)
        return f"{text.partition(' [')[0]}..." if action.nargs == "+" else text

    def _expand_help(self, action: argparse.Action) -> str:
        text = super()._expand_help(action)
        listed = ", ".join(map(str, action.choices or ()))
        if not _has_many_choices(action) or listed in text:
            return text
        return f"{listed} {text}" if text.startswith("(") else f"{text} ({listed})"


def _has_many_choices(action: argparse.Action) -> bool:
    """Whether an option's choices are listed behind its help, since they would hide its name."""
    return action.metavar is None and len(",".join(map(str, action.choices or ()))) > _MOST_LETTERS


def _width() -> int:
    return min(get_terminal_size().columns, 120) - 2


def first_page(parser: Parser) -> str:
    """How a command is called, two examples, its most used options, and where to read on."""
    content = parser.page
    if content is None:
        return full_page(parser)
    lead = [f"usage: {_usage(parser.prog, content)}", "", str(parser.description), "", "examples:"]
    for command, what in content.examples:
        aside = f"  {command}  # {what}"
        lead += [aside] if len(aside) <= _width() else [f"  # {what}", *_wrap_command(command)]
    actions = _own_actions(parser)
    shown = [_action(actions, flag) for flag in content.common] if content.common else actions
    hidden = [action for action in actions if action not in shown]
    parts = ["\n".join(lead), _format_commands(parser), _format_actions(parser, shown)]
    read_on = "\n".join(_where_to_read_on(parser, hidden))
    if " " in parser.prog:
        parts.append(read_on)
    else:  # so that all commands fit a screen
        parts[-1] += read_on
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _format_commands(parser: Parser) -> str:
    """The commands inside a command; those of recte itself in groups by what one wants."""
    actions = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    inner = {command.dest: command for action in actions for command in action._choices_actions}
    if " " in parser.prog:
        return _format_actions(parser, inner.values())
    formatter = Formatter(parser.prog)
    for title, commands in COMMAND_GROUPS.items():
        formatter.start_section(title)
        formatter.add_arguments(inner[name] for name in commands)
        formatter.end_section()
    return formatter.format_help().replace("\n\n", "\n")


def _usage(prog: str, content: HelpContent) -> str:
    """Every form of a command, one below the other."""
    return "\n       ".join(f"{prog} [OPTION...] {form}" for form in content.forms)


def _wrap_command(command: str) -> list[str]:
    """A command in as many lines as it needs, as a shell reads it."""
    lines = [""]
    for piece in re.split(" (?=-)", command):
        if len(f"{lines[-1]} {piece}") > _width() - 6 and lines[-1]:
            lines.append(piece)
        else:
            lines[-1] = f"{lines[-1]} {piece}".strip()
    return ("  " + " \\\n      ".join(lines)).split("\n")


def _where_to_read_on(parser: Parser, hidden: Sequence[argparse.Action]) -> list[str]:
    lines = []
    if hidden:
        rest = f"also: {' '.join(_long(action) for action in hidden)}"
        lines += wrap(rest, _width(), subsequent_indent="      ", break_on_hyphens=False, break_long_words=False)
        lines.append(f"{parser.prog} --help all explains every option.")
    if parser.topic is not None:
        lines.append(f"{parser.prog} --help m2 explains the options of a metric.")
    return lines or ["docs/cli.md says more."]


def _long(action: argparse.Action) -> str:
    return next((flag for flag in action.option_strings if flag.startswith("--")), action.option_strings[0])


def _own_actions(parser: Parser) -> list[argparse.Action]:
    """The command's own options: not those of metrics, nor help itself, nor what stands without a flag."""
    of_metrics = {id(a) for g in parser._action_groups if g.title == parser.metric_group for a in g._group_actions}
    return [
        action
        for action in parser._actions
        if action.option_strings and action.dest != "help" and id(action) not in of_metrics
    ]


def _action(actions: Iterable[argparse.Action], flag: str) -> argparse.Action:
    return next(action for action in actions if flag in action.option_strings)


def _format_actions(parser: Parser, actions: Iterable[argparse.Action]) -> str:
    formatter = Formatter(parser.prog)
    formatter._indent()
    formatter.add_arguments(actions)
    return formatter.format_help()


def full_page(parser: Parser) -> str:
    """Everything, group by group."""
    formatter = Formatter(parser.prog)
    usage = _usage(parser.prog, parser.page) if parser.page else parser.usage
    formatter.add_usage(usage, parser._actions, parser._mutually_exclusive_groups)
    formatter.add_text(parser.description)
    for group in parser._action_groups:
        formatter.start_section(group.title)
        formatter.add_text(group.description)
        formatter.add_arguments(group._group_actions)
        formatter.end_section()
    formatter.add_text(parser.epilog)
    return formatter.format_help()


def group_page(parser: argparse.ArgumentParser, lead: Sequence[str]) -> str:
    """The options of one group of a parser, below some lines of text."""
    formatter = Formatter(parser.prog)
    formatter._indent()
    formatter.add_arguments(parser._actions)
    broken = [line for text in lead for line in (wrap(text, _width()) or [""])]
    return "\n".join([*broken, "", formatter.format_help()])

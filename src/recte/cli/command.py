"""What a command is: its options, the function that runs it, and what its help shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recte.cli.option_flags import add_options, read_options
from recte.cli.parser import HelpContent, Parser

__all__ = ["Command", "Subcommand"]

_SUBCOMMAND = "subcommand"  # where the parser puts the name of the command inside a command


@dataclass(frozen=True)
class Subcommand:
    """A command inside another, as `recte data get`."""

    summary: str
    run: Callable[[Any], int | None]
    options: type


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command of the command line: `run` gets its options and returns an exit code, or None where all is well.

    `forms` are what may stand behind its name; `examples` are command lines that run on the bundled sample, and what
    they do; `common` are the flags that the first page of help explains, in this order: all of the command's own where
    none are named. A command has `options` and `run`, or `subcommands` by name.
    """

    forms: Sequence[str]
    examples: Sequence[tuple[str, str]]
    common: Sequence[str] = ()
    run: Callable[[Any], int | None] | None = None
    options: type | None = None
    subcommands: Mapping[str, Subcommand] = field(default_factory=dict)
    subcommand_title: str = "ACTION"

    def add_to(self, parser: Parser) -> None:
        """Declare the command's flags, and give its parser what help shows."""
        parser.page = HelpContent(self.forms, self.examples, self.common)
        if self.options is not None:
            add_options(parser, self.options)
            _add_quiet(parser)
            return
        inner = parser.add_subparsers(dest=_SUBCOMMAND, metavar=self.subcommand_title, required=True)
        for name, subcommand in self.subcommands.items():
            of_subcommand = inner.add_parser(name, help=subcommand.summary)
            add_options(of_subcommand, subcommand.options)
            _add_quiet(of_subcommand)

    def run_with(self, values: Mapping[str, Any]) -> int:
        """Run the command with the values that its parser read; the exit code."""
        if self.run is not None and self.options is not None:
            return self.run(read_options(self.options, values)) or 0
        subcommand = self.subcommands[values[_SUBCOMMAND]]
        return subcommand.run(read_options(subcommand.options, values)) or 0


def _add_quiet(parser: Parser) -> None:
    """Declare -q for a command whose options do not say more of it: every command has it."""
    if not any("-q" in action.option_strings for action in parser._actions):
        parser.add_argument("-q", "--quiet", action="store_true", help="no warnings, no notes")

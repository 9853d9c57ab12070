"""The parser of the command line: wrong usage is one line, help fits a screen, and some options are declared late."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from recte._version import __version__
from recte.cli.corrections import is_typed, with_correction
from recte.errors import did_you_mean
from recte.text.printable_text import visible

__all__ = ["BAD_INPUT", "HelpContent", "Parser", "Version", "flush_output", "help_topic"]

BAD_INPUT = 2
_HELP = ("-h", "--help")


class HelpContent(NamedTuple):
    """What the first page of a command's help shows, see `recte.cli.command.Command`."""

    forms: Sequence[str]
    examples: Sequence[tuple[str, str]]
    common: Sequence[str] = ()


class Parser(argparse.ArgumentParser):
    """Wrong usage is bad input: one line, exit code 2.

    `declare` is called with the arguments just before they are parsed: options that cost time to declare are declared
    only where these arguments need them. Before that, `expand` puts what short names stand for in their place. `topic`
    gives the help on a topic, or None where it knows of none by that name; `metric_group` is the title of the group
    whose options have topics of their own; `page` is what the first page of help shows besides the options.
    """

    declare: Callable[[Sequence[str]], None] | None = None
    expand: Callable[[Sequence[str]], Sequence[str]] | None = None
    topic: Callable[[str], str | None] | None = None
    metric_group: str = ""
    page: HelpContent | None = None

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "add_help": False})
        text = "this page, or on a topic: all options (all), one metric's (m2)"
        self.add_argument(*_HELP, nargs="?", const="", metavar="TOPIC", action=_Help, help=text)

    def error(self, message: str) -> NoReturn:
        line = with_correction(message.replace(chr(10), " "), f" ({self.prog} --help says more)")
        self.exit(BAD_INPUT, f"recte: {visible(line)}\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self.expand is not None:
            args = self.expand(args)
        if self.declare is not None:
            self.declare(args)
            self.declare = None
        return super().parse_known_args(args, namespace)

    def refuse(self, extra: Sequence[str]) -> NoReturn:
        """Say what is wrong with arguments that no option takes."""
        flag = next(
            (argument.partition("=")[0] for argument in extra if argument.startswith("-") and argument != "-"), None
        )
        if flag is None:
            self.error(f"too many arguments: got {extra[0]!r}")
        advice = did_you_mean(flag, self._option_string_actions)
        if flag in ("-o", "--to", "--output"):
            advice = ": it prints, and > FILE behind the command writes that to a file"
        self.error(f"expected an option of {self.prog}, got {flag!r}{advice}")

    def flags(self) -> Collection[str]:
        """The options that the command takes, as they are typed."""
        return self._option_string_actions.keys()

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """No file, name or option is empty; a command's own arguments are looked at by its parser."""
        if text == "" and action.nargs != argparse.PARSER and not isinstance(action, _Help):
            raise argparse.ArgumentError(action, "expected a value, got an empty one")
        try:
            return super()._get_value(action, text)
        except argparse.ArgumentError:
            if action.type not in (int, float):
                raise
            number = "a whole number" if action.type is int else "a number"
            raise argparse.ArgumentError(action, f"expected {number}, got {text!r}") from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            expected = f"expected one of {', '.join(choices)}"
            raise argparse.ArgumentError(action, f"{expected}, got {value!r}{did_you_mean(str(value), choices)}")

    def help_on(self, topic: str) -> str:
        """The page of a topic; the first one where none is named, or where it is a file of a command line."""
        from recte.cli.help_pages import ALL, first_page, full_page

        if self.declare is not None:
            self.declare(["--help", topic])
            self.declare = None
        if topic == ALL:
            return full_page(self)
        page = self.topic(topic) if topic and self.topic is not None else None
        if page is None and topic and not Path(topic).exists():
            if is_typed(f"-h{topic}"):  # one word, as ERRANT's -hyp
                self.error(f"expected an option of recte, got -h{topic}")
            self.error(f"--help: expected all or the name of a metric, got {topic!r}")
        return page or first_page(self)


def flush_output() -> None:
    """Write what was printed while a full disk can still be told of; standard output may be closed."""
    if sys.stdout is not None:
        sys.stdout.flush()


class _Help(argparse.Action):
    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        print(parser.help_on(values), end="")
        flush_output()
        parser.exit()


class Version(argparse.Action):
    """Prints the version and ends; argparse's own takes a full disk for success."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        print(f"recte {__version__}")
        flush_output()
        parser.exit()


def help_topic(arguments: Sequence[str]) -> str | None:
    """What help is asked for: a topic, an empty text for the first page, or None for no help at all."""
    place = next((place for place, argument in enumerate(arguments) if argument in _HELP), None)
    if place is None:
        return next((word.partition("=")[2] for word in arguments if word.startswith("--help=")), None)
    behind = arguments[place + 1 : place + 2]
    return behind[0] if behind and not behind[0].startswith("-") else ""

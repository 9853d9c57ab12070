"""The command line: reads arguments, calls the library and prints; it never computes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TextIO

from recte.cli.command_table import COMMANDS
from recte.cli.corrections import suggesting_command, with_correction
from recte.cli.parser import BAD_INPUT, HelpContent, Parser, Version, flush_output
from recte.errors import DryRun, OptionError, RecteError
from recte.gc_paused import gc_paused
from recte.messages import standard_error, write_line
from recte.text.printable_text import visible

__all__ = ["main"]

HELP = HelpContent(
    forms=("COMMAND ...",),
    examples=(
        ("recte sample sample", "something to try things on"),
        ("recte score sample/gold.m2 sample/systems/*.txt", "score three systems"),
    ),
)
_INTERNAL_ERROR = 70  # as BSD's sysexits has it: a fault of the program


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on standard error and exit code 2."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_process()
    with suggesting_command(arguments):
        commands: Mapping[str, Parser] = {}
        try:
            parser, commands = _make_parser(arguments)
            with standard_error():
                parsed, extra = parser.parse_known_args(arguments)
                if extra:
                    commands.get(parsed.command, parser).refuse(extra)
                code = _obey(parser, parsed)
            flush_output()
        except RecteError as error:
            if _debugging() and error.__cause__ is not None:  # a metric failed, and its author wants to know where
                import traceback

                traceback.print_exception(error.__cause__)
            command = next((commands[word] for word in arguments if word in commands), None)
            _write_error(with_correction(_name_flag(error, command)))
            return BAD_INPUT
        except BrokenPipeError:  # the reader of our output left
            sys.stderr.close()
            return 1
        except MemoryError:
            _write_error("out of memory")
            return BAD_INPUT
        except OSError as error:  # a full disk behind standard output, a path that no system takes
            _discard_output(sys.stdout)
            named = "" if error.filename is None else f"{str(error.filename)[:100]}: "
            _write_error(f"{named}{error.strerror or error}")
            return BAD_INPUT
        except KeyboardInterrupt:
            return 130
        except Exception as error:  # no input should get here
            if _debugging():
                raise
            if isinstance(error, AttributeError) and getattr(error.obj, "__name__", "") == "recte._kernels":
                _write_error("the compiled core is older than the Python code: install recte again, from its folder")
            else:
                _write_error(f"internal error: {_describe(error)} (RECTE_DEBUG=1 shows where; please report it)")
            return _INTERNAL_ERROR
        return code


def _prepare_process() -> None:
    """Set what a command needs of its process."""
    _fill_closed_streams()
    # NumPy's linear algebra would start a thread for each core, which spin for as long as all else that a short
    # command does. Our products are small, kernels have threads of their own, and sums stay the same on any machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an old terminal may lack a letter: better a ? than a crash
            stream.reconfigure(errors="replace")


def _make_parser(arguments: Sequence[str]) -> tuple[Parser, Mapping[str, Parser]]:
    """The parser of all commands and each command's own; the one that the arguments name has its options."""
    parser = Parser(
        prog="recte",
        description="Scores grammatical error correction systems, and then checks the score.",
        epilog="recte COMMAND --help says more. Documentation: docs/ in the source.",
    )
    parser.add_argument("-V", "--version", action=Version, nargs=0, help="show the version and end")
    parser.add_argument("--list", action="store_true", help="list the metrics and end")
    parser.add_argument("--citation", action="store_true", help="print what to cite, as BibTeX, and end")
    parser.page = HELP
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    parser.topic = partial(_topic, subparsers.choices)
    chosen = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, entry in COMMANDS.items():
        summary = entry.summary
        command = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == chosen:
            with gc_paused():
                entry.load().add_to(command)
    return parser, subparsers.choices


def _obey(parser: Parser, parsed: argparse.Namespace) -> int:
    """Do what the arguments ask for; the exit code."""
    values = vars(parsed)
    if values["command"] is not None:
        try:
            with standard_error(quiet=values.get("quiet", False)):
                return COMMANDS[values["command"]].load().run_with(values)
        except DryRun as costs:
            print(visible(str(costs)))
    elif values["list"]:
        from recte.cli.about import print_metrics

        print_metrics(())
    elif values["citation"]:
        from recte.cli.about import print_citations

        print_citations(())
    else:
        print(parser.help_on(""), end="")
    return 0


def _topic(commands: Mapping[str, Parser], name: str) -> str | None:
    """The help on a command or a metric; None where there is none of that name."""
    if name in commands:
        return commands[name].help_on("")
    COMMANDS["score"].load().add_to(commands["score"])
    topic = commands["score"].topic
    return None if topic is None else topic(name)


def _name_flag(error: RecteError, command: Parser | None) -> str:
    """What is wrong; with an option of the library, it begins with the flag that sets it: `--by: ...` for `by: ...`."""
    name, colon, rest = str(error).partition(": ")
    flag = "--" + name.replace("_", "-")
    if isinstance(error, OptionError) and command is not None and flag in command.flags():
        return f"{flag}{colon}{rest}"
    return str(error)


def _debugging() -> bool:
    """Whether faults are shown with where they happened."""
    return os.environ.get("RECTE_DEBUG", "") not in ("", "0")


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:1000]


def _fill_closed_streams() -> None:
    """Let what would go to a closed stream go nowhere: neither to another one, nor into a file that gets its number."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as we run
    if None in (sys.stdin, sys.stdout):
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)


def _write_error(text: str) -> None:
    """One line on standard error; where it cannot be written, the exit code alone tells what happened."""
    try:
        write_line(text)
    except OSError:
        _discard_output(sys.stderr)


def _discard_output(stream: TextIO) -> None:
    """Let what could not be written be lost, so that the interpreter does not try again when it ends."""
    try:
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, stream.fileno())
        os.close(null_device)
    except (OSError, ValueError, AttributeError):  # no file behind it
        pass

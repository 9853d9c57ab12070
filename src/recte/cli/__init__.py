"""The command line: one file a command. It reads arguments, calls the library and prints; it never computes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TextIO

from recte.cli.parser import BAD_INPUT, Parser, Version, flush_output
from recte.errors import DryRun, RecteError
from recte.notices import Notice, heard_by
from recte.objects_kept import objects_kept
from recte.visible_text import visible

__all__ = ["main"]

# Each command's module has `add_arguments(parser)` and `run(arguments)`; it is imported when the command is used.
COMMANDS = {
    "score": "score systems against a gold standard",
    "compare": "show who beats whom, and whether it could be chance",
    "report": "write one HTML page that shows every score and sentence",
    "figures": "draw the report's charts into files, for a paper",
    "explain": "show one sentence as a metric saw it",
    "faithfulness": "say whether corrections keep the meaning of their source",
    "difficulty": "show which error types are difficult for a set of systems",
    "segmentation": "show how far a score hangs on the word segmenter",
    "references": "grow a reference set from many answers",
    "count": "save a system's counts, to merge and score later",
    "conservatism": "show how much systems and annotators change",
    "cut": "cut a text and its correction into sentence pairs",
    "coverage": "estimate how many corrections there are, and what few miss",
    "ceilings": "show what people score against people, beside systems",
    "closest": "score systems on references that follow their output",
    "extract": "find typed edits between sources and corrected texts",
    "convert": "turn gold files from one format into another",
    "judge": "have a language model say which of two outputs is better",
    "rank": "rank systems by human judgments",
    "metaeval": "compare metrics with human judgments",
    "reproduce": "recompute the tables of papers beside the published figures",
    "bundle": "run a shared task on Codabench, or offline",
    "data": "list test sets, and get them by name",
    "sample": "write the bundled sample, to try things on",
    "completion": "print what makes a shell complete commands and options",
}
_INTERNAL_ERROR = 70  # as BSD's sysexits has it: a fault of the program


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on standard error and exit code 2."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _fill_closed_streams()
    # NumPy's linear algebra would start a thread for each core, which spin for as long as all else that a short
    # command does. Our products are small, kernels have threads of their own, and sums stay the same on any machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # an old terminal may lack a letter: better a ? than a crash
            stream.reconfigure(errors="replace")
    parser = Parser(
        prog="recte",
        description="Scores grammatical error correction systems, and then checks the score.",
        epilog="recte COMMAND --help says more. Documentation: docs/ in the source.",
    )
    parser.add_argument("-V", "--version", action=Version, nargs=0, help="show the version and end")
    parser.add_argument("--list", action="store_true", help="list the metrics and end")
    parser.add_argument("--citation", action="store_true", help="print what to cite, as BibTeX, and end")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    parser.topic = partial(_topic, subparsers.choices)
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == wanted:
            with objects_kept():
                import_module(f"recte.cli.{name}").add_arguments(command)
    try:
        parsed, extra = parser.parse_known_args(arguments)
        if extra:
            subparsers.choices.get(parsed.command, parser).refuse(extra)
        code = _obey(parser, parsed)
        flush_output()
    except RecteError as error:
        if _debugging() and error.__cause__ is not None:  # a metric failed, and its author wants to know where
            import traceback

            traceback.print_exception(error.__cause__)
        _complain(visible(str(error)))
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output left
        sys.stderr.close()
        return 1
    except MemoryError:
        _complain("out of memory")
        return BAD_INPUT
    except OSError as error:  # a full disk behind standard output, a path that no system takes
        _forget(sys.stdout)
        named = "" if error.filename is None else f"{visible(str(error.filename)[:100])}: "
        _complain(f"{named}{error.strerror or error}")
        return BAD_INPUT
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # no input should get here
        if _debugging():
            raise
        _complain(f"internal error: {_said(error)} (RECTE_DEBUG=1 shows where; please report it)")
        return _INTERNAL_ERROR
    return code


def _obey(parser: Parser, parsed: argparse.Namespace) -> int:
    """Do what the arguments ask for; the exit code."""
    if parsed.list or parsed.citation:
        from recte.cli.about import print_citations, print_metrics

        metrics = getattr(parsed, "metrics", None)
        if parsed.list:
            print_metrics(metrics, getattr(parsed, "format", "text"))
        else:
            print_citations(metrics)
    elif parsed.command is None:
        print(parser.help_on(""), end="")
    else:
        try:
            with _notices_told(quiet=getattr(parsed, "quiet", False)):
                code: int = import_module(f"recte.cli.{parsed.command}").run(parsed) or 0
        except DryRun as told:
            print(visible(str(told)))
        else:
            return code
    return 0


@contextmanager
def _notices_told(*, quiet: bool) -> Iterator[None]:
    """What a command had to say beside its result, on standard error at its end, however it ends."""
    heard: dict[str, Notice] = {}
    try:
        with heard_by(lambda notice: heard.update({notice.about: notice})):
            yield
    finally:
        for notice in () if quiet else heard.values():
            _complain(f"{notice.kind}: {visible(notice.text)}")


def _topic(commands: Mapping[str, Parser], name: str) -> str | None:
    """The help on a command or a metric; None where there is none of that name."""
    if name in commands:
        return commands[name].help_on("")
    import_module("recte.cli.score").add_arguments(commands["score"])
    topic = commands["score"].topic
    return None if topic is None else topic(name)


def _debugging() -> bool:
    """Whether faults are shown with where they happened."""
    return os.environ.get("RECTE_DEBUG", "") not in ("", "0")


def _said(error: Exception) -> str:
    return visible(f"{type(error).__name__}: {error}"[:1000])


def _fill_closed_streams() -> None:
    """Let what would go to a closed stream go nowhere: neither to another one, nor into a file that gets its number."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as we run
    if None in (sys.stdin, sys.stdout):
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(number)


def _complain(line: str) -> None:
    """One line on standard error; where that has no room either, the exit code says it alone."""
    try:
        print(f"recte: {line}", file=sys.stderr, flush=True)
    except OSError:
        _forget(sys.stderr)


def _forget(stream: TextIO) -> None:
    """Let what could not be written be lost, so that the interpreter does not try again when it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # no file behind it
        pass

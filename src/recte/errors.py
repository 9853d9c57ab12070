"""What can go wrong, in one tree.

    RecteError
    ├── InputError      a file or an argument does not hold what it should; says where
    │   └── LengthError a file has not one line for each sentence of another
    ├── OptionError     an option has a value that makes no sense
    ├── TooLongError    a sentence is beyond what a metric can do exactly
    └── MetricError     a metric failed: its own fault, not that of the input; says what it raised

A message is one line and complete: the command line prints it and ends with exit code 2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from unicodedata import category

__all__ = [
    "DryRun",
    "InputError",
    "LengthError",
    "MetricError",
    "OptionError",
    "RecteError",
    "TooLongError",
    "check_choice",
    "describe_choices",
    "did_you_mean",
]

_LONGEST_NAME, _LONGEST_MESSAGE = 300, 1200  # letters of a file's name that a message shows, and of the message


def did_you_mean(got: str, known: Iterable[str]) -> str:
    """The end of a message about a name that nobody has: the known name nearest to it, where one is near.

    >>> did_you_mean("bleo", ["gleu", "bleu"]), did_you_mean("x", ["gleu"])
    ('; did you mean bleu?', '')
    """
    from difflib import get_close_matches  # where something is wrong already, it may take its time

    near = get_close_matches(got.lower(), list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def describe_choices(choices: Iterable[str], value: object, kind: str = "") -> str:
    """The part of a message that says which values are allowed, and which one came instead.

    >>> describe_choices(["gold", "auto"], "own"), describe_choices(["a", "b"], "c", "labels")
    ("expected one of gold, auto, got 'own'", "expected one of the labels a, b, got 'c'")
    """
    return f"expected one of {f'the {kind} ' if kind else ''}{', '.join(choices)}, got {value!r}"


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raises an OptionError that begins with `name`, unless `value` is one of `choices`.

    The choices of an option declared as a `Literal` are its `typing.get_args`.

    >>> check_choice("edits", "own", ["gold", "auto"])
    Traceback (most recent call last):
    recte.errors.OptionError: edits: expected one of gold, auto, got 'own'
    """
    if value not in choices:
        raise OptionError(f"{name}: {describe_choices(choices, value)}")


def _in_one_line(text: str) -> str:
    """Ends of lines, terminal escapes and whatever else nobody sees, written as Python writes them; no longer than a
    screen, with the end that says what was wrong.
    """
    if len(text) > _LONGEST_MESSAGE:
        text = f"{text[: _LONGEST_MESSAGE // 2]} ... {text[-_LONGEST_MESSAGE // 2 :]}"
    if text.isprintable():
        return text
    hidden = ("C", "Zl", "Zp")
    return "".join(c.encode("unicode_escape").decode() if category(c).startswith(hidden) else c for c in text)


class RecteError(Exception):
    """Anything recte refuses.

    >>> issubclass(InputError, RecteError)
    True
    >>> print(RecteError("what files hold cannot break the line\\n or colour \\x1b[31m the terminal"))
    what files hold cannot break the line\\n or colour \\x1b[31m the terminal
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(_in_one_line(text))


class InputError(RecteError, ValueError):
    """Bad data, with the file and the line (from 1) it stands in where there is one.

    `public_message` is the message for those who must not see the gold: without texts of it.

    >>> str(InputError("edit 9 12 reaches past the 10 tokens of its sentence", "gold.m2", 118))
    'gold.m2:118: edit 9 12 reaches past the 10 tokens of its sentence'
    """

    def __init__(
        self, message: str, file: str | None = None, line: int | None = None, public_message: str | None = None
    ) -> None:
        self.message, self.file, self.line = message, file, line
        self.public_message = message if public_message is None else public_message
        shown = "" if file is None else file if len(file) <= _LONGEST_NAME else f"{file[:_LONGEST_NAME]}..."
        place = "" if file is None else f"{shown}: " if line is None else f"{shown}:{line}: "
        super().__init__(place + message)

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str | None, int | None, str]]:
        return type(self), (self.message, self.file, self.line, self.public_message)


class LengthError(InputError):
    """A file that has not one line for each sentence of another."""


class OptionError(RecteError, ValueError):
    """An option has a value that makes no sense.

    >>> import recte
    >>> recte.MaxMatch(beta=-1.0)
    Traceback (most recent call last):
    recte.errors.OptionError: beta: expected a number from 0.01 to 100, got -1.0
    """


class TooLongError(RecteError, ValueError):
    """A sentence is beyond the stated size.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["a b c"], [["x y z"]])
    >>> recte.IMeasure(max_cells=1).score(gold, ["d e f"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recte.errors.TooLongError: system: hypothesis 1: ...
    """

    def __init__(self, message: str, hypothesis: int = 0, system: str = "") -> None:
        self.message, self.hypothesis, self.system = message, hypothesis, system
        place = f"hypothesis {hypothesis}: " if hypothesis else ""
        super().__init__(f"{system}: {place}{message}" if system else place + message)

    def __reduce__(self) -> tuple[type[TooLongError], tuple[str, int, str]]:
        return type(self), (self.message, self.hypothesis, self.system)


class MetricError(RecteError):
    """A metric failed by itself. What it raised is the cause; `RECTE_DEBUG=1` lets the command line show where.

    >>> import recte
    >>> broken = recte.sentence_metric("broken")(lambda source, hypothesis, references: 1 / 0)
    >>> recte.score(["a"], ["b"], references=[["b"]], metric=broken)
    Traceback (most recent call last):
    recte.errors.MetricError: broken: failed while scoring sentence 1: ZeroDivisionError: division by zero
    """


class DryRun(RecteError):  # noqa: N818
    """No error: what a run would take, where that was all that was asked; the command line prints it and ends well.

    >>> str(DryRun("12 requests"))
    '12 requests'
    """

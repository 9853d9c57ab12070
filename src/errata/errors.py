"""What can go wrong, in one tree.

    ErrataError
    ├── InputError      a file or an argument does not hold what it should; says where
    ├── OptionError     an option has a value that makes no sense
    └── TooLongError    a sentence is beyond what a metric can do exactly

A message is one line and complete: the command line prints it and ends with exit code 2.
"""

from __future__ import annotations

__all__ = ["ErrataError", "InputError", "OptionError", "TooLongError"]


class ErrataError(Exception):
    """Anything errata refuses.

    >>> issubclass(InputError, ErrataError)
    True
    """


class InputError(ErrataError, ValueError):
    """Bad data, with the file and the line (from 1) it stands in where there is one.

    >>> str(InputError("edit 9 12 reaches past the 10 tokens of its sentence", "gold.m2", 118))
    'gold.m2:118: edit 9 12 reaches past the 10 tokens of its sentence'
    """

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        place = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(place + message)

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str | None, int | None]]:
        return type(self), (self.message, self.file, self.line)


class OptionError(ErrataError, ValueError):
    """An option has a value that makes no sense.

    >>> import errata
    >>> errata.MaxMatch(beta=-1.0)
    Traceback (most recent call last):
    errata.errors.OptionError: beta: expected a number from 0.01 to 100, got -1.0
    """


class TooLongError(ErrataError, ValueError):
    """A sentence is beyond the stated size.

    >>> import errata
    >>> long = " ".join(f"a{i}" for i in range(50_000))
    >>> errata.score([long], [long.replace("a", "b")], references=[[long]])
    Traceback (most recent call last):
    errata.errors.TooLongError: hypothesis 1: source and hypothesis are too long even for a word diff; split the line
    """

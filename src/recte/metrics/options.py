"""A metric's options: declared once, checked where they are set."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import Field, field
from typing import Any

import numpy as np

from recte.errors import OptionError

__all__ = ["converted", "in_signature", "option"]


def option(
    default: Any, help: str, *, choices: Sequence[str] = (), scoring_only: bool = False, loader: str = ""
) -> Any:
    """A metric's option: the same name in the API, on the command line and in the signature.

    A `scoring_only` option does not change what is counted, so saved counts can be scored with any value of it. Where
    the value may be a file, `loader` is the function, as `module:function`, that reads it and makes its content known
    by the file's name: a metric never reads a file.
    """
    metadata = {"help": help, "choices": tuple(choices), "scoring_only": scoring_only, "loader": loader}
    return field(default=default, metadata=metadata)


def converted(f: Field[Any], value: Any) -> Any:
    """An option's value as the plain type of its default; NumPy's numbers are numbers, but a truth value is none."""
    wanted = type(f.default)
    is_bool = isinstance(value, (bool, np.bool_))
    fits = {
        bool: is_bool,
        int: isinstance(value, numbers.Integral) and not is_bool,
        float: isinstance(value, numbers.Real) and not is_bool,
    }.get(wanted, isinstance(value, wanted))
    if not fits:
        raise OptionError(f"{f.name}: expected {wanted.__name__}, got {type(value).__name__} {value!r}")
    return wanted(value) if wanted in (bool, int, float) else value


def in_signature(value: Any) -> str:
    """An option's value as a signature has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)

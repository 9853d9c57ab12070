"""A metric's options: declared once, checked where they are set."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import MISSING, Field, field, fields
from functools import cache
from typing import Any

import numpy as np

from recte.errors import OptionError

__all__ = ["check_declared", "converted", "in_signature", "option"]

_PLAIN = (bool, int, float, str)


def option(
    default: Any,
    help: str,
    *,
    choices: Sequence[str] = (),
    least: float | None = None,
    most: float | None = None,
    scoring_only: bool = False,
    loader: str = "",
) -> Any:
    """A metric's option: the same name in the API, on the command line and in the signature.

    default: its type, one of bool, int, float and str, is that of the option.
    help: what the command line says of it.
    choices: the texts that it can be.
    least, most: the numbers that it can be; never infinite nor "not a number".
    scoring_only: it does not change what is counted, so saved counts can be scored with any value of it.
    loader: where the value may be a file, the function, as `module:function`, that reads it and makes its content known
        by the file's name: a metric never reads a file.
    """
    _check_default("option", default)
    metadata = {
        "help": help,
        "choices": tuple(choices),
        "least": least,
        "most": most,
        "scoring_only": scoring_only,
        "loader": loader,
    }
    return field(default=default, metadata=metadata)


def _check_default(name: str, default: Any) -> None:
    if type(default) not in _PLAIN:
        got = "none" if default is MISSING else f"{type(default).__name__} {default!r}"
        raise OptionError(f"{name}: expected a default of type bool, int, float or str, got {got}")


@cache
def check_declared(cls: type) -> None:
    """Refuse a metric's class whose options would be lost, or have values that nothing can hold."""
    for one in cls.__mro__:
        lost = next((name for name, value in vars(one).items() if isinstance(value, Field)), None)
        if lost is not None:
            raise OptionError(f"{lost}: expected @dataclass(frozen=True, kw_only=True) above {one.__name__}, got none")
    for f in fields(cls):
        _check_default(f.name, f.default)


def converted(f: Field[Any], value: Any) -> Any:
    """An option's value as the plain type of its default; NumPy's numbers are numbers, but a truth value is none."""
    wanted: Any = type(f.default)
    is_bool = isinstance(value, (bool, np.bool_))
    fits = {
        bool: is_bool,
        int: isinstance(value, numbers.Integral) and not is_bool,
        float: isinstance(value, numbers.Real) and not is_bool,
    }.get(wanted, isinstance(value, wanted))
    if not fits:
        raise OptionError(f"{f.name}: expected {wanted.__name__}, got {type(value).__name__} {value!r}")
    if wanted is str:
        return value
    try:
        plain = wanted(value)
    except OverflowError:  # a whole number that no float holds
        plain = math.inf
    _check_range(f, plain)
    return plain


def _check_range(f: Field[Any], value: Any) -> None:
    least, most = f.metadata.get("least"), f.metadata.get("most")
    whole = isinstance(value, int)
    fits = (least is None or value >= least) and (most is None or value <= most)
    if fits and (whole or math.isfinite(value)):
        return
    if least is None:
        wanted = "a finite number" if most is None else f"at most {most:,}"
    elif most is None:
        wanted = f"{least:,} or more" if whole else f"a number from {least:,}"
    else:
        wanted = f"{least:,} to {most:,}" if whole else f"a number from {least} to {most}"
    raise OptionError(f"{f.name}: expected {wanted}, got {value}")


def in_signature(value: Any) -> str:
    """An option's value as a signature has it: what would break or forge one is written as in an address.

    >>> in_signature("a|beta:1"), in_signature(0.5), in_signature(True)
    ('a%7Cbeta:1', '0.5', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if text.isprintable() and "|" not in text and "%" not in text:
        return text
    return "".join(c if c.isprintable() and c not in "|%" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))

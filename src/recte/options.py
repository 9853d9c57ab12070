"""Options of metrics and commands, declared once as fields of a frozen dataclass and checked where they are set.

A field made by `option` is a keyword argument in Python and a flag on the command line; for a metric it is also a key
of the signature. A command's options may have parts, which are dataclasses that several commands share.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from functools import cache
from typing import Any

from recte.errors import OptionError, check_choice

__all__ = [
    "REQUIRED",
    "argument",
    "check_declared",
    "check_option",
    "check_options",
    "option",
    "option_kind",
    "options_that_differ",
    "part",
    "same_option",
]

REQUIRED: Any = MISSING  # in place of a default
_PLAIN = (bool, int, float, str)


def option(
    default: Any,
    help: str,
    *,
    choices: Iterable[Any] = (),
    least: float | None = None,
    most: float | None = None,
    unit: str = "",
    scoring_only: bool = False,
    loader: str = "",
    kind: type | None = None,
    values: str | int = "",
    flags: Sequence[str] = (),
    metavar: str | tuple[str, ...] = "",
    group: str = "",
    excludes: str = "",
    repeated: bool = False,
    action: Any = None,
) -> Any:
    """An option: the same name in the API, on the command line and, for a metric, in the signature.

    - default: its type, one of bool, int, float and str, is that of the option. Of a command's option, whose type
      `kind` says, it may also be None, a tuple for any number of values, or `REQUIRED`.
    - help: what the command line says of it.
    - choices: the values that it can be.
    - least, most: the numbers that it can be; never infinite nor "not a number". `unit` is what messages call them.
    - scoring_only: it does not change what is counted, so saved counts can be scored with any value of it.
    - loader: where the value may be a file, the function, as `module:function`, that reads it and makes its content
      known by the file's name: a metric never reads a file.

    The others are for the command line alone:

    - values: how many there are, as `nargs` of argparse; one, or any number (+) where the default is a tuple.
    - flags: other names than that of the field.
    - metavar: what help calls a value.
    - group: the title below which help shows it.
    - excludes: the name of a group of options of which only one can be given.
    - repeated: the flag can be given several times.
    - action: a class of argparse that does what the flag asks for.

    >>> option(0.5, "weight of recall", least=0).default
    0.5
    """
    if kind is None:
        _check_default("option", default)
    metadata = {
        "help": help,
        "choices": tuple(choices),
        "least": least,
        "most": most,
        "unit": unit,
        "scoring_only": scoring_only,
        "loader": loader,
        "kind": kind,
        "values": values or ("+" if isinstance(default, tuple) and not repeated else ""),
        "flags": tuple(flags),
        "metavar": metavar,
        "group": group,
        "excludes": excludes,
        "repeated": repeated,
        "action": action,
    }
    return field(default=default, metadata=metadata)


def argument(
    help: str, *, metavar: str, values: str = "", choices: Iterable[Any] = (), default: Any = REQUIRED, group: str = ""
) -> Any:
    """A value that stands on the command line without a flag; with `values`, several (* or +) or perhaps none (?)."""
    default = {"*": (), "?": None}.get(values, default)
    declared = option(default, help, kind=str, values=values, metavar=metavar, choices=choices, group=group)
    return field(default=default, metadata={**declared.metadata, "positional": True})


def part(options: type, group: str = "") -> Any:
    """Options that several commands share, as a field of a command's own; `group` is their title in help."""
    return field(default_factory=options, metadata={"part": options, "group": group})


def same_option(options: type, name: str, **changes: Any) -> Any:
    """An option as another dataclass declares it, apart from `changes` to the parameters of `option`.

    >>> from recte.metrics.maxmatch import MaxMatch
    >>> same_option(MaxMatch, "max_unchanged_words", default=15).default
    15

    Raises a TypeError where the other has no such option, or `option` no such parameter.
    """
    declared = next((f for f in fields(options) if f.name == name), None)
    if declared is None:
        raise TypeError(f"expected an option of {options.__name__}, got {name!r}")
    if unknown := sorted(changes.keys() - declared.metadata.keys() - {"default"}):
        raise TypeError(f"{name}: expected parameters of option, got {', '.join(unknown)}")
    default = changes.pop("default", declared.default)
    return field(default=default, metadata={**declared.metadata, **changes})


def _check_default(name: str, default: Any) -> None:
    if type(default) not in _PLAIN:
        got = "none" if default is MISSING else f"{type(default).__name__} {default!r}"
        raise OptionError(f"{name}: expected a default of type bool, int, float or str, got {got}")


@cache
def check_declared(cls: type) -> None:
    """Refuse a metric's class whose options would be lost, or have values that nothing can hold."""
    for base in cls.__mro__:
        lost = next((name for name, value in vars(base).items() if isinstance(value, Field)), None)
        if lost is not None:
            raise OptionError(f"{lost}: expected @dataclass(frozen=True, kw_only=True) above {base.__name__}, got none")
    for f in fields(cls):
        _check_default(f.name, f.default)


def check_options(instance: Any) -> None:
    """Put the options of a frozen dataclass into their declared types; refuse values that were not declared."""
    for f in fields(instance):
        object.__setattr__(instance, f.name, check_option(f, getattr(instance, f.name)))


def options_that_differ(cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are not the defaults of a dataclass's options.

    >>> from recte.metrics.gleu import Gleu
    >>> options_that_differ(Gleu, {"orders": 4, "draws": "python3"})
    {'draws': 'python3'}
    """
    default = {f.name: f.default for f in fields(cls)}
    return {name: value for name, value in values.items() if value != default[name]}


def option_kind(f: Field[Any]) -> type:
    """The type of an option's values."""
    return f.metadata.get("kind") or type(f.default)


def check_option(f: Field[Any], value: Any, name: str = "") -> Any:
    """An option's value in its declared type, with several values as a tuple; raises OptionError where it is another.

    `name` is what messages call the option, instead of the field's name.
    """
    name = name or f.name
    if value is None and f.default is None:
        return None
    if f.metadata.get("values", "") not in ("", "?"):
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise OptionError(f"{name}: expected a list, got {type(value).__name__} {value!r}")
        return tuple(_check_value(f, item, name) for item in value)
    return _check_value(f, value, name)


def _check_value(f: Field[Any], value: Any, name: str) -> Any:
    plain = _convert(option_kind(f), value, name)
    choices = f.metadata.get("choices", ())
    if choices:
        check_choice(name, plain, choices)
    if not isinstance(plain, (str, bool)):
        _check_range(f, plain, name)
    return plain


def _convert(kind: Any, value: Any, name: str) -> Any:
    """The value in a plain type; NumPy's numbers are numbers, but a truth value is none."""
    is_bool = isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")  # NumPy's has either name
    fits = {
        bool: is_bool,
        int: isinstance(value, numbers.Integral) and not is_bool,
        float: isinstance(value, numbers.Real) and not is_bool,
    }.get(kind, isinstance(value, kind))
    if not fits:
        raise OptionError(f"{name}: expected {kind.__name__}, got {type(value).__name__} {value!r}")
    if kind is str:
        return value
    try:
        return kind(value)
    except OverflowError:  # a whole number that no float holds
        return math.inf


def _check_range(f: Field[Any], value: Any, name: str) -> None:
    least, most = f.metadata.get("least"), f.metadata.get("most")
    whole = isinstance(value, int)
    fits = (least is None or value >= least) and (most is None or value <= most)
    if fits and (whole or math.isfinite(value)):
        return
    if least is None:
        expected = "a finite number" if most is None else f"at most {most:,}"
    elif most is None:
        expected = f"{least:,} or more" if whole else f"a number from {least:,}"
    else:
        expected = f"{least:,} to {most:,}" if whole else f"a number from {least} to {most}"
    unit = f.metadata.get("unit", "")
    raise OptionError(f"{name}: expected {expected}{' ' if unit else ''}{unit}, got {value}")

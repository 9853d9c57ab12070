"""Arguments of another type than declared are refused where they come in, by their name and in words.

Type checkers find such calls earlier; notebooks have none. Public functions are checked by `_exports`; a few methods
and dataclasses ask for it themselves. Texts inside lists are not looked at here: whoever lays them out in columns does.
"""

from __future__ import annotations

import collections.abc as abc
import os
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from recte.errors import InputError

__all__ = ["check_arguments", "check_fields"]

P = ParamSpec("P")
R = TypeVar("R")
_LISTS = (abc.Sequence, abc.Iterable, abc.Collection, abc.Iterator, list, tuple)
_MAPPINGS = (abc.Mapping, dict)
_WORDS: dict[Any, tuple[str, str]] = {
    str: ("a string", "strings"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    bool: ("true or false", "true or false"),
    Path: ("a path", "paths"),
    type(None): ("None", "None"),
}


def check_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which refuses arguments that are not of their declared type.

    >>> @check_arguments
    ... def twice(text: str) -> str:
    ...     return 2 * text
    >>> twice(3)
    Traceback (most recent call last):
    recte.errors.InputError: text: expected a string, got int
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    more = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & 0x04 else ""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        hints = _hints(function)
        for name, value in zip(names, args, strict=False):
            _check(name, value, hints)
        for value in args[len(names) :] if more else ():
            _check(more, value, hints)
        for name, value in kwargs.items():
            _check(name, value, hints)
        return function(*args, **kwargs)

    return call


def check_fields(instance: Any) -> None:
    """Refuse a dataclass whose fields are not of their declared type."""
    kind: Any = type(instance)
    hints = _hints(kind)
    for f in fields(instance):
        _check(f.name, getattr(instance, f.name), hints)


def _check(name: str, value: Any, hints: Mapping[str, Any]) -> None:
    hint = hints.get(name, Any)
    if not _fits(value, hint):
        raise InputError(f"{name}: expected {_in_words(hint)}, got {_describe_value(value)}")


@cache
def _hints(function: Any) -> dict[str, Any]:
    """The declared types. Names that a module imports for type checkers alone are found among the public ones."""
    import sys

    class Names(dict[str, Any]):
        def __missing__(self, name: str) -> Any:
            try:
                return getattr(sys.modules["recte"], name)
            except AttributeError:
                raise KeyError(name) from None

    namespace = vars(sys.modules[function.__module__])
    return typing.get_type_hints(function, globalns=None, localns=Names(namespace))


def _resolve_alias(hint: Any) -> Any:
    """What an alias by `type` stands for; NumPy's NDArray is one from 2.5 on."""
    while (meant := getattr(hint, "__value__", None)) is not None:
        hint = meant
    return hint


def _fits(value: Any, hint: Any) -> bool:
    hint = _resolve_alias(hint)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, item) for item in inner)
    if origin is typing.Literal:  # which of them is said where it matters, and better
        return isinstance(value, type(inner[0]))
    if origin is abc.Callable or getattr(hint, "_is_protocol", False):
        return callable(value) if origin is abc.Callable or "__call__" in vars(hint) else value is not None
    if origin is type:
        return isinstance(value, type) and issubclass(value, inner)
    if origin in _LISTS or hint in _LISTS:
        return _is_list(value, hint if origin is None else origin) and _elements_fit(value, inner)
    if origin in _MAPPINGS:
        return isinstance(value, abc.Mapping) and all(_fits(item, inner[1]) for item in value.values())
    kind = hint if origin is None else origin
    if hint is Any or not isinstance(kind, type):
        return True
    if kind is Path:
        return isinstance(value, os.PathLike)
    if kind in (int, float):
        return not isinstance(value, str) and hasattr(value, "__index__" if kind is int else "__float__")
    if kind.__name__ == "ndarray":
        return isinstance(value, kind) or _is_list(value, abc.Sequence)
    return isinstance(value, kind) or (kind is bool and type(value).__name__ == "bool_")


def _is_list(value: Any, kind: Any) -> bool:
    """Lists, tuples, arrays and columns of tables are lists; a text and a mapping are none."""
    if isinstance(value, (str, bytes, abc.Mapping)) or not hasattr(value, "__iter__"):
        return False
    return kind in (abc.Iterable, abc.Iterator) or hasattr(value, "__len__")


def _elements_fit(value: Any, inner: tuple[Any, ...]) -> bool:
    if not isinstance(value, (list, tuple)) or not inner or inner[0] in (str, int, float):
        return True
    if len(inner) == len(value) and Ellipsis not in inner and isinstance(value, tuple):
        return all(map(_fits, value, inner)) if len(inner) > 1 else _fits(value[0], inner[0])
    if isinstance(inner[0], type) and not typing.get_origin(inner[0]):  # many sentences, fast
        return all(isinstance(item, inner[0]) for item in value)
    return all(_fits(item, inner[0]) for item in value)


def _in_words(hint: Any, *, many: bool = False) -> str:
    hint = _resolve_alias(hint)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        kinds = [kind for kind in inner if not (kind is str and Path in inner)]  # a path may be a string, of course
        *first, last = dict.fromkeys(_in_words(kind, many=many) for kind in kinds)
        return f"{', '.join(first)} or {last}" if first else last
    if origin is abc.Callable:
        return "functions" if many else "a function"
    if origin in _MAPPINGS:
        return f"{'mappings' if many else 'a mapping'} with {_in_words(inner[1], many=True)}"
    if origin in _LISTS:
        return f"{'lists' if many else 'a list'} of {_in_words(inner[0], many=True)}" if inner else "a list"
    if origin is type:
        return f"a subclass of {inner[0].__name__}"
    if hint in _WORDS:
        return _WORDS[hint][many]
    name = getattr(hint if origin is None else origin, "__name__", str(hint))
    if name == "ndarray":
        return "arrays" if many else "an array"
    return name if many else f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _describe_value(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if isinstance(value, (list, tuple)) and value:
        kinds = dict.fromkeys(type(item) for item in value[:100])
        return f"a {type(value).__name__} of {' and '.join(_in_words(kind, many=True) for kind in kinds)}"
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__

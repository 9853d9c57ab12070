"""What is not ours, imported when it is needed: optional libraries, and functions that users name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from recte.errors import OptionError

__all__ = ["check_installed", "function_named", "optional", "version_of"]


def optional(module: str, *, extra: str, purpose: str) -> ModuleType:
    """The module, or an error that says what it is needed for and how to install it.

    >>> optional("json", extra="report", purpose="charts").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError:
        raise _missing(module, extra, purpose) from None


def check_installed(module: str, *, extra: str, purpose: str) -> None:
    """The same error before the work, though nothing is loaded yet.

    >>> check_installed("json", extra="report", purpose="charts")
    """
    if find_spec(module) is None:
        raise _missing(module, extra, purpose)


def _missing(module: str, extra: str, purpose: str) -> OptionError:
    return OptionError(f"{purpose}: needs {module}, which is not installed: pip install 'recte[{extra}]'")


def version_of(distribution: str) -> str:
    """The installed version of a distribution, for signatures; `unknown` where it has no metadata."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"


def function_named(name: str, what: str) -> Callable[..., Any]:
    """A function given as `module:function`; `what` is the option that asks for it, for messages.

    >>> function_named("math:sqrt", "tokens")(4)
    2.0
    """
    module, colon, function = name.partition(":")
    if not (module and colon and function):
        raise OptionError(f"{what}: expected module:function, got {name!r}")
    if "" not in sys.path:  # a module beside the data, as with python -m
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
        for part in function.split("."):
            found = getattr(found, part)
    except ImportError as error:
        raise OptionError(f"{what}: cannot import {module!r}: {error}") from None
    except AttributeError:
        raise OptionError(f"{what}: expected a function {function!r} in the module {module!r}, got none") from None
    except (Exception, SystemExit) as error:  # the module itself fails
        raise OptionError(f"{what}: {module}: {type(error).__name__}: {' '.join(str(error).split())}") from None
    if not callable(found):
        raise OptionError(f"{what}: expected a function, got {module}.{function}, which cannot be called")
    called: Callable[..., Any] = found
    return called

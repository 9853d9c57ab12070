"""What is not ours, imported when it is needed: optional libraries, and functions that users name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from recte.errors import OptionError, RecteError

__all__ = ["check_installed", "function_named", "load_named", "optional", "version_of"]


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
    function = load_named(name, what)
    if not callable(function):
        raise OptionError(f"{what}: expected a function, got {name.replace(':', '.')}, which cannot be called")
    called: Callable[..., Any] = function
    return called


def load_named(name: str, what: str, kind: str = "function", *, installed: bool = False) -> Any:
    """What `module:name` stands for; `what` is the option that asks for it, and `kind` what it expects, for messages.

    The module is installed, or (unless it must be `installed`) a file of the working folder. `folder/file.py:name`
    names a file elsewhere. The folder is at the end of `sys.path` while the module is imported, and not afterwards:
    installed modules come first.

    >>> load_named("math:pi", "angle", "number")
    3.141592653589793
    """
    module, colon, attribute = name.rpartition(":")
    if not (module and colon and attribute):
        raise OptionError(f"{what}: expected module:{kind}, got {name!r}")
    folder, module = os.path.split(module.removesuffix(".py")) if module.endswith(".py") else ("", module)
    if not installed:
        sys.path.append(folder)
    try:
        value: Any = import_module(module)
        for part in attribute.split("."):
            value = getattr(value, part)
    except ImportError as error:
        raise OptionError(f"{what}: cannot import {module!r}: {error}") from None
    except AttributeError:
        raise OptionError(f"{what}: expected a {kind} {attribute!r} in the module {module!r}, got none") from None
    except RecteError:
        raise
    except (Exception, SystemExit) as error:  # the module itself fails
        raise OptionError(f"{what}: {module}: {type(error).__name__}: {' '.join(str(error).split())}") from None
    finally:
        if not installed and folder in sys.path:
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(folder)]
    return value

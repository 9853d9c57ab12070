"""Optional libraries: imported when they are needed, and where they are missing, how to install them."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from recte.errors import OptionError

__all__ = ["optional", "version_of"]


def optional(module: str, *, extra: str, purpose: str) -> ModuleType:
    """The module, or an error that says what it is needed for and how to install it.

    >>> optional("json", extra="report", purpose="charts").__name__
    'json'
    """
    try:
        return import_module(module)
    except ImportError:
        raise OptionError(f"{purpose}: needs {module}, which is not installed: pip install 'recte[{extra}]'") from None


def version_of(distribution: str) -> str:
    """The installed version of a distribution, for signatures; `unknown` where it has no metadata."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"

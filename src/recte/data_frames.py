"""Results as data frames of pandas or Polars: whichever the caller has, by what both can do.

A library is a module whose `DataFrame` takes a mapping of column names to lists. recte imports none by itself unless it
is asked for a data frame.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from recte.errors import OptionError, check_choice

__all__ = ["flat_figures", "make_data_frame"]

_LIBRARIES = ("pandas", "polars")


def make_data_frame(rows: Sequence[Mapping[str, Any]], library: Any = None) -> Any:
    """A data frame with a column for each key of the rows, None where a row lacks it.

    `library` is the module `pandas` or `polars` or its name, or another module with such a `DataFrame`; where there is
    none, the one that is imported already, else the one that is installed. Raises an `OptionError` where it is absent.
    """
    columns = dict.fromkeys(key for row in rows for key in row)
    if isinstance(library, str):
        library = _import_library(library)
    return (library or _find_library()).DataFrame({key: [row.get(key) for row in rows] for key in columns})


def _import_library(name: str) -> Any:
    check_choice("library", name, _LIBRARIES)
    try:
        return import_module(name)
    except ImportError:
        raise OptionError(f"library: {name} is not installed: pip install {name}") from None


def _find_library() -> Any:
    for name in (*(name for name in _LIBRARIES if name in sys.modules), *_LIBRARIES):
        if name in sys.modules or find_spec(name) is not None:
            return import_module(name)
    raise OptionError("to_dataframe: needs pandas or polars, neither is installed: pip install pandas")


def flat_figures(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Numbers, texts and missing values with the way to them, as in `annotators.0.precision`; lists are left out.

    >>> dict(flat_figures({"score": 0.5, "interval": {"low": 0.4, "high": 0.6}}))
    {'score': 0.5, 'interval.low': 0.4, 'interval.high': 0.6}
    """
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from flat_figures(value, f"{above}{key}.")
        elif not isinstance(value, (list, tuple)):
            yield f"{above}{key}", value

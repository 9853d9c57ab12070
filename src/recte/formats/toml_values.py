"""TOML that people write by hand: a table of plain values, or one clear line."""

from __future__ import annotations

import tomllib
from typing import Any

from recte.errors import InputError

__all__ = ["toml_values"]

_MARK = b"\xef\xbb\xbf"  # of UTF-8, which some editors put first
_MOST = 2**63  # TOML's own range of whole numbers


def toml_values(content: bytes, name: str) -> dict[str, Any]:
    """The table that a file holds; `name` is what messages call the file.

    >>> toml_values(b"digits = 2", "TASK.toml")
    {'digits': 2}
    """
    try:
        table = tomllib.loads(content.removeprefix(_MARK).decode("utf-8"))
    except UnicodeDecodeError:
        raise InputError("expected UTF-8, got something else", name) from None
    except RecursionError:
        raise InputError("expected TOML: tables and lists are nested too deeply", name) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"expected TOML: {error}", name) from None
    except ValueError:  # Python reads no number of more than 4300 digits
        raise _too_large(name) from None
    left: list[Any] = [table]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, int) and not -_MOST <= value < _MOST:
            raise _too_large(name)
    return table


def _too_large(name: str) -> InputError:
    return InputError("expected TOML: whole numbers of at most 64 bits, got a larger one", name)

"""Regular expressions that are compiled when they are first used: most runs need few of them."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

__all__ = ["compile_later"]


class _Pattern:
    """Becomes the compiled pattern at the first look at one of its methods, which it then has itself."""

    def __init__(self, text: Any, flags: int) -> None:
        self._arguments = text, flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)
        return value


def compile_later(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but a module that has a hundred of them is imported at once.

    >>> compile_later(r"[0-9]+").findall("12 of 40")
    ['12', '40']
    """
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))

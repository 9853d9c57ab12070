"""Signatures: one line that says how a figure was made, `name|key:value|...|version:0.3.0`, and after it the interval.

`Signature` puts them together and takes them apart; nothing else cuts such a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from recte._version import __version__

__all__ = ["Signature", "format_value"]

_VERSION = "version:"


@dataclass(frozen=True)
class Signature:
    """The parts of a signature before its version, the version, and the parts after it (how an interval was made).

    >>> signature = Signature.of("m2", beta=0.5, mix=True)
    >>> Signature.parse(str(signature)) == signature, signature.with_interval("ci:percentile").parts
    (True, ('m2', 'beta:0.5', 'mix:yes'))
    """

    parts: tuple[str, ...]
    version: str = __version__
    interval: tuple[str, ...] = ()

    @classmethod
    def of(cls, *words: str, **values: Any) -> Signature:
        """Words as they are, then values by their keys; a value of None is left out."""
        return cls(words).add(**values)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """A signature from its line.

        >>> Signature.parse("m2|beta:0.5|version:0.3.0|ci:percentile").version
        '0.3.0'
        """
        parts = text.split("|")
        place = next((place for place, part in enumerate(parts) if part.startswith(_VERSION)), None)
        if place is None:
            return cls(tuple(parts), "")
        return cls(tuple(parts[:place]), parts[place].removeprefix(_VERSION), tuple(parts[place + 1 :]))

    def add(self, *words: str, **values: Any) -> Signature:
        """The same with more parts before the version."""
        return replace(self, parts=(*self.parts, *words, *_format_parts(values)))

    def with_interval(self, *words: str, **values: Any) -> Signature:
        """The same with more parts after the version."""
        return replace(self, interval=(*self.interval, *words, *_format_parts(values)))

    def __str__(self) -> str:
        version = (f"{_VERSION}{self.version}",) if self.version else ()
        return "|".join((*self.parts, *version, *self.interval))


def _format_parts(values: Mapping[str, Any]) -> list[str]:
    return [f"{key}:{format_value(value)}" for key, value in values.items() if value is not None]


def format_value(value: Any) -> str:
    """A value as a signature has it: what would break or forge one is written as in an address.

    >>> format_value("a|beta:1"), format_value(0.5), format_value(True)
    ('a%7Cbeta:1', '0.5', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
    if text.isprintable() and "|" not in text and "%" not in text:
        return text
    return "".join(c if c.isprintable() and c not in "|%" else _escape(c) for c in text)


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))

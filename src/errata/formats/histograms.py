"""Estimated distributions of corrections: a header, then a frequency and a number of corrections a line."""

from __future__ import annotations

from pathlib import Path

from errata.coverage.distribution import Distribution
from errata.errors import InputError
from errata.formats.files import read_lines

__all__ = ["read_histogram"]


def read_histogram(path: str | Path) -> Distribution:
    """The distribution in one file."""
    pairs = []
    for number, line in enumerate(list(read_lines(path))[1:], 2):
        if not line.strip():
            continue
        try:
            frequency, variants = map(float, line.split())
        except ValueError:
            raise InputError(
                f"expected a frequency and a number of corrections, got {line!r}", str(path), number
            ) from None
        pairs.append((frequency, variants))
    return Distribution.of((x for x, _ in pairs), (h for _, h in pairs))

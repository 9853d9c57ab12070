"""What UNSEENEST takes and gives, as its users store it.

A fingerprint has a number a line: how many corrections were seen once, twice, … A distribution has a header, then a
frequency and a number of corrections a line.
"""

from __future__ import annotations

import re
from pathlib import Path

from recte.errors import InputError
from recte.files import read_lines
from recte.studies.coverage.distribution import Distribution

__all__ = ["read_fingerprint", "read_histogram"]

_NUMBER = re.compile("[0-9]{1,15}")


def read_fingerprint(path: str | Path) -> tuple[int, ...]:
    """How many corrections were seen once, twice, and so on."""
    seen = []
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            if not _NUMBER.fullmatch(line.strip()):
                raise InputError(f"expected a number of corrections, got {line[:40]!r}", str(path), number)
            seen.append(int(line.strip()))
    return tuple(seen)


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

"""A naive detokeniser, for tests and benchmarks of raw outputs."""

from __future__ import annotations

import re


def naive_detokenised(line: str) -> str:
    """Marks joined to the words they belong to, by a handful of rules."""
    line = re.sub(r" ([.,;:?!)\]}%»”])", r"\1", line)
    line = re.sub(r"([(\[{$«“]) ", r"\1", line)
    line = re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", line, flags=re.IGNORECASE)
    parts = line.split('"')
    whole = parts[0]
    for number, part in enumerate(parts[1:]):
        whole = f'{whole.rstrip()} "{part.lstrip()}' if number % 2 == 0 else f'{whole.rstrip()}" {part.lstrip()}'
    return whole.strip()

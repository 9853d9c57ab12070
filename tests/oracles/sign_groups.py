"""The slow twins of the kernels that look for signs of untidy outputs."""

from __future__ import annotations

from collections.abc import Sequence


def sign_groups(text: str, begins: Sequence[int], groups: Sequence[int]) -> int:
    """The union of the groups of all signs of a text."""
    union = 0
    for sign in text:
        union |= groups[max(place for place, begin in enumerate(begins) if begin <= ord(sign))]
    return union


def edge_differences(source: bytes, output: bytes, width: int, farthest: int) -> int:
    """What the ends of an output are to those of its source."""
    if len(source) < width or len(output) < width:
        return 3
    begin, end = source[:width], source[len(source) - width :]
    last = output[max(len(output) - farthest, 0) :]
    other_begin, other_end = not output.startswith(begin), not output.endswith(end)
    more_before, more_behind = other_begin and begin in output[:farthest], other_end and end in last
    return other_begin + 2 * other_end + 4 * more_before + 8 * more_behind

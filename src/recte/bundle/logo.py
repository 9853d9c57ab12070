"""A plain logo, so that a task has one before anybody draws it: a tick on a coloured ground, as PNG."""

from __future__ import annotations

import struct
import zlib
from functools import cache
from itertools import pairwise

__all__ = ["plain_logo"]

_SIZE = 120
_GROUND, _TICK = (31, 78, 121), (255, 255, 255)
_CORNERS = ((30, 62), (52, 85), (92, 37))
_HALF_WIDTH = 6.0


@cache
def plain_logo() -> bytes:
    """The picture's bytes.

    >>> plain_logo()[1:4]
    b'PNG'
    """
    rows = b"".join(
        b"\0" + b"".join(bytes(_TICK if _in_tick(x, y) else _GROUND) for x in range(_SIZE)) for y in range(_SIZE)
    )
    header = struct.pack(">IIBBBBB", _SIZE, _SIZE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _in_tick(x: int, y: int) -> bool:
    return any(_squared_distance(x, y, a, b) <= _HALF_WIDTH**2 for a, b in pairwise(_CORNERS))


def _squared_distance(x: int, y: int, a: tuple[int, int], b: tuple[int, int]) -> float:
    """From a point to a line between two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)))
    return (x - a[0] - along * dx) ** 2 + (y - a[1] - along * dy) ** 2


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

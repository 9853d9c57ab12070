"""Names beside points, placed so that they do not cover one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Label", "placed"]

_LETTER, _HEIGHT, _GAP = 6.9, 11.0, 6.0  # of text of size 10, in pixels


class Label(NamedTuple):
    """Where a name's middle is, in pixels from the left and from the bottom."""

    x: float
    y: float


class _Box(NamedTuple):
    left: float
    right: float
    low: float
    high: float

    def overlap(self, other: _Box) -> float:
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.high, other.high) - max(self.low, other.low)
        return width * height if width > 0 and height > 0 else 0.0


def _box(label: Label, width: float) -> _Box:
    return _Box(label.x - width / 2, label.x + width / 2, label.y - _HEIGHT / 2, label.y + _HEIGHT / 2)


def _around(x: float, y: float, reach: float) -> _Box:
    return _Box(x - reach, x + reach, y - reach, y + reach)


def placed(names: Sequence[str], points: Sequence[tuple[float, float]], width: float, height: float) -> list[Label]:
    """A place for each name in a plot of this size: the first of eight around its point that covers least.

    >>> placed(["a"], [(50.0, 50.0)], 100, 100)[0].x > 50
    True
    """
    marks = [_around(x, y, _GAP / 2) for x, y in points]
    near = [_around(x, y, 1.5 * _GAP) for x, y in points]  # a name there would seem to be that point's
    taken: list[_Box] = []
    labels = []
    for place, (name, (x, y)) in enumerate(zip(names, points, strict=True)):
        wide = _LETTER * len(name)
        aside, above = wide / 2 + _GAP, _HEIGHT / 2 + _GAP - 1
        candidates = [
            Label(x + dx * aside, y + dy * above)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
        ]

        others = near[:place] + near[place + 1 :]

        def cost(label: Label, wide: float = wide, others: Sequence[_Box] = others) -> float:
            box = _box(label, wide)
            outside = max(0.0, -box.left, box.right - width, -box.low, box.high - height)
            covered = sum(box.overlap(other) for other in (*taken, *marks))
            return covered + 0.5 * sum(box.overlap(other) for other in others) + 1000 * outside

        best = min(candidates, key=cost)
        taken.append(_box(best, wide))
        labels.append(best)
    return labels

"""Lines that belong to other sentences: moved by some lines, or in another order altogether."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recte.evaluation.plausibility.finding import Sighting
from recte.text.line_signatures import Signatures

__all__ = ["FARTHEST", "find_misplaced_lines"]

FARTHEST = 5  # how many lines away a better place is looked for
_UNLIKE = 0.4  # a pair below shares almost nothing; corrections keep most of a sentence
_ALIKE = 0.6
_FEWEST_BITS = 12  # a shorter sentence says too little
_LOOKED_UP = 16  # lines whose place is looked for among all


def find_misplaced_lines(where: str, sources: Signatures, outputs: Signatures, first: int) -> list[Sighting]:
    """Outputs that are unlike their source: those that fit a neighbour's, and those that fit none nearby.

    `first` is the number of the first line before this part.
    """
    everything = slice(None)
    telling = (sources.sizes >= _FEWEST_BITS) & (outputs.sizes >= _FEWEST_BITS)
    unlike = telling & (sources.likeness(everything, outputs, everything) < _UNLIKE)
    rows = np.flatnonzero(unlike)
    shifts = _best_shifts(rows, sources, outputs)
    moved, lost = rows[shifts != 0], rows[shifts == 0]
    of = int(telling.sum())
    return [
        Sighting("misaligned", where, _numbers(moved, first), of, _run(moved, shifts[shifts != 0], first)),
        Sighting("unlike", where, _numbers(lost, first), of, _elsewhere(lost, sources, outputs, first)),
    ]


def _best_shifts(rows: NDArray[np.int64], sources: Signatures, outputs: Signatures) -> NDArray[np.int64]:
    """How many lines away each of the outputs fits best, the nearest of equals; 0 where it fits none."""
    tried = np.array(sorted((s for s in range(-FARTHEST, FARTHEST + 1) if s), key=abs))
    places = rows[:, None] + tried
    inside = (places >= 0) & (places < len(sources.sizes))
    likeness = np.zeros(places.shape)
    likeness[inside] = outputs.likeness(np.broadcast_to(rows[:, None], places.shape)[inside], sources, places[inside])
    best = likeness.argmax(axis=1)
    return np.where(likeness[np.arange(len(rows)), best] > _ALIKE, tried[best], 0)


def _numbers(rows: NDArray[np.int64], first: int) -> tuple[int, ...]:
    return tuple((rows + first + 1).tolist())


def _run(rows: NDArray[np.int64], shifts: NDArray[np.int64], first: int) -> str:
    """The longest run of lines with one shift; short lines between them may be missing."""
    if not len(rows):
        return ""
    breaks = np.flatnonzero((np.diff(shifts) != 0) | (np.diff(rows) > FARTHEST)) + 1
    begins, ends = np.concatenate([[0], breaks]), np.concatenate([breaks, [len(rows)]])
    longest = int(np.argmax(ends - begins))
    begin, end = int(rows[begins[longest]]), int(rows[ends[longest] - 1])
    shift = int(shifts[begins[longest]])
    lines = f"lines {first + begin + 1} to {first + end + 1} fit" if end > begin else f"line {first + begin + 1} fits"
    return f"{lines} the source {abs(shift)} line{'s' * (abs(shift) > 1)} {'later' if shift > 0 else 'earlier'}"


def _elsewhere(rows: NDArray[np.int64], sources: Signatures, outputs: Signatures, first: int) -> str:
    """Where a line that fits none nearby belongs, if it can be found in this part."""
    everything = np.arange(len(sources.sizes))
    for row in rows[:_LOOKED_UP]:
        likeness = outputs.likeness(np.full(len(everything), row), sources, everything)
        place = int(np.argmax(likeness))
        if likeness[place] > _ALIKE:
            return f"line {first + int(row) + 1} fits the source of line {first + place + 1}"
    return ""

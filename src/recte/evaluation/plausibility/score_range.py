"""Scores that are above 100 %, or counts below zero: so some definitions have it, and a reader should know why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from recte.evaluation.plausibility.finding import NOTE, Finding
from recte.metrics.score import Column, Score

__all__ = ["out_of_range"]


def out_of_range(scores: Iterable[Score], columns: Sequence[Column]) -> tuple[Finding, ...]:
    """A note for each score that has such figures among those that its metric's table shows."""
    found = []
    for score in scores:
        odd = [column.header for column in columns if _is_odd(score.figure(column.path), column)]
        if odd:
            message = f"{', '.join(odd)} out of range: {score.out_of_range_reason}"
            found.append(Finding("out-of-range", NOTE, score.full_name, len(odd), len(columns), 0, message))
    return tuple(found)


def _is_odd(value: Any, column: Column) -> bool:
    if value is None:
        return False
    return bool(value > 1) if column.percentage else isinstance(value, int) and value < 0

"""Scores that are above 100 %, or counts below zero; and gold whose own text does not reach 100 %."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from recte.evaluation.plausibility.finding import NOTE, Finding
from recte.metrics.base import Metric
from recte.metrics.score import Column, Score

__all__ = ["below_full_score", "out_of_range"]


def out_of_range(scores: Iterable[Score], columns: Sequence[Column]) -> tuple[Finding, ...]:
    """A note for each score that has such figures among those that its metric's table shows."""
    findings = []
    for score in scores:
        odd = [column.header for column in columns if _is_odd(score.figure(column.path), column)]
        if odd:
            message = f"{', '.join(odd)} out of range: {score.out_of_range_reason}"
            findings.append(Finding("out-of-range", NOTE, score.full_name, len(odd), len(columns), 0, message))
    return tuple(findings)


def below_full_score(of_gold: Iterable[Score], metrics: Sequence[Metric]) -> tuple[Finding, ...]:
    """A note for each metric by which the gold's own text does not score 100 %; `of_gold` has its scores."""
    findings = []
    for score, metric in zip(of_gold, metrics, strict=True):
        if score.score < 1:
            percent = score.score_factor * score.score
            message = (
                f"its own text scores {percent:.2f} by {metric.title}, so no system reaches 100: the gold's spans are "
                "given, those of texts are found by rules (--gold-edits extracted finds both)"
            )
            findings.append(Finding("gold-ceiling", NOTE, "gold", 1, 1, 0, message))
    return tuple(findings)


def _is_odd(value: Any, column: Column) -> bool:
    if value is None:
        return False
    return bool(value > 1) if column.percentage else isinstance(value, int) and value < 0

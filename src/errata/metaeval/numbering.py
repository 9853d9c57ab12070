"""Which sentence of the corpus each judgment is of: files number them from 0 or from 1, and few say so."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from errata.errors import InputError
from errata.human.judgments import Judgments

__all__ = ["numbered", "score_differences"]

_DEVIATIONS = 5  # how clearly one numbering must be better than the other to be taken


def numbered(judgments: Judgments, tables: Sequence[NDArray[np.float64]]) -> Judgments:
    """The judgments with `first_sentence` known; each table holds a metric's scores, the systems by sentences.

    Where the file does not say from what number it counts, it is the one that keeps all sentences inside the corpus;
    where both do, the one by which metrics and judges agree more often, if it does so clearly.
    """
    if len(judgments.documents) > 1:
        raise InputError(
            f"{judgments.name or 'judgments'}: expected sentences of one document, got those of "
            f"{', '.join(judgments.documents)}: `document` chooses one"
        )
    length = min(table.shape[1] for table in tables)
    known = judgments.first_sentence
    starts = [start for start in ((0, 1) if known is None else (known,)) if _fits(judgments, start, length)]
    if not starts:
        low, high = int(judgments.sentence.min()), int(judgments.sentence.max())
        counted = "" if known is None else f" numbered from {known}"
        raise InputError(
            f"{judgments.name or 'judgments'}: expected sentences of a corpus of {length}{counted}, "
            f"got numbers from {low} to {high}"
        )
    if len(starts) == 1:
        return judgments.numbered_from(starts[0])
    from_0, from_1 = (
        np.concatenate([_alike(judgments.numbered_from(start), table) for table in tables]) for start in starts
    )
    only_0, only_1 = int((from_0 & ~from_1).sum()), int((from_1 & ~from_0).sum())
    if abs(only_0 - only_1) <= _DEVIATIONS * sqrt(only_0 + only_1):
        raise InputError(
            f"{judgments.name or 'judgments'}: cannot tell whether sentences are numbered from 0 or from 1: "
            "expected first_sentence to say it"
        )
    return judgments.numbered_from(starts[0] if only_0 > only_1 else starts[1])


def _fits(judgments: Judgments, start: int, length: int) -> bool:
    return bool(judgments.sentence.min() >= start and judgments.sentence.max() < start + length)


def _alike(judgments: Judgments, table: NDArray[np.float64]) -> NDArray[np.bool_]:
    alike: NDArray[np.bool_] = np.sign(score_differences(judgments, table)) == judgments.outcome
    return alike


def score_differences(judgments: Judgments, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each judgment, the first system's score of its sentence less the second's."""
    rows = judgments.sentence - (judgments.first_sentence or 0)
    differences: NDArray[np.float64] = table[judgments.first, rows] - table[judgments.second, rows]
    return differences

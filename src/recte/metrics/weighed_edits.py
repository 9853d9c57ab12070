"""Edits with weights and verdicts, in place of plain numbers of edits: sums for each sentence and annotator."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.metrics.seen_edits import SeenEdits
from recte.weighing.text_judges import EDIT_VERDICTS, EditJudge, EditVerdict

__all__ = ["WeighedSides", "weighed_sides"]

_RIGHT_AFTER_ALL: tuple[EditVerdict, ...] = ("valid", "better")


class WeighedSides(NamedTuple):
    """tp, proposed and gold of each side in sums of weights and in numbers, and how many edits beside the gold had
    which verdict.
    """

    triples: NDArray[np.float64]
    numbers: NDArray[np.int64]
    verdicts: NDArray[np.int64]


def weighed_sides(edits: SeenEdits, weights: NDArray[np.float64], judge: EditJudge | None) -> WeighedSides:
    """Verdicts are asked for of all edits beside the gold together. One that is right after all counts as a true
    positive, and as one that the gold has too: recall cannot exceed 1.
    """
    verdicts = np.zeros((edits.side_count, len(EDIT_VERDICTS)), dtype=np.int64)
    after_all = np.zeros(len(edits), dtype=np.bool_)
    if judge is not None:
        beside = np.flatnonzero(edits.proposed & ~edits.correct)
        said = judge([edits[e] for e in beside.tolist()])
        kinds = np.array([EDIT_VERDICTS.index(verdict) for verdict in said], dtype=np.int64)
        np.add.at(verdicts.reshape(-1), edits.side[beside] * len(EDIT_VERDICTS) + kinds, 1)
        after_all[beside] = [verdict in _RIGHT_AFTER_ALL for verdict in said]

    def summed(*kinds: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
        """By side, one edit after the other in their order, those of the first kind first."""
        which = np.concatenate([np.flatnonzero(kind) for kind in kinds])
        side = edits.side[which]
        return (
            np.bincount(side, weights=weights[which], minlength=edits.side_count),
            np.bincount(side, minlength=edits.side_count),
        )

    found = [
        summed(edits.correct | after_all),
        summed(edits.proposed),
        summed(~edits.proposed, after_all),
    ]
    triples, numbers = (np.stack(columns, axis=1) for columns in zip(*found, strict=True))
    return WeighedSides(triples, numbers, verdicts)

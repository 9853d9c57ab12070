"""Which sentence of the corpus each judgment is of: files number them from 0 or from 1, and few say so."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from recte.corpus.sentence_names import and_more
from recte.errors import InputError
from recte.studies.human.judgments import Judgments

__all__ = ["numbered", "score_differences"]

_DEVIATIONS = 5  # how clearly one numbering must be better than the other to be taken


def numbered(judgments: Judgments, tables: Sequence[NDArray[np.float64]]) -> Judgments:
    """The judgments with `first_sentence` known; each table holds a metric's scores, the systems by sentences.

    Where the file does not say from what number it counts, it is the one that keeps all sentences inside the corpus;
    where both do, the one by which metrics and judges agree more often, if it does so clearly.
    """
    if judgments.sentence_names:
        raise InputError(
            f"{judgments.name or 'judgments'}: expected numbered sentences, got names such as "
            f"{judgments.sentence_names[0][:60]!r}: `Judgments.on_sentences` numbers them"
        )
    if len(judgments.documents) > 1:
        raise InputError(
            f"{judgments.name or 'judgments'}: expected sentences of one document, got those of "
            f"{', '.join(judgments.documents)}: `document` chooses one (--document)"
        )
    length = min(table.shape[1] for table in tables)
    known = judgments.first_sentence
    starts = [start for start in ((0, 1) if known is None else (known,)) if _fits(judgments, start, length)]
    if not starts:
        first = known or 0
        beyond = [n for n in judgments.sentences if not first <= n < first + length + (known is None)]
        if not beyond:
            beyond = [n for n in judgments.sentences if n in (0, length)]
        counted = "numbered from 0 or from 1" if known is None else f"numbered from {known}"
        raise InputError(
            f"{judgments.name or 'judgments'}: expected sentences of a corpus of {length} {counted}, "
            f"got sentence {beyond[0]}{and_more(beyond)}"
        )
    if len(starts) == 1:
        return judgments.numbered_from(starts[0])
    from_0, from_1 = (
        np.sum([_alike(judgments.numbered_from(start), table) for table in tables], axis=0) for start in starts
    )
    # Comparisons of one sentence, and metrics, go together: each sentence is one observation.
    lead_of_0 = np.bincount(judgments.sentence_groups, weights=from_0 - from_1)
    if abs(lead_of_0.sum()) <= _DEVIATIONS * sqrt((lead_of_0**2).sum()):
        raise InputError(
            f"{judgments.name or 'judgments'}: cannot tell whether sentences are numbered from 0 or from 1: "
            "expected first_sentence to say it"
        )
    return judgments.numbered_from(starts[0] if lead_of_0.sum() > 0 else starts[1])


def _fits(judgments: Judgments, start: int, length: int) -> bool:
    return bool(judgments.sentence.min() >= start and judgments.sentence.max() < start + length)


def _alike(judgments: Judgments, table: NDArray[np.float64]) -> NDArray[np.int64]:
    alike: NDArray[np.bool_] = np.sign(score_differences(judgments, table)) == judgments.outcome
    return alike.astype(np.int64)


def score_differences(judgments: Judgments, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each judgment, the first system's score of its sentence less the second's."""
    rows = judgments.sentence - (judgments.first_sentence or 0)
    differences: NDArray[np.float64] = table[judgments.first, rows] - table[judgments.second, rows]
    return differences

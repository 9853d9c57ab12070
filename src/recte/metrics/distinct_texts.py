"""Texts that stand for one source more than once: candidates that a model gives twice, outputs that systems share."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.corpus import System
from recte.corpus.text_columns import TextColumn

__all__ = ["DistinctTexts"]


@dataclass(frozen=True, eq=False)
class DistinctTexts:
    """Texts that differ, or whose sources do, each with the place of its source; `number` says which each of all is,
    and `first` where each stands first.

    >>> found = DistinctTexts.of(["a", "b", "a"], np.array([0, 0, 0]))
    >>> found.texts, list(found.places), found.number.tolist()
    (('a', 'b'), [0, 0], [0, 1, 0])
    """

    texts: TextColumn
    places: Sequence[int]
    number: NDArray[np.int64]
    first: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str], source_of: NDArray[np.int64]) -> DistinctTexts:
        """Texts, each with the place of its source."""
        if isinstance(texts, TextColumn):
            buffer, offsets, first, number = _kernels.distinct_spans(texts.spans, source_of)
        else:
            buffer, offsets, first, number = _kernels.distinct_texts(texts, source_of)
        # What Python code can read number by number, and NumPy takes as it is.
        places = array("q", source_of[first].tobytes())
        return cls(TextColumn(buffer, offsets[:-1], offsets[1:]), places, number, first)

    @classmethod
    def of_systems(cls, systems: Sequence[System]) -> DistinctTexts:
        """The outputs of systems, one for each sentence; `number` has a row for each system."""
        size = len(systems[0].outputs)
        outputs = TextColumn.end_to_end([TextColumn.of(system.outputs) for system in systems])
        distinct = cls.of(outputs, np.tile(np.arange(size), len(systems)))
        return cls(distinct.texts, distinct.places, distinct.number.reshape(len(systems), size), distinct.first)

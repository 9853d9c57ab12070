"""`recte.filter_pairs`: the pairs of any iterable that meet conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.text_columns import TextColumn
from recte.errors import InputError
from recte.studies.filtering.duplicates import SeenPairs, hash_pairs
from recte.studies.filtering.pair_conditions import DUPLICATES, ConditionJudge, PairColumns, PairConditions

__all__ = ["CHUNK", "PairStream", "filter_pairs"]

CHUNK = 10_000  # pairs judged at once


class PairStream:
    """Judges pairs part by part: the conditions first, then whether a pair came before."""

    def __init__(self, conditions: PairConditions) -> None:
        self.judge = ConditionJudge(conditions)
        self.pairs = 0
        self.removed = Counter[str]()
        self._seen = None if conditions.duplicates else SeenPairs()

    def rows_kept(self, pairs: PairColumns) -> NDArray[np.int64]:
        """The rows of the next pairs that are kept."""
        removed = self.judge.find_failures(pairs)
        rows = np.flatnonzero(removed == 0)
        if self._seen is not None:
            remaining = pairs.take(rows)
            is_first = self._seen.add(hash_pairs(remaining.sources, remaining.corrected))
            removed[rows[~is_first]] = self.judge.names.index(DUPLICATES) + 1
            rows = rows[is_first]
        self.pairs += len(removed)
        self.removed += count_removed(removed, self.judge.names)
        return rows


def count_removed(removed: NDArray[np.uint8], names: tuple[str, ...]) -> Counter[str]:
    """How many pairs each condition removed."""
    counts = np.bincount(removed, minlength=len(names) + 1)[1:].tolist()
    return Counter({name: count for name, count in zip(names, counts, strict=True) if count})


def filter_pairs(
    pairs: Iterable[tuple[str, str]], *, removed: MutableMapping[str, int] | None = None, **conditions: Any
) -> Iterator[tuple[str, str]]:
    """The pairs of source and correction that meet all `conditions`, in their order, as they are read.

    Conditions are those of `PairConditions`, by their names; pairs are judged 10,000 at a time. `removed` receives how
    many pairs each condition removed: a pair counts for the first that it does not meet.

    >>> pairs = [("He go .", "He goes ."), ("He go .", "She left ."), ("He go .", "He goes .")]
    >>> list(filter_pairs(pairs, max_changed=0.5, duplicates=False))
    [('He go .', 'He goes .')]
    """
    return _iterate_kept(iter(pairs), PairStream(PairConditions(**conditions)), removed)


def _iterate_kept(
    pairs: Iterator[tuple[str, str]], stream: PairStream, removed: MutableMapping[str, int] | None
) -> Iterator[tuple[str, str]]:
    while part := list(islice(pairs, CHUNK)):
        wrong = next((pair for pair in part if isinstance(pair, str) or len(pair) < 2), None)
        if wrong is not None:
            raise InputError(f"pairs: expected a source and its correction, got {wrong!r}")
        sources, corrected = (TextColumn.of([pair[side] for pair in part]) for side in (0, 1))
        rows = stream.rows_kept(PairColumns(sources, corrected))
        if removed is not None:
            removed.update(stream.removed)
        for row in rows.tolist():
            yield part[row]

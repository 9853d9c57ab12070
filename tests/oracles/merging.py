"""Counts of parts put together sentence by sentence and column by column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.corpus.counts import Counts, is_present


def sentence_cells(counts: Counts) -> dict[tuple[int, str], Any]:
    """The cells of each sentence that has a column, by its place and the column's name."""
    there = is_present(counts.rows)
    return {
        (int(place), column): counts.rows[i, c].tolist()
        for i, place in enumerate(counts.index)
        for c, column in enumerate(counts.columns)
        if there[i, c]
    }


def merged(parts: Sequence[Counts]) -> tuple[dict[tuple[int, str], Any], dict[int, tuple[Any, ...]]]:
    """All cells, and what else is known of each sentence."""
    cells: dict[tuple[int, str], Any] = {}
    others: dict[int, tuple[Any, ...]] = {}
    for part in parts:
        cells.update(sentence_cells(part))
        for i, place in enumerate(part.index.tolist()):
            labels = {key: str(values[i]) for key, values in part.labels.items()}
            others[place] = (bool(part.fallbacks[i]), int(part.fingerprints[i]), labels)
    return cells, others

"""The kernels through the public layer, one pair of sentences at a time, in the shape the oracles have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte import Annotation, Edit, Sentence
from recte.alignment.edit_search import CRITERIA, EditSearch, SearchOptions
from recte.columns.gold import columns_of


def gold_triples(edits: Sequence[Edit]) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(e.start, e.end, e.corrections) for e in edits]


def _search(source: Sequence[str], edits: Sequence[Edit]) -> EditSearch:
    annotations = (Annotation("0", tuple(edits)),)
    return EditSearch.of(columns_of([Sentence(" ".join(source), annotations=annotations)]))


def count(source: Sequence[str], hypothesis: Sequence[str], edits: Sequence[Edit], **options: Any) -> tuple[int, ...]:
    """tp, proposed, gold."""
    rows, _ = _search(source, edits).count([" ".join(hypothesis)], SearchOptions(**options))
    return tuple(rows[0, 0].tolist())


def trace(
    source: Sequence[str], hypothesis: Sequence[str], edits: Sequence[Edit], **options: Any
) -> list[tuple[Any, ...]]:
    """Proposed edits as (start, end, original, correction)."""
    (traced,) = _search(source, edits).trace([" ".join(hypothesis)], SearchOptions(**options))
    return [(e.start, e.end, e.original, e.correction) for e in traced["0"]]


def hoo(
    source: Sequence[str], hypothesis: Sequence[str], edits: Sequence[Edit], **options: Any
) -> dict[str, tuple[int, ...]]:
    """met, spurious, system, gold, missed optional by criterion."""
    rows, _ = _search(source, edits).count_hoo([" ".join(hypothesis)], SearchOptions(**options))
    return {criterion: tuple(rows[0, 0, c].tolist()) for c, criterion in enumerate(CRITERIA)}

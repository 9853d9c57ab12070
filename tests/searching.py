"""The kernels through the public layer, one pair of sentences at a time, in the shape the oracles have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte import Annotation, Edit, Sentence
from recte.corpus.gold_columns import columns_of
from recte.edits.edit_search import CRITERIA, EditSearch, SearchOptions


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
    (of_sentence,) = traced(_search(source, edits), [source], [" ".join(hypothesis)], SearchOptions(**options))
    return of_sentence["0"]


def traced(
    search: EditSearch, sources: Sequence[Sequence[str]], hypotheses: Sequence[str], options: SearchOptions
) -> list[dict[str, list[tuple[Any, ...]]]]:
    """The same for each hypothesis and annotator."""
    table = search.find(hypotheses, options)
    actual: list[dict[str, list[tuple[Any, ...]]]] = [{} for _ in hypotheses]
    for annotation, (sentence, column) in enumerate(zip(table.sentences.tolist(), table.columns.tolist(), strict=True)):
        actual[sentence][table.annotators[column]] = [
            (edit.start, edit.end, table.misplaced.get(e, " ".join(sources[sentence][edit.start : edit.end])), text)
            for e in range(table.offsets[annotation], table.offsets[annotation + 1])
            for edit, text in [(table[e], table[e].corrections[0])]
        ]
    return actual


def hoo(
    source: Sequence[str], hypothesis: Sequence[str], edits: Sequence[Edit], **options: Any
) -> dict[str, tuple[int, ...]]:
    """met, spurious, system, gold, missed optional by criterion."""
    rows, _ = _search(source, edits).count_hoo([" ".join(hypothesis)], SearchOptions(**options))
    return {criterion: tuple(rows[0, 0, c].tolist()) for c, criterion in enumerate(CRITERIA)}

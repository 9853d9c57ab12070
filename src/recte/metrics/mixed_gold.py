"""One gold annotation a hypothesis, mixed from all annotators: for each error the alternative that suits it best.

Errors are those of the I-measure's clustering (Felice and Briscoe 2015; their Table 10 scores MaxMatch this way). First
the hypothesis is searched against all alternatives at once; then each error takes the alternative with most edits
found, on a tie the one with fewest edits (leaving the text alone, where that is open, has none), then the first. That
is a heuristic: where one annotator's own edits score the sentence higher, they are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from recte.corpus.corpus import Annotation, Edit, Sentence
from recte.corpus.edit_table import EditTable
from recte.corpus.gold_columns import columns_of
from recte.edits.edit_search import EditSearch, SearchOptions
from recte.edits.error_clusters import cluster_errors
from recte.edits.matching import IN_GOLD, match
from recte.metrics.annotator_choice import sentence_f

__all__ = ["MIXED", "mix_gold"]

MIXED = "mixed"


def mix_gold(
    sentences: Sequence[Sentence], hypotheses: Sequence[str], options: SearchOptions, beta: float
) -> list[Sentence]:
    """For each sentence and its hypothesis, the sentence with the one annotation that scores it highest."""
    mixed = _mix(sentences, hypotheses, options)
    rivals = [(Annotation(MIXED, edits), *s.annotations) for s, edits in zip(sentences, mixed, strict=True)]
    search = EditSearch.of(columns_of(sentences, rivals))
    rows, _ = search.count(hypotheses, options, range(len(sentences)))
    scores = sentence_f(rows, beta)
    best = []
    for sentence, of_sentence, row, f in zip(sentences, rivals, rows.tolist(), scores.tolist(), strict=True):
        by_annotator = {a: (f[c], row[c][0], -row[c][2]) for c, a in enumerate(search.annotators)}
        winner = max(of_sentence, key=lambda a: by_annotator[a.annotator])
        best.append(replace(sentence, annotations=(replace(winner, annotator=MIXED),), errors=None, lines=()))
    return best


def _mix(sentences: Sequence[Sentence], hypotheses: Sequence[str], options: SearchOptions) -> list[tuple[Edit, ...]]:
    """The edits mixed for each hypothesis."""
    errors = [cluster_errors(s, treebank=False, first_correction=False) for s in sentences]
    unions = [
        _in_order({edit for error in of_sentence for a in error.alternatives for edit in a.edits})
        for of_sentence in errors
    ]
    search = EditSearch.of(columns_of(sentences, [(Annotation(MIXED, union),) for union in unions]))
    gold = EditTable.of_one_annotator(unions, MIXED)
    edits = match(gold, search.find(hypotheses, options), IN_GOLD).judged
    found_places = np.zeros(len(gold), dtype=np.bool_)
    found_places[edits.gold_edits] = edits.found
    mixed = []
    for of_sentence, union, first in zip(errors, unions, gold.offsets.tolist(), strict=False):
        matched = {edit for g, edit in enumerate(union, first) if found_places[g]}
        chosen: list[Edit] = []
        for error in of_sentence:
            alternatives = [a.edits for a in error.alternatives]
            if not error.required:
                alternatives.append(())
            ranked = [(len(matched.intersection(edits)), -len(edits)) for edits in alternatives]
            chosen += alternatives[ranked.index(max(ranked))]
        mixed.append(_in_order(chosen))
    return mixed


def _in_order(edits: Sequence[Edit] | set[Edit]) -> tuple[Edit, ...]:
    return tuple(sorted(edits, key=lambda e: (e.start, e.end, e.line, e.corrections)))

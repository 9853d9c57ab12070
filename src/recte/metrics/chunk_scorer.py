"""CLEME's references, ready for hypotheses: chunks are judged, and counted by kind and length or by weight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.alignment.verdicts import JudgedEdit, Verdict
from recte.alignment.versions import Versions, version_text
from recte.corpus import Corpus, Edit, System, apply_edits
from recte.counts import ABSENT, Counts, absent_rows
from recte.metrics.version_scorer import VersionScorer
from recte.threads import thread_count
from recte.weighing.context import EditInContext
from recte.weighing.weights import edit_weigher

if TYPE_CHECKING:
    from recte.metrics.cleme import ChunkMetric

__all__ = ["BINS", "KINDS", "ClemeScorer"]

KINDS = ("tp", "fp_necessary", "fp_unnecessary", "fn", "tn")
BINS = 32  # lengths told apart; the last one is for all longer chunks
_TN = KINDS.index("tn")
_ALL = "all"  # the one column where chunks are compared with all references
_VERDICTS: dict[str, tuple[Verdict, str]] = {
    "tp": ("correct", ""),
    "fp_necessary": ("spurious", "necessary"),
    "fp_unnecessary": ("spurious", "unnecessary"),
    "fn": ("missed", ""),
}
_PAIR, _REFERENCE, _START, _END, _KIND, _OWN_LENGTH, _REFERENCE_LENGTH, _CHANGED, _REFERENCE_CHANGED = range(9)


class ClemeScorer(VersionScorer[Any]):
    """CLEME with its references. One whose text is empty is no reference, unless all are."""

    metric: ChunkMetric

    def __init__(self, metric: ChunkMetric, corpus: Corpus) -> None:
        super().__init__(metric, corpus)
        self.references = [
            [a for a in s.annotations if apply_edits(s.tokens, a.edits)] or list(s.annotations) for s in self.sentences
        ]
        self.versions = Versions(
            [s.tokens for s in self.sentences], [[a.edits for a in of_sentence] for of_sentence in self.references]
        )
        annotators = corpus.annotators
        column = {annotator: c for c, annotator in enumerate(annotators)}
        self._column_of = np.array([column[a.annotator] for r in self.references for a in r], dtype=np.int64)
        self.columns = annotators if metric.assumption == "dependent" else (_ALL,)

    def _count_edits(self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]) -> Counts:
        records, stretches = self.verdicts(edits, source_of)
        places = np.asarray(source_of, dtype=np.int64)
        first, last = self.versions.reference_offsets[places], self.versions.reference_offsets[places + 1]
        rows = absent_rows((len(edits), len(self.columns), *self.metric.cells), self.metric.dtype)
        pair = records[:, _PAIR]
        if self.columns == (_ALL,):
            rows[:] = 0
            columns, counted = np.zeros(len(pair), dtype=np.int64), records[:, _REFERENCE] == 0
        else:
            listed = np.repeat(np.arange(len(edits)), last - first)
            within = np.arange(len(listed)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
            rows[listed, self._column_of[first[listed] + within]] = 0
            columns, counted = self._column_of[first[pair] + records[:, _REFERENCE]], np.ones(len(pair), dtype=np.bool_)
        if self.metric.edit_weights:
            return self._weighed(rows, edits, places, records, stretches, columns)
        rows[:, :, 0] += stretches[:, None] * (rows[:, :, 0] != ABSENT)
        source, kind = records[:, _END] - records[:, _START], records[:, _KIND]
        length = np.minimum(np.maximum(source, records[:, _OWN_LENGTH]), BINS - 1)
        cell = np.where(kind == _TN, 0, 3 + kind * BINS + length)
        np.add.at(rows, (pair[counted], columns[counted], cell[counted]), 1)
        changed = records[:, _REFERENCE_CHANGED] != 0
        np.add.at(rows, (pair[changed], columns[changed], 1), 1)
        theirs = np.maximum(source, records[:, _REFERENCE_LENGTH])
        np.add.at(rows, (pair[changed], columns[changed], 2), theirs[changed])
        return self.counts_of(rows, self.columns, source_of)

    def _weighed(
        self,
        rows: NDArray[np.float64],
        edits: Sequence[Sequence[Edit]],
        places: NDArray[np.int64],
        records: NDArray[np.int32],
        stretches: NDArray[np.int32],
        columns: NDArray[np.int64],
    ) -> Counts:
        """Sums of weights by kind: a chunk weighs what the change in it weighs as an edit; where none is to be, 1."""
        weigher = edit_weigher(self.metric.edit_weights)
        seen = np.flatnonzero(records[:, _KIND] != _TN)
        contexts = []
        for pair, reference, start, end, kind, *_ in records[seen].tolist():
            place = int(places[pair])
            tokens, annotation = self.sentences[place].tokens, self.references[place][reference]
            version = annotation.edits if KINDS[kind] == "fn" else edits[pair]
            text, whole = version_text(tokens, version, start, end), apply_edits(tokens, annotation.edits)
            corpus_place = place + self.corpus.first
            contexts.append(EditInContext(corpus_place, tokens, start, end, text, annotation.annotator, whole))
        weights = np.ones(len(records))
        weights[seen] = np.asarray(weigher(contexts), dtype=np.float64)
        rows[:, :, _TN] += stretches[:, None]
        np.add.at(rows, (records[:, _PAIR], columns, records[:, _KIND]), weights)
        counts = self.counts_of(rows, self.columns, places.tolist())
        return replace(counts, made_with={"edit_weights": weigher.name})

    def verdicts(
        self, edits: Sequence[Sequence[Edit]], source_of: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The chunks that some version changes, one row for each reference, and how many there are between them."""
        return _kernels.judge_chunks(
            sources=self.versions.sources,
            source_of=np.array(source_of, dtype=np.int64),
            hypotheses=self.versions.encode(edits),
            reference_offsets=self.versions.reference_offsets,
            references=self.versions.references,
            independent=self.metric.assumption == "independent",
            threads=thread_count(len(edits)),
        )

    def judged_edits(
        self, hypotheses: System | Iterable[str], *, annotators: Sequence[str] | None = None
    ) -> list[dict[str, tuple[JudgedEdit, ...]]]:
        """Chunks that are no true negatives; the type of a false positive says whether a change was needed there."""
        edits = self.edits_of(self.system_of(hypotheses))
        records, _ = self.verdicts(edits, range(len(edits)))
        found: list[dict[str, list[JudgedEdit]]] = [
            {a.annotator: [] for a in self.references[i]} if self.columns != (_ALL,) else {_ALL: []}
            for i in range(len(edits))
        ]
        for pair, reference, start, end, kind, *_ in records.tolist():
            if kind == _TN or (self.columns == (_ALL,) and reference):
                continue
            tokens, annotation = self.sentences[pair].tokens, self.references[pair][reference]
            verdict, type_ = _VERDICTS[KINDS[kind]]
            version = annotation.edits if verdict == "missed" else edits[pair]
            text = version_text(tokens, version, start, end)
            key = self.columns[0] if self.columns == (_ALL,) else annotation.annotator
            found[pair][key].append(JudgedEdit(verdict, start, end, " ".join(tokens[start:end]), (text,), type_))
        return [
            {a: tuple(judged) for a, judged in of.items() if annotators is None or a == annotators[i]}
            for i, of in enumerate(found)
        ]

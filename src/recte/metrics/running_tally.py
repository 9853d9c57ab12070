"""Sums over annotators who are chosen sentence by sentence: the parts of a corpus one after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.counts import ABSENT, Counts
from recte.metrics.annotator_choice import f_of_each
from recte.metrics.edit_metric import EditMetric, EditScore
from recte.metrics.tally import ResampleBlock, Tally, pieces
from recte.threads import thread_count

__all__ = ["RunningTally"]


@dataclass(frozen=True)
class RunningTally:
    """Each part goes on with the totals of the parts before it, in the corpus itself and in every resample."""

    metric: EditMetric
    in_order = True

    def tally(self, counts: Counts, block: ResampleBlock | None, before: Tally | None) -> Tally:
        triples = self.metric.triples(counts)
        if block is not None and block.first > 0:  # whoever has the first resamples has all the rest
            return Tally.of_resamples(counts, self._resample(counts, triples, block, before))
        totals = np.zeros(3, dtype=np.int64) if before is None else before.chosen
        tally = Tally.of(counts, triples, self._choose(triples, totals), self._resample(counts, triples, block, before))
        if before is None:
            return tally
        # Chosen and resampled sums of this part are already those of all up to here.
        nothing = replace(before, chosen=0 * before.chosen, resampled=0 * before.resampled)
        return nothing + tally

    def _choose(self, triples: NDArray[np.int32], before: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sums up to here. What came before stands as sentences of one annotator at the beginning."""
        totals = pieces(before)
        earlier = np.full((len(totals), *triples.shape[1:]), ABSENT, dtype=np.int32)
        earlier[:, 0] = totals
        rows = np.concatenate([earlier, triples])
        chosen = self.metric.choice.choose(rows, self.metric.beta)
        there = np.flatnonzero(chosen != ABSENT)
        return np.asarray(rows[there, chosen[there]].sum(axis=0, dtype=np.int64))

    def _resample(
        self, counts: Counts, triples: NDArray[np.int32], block: ResampleBlock | None, before: Tally | None
    ) -> NDArray[np.float64]:
        if block is None:
            return np.zeros((0, 3))
        return _kernels.sum_drawn_choices(
            np.ascontiguousarray(triples),
            counts.index.astype(np.uint64),
            block.seed % 2**64,
            block.first,
            np.zeros((block.size, 3)) if before is None else before.resampled,
            self.metric.beta,
            thread_count(block.size),
        )

    def score(self, tally: Tally) -> EditScore:
        return self.metric.score_tally(tally)

    def resample_scores(self, tally: Tally) -> NDArray[np.float64]:
        return f_of_each(tally.resampled, self.metric.beta)

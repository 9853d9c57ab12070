"""Scores of corpora whose counts are nowhere together: what a part adds, and what the score needs of all parts.

A tally holds sums of rows, and sums of resampled rows, where a score follows from them. Those of parts are added in any
order, or made one after the other where a choice in one part depends on the parts before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from recte import _kernels
from recte.corpus.count_merging import merge
from recte.corpus.counts import Counts, is_present
from recte.threads import thread_count

if TYPE_CHECKING:
    from recte.metrics.base import SummedMetric
    from recte.metrics.score import Score

__all__ = ["ResampleBlock", "SumTally", "Tally", "TallyRule", "pieces"]

_STRETCH_CELLS = 4_000_000
_LARGEST = 2**30


def pieces(sums: NDArray[np.int64]) -> NDArray[np.int32]:
    """Sums cut into as few rows as can hold them: a row has 32 bits for a count.

    >>> pieces(np.array([3_000_000_000, 5])).sum(axis=0).tolist()
    [3000000000, 5]
    """
    count = int(sums.max(initial=0) // _LARGEST) + 1
    number = np.arange(count).reshape(-1, *[1] * sums.ndim)
    return np.asarray(sums // count + (number < sums % count), dtype=np.int32)


class ResampleBlock(NamedTuple):
    """Some of the resamples of a large corpus, whose weights are made from the sentences' numbers: `size` of them,
    from number `first` on, which can be divided by 4.
    """

    seed: int
    first: int
    size: int


@dataclass(frozen=True)
class Tally:
    """What a score needs of counts, without their rows.

    `header` are the counts of no sentence, which say how all of them were made; `data` is the sum of fingerprints.
    `sums` are those of all rows by column and cell, over `present` sentences; `chosen` those of chosen columns;
    `resampled` has a row of sums for each resample.
    """

    header: Counts
    size: int
    data: int
    fallback_sentences: tuple[int, ...]
    sums: NDArray[np.int64]
    present: NDArray[np.int64]
    chosen: NDArray[np.int64]
    resampled: NDArray[np.float64]

    @classmethod
    def of(
        cls, counts: Counts, rows: NDArray[np.int32], chosen: NDArray[np.int64], resampled: NDArray[np.float64]
    ) -> Tally:
        """The tally of some counts; `rows` are those that are summed."""
        there = is_present(rows)
        return cls(
            header=counts.part(slice(0)),
            size=len(counts),
            data=counts.data,
            fallback_sentences=counts.fallback_sentences,
            sums=np.where(there[..., None], rows, 0).sum(axis=0, dtype=np.int64),
            present=there.sum(axis=0, dtype=np.int64),
            chosen=chosen,
            resampled=resampled,
        )

    @classmethod
    def of_resamples(cls, counts: Counts, resampled: NDArray[np.float64]) -> Tally:
        """Sums of resamples alone, to stand joined (`join`) to a tally of the same sentences."""
        nothing = np.zeros(0, dtype=np.int64)
        return cls(counts.part(slice(0)), 0, 0, (), nothing, nothing, nothing, resampled)

    def __add__(self, other: Tally) -> Tally:
        """Both together; the sums of chosen columns and of resamples are added, too."""
        header = merge([self.header, other.header])
        mine, theirs = ([header.columns.index(column) for column in tally.header.columns] for tally in (self, other))
        sums = np.zeros((len(header.columns), *self.sums.shape[1:]), dtype=np.int64)
        present = np.zeros(len(header.columns), dtype=np.int64)
        for tally, places in ((self, mine), (other, theirs)):
            sums[places] += tally.sums
            present[places] += tally.present
        return replace(
            self,
            header=header,
            size=self.size + other.size,
            data=(self.data + other.data) % 2**32,
            fallback_sentences=tuple(sorted({*self.fallback_sentences, *other.fallback_sentences})),
            sums=sums,
            present=present,
            chosen=self.chosen + other.chosen,
            resampled=self.resampled + other.resampled,
        )

    def join(self, others: Sequence[Tally]) -> Tally:
        """The same with the resamples of other tallies of the same sentences behind its own."""
        return replace(self, resampled=np.concatenate([self.resampled, *(other.resampled for other in others)]))

    def __len__(self) -> int:
        return self.size

    @property
    def system(self) -> str:
        return self.header.system

    def check_some(self) -> None:
        """Refuse a tally of no sentence."""
        if not self.size:
            self.header.check_some()


class TallyRule(Protocol):
    """How a metric's score follows from tallies.

    With `in_order`, `tally` is given that of all sentences before, and gives that of all up to here; without, tallies
    are added. `block` says which resamples; without one there are none.
    """

    in_order: bool

    def tally(self, counts: Counts, block: ResampleBlock | None, before: Tally | None) -> Tally: ...
    def score(self, tally: Tally) -> Score: ...
    def resample_scores(self, tally: Tally) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class SumTally:
    """Where one row that holds the sums of all whole numbers has the score of the corpus."""

    metric: SummedMetric
    in_order = False

    def tally(self, counts: Counts, block: ResampleBlock | None, before: Tally | None) -> Tally:
        nothing = np.zeros(0, dtype=np.int64)
        return Tally.of(counts, counts.rows, nothing, self._resample(counts, block))

    def _resample(self, counts: Counts, block: ResampleBlock | None) -> NDArray[np.float64]:
        """Whole numbers, added as doubles: exact in whatever order."""
        if block is None:
            return np.zeros((0, 1))
        length = max(1, _STRETCH_CELLS // block.size)
        sums: NDArray[np.float64] | None = None
        for begin in range(0, len(counts), length):
            part = counts.part(slice(begin, begin + length))
            keys, threads = part.index.astype(np.uint64), thread_count(block.size)
            weights = _kernels.poisson_weights(keys, block.seed % 2**64, block.first, block.size, threads)
            more = weights.astype(np.float64) @ self.metric.summands(part)
            sums = more if sums is None else sums + more
        assert sums is not None, "a part has sentences"
        return sums

    def score(self, tally: Tally) -> Score:
        """That of a few rows with the same sums."""
        rows = pieces(tally.sums)
        few = replace(
            tally.header,
            rows=rows,
            index=np.arange(len(rows)),
            fallbacks=np.zeros(len(rows), dtype=np.bool_),
            fingerprints=np.array([tally.data] + [0] * (len(rows) - 1), dtype=np.uint32),
        )
        score = self.metric.score_counts(few)
        return replace(score, sentence_count=len(tally), fallback_sentences=tally.fallback_sentences)

    def resample_scores(self, tally: Tally) -> NDArray[np.float64]:
        return self.metric.scores_of_sums(tally.resampled)

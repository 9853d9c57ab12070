"""Systems against a baseline in each part of a corpus and for each error type, p corrected for all of these tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recte.corpus.counts import Counts
from recte.evaluation.counting import SystemCounts
from recte.evaluation.scoring import label_parts
from recte.metrics.base import Metric
from recte.statistics.comparison import Comparison, holm
from recte.statistics.drawing import Drawing
from recte.statistics.intervals import FEWEST_UNITS, Resampling
from recte.statistics.paired import bootstrap_p

__all__ = ["PartComparison", "TypeDifference", "compare_parts", "compare_types"]

_FEWEST_RESAMPLES = 0.9  # the share of resamples that must hold the type, or nothing is said of it


@dataclass(frozen=True)
class PartComparison:
    """A part of the corpus, by its labels, and each system against the baseline in it."""

    subset: Mapping[str, str]
    comparison: Comparison


def compare_parts(
    counted: Sequence[SystemCounts], by: Sequence[str], resampling: Resampling, compare: Callable[..., Comparison]
) -> list[PartComparison]:
    """The comparison of one metric's systems in each part that has enough sentences; Holm corrects for all of them.

    `compare` gets the selected counts of each system, several where it has runs.
    """
    parts = []
    for subset, mask in label_parts(counted[0].counts, by):
        if resampling.units(counted[0].counts.select(mask)) < FEWEST_UNITS:
            continue
        selected = [
            of_system.counts.select(mask)
            if not of_system.more_runs
            else [run.select(mask) for run in (of_system.counts, *of_system.more_runs)]
            for of_system in counted
        ]
        parts.append(PartComparison(subset, compare(selected)))
    corrected = iter(holm([pair.p for part in parts for pair in part.comparison.pairs]))
    return [
        PartComparison(
            part.subset,
            replace(
                part.comparison,
                pairs=tuple(replace(pair, p_holm=next(corrected)) for pair in part.comparison.pairs),
            ),
        )
        for part in parts
    ]


@dataclass(frozen=True)
class TypeDifference:
    """A system's score of an error type less the baseline's, and its p by a paired bootstrap, as it is and by Holm."""

    system: str
    type: str
    difference: float
    p: float
    p_holm: float


def compare_types(
    counts: Sequence[Counts], metric: Metric, baseline: str, resampling: Resampling
) -> list[TypeDifference]:
    """Each system against the baseline, type by type; none where the metric has no scores of types.

    Resamples are those of the intervals, and p follows from their standard error by the normal distribution. A type
    that many resamples lack is left out.
    """
    whole = np.ones((1, len(counts[0])), dtype=np.int32)
    drawing = Drawing.of(counts[0], resampling.resamples, resampling.seed, resampling.groups(counts[0]))
    observed = {c.system: metric.type_scores(c, whole) for c in counts}
    drawn = {c.system: _join([metric.type_scores(c, weights) for weights in drawing.blocks()]) for c in counts}
    tests = []
    for system, of_system in observed.items():
        for type_, score in of_system.items() if system != baseline else ():
            if type_ not in observed[baseline]:
                continue
            differences = drawn[system][type_] - drawn[baseline][type_]
            known = differences[~np.isnan(differences)]
            difference = float(score[0] - observed[baseline][type_][0])
            if len(known) >= _FEWEST_RESAMPLES * len(differences) and not np.isnan(difference):
                tests.append((system, type_, difference, bootstrap_p("bootstrap-normal", known, difference)))
    corrected = holm([p for *_, p in tests])
    return [TypeDifference(*test, p_holm) for test, p_holm in zip(tests, corrected, strict=True)]


def _join(blocks: Sequence[Mapping[str, NDArray[np.float64]]]) -> dict[str, NDArray[np.float64]]:
    return {type_: np.concatenate([block[type_] for block in blocks]) for type_ in blocks[0]}

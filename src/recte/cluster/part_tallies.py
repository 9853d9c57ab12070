"""What a worker does with counts that stay with it: sums, and sums of sums."""

from __future__ import annotations

from dataclasses import dataclass

from recte.cluster.part_counting import BadPart, CountedPart
from recte.counting import SystemCounts
from recte.metrics.tally import ResampleBlock, Tally
from recte.plausibility.plausibility_check import PlausibilityCheck
from recte.threads import at_most_threads

__all__ = ["Receipt", "add_tallies", "receipt", "rows_of", "tally_part"]


@dataclass(frozen=True)
class Receipt:
    """That a part was counted: how many sentences it has, what looked odd, and whether a former run counted it."""

    size: int
    check: PlausibilityCheck
    restored: bool


def receipt(counted: CountedPart | BadPart) -> Receipt | BadPart:
    """What must be known of a part while its counts stay where they are."""
    if isinstance(counted, BadPart):
        return counted
    return Receipt(counted.part.size, counted.check, counted.restored)


def rows_of(counted: CountedPart | BadPart, place: int) -> SystemCounts | None:
    """The counts of one system by one metric, rows and all."""
    return None if isinstance(counted, BadPart) else counted.counted[place]


def tally_part(
    counted: CountedPart | BadPart,
    place: int,
    references: int,
    block: ResampleBlock | None,
    before: Tally | None = None,
) -> Tally | None:
    """The tally of a part; of all up to it where the parts before have a say.

    `place` says which system and metric, `references` how many the gold has, `block` which resamples.
    """
    if isinstance(counted, BadPart):
        return before
    one = counted.counted[place]
    rule = one.metric.tally_rule(references)
    assert rule is not None, "asked for where there is one"
    with at_most_threads(1):
        return rule.tally(one.counts, block, before)


def add_tallies(*tallies: Tally | None) -> Tally | None:
    """All together; those of bad parts are none."""
    total = None
    for tally in tallies:
        total = tally if total is None else total if tally is None else total + tally
    return total

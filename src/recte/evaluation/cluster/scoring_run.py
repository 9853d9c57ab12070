"""Scores of a corpus in parts: counts stay with the workers wherever sums are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recte.corpus.count_merging import merge
from recte.evaluation.cluster.corpus_parts import Part
from recte.evaluation.cluster.counting_run import CountingRun
from recte.evaluation.cluster.part_counting import BadPart, CountedPart, count_part
from recte.evaluation.counting import SystemCounts
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.evaluation.scoring import score_counts, with_interval
from recte.metrics.base import Metric, Score
from recte.metrics.tally import ResampleBlock, Tally, TallyRule
from recte.statistics import drawing
from recte.statistics.intervals import Replicates, Resampling
from recte.threads import at_most_threads

__all__ = ["Receipt", "ScoredCorpus", "ScoringRun", "add_tallies", "receipt", "rows_of", "tally_part"]

_LANES = 64  # resamples that a kernel takes together
_FAN_IN = 8


@dataclass(frozen=True)
class ScoredCorpus:
    """A score for each system by each metric, what looked odd, and how many parts a former run had counted."""

    scores: list[tuple[Metric, Score]]
    check: PlausibilityCheck
    restored: int


@dataclass
class ScoringRun:
    """Scores what a `CountingRun` would count, with intervals where `resampling` says how.

    Where a score follows from sums, each part becomes a tally on the worker that counted it. Tallies are added as a
    tree, or where annotators are chosen in turn, handed on from part to part: some resamples by each worker, so that
    all of them have work. Other scores need the rows, which come here.
    """

    run: CountingRun
    resampling: Resampling | None = None

    def scores(self) -> ScoredCorpus:
        parts = self.run.parts()
        engine, job = self.run.engine, self.run.job
        pairs = [(metric, name) for metric in job.metrics for name in job.systems_of(metric, parts[0].systems)]
        references = parts[0].references
        rules = [metric.tally_rule(references) if self._sums_do(parts) else None for metric, _ in pairs]
        blocks = self._blocks(engine.workers)
        receipts: dict[Any, int] = {}
        tasks: list[list[list[Any]]] = [[[] for _ in (blocks if rule and rule.in_order else [0])] for rule in rules]
        for part in parts:
            counted = engine.submit(count_part, part, job)
            receipts[engine.submit(receipt, counted)] = part.number
            for place, rule in enumerate(rules):
                self._add(tasks[place], counted, place, references, rule, blocks)
        check, restored = self._receive(receipts)
        scores = []
        for (metric, _), rule, of_pair in zip(pairs, rules, tasks, strict=True):
            if rule is None:
                scores.append((metric, self._of_rows(metric, of_pair[0])))
            else:
                scores.append((metric, self._of_tallies(rule, of_pair)))
        return ScoredCorpus(scores, check, restored)

    def _sums_do(self, parts: Sequence[Part]) -> bool:
        """Whether intervals, too, can be made from sums: for sentences, by weights that come from their numbers."""
        how = self.resampling
        if how is None:
            return True
        documents = parts[0].documents and how.unit != "sentence"
        many = sum(part.size for part in parts) >= drawing.POISSON_FROM
        return how.method == "percentile" and many and not documents

    def _blocks(self, workers: int) -> list[ResampleBlock | None]:
        """Which resamples one chain of tasks makes: as many chains as workers."""
        if self.resampling is None:
            return [None]
        groups = -(-self.resampling.resamples // _LANES)
        length = -(-groups // workers) * _LANES
        count, seed = self.resampling.resamples, self.resampling.seed
        return [ResampleBlock(seed, first, min(length, count - first)) for first in range(0, count, length)]

    def _add(
        self,
        tasks: list[list[Any]],
        counted: Any,
        place: int,
        references: int,
        rule: TallyRule | None,
        blocks: Sequence[ResampleBlock | None],
    ) -> None:
        """What is to be done with a part for one system and metric, as soon as it is counted."""
        submit = self.run.engine.submit
        if rule is None:
            tasks[0].append(submit(rows_of, counted, place))
        elif rule.in_order:
            for chain, block in zip(tasks, blocks, strict=True):
                chain[:] = [submit(tally_part, counted, place, references, block, *chain)]
        else:
            block = (
                None if self.resampling is None else ResampleBlock(self.resampling.seed, 0, self.resampling.resamples)
            )
            tasks[0].append(submit(tally_part, counted, place, references, block))

    def _receive(self, receipts: dict[Any, int]) -> tuple[PlausibilityCheck, int]:
        by_number: dict[int, Receipt] = {}
        for task, outcome in self.run.engine.as_finished(list(receipts)):
            number = receipts.pop(task)
            if isinstance(outcome, BadPart):
                self.run.skip(outcome)
            else:
                by_number[number] = outcome
                self.run.progress(outcome.size)
        in_order = [by_number[number] for number in sorted(by_number)]
        self.run.check_some(in_order)
        check = self.run.join_checks([outcome.check for outcome in in_order])
        return check, sum(outcome.restored for outcome in in_order)

    def _of_rows(self, metric: Metric, tasks: list[Any]) -> Score:
        """The rows come here, in whatever order."""
        counted: list[SystemCounts] = [
            system_counts for _, system_counts in self._gather(tasks) if system_counts is not None
        ]
        whole = SystemCounts(metric, merge([system_counts.counts for system_counts in counted]))
        return score_counts(whole, resampling=self.resampling)[0]

    def _of_tallies(self, rule: TallyRule, tasks: list[list[Any]]) -> Score:
        engine = self.run.engine
        for chain in tasks:
            while len(chain) > 1:
                chain[:] = [engine.submit(add_tallies, *chain[i : i + _FAN_IN]) for i in range(0, len(chain), _FAN_IN)]
        tallies = dict(self._gather([chain[0] for chain in tasks]))
        first, *others = [tallies[place] for place in range(len(tasks))]
        tally: Tally = first.join(others)
        score = rule.score(tally)
        if self.resampling is None:
            return score
        values = rule.resample_scores(tally)
        interval = Replicates(self.resampling, "sentence", score.score, values, None, "poisson").interval()
        return with_interval(score, interval, self.resampling)

    def _gather(self, tasks: list[Any]) -> list[tuple[int, Any]]:
        places = {task: place for place, task in enumerate(tasks)}
        tasks.clear()
        return [(places.pop(task), result) for task, result in self.run.engine.as_finished(list(places))]


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
    """The tally of a part; of all up to it where the parts before matter.

    `place` says which system and metric, `references` how many the gold has, `block` which resamples.
    """
    if isinstance(counted, BadPart):
        return before
    system_counts = counted.counted[place]
    rule = system_counts.metric.tally_rule(references)
    assert rule is not None, "asked for where there is one"
    with at_most_threads(1):
        return rule.tally(system_counts.counts, block, before)


def add_tallies(*tallies: Tally | None) -> Tally | None:
    """All together; those of bad parts are none."""
    total = None
    for tally in tallies:
        total = tally if total is None else total if tally is None else total + tally
    return total

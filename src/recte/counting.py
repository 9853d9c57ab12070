"""From files to counts: any number of systems and metrics in one pass.

Sentences go through in chunks, so that memory stays bounded by the compact rows that are kept of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from recte.alignment.verdicts import JudgedEdit
from recte.corpus import DO_NOTHING, Corpus, System
from recte.counts import Counts
from recte.formats.files import is_read_once
from recte.inputs import GoldFiles
from recte.merging import GrowingCounts
from recte.metrics.base import Metric

__all__ = ["CHUNK", "SystemCounts", "chunks", "count_files", "do_nothing_system"]

CHUNK = 10_000


@dataclass(frozen=True)
class SystemCounts:
    """One system's counts by one metric, and its judged edits where they were asked for."""

    metric: Metric
    counts: Counts
    judged: tuple[Mapping[str, tuple[JudgedEdit, ...]], ...] | None = None


def count_files(
    gold: GoldFiles,
    systems: Mapping[str, str | Path],
    metrics: Sequence[Metric],
    *,
    types: bool = False,
    edits: bool = False,
    do_nothing: bool = False,
    do_nothing_always: bool = False,
    first: int = 0,
    look: Callable[[Corpus, Mapping[str, System]], None] = lambda corpus, systems: None,
    refuse: Callable[[], None] | None = None,
    progress: Callable[[int], None] = lambda sentences: None,
) -> list[SystemCounts]:
    """Count every system by every metric.

    `systems` are files by name, `first` is the place of the first sentence. `types` and `edits` ask for counts by error
    type and for judged edits, of the metrics that can say so. `do_nothing` adds what leaving the source alone would
    score, for metrics that it can win, or always. `look` is shown each part before it
    is counted; `refuse`, where it is given, is called once all parts were shown and before any is counted;
    `progress` is called with the number of sentences done since.
    """
    counted: dict[tuple[str, Metric], GrowingCounts] = {}
    judged: dict[tuple[str, Metric], list[Mapping[str, tuple[JudgedEdit, ...]]]] = {}
    for corpus, outputs in _looked_at(gold, systems, first, look, refuse):
        for metric in metrics:
            scorer = metric.prepare_with(corpus, outputs)
            scored = dict(outputs)
            if do_nothing and (metric.do_nothing_can_win or do_nothing_always):
                scored.setdefault(DO_NOTHING, do_nothing_system(corpus))  # a system of that name goes first
            for name, system in scored.items():
                counts = scorer.count(system)
                if types and metric.counts_types:
                    counts = scorer.count_types(system, counts)
                if edits and metric.judges_edits:
                    judged.setdefault((name, metric), []).extend(scorer.judged_edits(system))
                counted.setdefault((name, metric), GrowingCounts()).add(counts)
        progress(len(corpus))
    for metric in metrics:
        metric.all_counted()
    return [
        SystemCounts(metric, growing.finished(), tuple(judged[name, metric]) if (name, metric) in judged else None)
        for (name, metric), growing in counted.items()
    ]


def _looked_at(
    gold: GoldFiles,
    systems: Mapping[str, str | Path],
    first: int,
    look: Callable[[Corpus, Mapping[str, System]], None],
    refuse: Callable[[], None] | None,
) -> Iterator[tuple[Corpus, Mapping[str, System]]]:
    """Each part once it was looked at; all of them first where they may be refused. Files are read again for that, and
    what can be read only once is kept.
    """
    parts = gold.chunks(systems, CHUNK, first)
    if refuse is None:
        for corpus, outputs in parts:
            look(corpus, outputs)
            yield corpus, outputs
        return
    kept = list(parts) if any(map(is_read_once, (*gold.paths(), *systems.values()))) else None
    for corpus, outputs in parts if kept is None else kept:
        look(corpus, outputs)
    refuse()
    yield from gold.chunks(systems, CHUNK, first) if kept is None else kept


def do_nothing_system(corpus: Corpus) -> System:
    """The source left alone, as if it were a system."""
    return System(DO_NOTHING, corpus.unchanged)


def chunks(corpus: Corpus, systems: Sequence[System]) -> Iterator[tuple[Corpus, list[System]]]:
    """A corpus and its systems in parts that a metric can prepare at once."""
    for start in range(0, len(corpus), CHUNK):
        part = slice(start, start + CHUNK)
        yield corpus[part], [system[part] for system in systems]

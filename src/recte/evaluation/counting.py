"""From files to counts: any number of systems and metrics in one pass.

Sentences go through in chunks, so that memory stays bounded by the compact rows that are kept of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from recte.corpus.corpus import DO_NOTHING, Corpus, System, apply_edits
from recte.corpus.count_merging import GrowingCounts
from recte.corpus.counts import Counts
from recte.corpus.packed_items import PackedItems
from recte.corpus.proposed_edits import apply_annotator
from recte.corpus.text_columns import TextColumn
from recte.edits.projection import segmented
from recte.edits.verdicts import JudgedEdit
from recte.evaluation.inputs import GoldFiles
from recte.files import is_read_once
from recte.metrics.base import Metric
from recte.statistics.intervals import SystemRuns

__all__ = [
    "CHUNK",
    "GOLD_TEXT",
    "CountRequest",
    "SentenceTexts",
    "SystemCounts",
    "chunks",
    "count_files",
    "do_nothing_system",
]

CHUNK = 10_000
GOLD_TEXT = "the gold's own text"  # what the first annotator's edits make, as if it were a system


@dataclass(frozen=True, kw_only=True)
class CountRequest:
    """What to count of each system besides what its score needs.

    `types` and `edits` ask for counts by error type and for judged edits, of the metrics that have them. `do_nothing`
    adds the source left alone as a system: `never`, for metrics that it `can-win`, or `always`. `gold_text` adds the
    gold's own text, of which spans are found as of a system's, for metrics that compare them with the gold's spans.
    `texts` keeps the source, the references and the output of each sentence. `is_part` says that the files are a part
    of a corpus: whether some system is the source left alone is then not known. `tokens` names, by metric, what cuts
    texts and gold edits for that metric alone, as `recte.segmented` takes it.
    """

    types: bool = False
    edits: bool = False
    do_nothing: Literal["never", "can-win", "always"] = "never"
    gold_text: bool = False
    texts: bool = False
    is_part: bool = False
    tokens: Mapping[str, str] = field(default_factory=dict)

    def adds_do_nothing(self, metric: Metric) -> bool:
        """Whether a metric counts the source left alone, too."""
        return self.do_nothing == "always" or (self.do_nothing == "can-win" and metric.do_nothing_can_win)


@dataclass(frozen=True, slots=True)
class SentenceTexts:
    """A sentence's source, its references (or what each annotator's edits make of it), and a system's output."""

    source: str
    references: tuple[str, ...]
    output: str


@dataclass(frozen=True)
class SystemCounts:
    """One system's counts by one metric, and its judged edits where they were asked for.

    `more_runs` are the counts of the second run and those after it, where the system has several. `texts` are there
    where they were asked for.
    """

    metric: Metric
    counts: Counts
    judged: Sequence[Mapping[str, tuple[JudgedEdit, ...]]] | None = None
    more_runs: tuple[Counts, ...] = ()
    texts: Sequence[SentenceTexts] | None = None

    @property
    def runs(self) -> SystemRuns:
        """The counts, or those of each run where there are several."""
        return (self.counts, *self.more_runs) if self.more_runs else self.counts


def count_files(
    gold: GoldFiles,
    systems: Mapping[str, str | Path],
    metrics: Sequence[Metric],
    request: CountRequest = CountRequest(),
    *,
    first: int = 0,
    look: Callable[[Corpus, Mapping[str, System]], None] = lambda corpus, systems: None,
    refuse: Callable[[], None] | None = None,
    progress: Callable[[int], None] = lambda sentences: None,
) -> list[SystemCounts]:
    """Count every system by every metric.

    `systems` are files by name, `first` is the place of the first sentence. `look` is called with each part before it
    is counted; `refuse`, where it is given, once after all these calls and before any part is counted; `progress`
    with the number of sentences done since.
    """
    counted: dict[tuple[str, Metric], GrowingCounts] = {}
    judged: dict[tuple[str, Metric], PackedItems[Mapping[str, tuple[JudgedEdit, ...]]]] = {}
    texts: dict[str, PackedItems[SentenceTexts]] = {}
    # Systems that leave every source alone; a part of a corpus cannot tell.
    unchanged = set(systems) if request.do_nothing == "can-win" and not request.is_part else set()
    for corpus, outputs in _show_parts(gold, systems, first, look, refuse):
        if unchanged:
            sources = TextColumn.of(corpus.unchanged)
            unchanged = {name for name in unchanged if TextColumn.of(outputs[name].outputs) == sources}
        if request.texts:
            shown = {**{name: system.outputs for name, system in outputs.items()}, DO_NOTHING: corpus.unchanged}
            for name, of_system in _texts(corpus, shown):
                texts.setdefault(name, PackedItems()).extend(of_system)
            del shown, of_system
        cut_corpora = {tokens: segmented(corpus, tokens) for tokens in {*request.tokens.values()}}
        for metric in metrics:
            scorer = metric.prepare_with(cut_corpora.get(request.tokens.get(metric.name, ""), corpus), outputs)
            scored = dict(outputs)
            if request.adds_do_nothing(metric):
                scored.setdefault(DO_NOTHING, do_nothing_system(corpus))  # a system of that name goes first
            if request.gold_text and scorer.compares_given_spans and any(s.edits is None for s in outputs.values()):
                scored.setdefault(GOLD_TEXT, gold_text_system(corpus))
            for (name, system), counts in zip(scored.items(), scorer.count_all([*scored.values()]), strict=True):
                if request.types and metric.counts_types:
                    counts = scorer.count_types(system, counts)
                if request.edits and metric.judges_edits:
                    judged.setdefault((name, metric), PackedItems()).extend(scorer.judged_edits(system))
                counted.setdefault((name, metric), GrowingCounts()).add(counts)
            del scorer, scored, counts, system  # before the next part is read
        progress(len(corpus))
        del corpus, outputs, cut_corpora
    for metric in metrics:
        metric.all_counted()
    return [
        SystemCounts(
            metric,
            growing.finish(),
            judged.get((name, metric)),
            texts=texts.get(name),
        )
        for (name, metric), growing in counted.items()
        if not (name == DO_NOTHING and unchanged)  # a system has this row already
    ]


def _texts(corpus: Corpus, outputs: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Iterator[SentenceTexts]]]:
    """The texts of each system's sentences."""
    golds = [
        (s.text, s.references or tuple(dict.fromkeys(apply_edits(s.tokens, a.edits) for a in s.annotations)))
        for s in corpus
    ]
    for name, of_system in outputs.items():
        yield name, (SentenceTexts(*gold, output) for gold, output in zip(golds, of_system, strict=True))


def _show_parts(
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
            del corpus, outputs
        return
    reread_parts = list(parts) if any(map(is_read_once, (*gold.paths(), *systems.values()))) else None
    for corpus, outputs in parts if reread_parts is None else reread_parts:
        look(corpus, outputs)
    refuse()
    yield from gold.chunks(systems, CHUNK, first) if reread_parts is None else reread_parts


def do_nothing_system(corpus: Corpus) -> System:
    """The source left alone, as if it were a system."""
    return System(DO_NOTHING, corpus.unchanged)


def gold_text_system(corpus: Corpus) -> System:
    """The first annotator's text, without the edits that the published script for NUS data leaves out."""
    return System(GOLD_TEXT, apply_annotator(corpus.columns, corpus.annotators[0], without="Um"))


def chunks(corpus: Corpus, systems: Sequence[System]) -> Iterator[tuple[Corpus, list[System]]]:
    """A corpus and its systems in parts that a metric can prepare at once."""
    for start in range(0, len(corpus), CHUNK):
        part = slice(start, start + CHUNK)
        yield corpus[part], [system[part] for system in systems]

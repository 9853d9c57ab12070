"""Everything a report shows, computed once: scores, comparisons, and each sentence as the metrics saw it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recte.alignment.verdicts import JudgedEdit
from recte.corpus import Corpus, Sentence, System
from recte.counts import Counts
from recte.errors import OptionError
from recte.inference.comparison import Comparison, compare_systems
from recte.inference.intervals import FEWEST_UNITS, Replicates, Resampling
from recte.metrics.base import AlignedSentence, Metric, Score, Scorer
from recte.metrics.maxmatch import MaxMatch
from recte.scoring import DO_NOTHING, with_interval

__all__ = ["AlignedSentence", "JudgedSentence", "ReportData", "gather"]


@dataclass(frozen=True)
class JudgedSentence:
    """A system's edits of one sentence against the annotator that was chosen for it."""

    annotator: str
    edits: tuple[JudgedEdit, ...]


@dataclass(frozen=True)
class ReportData:
    """What the page and its charts are made from. Metrics by name; systems in the order they were given."""

    gold: str
    corpus: Corpus
    sentences: tuple[Sentence, ...]  # with gold edits, made from references where there were none
    systems: tuple[System, ...]
    metrics: tuple[Metric, ...]
    scores: Mapping[str, tuple[Score, ...]]  # by metric: every system's, and what doing nothing scores
    comparisons: Mapping[str, Comparison]  # by metric; empty where there is one system alone
    sentence_scores: Mapping[str, Mapping[str, tuple[float, ...]]]  # by metric and system
    judged: Mapping[str, tuple[JudgedSentence, ...]]  # by system
    aligned: Mapping[str, tuple[AlignedSentence, ...]]  # by system; empty without the I-measure

    def score(self, metric: str, system: str) -> Score:
        return next(score for score in self.scores[metric] if score.system == system)


def gather(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    *,
    gold: str = "",
    resampling: Resampling | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> ReportData:
    """Score, compare and look at every sentence.

    Pairs of systems are tested by the bootstrap that the intervals come from anyway, by the normal distribution, since
    many pairs corrected by Holm ask for small p; `recte compare` has other tests.
    """
    if not systems:
        raise OptionError("report: expected at least one system, got none")
    how = resampling or Resampling()
    scores: dict[str, tuple[Score, ...]] = {}
    comparisons: dict[str, Comparison] = {}
    sentence_scores: dict[str, dict[str, tuple[float, ...]]] = {}
    aligned: dict[str, tuple[AlignedSentence, ...]] = {}
    judged: dict[str, tuple[JudgedSentence, ...]] = {}
    sentences: tuple[Sentence, ...] = ()
    by_name = {system.name: system for system in systems}
    idle = System(DO_NOTHING, tuple(" ".join(s.tokens) for s in corpus))
    for metric in metrics:
        scorer = metric.prepare_with(corpus, by_name)
        both = {system.name: scorer.count_and_align(system) for system in systems}
        counts = {name: of_system for name, (of_system, _) in both.items()}
        aligned = aligned or {name: found for name, (_, found) in both.items() if found is not None}
        if metric.judges_edits and not judged:
            judged = {s.name: _judged(scorer, s, counts[s.name]) for s in systems}
            sentences = tuple(scorer.gold_sentences())
        sentence_scores[metric.name] = {
            name: tuple(metric.sentence_scores(of_system).tolist()) for name, of_system in counts.items()
        }
        shown = dict(counts)
        if metric.do_nothing_can_win and DO_NOTHING not in shown:
            shown[DO_NOTHING] = scorer.count(idle)
        enough = how.units(counts[systems[0].name]) >= FEWEST_UNITS
        replicates = {name: Replicates.of(of_system, metric, how) for name, of_system in shown.items()}
        scores[metric.name] = tuple(
            with_interval(metric.score_counts(of_system), replicates[name].interval(), how)
            if enough
            else metric.score_counts(of_system)
            for name, of_system in shown.items()
        )
        if len(systems) > 1 and enough:
            comparisons[metric.name] = compare_systems(
                list(counts.values()),
                metric=metric,
                test="bootstrap-normal",
                resampling=how,
                replicates=replicates,
                scores={score.system: score.score for score in scores[metric.name]},
            )
        progress(1)
    if not judged:  # every report shows edits
        shower = MaxMatch().prepare(corpus)
        judged = {s.name: _judged(shower, s, shower.count(s)) for s in systems}
        sentences = tuple(shower.gold_sentences())
    return ReportData(
        gold=gold or corpus.name,
        corpus=corpus,
        sentences=sentences,
        systems=tuple(systems),
        metrics=tuple(metrics),
        scores=scores,
        comparisons=comparisons,
        sentence_scores=sentence_scores,
        judged=judged,
        aligned=aligned,
    )


def _judged(scorer: Scorer[Any], system: System, counts: Counts) -> tuple[JudgedSentence, ...]:
    columns = scorer.metric.chosen_columns(counts)
    chosen = [counts.columns[column] for column in columns.tolist()]
    judged = scorer.judged_edits(system, annotators=chosen)
    return tuple(JudgedSentence(a, edits[a]) for a, edits in zip(chosen, judged, strict=True))

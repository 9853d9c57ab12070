"""Everything that can be shown of systems, computed once: scores, comparisons, and each sentence as the metrics saw it.

A report and its charts are made from this; nothing is computed when they are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from recte.corpus.corpus import DO_NOTHING, Corpus, Sentence, System
from recte.corpus.count_merging import GrowingCounts
from recte.corpus.counts import Counts
from recte.data_frames import make_data_frame
from recte.edits.verdicts import JudgedSentence, edits_against
from recte.errors import OptionError, check_choice
from recte.evaluation.counting import CountRequest, SystemCounts, chunks, count_files, do_nothing_system
from recte.evaluation.inputs import GoldFiles, corpus_given, system_given
from recte.evaluation.plausibility.finding import Finding
from recte.evaluation.plausibility.plausibility_check import ExpectedTokens, PlausibilityCheck, findings, refuse
from recte.evaluation.plausibility.score_range import out_of_range
from recte.evaluation.scoring import metric_with, with_interval
from recte.metrics.attribution import EditWorth, leave_each_out
from recte.metrics.base import AlignedSentence, Metric, Score, Scorer
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.maxmatch import MaxMatch
from recte.statistics.comparison import Comparison, compare_systems
from recte.statistics.intervals import FEWEST_UNITS, Replicates, Resampling
from recte.statistics.paired import TestName

__all__ = ["Evaluation", "evaluate", "evaluate_files"]


EvaluationRows = Literal["scores", "comparisons", "sentences", "edits"]


@dataclass(frozen=True)
class Evaluation:
    """Systems by several metrics, and each sentence as these saw it. Metrics are by name, systems in the order given.

    Of a large corpus the first sentences alone may be there: `scored` says how many there are in all, and scores,
    intervals and comparisons are of all of them.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go ."], [["He goes ."]])
    >>> recte.evaluate(gold, [recte.System("mine", ("He goes .",))]).score("m2", "mine").score
    1.0
    """

    gold: str
    corpus: Corpus
    sentences: tuple[Sentence, ...]  # with gold edits, made from references where there were none
    systems: tuple[System, ...]
    metrics: tuple[Metric, ...]
    scores: Mapping[str, tuple[Score, ...]]  # by metric: every system's, and what doing nothing scores
    comparisons: Mapping[str, Comparison]  # by metric; empty where there is one system alone
    sentence_scores: Mapping[str, Mapping[str, tuple[float, ...]]]  # by metric and system; of the sentences shown
    judged: Mapping[str, tuple[JudgedSentence, ...]]  # by system
    aligned: Mapping[str, tuple[AlignedSentence, ...]]  # by system; empty without the I-measure
    counts: Mapping[str, Mapping[str, Counts]] = field(default_factory=dict)  # by metric and system
    findings: tuple[Finding, ...] = ()  # what looks wrong with the input
    do_nothing_name: str = DO_NOTHING  # what the source left alone is called: a system, where one does nothing
    # By metric and system: what the metric says of single sentences, by their place.
    remarks: Mapping[str, Mapping[str, Mapping[int, str]]] = field(default_factory=dict)
    # By metric and system, for each sentence: what its edits are worth; empty unless asked for.
    worth: Mapping[str, Mapping[str, tuple[tuple[EditWorth, ...], ...]]] = field(default_factory=dict)
    # By metric that judges edits, and system; `judged` is that of the first such metric.
    judged_by: Mapping[str, Mapping[str, tuple[JudgedSentence, ...]]] = field(default_factory=dict)

    @property
    def scored(self) -> int:
        """How many sentences the scores are of."""
        counts = next(iter(next(iter(self.counts.values()), {}).values()), None)
        return len(self.sentences) if counts is None else len(counts)

    @property
    def idle(self) -> str:
        """The old name of `do_nothing_name`; it ends with 0.4."""
        return self.do_nothing_name

    def to_dataframe(self, rows: EvaluationRows = "scores", *, library: Any = None) -> Any:
        """A data frame of pandas or Polars of all systems and metrics: scores, comparisons, sentences with their texts,
        or edits with their verdicts. `library` is the module to use; see `recte.data_frames`.
        """
        check_choice("rows", rows, get_args(EvaluationRows))
        if rows == "scores":
            return make_data_frame(
                [row for of in self.scores.values() for score in of for row in score.rows()], library
            )
        if rows == "comparisons":
            return make_data_frame([row for of in self.comparisons.values() for row in of.rows()], library)
        return make_data_frame(list(self._sentence_rows() if rows == "sentences" else self._edit_rows()), library)

    def _sentence_rows(self) -> Iterator[dict[str, Any]]:
        for system in self.systems:
            scores = {name: of_systems[system.name] for name, of_systems in self.sentence_scores.items()}
            for place, (sentence, output) in enumerate(zip(self.sentences, system.outputs, strict=True)):
                by_metric = {name: of_sentence[place] for name, of_sentence in scores.items()}
                yield {
                    "system": system.name,
                    "sentence": place + 1,
                    "source": sentence.text,
                    "output": output,
                    **by_metric,
                    **sentence.labels,
                }

    def _edit_rows(self) -> Iterator[dict[str, Any]]:
        for system in self.systems:
            for number, judged in enumerate(self.judged[system.name], 1):
                for edit in judged.edits:
                    names = {"system": system.name, "sentence": number, "annotator": judged.annotator}
                    yield {**names, **asdict(edit), "corrections": list(edit.corrections)}

    def score(self, metric: str, system: str) -> Score:
        return next(score for score in self.scores[metric] if score.system == system)


def evaluate(
    gold: Corpus | str | Path | Sequence[str],
    systems: Sequence[System | str | Path | Sequence[str]],
    metrics: Sequence[Metric | str] = (),
    *,
    references: Sequence[Sequence[str]] | None = None,
    name: str = "",
    resampling: Resampling | None = None,
    test: TestName | None = None,
    trials: int | None = None,
    alpha: float = 0.05,
    corrected: bool = True,
    attribute: bool = False,
    strict: bool = False,
    clean: bool = False,
    expected_tokens: ExpectedTokens | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Score, compare and look at every sentence, in chunks of sentences.

    gold: a corpus, a gold file, or plain sources with `references`, as `score` takes them.
    systems: systems, files of outputs, or lists of texts, which are called by their number.
    metrics: metrics or their names; MaxMatch where there are none.
    name: what a report calls the gold.
    attribute: ask each metric what each edit is worth to its sentence, by leaving it out.
    strict: refuse input that looks wrong.
    clean: take off what is no part of the outputs first, as `recte.clean` does.
    expected_tokens: those that texts should be in.
    progress: called after each metric.

    Pairs of systems are tested as by `compare_systems`, with its `test`, `trials`, `alpha` and `corrected`.

    >>> import recte
    >>> gold = recte.Corpus.from_references(["He go .", "I am ."] * 5, [["He goes .", "I am ."] * 5])
    >>> results = evaluate(gold, [recte.System("mine", ("He goes .", "I am .") * 5)], [recte.Gleu()])
    >>> results.judged["mine"][0].edits[0].verdict
    'correct'
    """
    corpus = corpus_given(gold, references)
    outputs = [
        system_given(corpus, listed, f"system {number}", clean=clean) for number, listed in enumerate(systems, 1)
    ]
    chosen = [metric_with(metric, {}) for metric in metrics] or [MaxMatch()]
    if not outputs:
        raise OptionError("report: expected at least one system, got none")
    _check_names("systems", [system.name for system in outputs])
    _check_names("metrics", [metric.name for metric in chosen])
    warnings = findings(corpus, outputs, chosen, expected=expected_tokens)
    if strict:
        refuse(warnings)
    tests = {"test": test, "trials": trials, "alpha": alpha, "corrected": corrected}
    idle = next((system.name for system in outputs if _does_nothing(corpus, system)), None)
    how = resampling or Resampling()
    return _evaluate(corpus, outputs, chosen, None, idle, warnings, name, how, tests, attribute, progress)


def evaluate_files(
    gold: GoldFiles,
    systems: Mapping[str, str | Path],
    metrics: Sequence[Metric],
    *,
    name: str,
    resampling: Resampling,
    tests: Mapping[str, Any],
    attribute: bool = False,
    strict: bool = False,
    expected_tokens: ExpectedTokens | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """As `evaluate`, of files that may be large: they are read once, in parts, and the first part is shown."""
    _check_names("metrics", [metric.name for metric in metrics])
    check = PlausibilityCheck(expected=expected_tokens)
    check.set_metrics(metrics)
    shown: list[tuple[Corpus, list[System]]] = []
    unchanged = set(systems)

    def look(corpus: Corpus, outputs: Mapping[str, System]) -> None:
        check.look(corpus, outputs)
        if not shown:
            shown.append((corpus, list(outputs.values())))
        unchanged.intersection_update([name for name in unchanged if _does_nothing(corpus, outputs[name])])

    request = CountRequest(do_nothing="can-win")
    counted = count_files(gold, systems, metrics, request, look=look, refuse=check.refuse if strict else None)
    corpus, outputs = shown[0]
    idle = next((system for system in systems if system in unchanged), None)
    warnings = check.findings()
    return _evaluate(corpus, outputs, metrics, counted, idle, warnings, name, resampling, tests, attribute, progress)


def _evaluate(
    corpus: Corpus,
    outputs: Sequence[System],
    chosen: Sequence[Metric],
    whole: Sequence[SystemCounts] | None,
    do_nothing_name: str | None,
    warnings: Sequence[Finding],
    name: str,
    how: Resampling,
    tests: Mapping[str, Any],
    attribute: bool,
    progress: Callable[[int], None],
) -> Evaluation:
    """An evaluation of these sentences; its scores are of the `whole` corpus, where they are the beginning of one.

    `do_nothing_name` is that of a system that leaves every source alone, if there is one.
    """
    scores: dict[str, tuple[Score, ...]] = {}
    comparisons: dict[str, Comparison] = {}
    sentence_scores: dict[str, dict[str, tuple[float, ...]]] = {}
    aligned: dict[str, tuple[AlignedSentence, ...]] = {}
    counts_by_metric: dict[str, dict[str, Counts]] = {}
    worth: dict[str, dict[str, tuple[tuple[EditWorth, ...], ...]]] = {}
    remarks: dict[str, dict[str, Mapping[int, str]]] = {}
    shown: _Judged | None = None
    judged_by: dict[str, Mapping[str, tuple[JudgedSentence, ...]]] = {}
    parts = [_Part(part, of_part, DistinctTexts.of_systems(of_part)) for part, of_part in chunks(corpus, outputs)]
    for metric in chosen:
        counted = _Counted.of(metric, parts, with_do_nothing=whole is None and do_nothing_name is None)
        if whole is not None:
            counted = replace(counted, counts={of.counts.system: of.counts for of in whole if of.metric is metric})
        counts = {system.name: counted.counts[system.name] for system in outputs}
        if attribute:
            worth[metric.name] = {system.name: counted.worth(system) for system in outputs}
        metric.all_counted()
        counts_by_metric[metric.name] = counts
        aligned = aligned or counted.aligned
        if metric.judges_edits:
            judged = _judge(counted, parts)
            judged_by[metric.name] = judged.judged
            shown = shown or judged
        sentence_scores[metric.name] = {
            system: tuple(metric.sentence_scores(of_system.part(slice(len(corpus)))).tolist())
            for system, of_system in counts.items()
        }
        remarks[metric.name] = {system: metric.remarks(of_system) for system, of_system in counts.items()}
        enough = how.units(counts[outputs[0].name]) >= FEWEST_UNITS
        replicates = Replicates.of_all(counted.counts, metric, how) if enough else {}
        scores[metric.name] = tuple(
            with_interval(score, replicates[system].interval(), how) if enough else score
            for system, score in zip(counted.counts, metric.score_all(list(counted.counts.values())), strict=True)
        )
        if len(outputs) > 1 and enough:
            comparisons[metric.name] = compare_systems(
                list(counts.values()),
                metric=metric,
                **tests,
                resampling=how,
                replicates=replicates,
                scores={score.system: score.score for score in scores[metric.name]},
            )
        progress(1)
    if shown is None:  # edits are shown whatever the metrics, where there is something to judge them by
        known = all(sentence.annotations or sentence.references for sentence in corpus)
        shown = _judge(_Counted.of(MaxMatch(), parts), parts) if known else _without_judgment(corpus, outputs)
    return Evaluation(
        gold=name or corpus.name,
        corpus=corpus,
        sentences=shown.sentences,
        systems=tuple(outputs),
        metrics=tuple(chosen),
        scores=scores,
        comparisons=comparisons,
        sentence_scores=sentence_scores,
        judged=shown.judged,
        aligned=aligned,
        counts=counts_by_metric,
        findings=(*warnings, *(f for m in chosen for f in out_of_range(scores[m.name], m.columns))),
        do_nothing_name=DO_NOTHING if do_nothing_name is None else do_nothing_name,
        remarks=remarks,
        worth=worth,
        judged_by=judged_by,
    )


def _check_names(what: str, names: Sequence[str]) -> None:
    """Results are kept by name: two of one name would be one."""
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        more = "; evaluate them one after the other" if what == "metrics" else ""
        raise OptionError(f"{what}: expected different names, got {twice!r} twice{more}")


def _does_nothing(gold: Corpus, system: System) -> bool:
    """Whether every output is its source; white space apart, which says nothing where texts were cut again."""
    between = " " if gold.segmenter is None else ""

    def words(text: str) -> str:
        return between.join(text.split())

    pairs = zip(system.outputs, gold.unchanged, strict=False)
    return len(system.outputs) == len(gold) and all(
        output == source or words(output) == words(source) for output, source in pairs
    )


class _Part(NamedTuple):
    """A run of sentences, what the systems say of them, and what of that differs."""

    corpus: Corpus
    systems: Sequence[System]
    outputs: DistinctTexts


@dataclass(frozen=True)
class _Counted:
    """One metric's counts of all systems, and of doing nothing where that can win, with the scorers of the chunks."""

    scorers: tuple[Scorer[Any], ...]
    counts: Mapping[str, Counts]
    aligned: dict[str, tuple[AlignedSentence, ...]]

    @classmethod
    def of(cls, metric: Metric, parts: Sequence[_Part], *, with_do_nothing: bool = False) -> _Counted:
        """`with_do_nothing` counts the source left alone, too, where that can win and no system has its name."""
        scorers: list[Scorer[Any]] = []
        growing: dict[str, GrowingCounts] = {}
        aligned: dict[str, list[AlignedSentence]] = {}
        for corpus, outputs, distinct in parts:
            scorer = metric.prepare_with(corpus, {system.name: system for system in outputs})
            scorers.append(scorer)
            for system, (counts, of_part) in zip(outputs, scorer.count_and_align_all(outputs, distinct), strict=True):
                growing.setdefault(system.name, GrowingCounts()).add(counts)
                if of_part is not None:
                    aligned.setdefault(system.name, []).extend(of_part)
            if with_do_nothing and metric.do_nothing_can_win and all(s.name != DO_NOTHING for s in outputs):
                growing.setdefault(DO_NOTHING, GrowingCounts()).add(scorer.count(do_nothing_system(corpus)))
        merged = {system: of_system.finish() for system, of_system in growing.items()}
        return cls(tuple(scorers), merged, {system: tuple(of_part) for system, of_part in aligned.items()})

    def worth(self, system: System) -> tuple[tuple[EditWorth, ...], ...]:
        """What each edit of each sentence is worth."""
        worths: list[tuple[EditWorth, ...]] = []
        for scorer in self.scorers:
            worths += leave_each_out(scorer, system[len(worths) : len(worths) + len(scorer.corpus)])
        return tuple(worths)


@dataclass(frozen=True)
class _Judged:
    sentences: tuple[Sentence, ...]
    judged: Mapping[str, tuple[JudgedSentence, ...]]


def _judge(counted: _Counted, parts: Sequence[_Part]) -> _Judged:
    """Every system's edits against the annotators chosen for the corpus as a whole."""
    metric, names = counted.scorers[0].metric, [system.name for system in parts[0].systems]
    chosen: dict[str, list[str] | None] = {}
    for name in names:
        counts = counted.counts[name]
        columns = metric.chosen_columns(counts)
        chosen[name] = None if columns is None else [counts.columns[column] for column in columns.tolist()]
    judged: dict[str, list[JudgedSentence]] = {name: [] for name in names}
    for scorer, (corpus, systems, outputs) in zip(counted.scorers, parts, strict=True):
        of_part = slice(scorer.corpus.first - parts[0].corpus.first, None)
        annotators = [None if of is None else of[of_part][: len(corpus)] for of in chosen.values()]
        for name, against, edits in zip(
            names, annotators, scorer.judged_all(systems, outputs, annotators), strict=True
        ):
            each: Sequence[str | None] = [None] * len(corpus) if against is None else against
            judged[name] += (
                edits_against(of_sentence, verdicts) for verdicts, of_sentence in zip(each, edits, strict=True)
            )
    sentences = tuple(s for scorer in counted.scorers for s in scorer.gold_sentences())
    return _Judged(sentences, {name: tuple(sentences_of) for name, sentences_of in judged.items()})


def _without_judgment(gold: Corpus, systems: Sequence[System]) -> _Judged:
    """Without references or gold edits there is nothing to judge by."""
    nothing = tuple(JudgedSentence("", ()) for _ in gold)
    return _Judged(tuple(gold), {system.name: nothing for system in systems})

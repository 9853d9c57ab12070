"""Counts into scores, with their intervals, breakdowns and judged edits; and the call that scores one system."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.edits.verdicts import JudgedEdit, edits_against
from recte.errors import OptionError, describe_choices, did_you_mean
from recte.evaluation.counting import SystemCounts
from recte.evaluation.inputs import corpus_given, system_given
from recte.extras import load_named
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.metrics.score import mean_score
from recte.signature import Signature
from recte.statistics.bootstrap import Interval
from recte.statistics.intervals import FEWEST_UNITS, Replicates, Resampling, confidence_interval
from recte.streamed import Streamed

__all__ = [
    "MACRO_AVERAGE",
    "label_parts",
    "macro_average",
    "metric_with",
    "score",
    "score_counts",
    "score_systems",
    "with_files",
    "with_interval",
]


def score_counts(
    counted: SystemCounts,
    *,
    sentences: bool = False,
    by: Sequence[str] = (),
    resampling: Resampling | None = None,
    whole: Score | None = None,
) -> list[Score]:
    """The score, with its judged edits where there are any, and one more for each value of the label `by`, or each
    combination of several; each with its interval where `resampling` says how to make one. `whole` is the score
    without sentences, where it is known.
    """
    metric, counts = counted.metric, counted.counts
    if counted.more_runs:
        return _score_runs(counted, by, resampling)
    if whole is None or sentences or counted.judged is not None:
        whole = metric.score_counts(counts, sentences=sentences or counted.judged is not None)
    if whole.sentences is not None:
        whole = replace(whole, sentences=_with_edits_and_texts(whole.sentences, counted))
    scores = [_with_own_interval(whole, metric, counts, resampling)]
    for subset, mask in label_parts(counts, by):
        selected = counts.select(mask)
        part = replace(metric.score_counts(selected, sentences=sentences), subset=subset)
        scores.append(_with_own_interval(part, metric, selected, resampling))
    return scores


def score_systems(
    counted: Sequence[SystemCounts],
    *,
    sentences: bool = False,
    by: Sequence[str] = (),
    resampling: Resampling | None = None,
) -> Iterator[list[Score]]:
    """`score_counts` of each system; systems of one metric are scored together where nothing else is asked for."""
    together: dict[Metric, list[int]] = {}
    for place, of_system in enumerate(counted):
        if not (sentences or of_system.judged is not None or of_system.more_runs):
            together.setdefault(of_system.metric, []).append(place)
    wholes: dict[int, Score] = {}
    for metric, places in together.items():
        wholes.update(zip(places, metric.score_all([counted[place].counts for place in places]), strict=True))
    for place, of_system in enumerate(counted):
        yield score_counts(of_system, sentences=sentences, by=by, resampling=resampling, whole=wholes.get(place))


def _with_edits_and_texts(entries: Sequence[Mapping[str, Any]], counted: SystemCounts) -> Sequence[Mapping[str, Any]]:
    """The entries with the sentences' judged edits and texts, where these were asked for."""
    judged, texts = counted.judged, counted.texts
    if judged is None and texts is None:
        return entries

    def make_entries() -> Iterator[dict[str, Any]]:
        nothing = repeat(None, len(entries))
        for entry, edits, shown in zip(entries, judged or nothing, texts or nothing, strict=True):
            more = {} if shown is None else asdict(shown)
            if edits is not None:
                more = {"edits": _entries(edits_against(edits, entry.get("chosen")).edits), **more}
            yield {**entry, **more}

    return Streamed(len(entries), make_entries)


def label_parts(counts: Counts, by: Sequence[str]) -> list[tuple[dict[str, str], NDArray[np.bool_]]]:
    """A part for each value of the label, or for each combination of several, and which sentences it has."""
    for label in by:
        if label not in counts.labels:
            if not counts.labels:
                hint = "expected sentences with labels (--labels TSV gives some)"
                raise OptionError(f"by: {hint} for {label!r}, got none")
            raise OptionError(f"by: {describe_choices(sorted(counts.labels), label, 'labels')}")
    columns = [counts.labels[label].tolist() for label in by]
    of_sentence = list(zip(*columns, strict=True))
    return [
        (dict(zip(by, values, strict=True)), np.array([labels == values for labels in of_sentence], dtype=np.bool_))
        for values in sorted(set(of_sentence))
    ]


def _score_runs(counted: SystemCounts, by: Sequence[str], resampling: Resampling | None) -> list[Score]:
    """The mean score of a system's runs, and that of each value of the label `by`."""
    metric, runs = counted.metric, (counted.counts, *counted.more_runs)
    scores = [_mean_with_interval(metric, runs, resampling)]
    for subset, mask in label_parts(counted.counts, by):
        part = _mean_with_interval(metric, [run.select(mask) for run in runs], resampling)
        scores.append(replace(part, subset=subset))
    return scores


def macro_average(scores: Sequence[Score], label: str) -> Score:
    """The mean of the scores of independent parts, with its interval where each part has one.

    Half widths add up as squares. The `subset` says that this is no part.
    """
    mean = replace(mean_score(scores), runs=None, subset={label: MACRO_AVERAGE}, interval=None)
    signature = Signature.parse(mean.signature)
    other_parts = tuple(part for part in signature.parts if not part.startswith("data:"))
    mean = replace(
        mean,
        sentence_count=sum(score.sentence_count for score in scores),
        fallback_sentences=tuple(number for score in scores for number in score.fallback_sentences),
        signature=str(replace(signature, parts=other_parts).add(macro_average_of=len(scores))),
    )
    intervals = [score.interval for score in scores]
    if any(interval is None for interval in intervals):
        return mean
    known = [interval for interval in intervals if interval is not None]
    low = math.hypot(*(score.score - end["low"] for score, end in zip(scores, known, strict=True))) / len(scores)
    high = math.hypot(*(end["high"] - score.score for score, end in zip(scores, known, strict=True))) / len(scores)
    return replace(mean, interval={**known[0], "low": mean.score - low, "high": mean.score + high})


MACRO_AVERAGE = "macro average"


def _mean_with_interval(metric: Metric, runs: Sequence[Counts], resampling: Resampling | None) -> Score:
    score = mean_score([metric.score_counts(run) for run in runs])
    if resampling is None or resampling.units(runs[0]) < FEWEST_UNITS:
        return score
    return with_interval(score, confidence_interval(runs, metric=metric, resampling=resampling), resampling)


def _with_own_interval(score: Score, metric: Metric, counts: Counts, resampling: Resampling | None) -> Score:
    if resampling is None or resampling.units(counts) < FEWEST_UNITS:
        return score
    score = with_interval(score, confidence_interval(counts, metric=metric, resampling=resampling), resampling)
    if score.types is None:
        return score
    of_types = Replicates.by_type(counts, metric, resampling)
    types = {
        name: {**figures, "interval": of_types[name].interval().to_dict()} if name in of_types else figures
        for name, figures in score.types.items()
    }
    return replace(score, types=types)


def with_interval(score: Score, interval: Interval, resampling: Resampling) -> Score:
    """The score with its interval, which the signature names too."""
    signature = Signature.parse(score.signature).with_interval(resampling.signature(interval))
    return replace(score, interval=interval.to_dict(), signature=str(signature))


def _entries(judged: Iterable[JudgedEdit]) -> list[dict[str, Any]]:
    return [
        {
            "verdict": edit.verdict,
            "start": edit.start,
            "end": edit.end,
            "original": edit.original,
            "corrections": edit.corrections,
            "type": edit.type,
        }
        for edit in judged
    ]


def score(
    gold: Corpus | str | Path | Sequence[str],
    hypotheses: System | str | Path | Iterable[str],
    references: Sequence[Sequence[str]] | None = None,
    *,
    metric: str | Metric = "m2",
    sentences: bool = False,
    clean: bool = False,
    **options: Any,
) -> Score:
    """Score one system: gold as a corpus, an M2 file, or plain sources with `references`; hypotheses as a file or list.

    `references` is a list for each reference set, as long as the sources, or a list for each source. Where numbers
    allow both it is the former, and refused if the latter fits the sources clearly better.

    `metric` is a name, with its `options`, or a metric such as `Gleu(orders=2)`. With `sentences`, the score
    has an entry for each sentence. With `clean`, outputs lose first what is no part of them, as by `recte.clean`.

    >>> score(["He go ."], ["He goes ."], references=[["He goes ."], ["He went ."]], beta=1.0).score
    1.0
    """
    corpus = corpus_given(gold, references)
    system = system_given(corpus, hypotheses, clean=clean)
    chosen = metric_with(metric, options)
    return chosen.prepare_with(corpus, {system.name: system}).score(system, sentences=sentences)


def metric_with(metric: str | Metric, options: Mapping[str, Any]) -> Metric:
    """A metric by name with these options, or the metric itself, which has its own."""
    if isinstance(metric, Metric):
        if options:
            raise OptionError(
                f"{', '.join(options)}: expected options of the metric inside {metric.name}, got them outside"
            )
        return metric
    cls = metric_class(metric)
    unknown = next((name for name in options if name not in {f.name for f in fields(cls)}), None)
    if unknown is not None:
        known = [f.name for f in fields(cls)]
        near = did_you_mean(unknown, known)
        raise OptionError(f"{unknown}: expected an option of {metric} ({', '.join(known)}), got another{near}")
    return with_files(cls(**options))


def with_files(metric: Metric) -> Metric:
    """The metric, once the files that its options name are read and known."""
    for f in metric.option_fields:
        value = getattr(metric, f.name)
        if f.metadata.get("loader") and value and Path(value).is_file():
            load_named(f.metadata["loader"], f.name, installed=True)(value)
    return metric

"""Checks for authors of metrics: `check_metric` runs every rule that a metric must keep, on random texts."""

from __future__ import annotations

import json
import pickle
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import Corpus, System
from recte.corpus.count_merging import merge
from recte.corpus.counts import Counts
from recte.errors import InputError, MetricError, OptionError, RecteError
from recte.formats.counts import read_counts, write_counts
from recte.metrics.base import Column, Metric, Scorer
from recte.metrics.distinct_texts import DistinctTexts
from recte.metrics.explanation import Explanation
from recte.metrics.metric_validation import check_counts
from recte.metrics.registry import check_name
from recte.statistics.drawing import Drawing

__all__ = ["check_metric"]

_SENTENCES = 12
_NEAR = 1e-9
_LETTERS = "abcdeé語𝄞"
_WORDS = ("He", "he", "go", "goes", "to", "the", "school", "école", "学校", "𝄞", "'s", ".", "!")


@dataclass(frozen=True)
class _Case:
    """A metric with a gold, two systems, and the scorer that it has prepared."""

    metric: Metric
    gold: Corpus
    systems: tuple[System, System]

    @property
    def scorer(self) -> Scorer[Any]:
        return self.metric.prepare_with(self.gold, {system.name: system for system in self.systems})

    @property
    def counts(self) -> Counts:
        return self.scorer.count(self.systems[0])

    def require(self, holds: Any, rule: str) -> None:
        """Raise `MetricError` with the rule that the metric breaks."""
        if not holds:
            raise MetricError(f"{self.metric.name}: {rule}")


def check_metric(metric: Metric, *, gold: Corpus | None = None, systems: Sequence[System] = (), seed: int = 0) -> None:
    """Run every rule that a metric must keep; raise `MetricError`, or what the metric raises, where it breaks one.

    Texts are random: tokens of one letter, source and outputs of equal length; then words of any number, which a
    metric may refuse by an `InputError` or `OptionError`. A metric that needs other texts is checked on `gold` and two
    `systems`.

    >>> import recte
    >>> check_metric(recte.Gleu())
    """
    if isinstance(metric, type) or not isinstance(metric, Metric):
        kind = f"the class {metric.__name__}" if isinstance(metric, type) else type(metric).__name__
        raise MetricError(f"expected a metric, such as MyMetric(), got {kind}")
    if gold is not None and len(systems) != 2:
        raise InputError(f"systems: expected two with the gold, got {len(systems)}")
    _check_declaration(metric)
    random = Random(seed)
    if gold is not None:
        _check_case(_Case(metric, gold, (systems[0], systems[1])))
        return
    _check_case(_letters(metric, random))
    words = _words(metric, random)
    try:
        words.scorer.count(words.systems[0])
    except (InputError, OptionError):
        return
    _check_case(words)


def _letters(metric: Metric, random: Random) -> _Case:
    """Sentences of tokens of one letter with one reference, all of the same length."""

    def change(tokens: Sequence[str]) -> str:
        return " ".join(random.choice(_LETTERS) if random.random() < 0.3 else token for token in tokens)

    sources = [[random.choice(_LETTERS) for _ in range(random.randint(1, 8))] for _ in range(_SENTENCES)]
    gold = Corpus.from_references([" ".join(tokens) for tokens in sources], [[change(tokens) for tokens in sources]])
    outputs = [tuple(change(tokens) for tokens in sources) for _ in range(2)]
    return _Case(metric, gold, (System("first", outputs[0]), System("second", outputs[1])))


def _words(metric: Metric, random: Random) -> _Case:
    """Sentences of words with two references, lengths that differ, an unchanged and an empty hypothesis."""

    def change(tokens: Sequence[str]) -> str:
        changed = [random.choice(_WORDS) if random.random() < 0.2 else token for token in tokens]
        cut = random.randrange(len(changed))
        more = [random.choice(_WORDS) for _ in range(random.randint(0, 2))]
        return " ".join(changed[:cut] + more + changed[cut + random.randint(0, 1) :]) or "."

    sources = [[random.choice(_WORDS) for _ in range(random.randint(1, 10))] for _ in range(_SENTENCES)]
    texts = [" ".join(tokens) for tokens in sources]
    gold = Corpus.from_references(texts, [[change(tokens) for tokens in sources] for _ in range(2)])
    first, second = ([change(tokens) for tokens in sources] for _ in range(2))
    first[0], first[1] = texts[0], ""
    return _Case(metric, gold, (System("first", tuple(first)), System("second", tuple(second))))


def _check_case(case: _Case) -> None:
    for check in (
        _check_counts,
        _check_order,
        _check_parts,
        _check_shared_outputs,
        _check_score,
        _check_counts_file,
        _check_weights,
        _check_abilities,
        _check_options,
    ):
        check(case)


def _check_declaration(metric: Metric) -> None:
    """Name, title, columns and options, and whether the metric can be copied, compared and sent to a process."""
    case = _Case(metric, Corpus(()), (System("first", ()), System("second", ())))
    check_name(metric.name)
    case.require(isinstance(metric.title, str) and metric.title, "expected a title")
    case.require(metric.__doc__, "expected a docstring, which the help of the command line shows")
    same = type(metric).from_options(metric.options())
    case.require(same == metric and hash(same) == hash(metric), "expected metrics with the same options to be equal")
    case.require(_copy_by_pickle(case, metric, "metric") == metric, "expected an equal metric from its pickle")
    columns = metric.columns
    columns_fit = isinstance(columns, tuple) and all(isinstance(column, Column) for column in columns)
    case.require(columns_fit and columns, "expected a tuple of Columns as columns")
    headers = [column.header for column in columns]
    case.require(len(set(headers)) == len(headers), f"expected different headers of columns, got {', '.join(headers)}")
    case.require(("score",) in [column.path for column in columns], "expected a column that shows the score")


def _check_counts(case: _Case) -> None:
    """One row per sentence, the same at each call, from a scorer that can be sent to another process."""
    scorer, counts = case.scorer, case.counts
    check_counts(case.metric, counts)
    case.require(len(counts) == len(case.gold), f"expected {len(case.gold)} rows, one per sentence, got {len(counts)}")
    case.require(case.scorer.count(case.systems[0]) == counts, "expected the same counts of the same texts")
    copy = _copy_by_pickle(case, scorer, "scorer")
    case.require(copy.count(case.systems[0]) == counts, "expected the same counts from a pickled scorer")
    case.scorer.count(case.systems[1])
    case.require(scorer.count(case.systems[0]) == counts, "expected a scorer to keep no state between systems")


def _copy_by_pickle(case: _Case, value: Any, what: str) -> Any:
    """A copy through a pickle, as another process has it; the value itself where the class is in no module."""
    cls = type(case.metric)
    place: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        place = getattr(place, part, None)
    if place is not cls and not isinstance(place, cls):  # of a notebook, say
        return value
    try:
        return pickle.loads(pickle.dumps(value))
    except Exception as error:
        raise MetricError(f"{case.metric.name}: expected a {what} that can be pickled: {error}") from error


def _check_order(case: _Case) -> None:
    """Rows follow from a hypothesis and its sentence, in whatever order and number hypotheses come."""
    scorer, counts = case.scorer, case.counts
    try:
        order = [*reversed(range(len(counts))), 0]
        shuffled = scorer.count_candidates([case.systems[0].outputs[place] for place in order], order)
    except OptionError:  # a metric of given scores, say, knows no other texts
        return
    if shuffled.columns == counts.columns:
        equal = np.array_equal(shuffled.rows, counts.rows[order], equal_nan=counts.rows.dtype.kind == "f")
        case.require(equal, "expected the same row for a hypothesis wherever it stands")


def _check_parts(case: _Case) -> None:
    """Counts of parts of a corpus are those of the whole: large corpora are prepared in parts."""
    whole, parts = case.counts, []
    for part in (slice(0, 5), slice(5, len(case.gold))):
        systems = {system.name: system[part] for system in case.systems}
        scorer = case.metric.prepare_with(case.gold[part], systems)
        parts.append(scorer.count(systems[case.systems[0].name]))
    if case.metric.looks_at_other_systems:  # what it knows of the systems it knows of the part
        return
    merged = merge(parts)
    case.require(
        merged.columns == whole.columns
        and np.array_equal(merged.rows, whole.rows, equal_nan=whole.rows.dtype.kind == "f"),
        "expected the same rows when a corpus comes in parts: a scorer must not compute what depends on all sentences",
    )
    scores = [case.metric.score_counts(counts).score for counts in (merged, whole)]
    case.require(scores[0] == scores[1], f"expected the same score of a corpus in parts, got {scores[0]}, {scores[1]}")


def _check_shared_outputs(case: _Case) -> None:
    """Outputs that systems share are counted once where `sees_texts_alone` says so."""
    systems = [*case.systems, case.systems[0]]
    scorer = case.scorer
    aligned = [counts for counts, _ in scorer.count_and_align_all(systems, DistinctTexts.of_systems(systems))]
    for system, *together in zip(systems, aligned, scorer.count_all(systems), strict=True):
        rows = scorer.count(system).rows
        case.require(
            all(np.array_equal(counts.rows, rows, equal_nan=rows.dtype.kind == "f") for counts in together),
            "expected the same rows for systems that are counted together (sees_texts_alone)",
        )


def _check_score(case: _Case) -> None:
    """A finite score with all figures of the table, a signature, and an entry for each sentence on request."""
    metric, counts = case.metric, case.counts
    before = counts.rows.copy()
    score = metric.score_counts(counts)
    for path in (("score",), *(column.path for column in metric.columns)):
        try:
            figure = score.figure(path)
        except (AttributeError, LookupError, TypeError):
            raise MetricError(f"{metric.name}: expected the figure {'.'.join(path)} of its columns in scores") from None
        finite = figure is None or (isinstance(figure, (int, float)) and bool(np.isfinite(figure)))
        case.require(finite, f"expected a finite number as {'.'.join(path)}, got {figure!r}")
    try:
        json.dumps(score.to_dict(), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise MetricError(f"{metric.name}: expected a score that can be written as JSON: {error}") from None
    case.require(
        re.fullmatch(rf"{re.escape(metric.name)}\|.*tokens:.*\|data:[0-9a-f]{{8}}\|version:.*", score.signature),
        f"expected a signature with its name, tokens, data and version, got {score.signature}",
    )
    with_sentences = metric.score_counts(counts, sentences=True)
    case.require(with_sentences.score == score.score, "expected the same score with and without sentences")
    sentence_scores = metric.sentence_scores(counts)
    entries = [dict(entry) for entry in with_sentences.sentences or ()]
    case.require(
        [entry.get("sentence") for entry in entries] == (counts.index + 1).tolist()
        and _near(np.array([entry.get("score") for entry in entries], dtype=np.float64), sentence_scores),
        "expected an entry with number and score for each sentence",
    )
    case.require(
        np.array_equal(before, counts.rows, equal_nan=before.dtype.kind == "f"), "expected counts to stay unchanged"
    )


def _check_counts_file(case: _Case) -> None:
    """Counts that were saved and read have the same score."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mine.counts")
        write_counts(path, case.counts)
        saved = read_counts(path)
    metric = type(case.metric).from_options(saved.options)
    case.require(metric == case.metric, "expected the options of saved counts to make the same metric")
    scores = [metric.score_counts(counts).score for counts in (saved, case.counts)]
    case.require(scores[0] == scores[1], f"expected the same score of saved counts, got {scores[0]}, {scores[1]}")


def _check_weights(case: _Case) -> None:
    """`score_many` counts a sentence as often as its weight says; resamples are such weights."""
    metric, counts = case.metric, case.counts
    ones, size = np.ones((1, len(counts)), dtype=np.int32), len(counts)
    if len(counts.columns) == 1:  # with more, a metric may draw what it estimates here
        score, weighted = metric.score_counts(counts).score, metric.score_many(counts, ones)[0]
        case.require(
            _near(score, weighted), f"expected score_many to give the score for weights of 1, got {weighted}, {score}"
        )
    weights = np.array([[(place * 7 + row) % 3 for place in range(size)] for row in range(3)], dtype=np.int32)
    many = metric.score_many(counts, weights)
    alone = np.concatenate([metric.score_many(counts, row[None]) for row in weights])
    case.require(_near(many, alone), "expected each weighting to have the same score alone and among others")
    if metric.takes_fractions(counts):
        as_floats = metric.score_many(counts, weights.astype(np.float64))
        case.require(_near(as_floats, many), "expected the same scores for weights of 2 and 2.0")
    repeated = [counts.repeat(row) for row in weights]
    expected = [metric.score_many(c, np.ones((1, len(c)), dtype=np.int32))[0] for c in repeated]
    case.require(_near(many, np.array(expected)), "expected a weight of 2 to mean the sentence twice in a row")
    drawing = Drawing.of(counts, 20, 1, None)
    drawn = np.concatenate([metric.score_many(counts, block) for block in drawing.blocks()])
    resampled = metric.score_resamples(counts, drawing)
    case.require(_near(resampled, drawn), "expected score_resamples to give the scores of the resamples' weights")
    together = metric.score_all_resamples([counts, counts], drawing)
    case.require(
        all(_near(scores, resampled) for scores in together), "expected score_all_resamples to give each one's scores"
    )


def _check_abilities(case: _Case) -> None:
    """What the metric says that it can do, it does."""
    metric, scorer, counts, size = case.metric, case.scorer, case.counts, len(case.gold)
    system = case.systems[0]
    case.require(len(metric.paired_scores(counts)) == size, "expected paired_scores to be one number per sentence")
    chosen = metric.chosen_columns(counts)
    if chosen is not None:
        fits = len(chosen) == size and bool(((chosen >= -1) & (chosen < len(counts.columns))).all())
        case.require(fits, "expected chosen_columns to be one place of a column per sentence")
    explanation = scorer.explain(system, 1)
    explained = isinstance(explanation, Explanation) and explanation.number == 1
    case.require(explained, "expected explain to return an Explanation of the sentence")
    if metric.judges_edits:
        judged = scorer.judged_edits(system)
        case.require(len(judged) == size, "expected judged_edits to have an entry per sentence (judges_edits)")
    if metric.counts_types:
        case.require(
            scorer.count_types(system, counts).types is not None, "expected count_types to add a table (counts_types)"
        )
    for place, text in metric.remarks(counts).items():
        fits = isinstance(place, int) and 0 <= place < size and isinstance(text, str)
        case.require(fits, f"expected remarks as texts by places of rows, got {place!r}: {text!r}")
    _, aligned = scorer.count_and_align(system)
    case.require(aligned is None or len(aligned) == size, "expected count_and_align to align each sentence, or none")


def _check_options(case: _Case) -> None:
    """An option that changes the score changes the signature; one that is for scoring alone changes no counts."""
    metric, counts = case.metric, case.counts
    score = metric.score_counts(counts)
    for option, other in _variations(metric):
        try:
            scored = _Case(other, case.gold, case.systems).counts
            changed = other.score_counts(scored)
        except RecteError:  # options may not suit the texts, or want more than counts
            continue
        value = getattr(other, option)
        case.require(
            changed.score == score.score or changed.signature != score.signature,
            f"expected another signature with {option} {value!r}, which changes the score",
        )
        if other.recount_needed(counts.options) is not None:
            continue
        case.require(
            np.array_equal(scored.rows, counts.rows, equal_nan=counts.rows.dtype.kind == "f"),
            f"expected the same rows with {option} {value!r}, which is for scoring alone (scoring_only)",
        )


def _variations(metric: Metric) -> Iterator[tuple[str, Metric]]:
    """The metric with one option changed: true for false, and each of the choices."""
    for f in metric.option_fields:
        value = getattr(metric, f.name)
        values = [not value] if isinstance(value, bool) else [v for v in f.metadata.get("choices", ()) if v != value]
        for other in values:
            try:
                changed = metric.with_options(**{f.name: other})
            except RecteError:  # options may exclude each other
                continue
            yield f.name, changed


def _near(a: float | NDArray[Any], b: float | NDArray[Any]) -> bool:
    """Whether numbers are equal but for rounding."""
    return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, rtol=_NEAR, atol=_NEAR, equal_nan=True))

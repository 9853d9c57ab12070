"""`check_metric`: recte's own metrics keep every rule, and a metric that breaks one is told which."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import recte
from example_metric.recte_word_overlap import WordOverlap, shared_words
from recte.errors import InputError, MetricError, RecteError
from recte.metrics import Column, metric_class, metric_names, option
from recte.metrics.given_scores import given_metric
from recte.metrics.sentence_metrics import SentenceMetric, SentenceScorer
from recte.testing import check_metric


@pytest.mark.parametrize("name", metric_names())
def test_every_metric_keeps_the_rules(name):
    check_metric(metric_class(name)())


def test_metrics_of_another_package_keep_the_rules():
    check_metric(WordOverlap(ignore_case=True), seed=1)
    check_metric(shared_words)


@pytest.mark.usefixtures("registered_metrics")
def test_a_metric_that_needs_other_texts_is_checked_on_them():
    metric = given_metric("judge", {name: [float(n % 3) for n in range(12)] for name in ("a", "b")})
    gold = recte.Corpus.from_references(["x"] * 12, [["y"] * 12])
    systems = [recte.System(name, ("y",) * 12) for name in ("a", "b")]
    check_metric(metric, gold=gold, systems=systems)
    with pytest.raises(InputError, match="expected scores of first, got those of a, b"):
        check_metric(metric)
    with pytest.raises(InputError, match="systems: expected two with the gold, got 1"):
        check_metric(metric, gold=gold, systems=systems[:1])


class CountingCalls(SentenceScorer):
    calls = 0

    def _count(self, hypotheses, source_of):
        type(self).calls += 1
        return self.counts_of(np.full((len(source_of), 1, 1), float(self.calls)), ("all",), source_of)


class Unpicklable(SentenceScorer):
    def __init__(self, metric, corpus):
        super().__init__(metric, corpus)
        self.function = lambda text: text


class OfWholeCorpus(SentenceScorer):
    def _count(self, hypotheses, source_of):
        return self.counts_of(np.full((len(source_of), 1, 1), float(len(self.corpus))), ("all",), source_of)


class ByPlace(SentenceScorer):
    def _count(self, hypotheses, source_of):
        rows = np.arange(len(source_of), dtype=np.float64).reshape(-1, 1, 1)
        return self.counts_of(rows, ("all",), source_of)


class BySystem(SentenceScorer):
    def _count_system(self, system):
        counts = super()._count_system(system)
        return replace(counts, rows=counts.rows + len(system.name))


@dataclass(frozen=True, kw_only=True)
class WithHiddenOption(WordOverlap):
    name: ClassVar[str] = "hidden"
    doubled: bool = option(False, "twice the score")

    def score_sentence(self, source, hypothesis, references):
        return (1 + self.doubled) * super().score_sentence(source, hypothesis, references)

    def signature_parts(self, counts):
        return {}


@dataclass(frozen=True, kw_only=True)
class WithWrongScoringOnly(WordOverlap):
    name: ClassVar[str] = "scoring"
    doubled: bool = option(False, "twice the score", scoring_only=True)

    def score_sentence(self, source, hypothesis, references):
        return (1 + self.doubled) * super().score_sentence(source, hypothesis, references)


class WithUnpicklableScorer(WordOverlap):
    """Its scorer holds a function without a name."""

    def prepare(self, gold):
        return Unpicklable(self, gold)


def prepared_by(scorer):
    return {"prepare": lambda self, gold: scorer(self, gold)}


def weighted(function):
    return {"_score_many": lambda self, counts, weights: function(self.sentence_scores(counts), weights)}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"title": ""}, "expected a title"),
        ({"__hash__": lambda self: id(self)}, "expected metrics with the same options to be equal"),
        ({"columns": ()}, "expected a tuple of Columns"),
        ({"columns": (Column("a", ("score",)), Column("a", ("metric",)))}, "expected different headers of columns"),
        ({"columns": (Column("a", ("sentence_count",)),)}, "expected a column that shows the score"),
        (prepared_by(CountingCalls), "expected the same counts of the same texts"),
        (prepared_by(OfWholeCorpus), "expected the same rows when a corpus comes in parts"),
        (prepared_by(ByPlace), "expected the same row for a hypothesis wherever it stands"),
        (prepared_by(BySystem), "expected the same row for a hypothesis wherever it stands"),
        ({"signature": lambda self, counts: "mine"}, "expected a signature with its name"),
        ({"sentence_entries": lambda self, counts: iter(())}, "expected an entry with number and score"),
        (weighted(lambda scores, weights: np.zeros(len(weights))), "expected score_many to give the score"),
        (
            weighted(lambda scores, weights: np.full(len(weights), (weights @ scores)[0] / weights[0].sum())),
            "expected each weighting to have the same score alone and among others",
        ),
        (
            weighted(lambda scores, weights: (weights > 0) @ scores / (weights > 0).sum(axis=1)),
            "expected a weight of 2 to mean the sentence twice in a row",
        ),
        (
            {"score_resamples": lambda self, counts, resamples: np.zeros(resamples.resamples)},
            "expected score_resamples to give the scores",
        ),
        ({"chosen_columns": lambda self, counts: np.array([3])}, "expected chosen_columns to be one place"),
        ({"judges_edits": True}, "expected a metric that judges edits"),
        ({"counts_types": True}, "expected a metric that counts error types"),
        ({"remarks": lambda self, counts: {99: "far"}}, "expected remarks as texts by places of rows"),
    ],
)
def test_a_metric_that_breaks_a_rule_is_told_which(members, message):
    cls = type("Broken", (WordOverlap,), {"name": "broken", "__doc__": "Broken.", **members})
    with pytest.raises(RecteError, match=message) as caught:
        check_metric(cls())
    assert "\n" not in str(caught.value)


def test_options_stand_in_the_signature_and_change_what_they_say():
    with pytest.raises(MetricError, match="hidden: expected another signature with doubled True"):
        check_metric(WithHiddenOption())
    with pytest.raises(MetricError, match="scoring: expected the same rows with doubled True, which is for scoring"):
        check_metric(WithWrongScoringOnly())


def test_a_metric_without_a_docstring_and_a_class_are_refused():
    class Silent(SentenceMetric):
        name = "silent"
        title = "Silent"

        def score_sentence(self, source, hypothesis, references):
            return 1.0

    Silent.__doc__ = None
    with pytest.raises(MetricError, match="silent: expected a docstring"):
        check_metric(Silent())
    with pytest.raises(MetricError, match="word-overlap: expected a scorer that can be pickled: "):
        check_metric(WithUnpicklableScorer())
    with pytest.raises(MetricError, match="expected a metric, such as MyMetric"):
        check_metric(WordOverlap)

"""Between a metric and its callers: foreign counts, rows that cannot be, and metrics that fail."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

import recte
from recte import Corpus, Edit, Gleu, IMeasure, InputError, MaxMatch, metrics
from recte.cli import main
from recte.errors import MetricError
from recte.formats.counts import read_counts, write_counts
from recte.metrics import metric_class, metric_names, register
from recte.metrics.gleu import GleuScorer

GOLD = Corpus.from_references(["He go .", "I am ."], [["He be .", "I am ."]])
OUTPUT = ["He be .", "I is ."]
OWN = [name for name in metric_names() if name not in ("cherrant", "goto")]


@pytest.mark.parametrize(("made", "scored"), [(MaxMatch(), Gleu()), (Gleu(), MaxMatch()), (Gleu(), IMeasure())])
def test_counts_of_another_metric_are_refused(made, scored):
    counts = made.prepare(GOLD).count(OUTPUT)
    for ask in (scored.score_counts, scored.sentence_scores, lambda c: scored.score_many(c, np.ones((1, 2), np.int32))):
        with pytest.raises(InputError, match=f"counts: expected those of {scored.name}, got those of {made.name}"):
            ask(counts)
        with pytest.raises(InputError, match=f"counts: expected Counts of {scored.name}, got NoneType"):
            ask(None)
    with pytest.raises(InputError, match="cells of int32 in a row of"):
        made.score_counts(replace(counts, rows=counts.rows[..., :-1]))


@pytest.mark.parametrize("name", OWN)
def test_every_metric_says_which_rows_can_be(name):
    metric = metric_class(name)()
    counts = metric.prepare(GOLD).count(OUTPUT)
    assert metric.possible(counts.rows.reshape(-1, int(np.prod(metric.cells)))).all()
    rows = counts.rows.copy()
    if rows.dtype.kind == "f":  # what a float can be is for each metric to say
        return
    rows.reshape(len(rows), -1)[1, -1] = -7
    with pytest.raises(InputError, match=f"counts: expected rows that {name} can count, got .* for sentence 2"):
        metric.score_counts(replace(counts, rows=rows))


@pytest.mark.parametrize(
    ("metric", "row", "possible"),
    [
        (MaxMatch(), (14, 1, 3), False),
        (MaxMatch(), (2, 1, 2), True),  # an edit that stands twice in the gold
        (MaxMatch(), (1, 0, 2), False),
        (MaxMatch(behaviour="paper"), (2, 2, 1), True),  # one gold edit for several proposed
        (MaxMatch(behaviour="paper"), (2, 1, 2), False),
        (MaxMatch(behaviour="optimal"), (2, 1, 2), False),
        (MaxMatch(behaviour="optimal"), (2, 2, 1), False),
        (metrics.SentenceAccuracy(), (2,), False),
        (metrics.CharMeaning(), (3, 2, 3, 3), True),
        (metrics.CharMeaning(), (3, 2, 2, 3), False),
        (Gleu(orders=1), (3, 2, 2, 2), False),
        (metrics.Bleu(orders=1), (3, 2, 2, 2), False),
        (metrics.Errant(), (2, 1, 2, 0), False),
    ],
)
def test_what_a_row_can_be(metric, row, possible):
    assert metric.possible(np.array([row], dtype=np.int32)).tolist() == [possible]


def test_a_counts_file_with_impossible_rows_is_refused(tmp_path, capsys):
    path = tmp_path / "x.counts"
    counts = MaxMatch().prepare(GOLD).count(OUTPUT)
    write_counts(path, replace(counts, rows=np.array([[[14, 1, 14]], [[14, 1, 3]]], np.int32)))
    assert main(["score", str(path)]) == 2
    told = f"recte: {path}: counts: expected rows that m2 can count, got 14, 1, 3 for sentence 2\n"
    assert capsys.readouterr().err == told
    with pytest.raises(InputError, match="got 14, 1, 3 for sentence 2"):
        MaxMatch().score_counts(read_counts(path))


def test_duplicates_in_the_gold_are_still_scored():
    edit = Edit(1, 2, ("goes",))
    assert MaxMatch().score(Corpus.from_edits(["He go ."], [[[edit, edit]]]), ["He goes ."]).precision == 2


class FailingScorer(GleuScorer):
    def _count(self, hypotheses, source_of):
        raise ZeroDivisionError("by\x1b[31m zero")


@pytest.fixture
def failing(registered_metrics):
    class Failing(Gleu):
        name: ClassVar[str] = "failing"

        def prepare(self, gold):
            return FailingScorer(self, gold)

    register(Failing)
    return Failing()


def test_a_metric_that_fails_is_named(failing, sample, capsys, monkeypatch):
    with pytest.raises(MetricError, match="failing: failed while counting: ZeroDivisionError: by") as caught:
        recte.score(GOLD, OUTPUT, metric=failing)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    monkeypatch.delenv("RECTE_DEBUG", raising=False)
    command = ["score", "gold.m2", "systems/wren.txt", "-m", "failing", "-q"]
    assert main(command) == 2
    assert capsys.readouterr().err == "recte: failing: failed while counting: ZeroDivisionError: by\\x1b[31m zero\n"
    monkeypatch.setenv("RECTE_DEBUG", "1")
    assert main(command) == 2
    assert "in _count" in capsys.readouterr().err


def test_a_fault_of_our_own_is_one_line(sample, capsys, monkeypatch):
    def fail(*args, **kwargs):
        raise LookupError("no\nsuch thing")

    monkeypatch.setattr("recte.cli.score.counted_systems", fail)
    monkeypatch.delenv("RECTE_DEBUG", raising=False)
    assert main(["score", "gold.m2", "systems/wren.txt"]) == 70
    told = "recte: internal error: LookupError: no\\nsuch thing (RECTE_DEBUG=1 shows where; please report it)\n"
    assert capsys.readouterr().err == told
    monkeypatch.setenv("RECTE_DEBUG", "1")
    with pytest.raises(LookupError):
        main(["score", "gold.m2", "systems/wren.txt"])

"""Validation of metrics: counts of others, rows that cannot be, and metrics that fail."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import recte
from example_metric.recte_word_overlap import WordOverlap
from recte import Corpus, Edit, Gleu, IMeasure, InputError, MaxMatch, OptionError, _kernels, metrics
from recte.cli import main
from recte.corpus.counts import absent_rows
from recte.errors import MetricError
from recte.formats.counts import read_counts, write_counts
from recte.metrics import metric_class, metric_names, register
from recte.metrics.base import Column, Metric, option
from recte.metrics.gleu import GleuScorer

GOLD = Corpus.from_references(["He go .", "I am ."], [["He be .", "I am ."]])
OUTPUT = ["He be .", "I is ."]
GOLD_OF_TEN = Corpus.from_references(["He go .", "I am ."] * 5, [["He be .", "I am ."] * 5])
_METHODS_WITH_COUNTS = (
    *("score_counts", "sentence_scores", "paired_scores", "baseline_scores"),
    *("score_many", "summands", "chosen_columns", "remarks"),
)
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


@pytest.mark.parametrize("name", metric_names())
def test_every_method_that_takes_counts_validates_them(name):
    metric = metric_class(name)()
    weights = np.ones((1, 2), np.int32)
    other = (Gleu() if name != "gleu" else MaxMatch()).prepare(GOLD).count(OUTPUT)
    for method in _METHODS_WITH_COUNTS:
        function = getattr(type(metric), method, None)
        if function is None or (method != "score_many" and function is getattr(Metric, method, None)):
            continue  # the default returns nothing of the counts
        for counts in (None, other):
            with pytest.raises(InputError, match=f"counts: expected (Counts|those) of {name}, got "):
                getattr(metric, method)(counts, *([weights] if method == "score_many" else []))


@pytest.mark.parametrize("name", OWN)
def test_every_metric_says_which_rows_can_be(name):
    metric = metric_class(name)()
    counts = metric.prepare(GOLD).count(OUTPUT)
    assert metric.valid_rows(counts.rows.reshape(-1, int(np.prod(metric.cells)))).all()
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
    assert metric.valid_rows(np.array([row], dtype=np.int32)).tolist() == [possible]


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

    monkeypatch.setattr("recte.cli.counted_systems.SystemSelection.count", fail)
    monkeypatch.delenv("RECTE_DEBUG", raising=False)
    assert main(["score", "gold.m2", "systems/wren.txt"]) == 70
    told = "recte: internal error: LookupError: no\\nsuch thing (RECTE_DEBUG=1 shows where; please report it)\n"
    assert capsys.readouterr().err == told
    monkeypatch.setenv("RECTE_DEBUG", "1")
    with pytest.raises(LookupError):
        main(["score", "gold.m2", "systems/wren.txt"])


def test_a_core_that_is_older_than_the_python_code_says_what_to_do(sample, capsys, monkeypatch):
    monkeypatch.setattr("recte.cli.counted_systems.SystemSelection.count", lambda *_, **__: _kernels.absent_kernel)
    monkeypatch.delenv("RECTE_DEBUG", raising=False)
    assert main(["score", "gold.m2", "systems/wren.txt"]) == 70
    told = "recte: the compiled core is older than the Python code: install recte again, from its folder\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize("metric", [MaxMatch(), Gleu(), IMeasure()])
@pytest.mark.parametrize("absent", [False, True])
def test_no_method_takes_rows_that_cannot_be(metric, absent):
    counts = metric.prepare(GOLD_OF_TEN).count(OUTPUT * 5)
    rows = absent_rows(counts.rows.shape, np.int32) if absent else np.full_like(counts.rows, -5)
    odd = replace(counts, rows=rows)
    told = f"a row that {metric.name} can count, got none" if absent else f"rows that {metric.name} can count, got -5"
    for ask in (
        metric.score_counts,
        metric.sentence_scores,
        metric.paired_scores,
        lambda c: metric.score_many(c, np.ones((1, 10), np.int32)),
        recte.confidence_interval,
        lambda c: recte.paired_test(c, c, trials=10),
        lambda c: recte.compare_systems([replace(c, system="a"), replace(c, system="b")]),
    ):
        with pytest.raises(InputError, match=f"counts: expected {told}"):
            ask(odd)


def test_counts_made_with_other_options_are_refused():
    """A signature says how counts were made; with other counting options it would lie."""
    counts = MaxMatch().prepare(GOLD_OF_TEN).count(OUTPUT * 5)
    other = MaxMatch(max_unchanged_words=0)
    told = "counts: expected those made with max_unchanged_words 0, got 2; count the system again"
    for ask in (
        other.score_counts,
        lambda c: recte.confidence_interval(c, metric=other),
        lambda c: recte.paired_test(c, c, metric=other),
        lambda c: recte.compare_systems([replace(c, system="a"), replace(c, system="b")], metric=other),
    ):
        with pytest.raises(InputError, match=told):
            ask(counts)
    assert MaxMatch(beta=1.0).score_counts(counts).options["beta"] == 1


def test_counts_that_passed_are_not_looked_at_again(monkeypatch):
    looked = []
    valid_rows = MaxMatch.valid_rows
    monkeypatch.setattr(MaxMatch, "valid_rows", lambda self, rows: looked.append(len(rows)) or valid_rows(self, rows))
    metric = MaxMatch()
    scores = metric.prepare(GOLD).candidate_scores([["He be .", "He go ."], ["I am ."]])
    assert (len(scores), looked) == (2, [3])
    counts = metric.prepare(GOLD_OF_TEN).count(OUTPUT * 5)
    recte.confidence_interval(counts, metric=metric)
    metric.score_counts(counts, sentences=True)
    assert looked == [3, 10]
    metric.score_counts(replace(counts, system="other"))
    assert looked == [3, 10, 10]
    assert "_validated_by" not in vars(pickle.loads(pickle.dumps(counts)))


def test_metrics_of_recte_run_as_they_are_written():
    for cls in (GleuScorer, *map(metric_class, metric_names())):
        assert not any(hasattr(value, "_validated") for parent in cls.__mro__ for value in vars(parent).values())
    assert hasattr(WordOverlap.score_counts, "_validated")


def test_the_old_name_of_valid_rows_still_works():
    with pytest.warns(DeprecationWarning, match=r"Old\.possible: rename it to valid_rows"):

        class Old(Gleu):
            name: ClassVar[str] = "old"

            def possible(self, rows):
                return super().possible(rows) & (rows[:, 0] < 9)

    assert Old().valid_rows(np.array([[1] * 10, [9] * 10, [-3] * 10], np.int32)).tolist() == [True, False, False]


def test_an_inherited_method_is_validated_and_leaves_the_order_of_parents():
    class Plain(Gleu):
        name: ClassVar[str] = "plain"

    class Zero(Gleu):
        def sentence_scores(self, counts):
            return np.zeros(len(counts))

    class Both(Plain, Zero):
        pass

    assert Both().prepare(GOLD).sentence_scores(OUTPUT) == [0.0, 0.0]
    broken = type("Broken", (WordOverlap,), {"name": "broken", "summands": lambda self, counts: [1, 2, 3]})()
    with pytest.raises(MetricError, match="broken: failed while scoring: "):
        broken.score_many(broken.prepare(GOLD).count(OUTPUT), np.ones((1, 2)))


def stranger(**methods):
    """A metric that counts and scores well, but for these methods."""
    return type("Stranger", (WordOverlap,), {"name": "stranger", **methods})()


@pytest.mark.parametrize(
    ("methods", "ask", "told"),
    [
        ({"prepare": lambda self, gold: None}, "score", "a Scorer from prepare, got NoneType"),
        ({"score_counts": lambda self, counts, sentences=False: None}, "score", "a Score from score_counts, got None"),
        ({"columns": (Column("x", ("nosuch",)),)}, "score", "scores with the figure 'nosuch' that its columns show"),
        (
            {"sentence_scores": lambda self, counts: np.zeros(3)},
            "sentences",
            r"each sentence \(10\), got an array of sh",
        ),
        ({"sentence_scores": lambda self, counts: [0.5] * 10}, "sentences", "each sentence .* got list"),
        ({"sentence_scores": lambda self, counts: np.full(10, np.nan)}, "score", "got nan for number 1"),
        ({"scores_of_sums": lambda self, sums: np.zeros(3)}, "interval", r"row of sums \(1\), got an array of shape"),
        ({"scores_of_sums": lambda self, sums: sums[:, 0] * np.inf}, "interval", "got inf for number 1"),
        ({"_score_many": lambda self, counts, weights: np.zeros(2)}, "interval", "each weighting of the sentences"),
    ],
)
def test_what_a_metric_gives_is_looked_at(methods, ask, told):
    metric = stranger(**methods)
    methods = {
        "score": lambda: recte.score(GOLD_OF_TEN, OUTPUT * 5, metric=metric),
        "sentences": lambda: metric.prepare(GOLD_OF_TEN).sentence_scores(OUTPUT * 5),
        "interval": lambda: recte.confidence_interval(metric.prepare(GOLD_OF_TEN).count(OUTPUT * 5), metric=metric),
    }
    with pytest.raises(MetricError, match=f"stranger: expected .*{told}"):
        methods[ask]()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_row_that_is_no_number_is_refused_where_it_is_counted(bad):
    class Odd(WordOverlap):
        def valid_rows(self, rows):
            return np.ones(len(rows), bool) if np.isinf(bad) else super().valid_rows(rows)

    class OddScorer(type(WordOverlap().prepare(GOLD))):
        def _count(self, hypotheses, source_of):
            return self.counts_of(np.full((len(source_of), 1, 1), bad), ("all",), source_of)

    scorer = OddScorer(Odd(), GOLD)
    with pytest.raises(recte.RecteError, match="word-overlap"):
        scorer.score(OUTPUT)


@pytest.mark.parametrize("name", ["weight_offset", "extra_right", "extra_systems"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -1.0])
def test_weights_are_finite_and_not_negative(name, value):
    with pytest.raises(OptionError, match=f"{name}: expected a number from 0, got"):
        metrics.Goto(**{name: value})
    with pytest.raises(OptionError, match="fluency_weight: expected a number from 0, got"):
        metric_class("some")(fluency_weight=value)


def test_options_are_plain_and_declared():
    for default in (None, (1, 2), [1], b"x"):
        with pytest.raises(OptionError, match="option: expected a default of type bool, int, float or str, got"):
            option(default, "odd")
    with pytest.raises(OptionError, match=r"beta: expected a number from 0\.01 to 100, got inf"):
        MaxMatch(beta=10**400)

    class Forgotten(Gleu):
        more: int = option(1, "lost without @dataclass")

    with pytest.raises(OptionError, match=r"more: expected @dataclass\(frozen=True, kw_only=True\) above Forgotten"):
        Forgotten()

    @dataclass(frozen=True, kw_only=True)
    class Bare(Gleu):
        more: int

    with pytest.raises(OptionError, match="more: expected a default of type bool, int, float or str, got none"):
        Bare(more=3)


def test_no_option_forges_a_signature():
    counts = metrics.Errant(without_types="R:ORTH|beta:9\n%").prepare(GOLD).count(OUTPUT)
    signature = metrics.Errant(without_types="R:ORTH|beta:9\n%").score_counts(counts).signature
    assert "|without_types:R:ORTH%7Cbeta:9%0A%25|" in signature
    assert signature.count("|beta:") == 1


def test_a_metric_that_nobody_knows_can_be_given():
    metric = stranger()
    counts = metric.prepare(GOLD_OF_TEN).count(OUTPUT * 5)
    with pytest.raises(
        OptionError, match=r"got 'stranger'; .*; give the metric itself as metric=, or make it known by"
    ):
        recte.compare_systems([replace(counts, system="a"), replace(counts, system="b")])
    assert recte.compare_systems([replace(counts, system="a"), replace(counts, system="b")], metric=metric).metric


@pytest.mark.parametrize("name", ["", "a|b", "a\nb", "-x", "a b", "a:b"])
def test_a_name_stands_on_a_command_line_and_in_a_signature(name, registered_metrics):
    with pytest.raises(OptionError, match="metric: expected a name of letters, digits, - _ and"):
        register(type("Odd", (WordOverlap,), {"name": name}))
    with pytest.raises(OptionError, match="metric: expected a class with a name, got Metric without one"):
        register(recte.Metric)


def test_a_metric_that_was_not_counted_is_not_left_out(sample, capsys):
    assert main(["count", "gold.m2", "systems/wren.txt", "-m", "gleu", "-o", "w.counts", "-q"]) == 0
    assert main(["score", "w.counts", "-m", "gleu", "m2", "-q"]) == 2
    assert "-m: expected metrics that were counted (gleu), got m2 too: leave it out" in capsys.readouterr().err

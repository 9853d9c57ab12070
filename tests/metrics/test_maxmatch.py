"""MaxMatch's rules, each with the smallest example that shows it."""

from __future__ import annotations

import itertools
import math
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recte import Annotation, Corpus, Edit, InputError, MaxMatch, OptionError, Sentence, System, merge
from recte.metrics.annotator_choice import ChoiceRule, best_f, precision_recall_f, sentence_f
from searching import count, trace
from strategies import edits, sentences

BEHAVIOURS = ("official", "paper", "optimal")


def corpus(source: str, *annotators: list[Edit]) -> Corpus:
    return Corpus.from_edits([source], [annotators])


def test_the_papers_example():
    """Section 1: the system's insertion of `a` is the gold edit (word → {a word, words})."""
    source = "Our baseline system feeds word into PB-SMT pipeline ."
    gold = corpus(source, [Edit(4, 5, ("a word", "words"))])
    for behaviour in BEHAVIOURS:
        for hypothesis in (source.replace("word", "a word"), source.replace("word", "words")):
            score = MaxMatch(behaviour=behaviour).score(gold, [hypothesis])
            assert (score.tp, score.fp, score.fn, score.score) == (1, 0, 0, 1.0)
    diffed = MaxMatch(extraction="word-diff").score(gold, [source.replace("word", "a word")])
    assert (diffed.tp, diffed.proposed) == (0, 1)


def test_table_two_contrasts():
    """Table 2: what a word diff runs together, MaxMatch takes apart, and the other way round."""
    source = "development set similar with test set"
    gold = [Edit(3, 4, ("to",)), Edit(4, 4, ("the",))]
    hypothesis = "development set similar to the test set"
    assert trace(source.split(), hypothesis.split(), gold) == [(3, 4, "with", "to"), (4, 4, "", "the")]
    assert trace(source.split(), hypothesis.split(), gold, extraction="word-diff") == [(3, 4, "with", "to the")]


def test_the_second_table_finds_an_insertion_inside_a_substitution():
    gold = [Edit(1, 1, ("b",))]
    assert count(["a"], ["b"], gold) == (1, 2, 1)
    assert count(["a"], ["b"], gold, behaviour="paper")[0] == 0


def test_theorem_one_fails_officially_and_holds_optimally():
    gold = [Edit(0, 1, ("b",)), Edit(1, 1, ("b",))]
    assert count(["a"], ["b", "b"], gold) == (1, 2, 2)
    assert count(["a"], ["b", "b"], gold, behaviour="optimal") == (2, 2, 2)


def test_duplicate_gold_edits_are_all_credited_officially():
    gold = [Edit(1, 2, ("B",)), Edit(1, 2, ("B",))]
    score = MaxMatch().score(corpus("a b c", gold), ["a B c"])
    assert score.precision == 2.0
    assert MaxMatch(behaviour="optimal").score(corpus("a b c", gold), ["a B c"]).precision == 1.0


def test_gold_out_of_order_loses_matches_officially():
    gold = [Edit(2, 3, ("C",)), Edit(0, 1, ("A",))]
    assert count(["a", "b", "c"], ["A", "b", "C"], gold)[0] == 1
    assert count(["a", "b", "c"], ["A", "b", "C"], gold, behaviour="optimal")[0] == 2


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_a_gold_edit_that_changes_nothing_is_never_matched(behaviour):
    gold = [Edit(0, 1, ("a",)), Edit(1, 2, ("B",))]
    assert count(["a", "b"], ["a", "B"], gold, behaviour=behaviour) == (1, 1, 2)


def test_sentence_initial_insertions_run_or_stand_at_zero():
    hypothesis = ["x", "y", "a"]
    assert trace(["a"], hypothesis, [Edit(0, 0, ("x",)), Edit(1, 1, ("y",))]) == [(0, 0, "", "x"), (1, 1, "", "y")]
    both = [Edit(0, 0, ("x y",))]
    assert count(["a"], hypothesis, both, initial_insertions="zero")[0] == 1
    assert count(["a"], hypothesis, both)[0] == 0


def test_white_space_and_casing_are_dropped_after_the_search():
    gold = corpus("he can not go", [Edit(0, 1, ("He",)), Edit(1, 3, ("cannot",))])
    hypothesis = ["He cannot leave"]
    assert MaxMatch().score(gold, hypothesis).proposed == 3
    dropped = MaxMatch(ignore_whitespace_casing=True).score(gold, hypothesis)
    assert (dropped.tp, dropped.proposed, dropped.gold) == (0, 1, 2)


def test_precision_recall_and_f_of_nothing():
    gold = corpus("a b", [])
    assert MaxMatch().score(gold, ["a b"]).score == 1.0
    nothing_proposed = MaxMatch().score(corpus("a b", [Edit(0, 1, ("c",))]), ["a b"])
    assert (nothing_proposed.precision, nothing_proposed.recall, nothing_proposed.score) == (1.0, 0.0, 0.0)
    nothing_wanted = MaxMatch().score(gold, ["a c"])
    assert (nothing_wanted.precision, nothing_wanted.recall, nothing_wanted.score) == (0.0, 1.0, 0.0)


def test_beta_weighs_recall():
    gold = corpus("a b c", [Edit(0, 1, ("A",)), Edit(2, 3, ("C",))])
    half, two = (MaxMatch(beta=beta).score(gold, ["A b c"]).score for beta in (0.5, 2.0))
    assert half == pytest.approx(1.25 * 0.5 / (0.25 + 0.5))
    assert two == pytest.approx(5 * 0.5 / (4 + 0.5))


def test_an_annotator_without_a_line_is_no_candidate():
    sentences = (
        Sentence("a b", annotations=(Annotation("0", (Edit(0, 1, ("A",)),)), Annotation("1"))),
        Sentence("c d", annotations=(Annotation("0", (Edit(0, 1, ("C",)),)),)),
    )
    entries = MaxMatch().prepare(Corpus(sentences)).score(["a b", "c d"], sentences=True).sentences
    assert [list(entry["annotators"]) for entry in entries] == [["0", "1"], ["0"]]
    assert [entry["chosen"] for entry in entries] == ["1", "0"]


def test_the_official_choice_depends_on_the_order_of_sentences_and_the_optimal_one_does_not():
    generator = random.Random(1)
    rows = np.array(
        [
            [
                [generator.randint(0, p), p, generator.randint(p, p + 3)]
                for p in (generator.randint(0, 4) for _ in range(3))
            ]
            for _ in range(60)
        ],
        dtype=np.int32,
    )
    rows[..., 0] = np.minimum(rows[..., 0], rows[..., 2])
    orders = [np.random.default_rng(seed).permutation(60) for seed in range(20)]

    def f(rule, order):
        chosen = ChoiceRule(rule).choose(rows[order], 0.5)
        return precision_recall_f(*rows[order][np.arange(60), chosen].sum(axis=0).tolist(), 0.5)[2]

    assert len({f("running", order) for order in orders}) > 1
    assert len({f("optimal", order) for order in orders}) == 1
    assert f("optimal", orders[0]) >= max(f("running", order) for order in orders)


cells = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(
    lambda t: (min(t[0], t[1], t[2]), t[1], t[2])
)


@settings(max_examples=400)
@given(
    st.lists(st.lists(st.one_of(cells, st.just((-1, -1, -1))), min_size=2, max_size=3), min_size=1, max_size=5),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_the_optimal_choice_beats_all_assignments(table, beta):
    width = min(map(len, table))
    table = [row[:width] for row in table]
    if any(all(cell[0] < 0 for cell in row) for row in table):
        return
    rows = np.array(table, dtype=np.int32)
    best = max(
        precision_recall_f(*(sum(cell[i] for cell in assignment) for i in range(3)), beta)[2]
        for assignment in itertools.product(*([c for c in row if c[0] >= 0] for row in table))
    )
    chosen = ChoiceRule("optimal").choose(rows, beta)
    picked = rows[np.arange(len(rows)), chosen]
    assert (picked[:, 0] >= 0).all()
    assert precision_recall_f(*picked.sum(axis=0).tolist(), beta)[2] == pytest.approx(best, abs=1e-12)


@settings(max_examples=300)
@given(st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=8), st.sampled_from([0.5, 1.0]))
def test_the_running_choice_is_the_published_rule(table, beta):
    rows = np.array(table, dtype=np.int32)
    totals = [0, 0, 0]
    expected = []
    for row in table:
        keys = []
        for a, cell in enumerate(row):
            c, p, g = (total + value for total, value in zip(totals, cell, strict=True))
            below = beta * beta * g + p
            f = 1.0 if below == 0 else (1 + beta * beta) * c / below
            keys.append((-f, -c, below, a))
        best = min(keys)[3]
        expected.append(best)
        totals = [total + value for total, value in zip(totals, row[best], strict=True)]
    assert ChoiceRule("running").choose(rows, beta).tolist() == expected


def test_error_types_have_recall_and_precision_where_the_system_says_its_types():
    gold = corpus("a b c", [Edit(0, 1, ("A",), "Case"), Edit(2, 3, ("C",), "Case"), Edit(1, 2, ("x",), "Word")])
    scorer = MaxMatch().prepare(gold)
    plain = System("plain", ("A b c",))
    typed = System("typed", ("A y c",), ((Edit(0, 1, ("A",), "Case"), Edit(1, 2, ("y",), "Word")),))
    by_type = scorer.metric.score_counts(scorer.count_types(plain, scorer.count(plain))).types
    assert by_type["Case"]["recall"] == 0.5
    assert by_type["Case"]["precision"] is None
    assert by_type["Word"]["recall"] == 0.0
    by_type = scorer.metric.score_counts(scorer.count_types(typed, scorer.count(typed))).types
    assert by_type["Case"] == {
        "gold": 2, "found": 1, "recall": 0.5, "proposed": 1, "correct": 1, "precision": 1.0,
        "score": pytest.approx(5 / 6),
    }  # fmt: skip
    assert by_type["Word"]["precision"] == 0.0


def test_verdicts():
    gold = corpus("He go to school", [Edit(1, 2, ("goes",), "SVA"), Edit(3, 3, ("the",), "Art")])
    (judged,) = MaxMatch().prepare(gold).judged_edits(["He goes at school"])
    assert [(e.verdict, e.start, e.end, e.type) for e in judged["0"]] == [
        ("correct", 1, 2, "SVA"),
        ("spurious", 2, 4, ""),  # an unchanged word joins where that saves an edge
        ("missed", 3, 3, "Art"),
    ]


def test_plain_lists_of_references_and_hypotheses():
    gold = Corpus.from_references(["He go .", "I am"], [["He goes .", "I am"], ["He went .", "I am ."]])
    score = MaxMatch().score(gold, ["He went .", "I am ."])
    assert (score.score, list(score.annotators)) == (1.0, ["0", "1"])


def test_ragged_references():
    gold = Corpus((Sentence("a b", references=("A b", "a B")), Sentence("c d", references=("C d",))))
    entries = MaxMatch().prepare(gold).score(["a B", "c d"], sentences=True).sentences
    assert [list(entry["annotators"]) for entry in entries] == [["0", "1"], ["0"]]


def test_several_hypotheses_a_source():
    scorer = MaxMatch().prepare(Corpus.from_references(["He go .", "a"], [["He goes .", "a"]]))
    assert scorer.candidate_scores([["He goes .", "He go .", "She goes ."], ["a"]]) == [
        [1.0, 0.0, pytest.approx(1.25 / (0.25 + 2))],
        [1.0],
    ]
    assert scorer.candidate_scores([[], ["a", "b"]]) == [[], [1.0, 0.0]]


def test_a_scorer_never_grows_and_pickles():
    scorer = MaxMatch().prepare(Corpus.from_references(["He go ."], [["He goes ."]]))
    scorer.score(["He go ."])
    size = len(pickle.dumps(scorer))
    for i in range(50):
        scorer.score([f"new{i} word{i}"])
    assert len(pickle.dumps(scorer)) == size
    assert pickle.loads(pickle.dumps(scorer)).score(["He goes ."]) == scorer.score(["He goes ."])


def test_counts_of_parts_merge_into_those_of_the_whole():
    sources = [f"a b{i} c" for i in range(10)]
    gold = Corpus.from_edits(sources, [[[Edit(1, 2, ("B",))], [Edit(0, 1, ("A",))]] for _ in sources])
    hypotheses = ["a B c" if i % 3 else "A b c" for i in range(10)]
    metric = MaxMatch()
    whole = metric.prepare(gold).count(hypotheses)
    parts = [metric.prepare(gold[a:b]).count(hypotheses[a:b]) for a, b in ((7, 10), (0, 4), (4, 7))]
    assert metric.score_counts(merge(parts), sentences=True) == metric.score_counts(whole, sentences=True)
    with pytest.raises(InputError, match="sentence 8 twice"):
        merge([parts[0], parts[0]])


def test_results_hold_plain_numbers():
    score = MaxMatch().score(corpus("a b", [Edit(0, 1, ("A",))]), ["A b"])
    assert {type(value) for value in (score.tp, score.proposed, score.gold, score.fp, score.fn)} == {int}
    assert {type(value) for value in (score.score, score.precision, score.recall)} == {float}
    assert math.isclose(float(score), score.score)


def test_signature_tells_scores_apart():
    gold = corpus("a b", [Edit(0, 1, ("A",))])
    default = MaxMatch().score(gold, ["A b"]).signature
    assert default.startswith("m2|behaviour:official|annotators:1|beta:0.5|max_unchanged_words:2|tokens:given|data:")
    changed = [
        MaxMatch(**options).score(gold, ["A b"]).signature
        for options in (
            {"behaviour": "paper"},
            {"beta": 1.0},
            {"max_unchanged_words": 3},
            {"ignore_whitespace_casing": True},
            {"initial_insertions": "zero"},
            {"extraction": "word-diff"},
        )
    ]
    assert len({default, *changed}) == 7
    other_gold = MaxMatch().score(corpus("a b", [Edit(0, 1, ("B",))]), ["A b"]).signature
    assert other_gold != default


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"behaviour": "best"}, "behaviour: expected one of official, paper, optimal, got 'best'"),
        ({"beta": 0.0}, "beta: expected a number from 0.01 to 100"),
        ({"beta": float("nan")}, "beta: expected a number from 0.01 to 100"),
        ({"beta": "x"}, "beta: expected float, got str 'x'"),
        ({"max_unchanged_words": True}, "max_unchanged_words: expected int, got bool True"),
        ({"max_unchanged_words": -1}, "max_unchanged_words: expected 0 to 20"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        MaxMatch(**options)


def test_bad_input_is_refused_with_what_was_expected_and_got():
    gold = corpus("a b", [])
    with pytest.raises(InputError, match="expected 1 hypotheses, one for each source sentence, got 2"):
        MaxMatch().score(gold, ["a", "b"])
    with pytest.raises(InputError, match=r"expected a System or a list of strings, got the text .a b."):
        MaxMatch().score(gold, "a b")
    with pytest.raises(InputError, match="hypothesis 1: expected a string, got int"):
        MaxMatch().score(gold, [3])
    with pytest.raises(InputError, match="expected gold edits or references for sentence '1', got none"):
        MaxMatch().score(Corpus.from_references(["a"]), ["a"])
    with pytest.raises(InputError, match="expected at least one sentence"):
        MaxMatch().score(Corpus(()), [])


@st.composite
def doubly_annotated(draw):
    words = draw(sentences(6))
    annotations = tuple(Annotation(a, draw(edits(len(words), 3))) for a in ("0", "1"))
    return Sentence(" ".join(words), annotations=annotations), " ".join(draw(sentences(6)))


@settings(max_examples=300)
@given(doubly_annotated())
def test_a_mixture_is_never_worse_than_an_annotators_own(case):
    sentence, hypothesis = case
    corpus = Corpus((sentence,))
    mixed, ours = (MaxMatch(mix=mix).prepare(corpus).sentence_scores([hypothesis])[0] for mix in (True, False))
    assert mixed >= ours - 1e-12


def test_counts_of_mixtures_are_scored_with_the_beta_they_were_made_with():
    assert MaxMatch(mix=True, beta=1.0).recount_needed(MaxMatch(mix=True).options()) == "beta"
    assert MaxMatch(beta=1.0).recount_needed(MaxMatch().options()) is None


TRIPLE = st.one_of(st.just([-1, -1, -1]), st.lists(st.integers(0, 3), min_size=3, max_size=3))


@given(st.lists(st.tuples(st.lists(st.integers(0, 3), min_size=3, max_size=3), TRIPLE), min_size=1))
def test_the_best_f_of_a_sentence_is_the_best_over_its_annotators(rows):
    counts = np.array(rows, dtype=np.int32)
    weighed = np.where(counts[..., :1] < 0, np.nan, counts)
    for actual in (counts, weighed):
        assert best_f(actual, 0.5).tolist() == np.nanmax(sentence_f(counts, 0.5), axis=1).tolist()

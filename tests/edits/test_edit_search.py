"""The MaxMatch kernels against their literal twins."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import hoo as hoo_oracle
from oracles import maxmatch as oracle
from recte import Annotation, Edit, InputError, OptionError, Sentence, TooLongError
from recte.corpus.gold_columns import columns_of
from recte.edits.edit_search import EditSearch, SearchOptions
from searching import count, gold_triples, hoo, trace
from strategies import cases

unchanged_words = st.integers(0, 3)


@settings(max_examples=1500)
@given(
    case=cases(), u=unchanged_words, initial=st.sampled_from(["running", "zero"]), stored=st.sampled_from([0, 400_000])
)
def test_official_counts_and_edits_are_the_literal_twins(case, u, initial, stored):
    source, hypothesis, edits = case
    gold = gold_triples(edits)
    expected = oracle.official_edits(source, hypothesis, gold, u, initial)
    options = {"max_unchanged_words": u, "initial_insertions": initial, "max_stored_arcs": stored}
    assert trace(source, hypothesis, edits, **options) == expected
    tp = oracle.official_tp(source, expected, gold)
    assert count(source, hypothesis, edits, **options) == (tp, len(expected), len(gold))


@settings(max_examples=600)
@given(case=cases(max_words=5, max_edits=4), u=unchanged_words)
def test_paper_counts_are_the_best_of_all_readings(case, u):
    source, hypothesis, edits = case
    expected = oracle.paper_counts(source, hypothesis, gold_triples(edits), u)
    assert count(source, hypothesis, edits, behaviour="paper", max_unchanged_words=u)[:2] == expected


@settings(max_examples=600)
@given(case=cases(max_words=5, max_edits=4), u=unchanged_words)
def test_optimal_overlap_is_the_largest_of_all_readings(case, u):
    """Theorem 1 of the paper, by brute force."""
    source, hypothesis, edits = case
    expected = oracle.optimal_counts(source, hypothesis, gold_triples(edits), u)
    assert count(source, hypothesis, edits, behaviour="optimal", max_unchanged_words=u)[:2] == expected


def _distinct(edits):
    """No two gold edits that one system edit could both match."""
    return not any(
        (a.start, a.end) == (b.start, b.end) and set(a.corrections) & set(b.corrections)
        for i, a in enumerate(edits)
        for b in edits[:i]
    )


@settings(max_examples=1500)
@given(case=cases(), u=unchanged_words)
def test_optimal_overlap_is_never_below_the_official_one(case, u):
    """On gold without duplicates, and with sentence-initial insertions at their true place."""
    source, hypothesis, edits = case
    if _distinct(edits):
        optimal = count(source, hypothesis, edits, behaviour="optimal", max_unchanged_words=u)[0]
        assert optimal >= count(source, hypothesis, edits, max_unchanged_words=u, initial_insertions="zero")[0]


def test_running_offsets_can_match_an_insertion_that_is_elsewhere():
    """Why the comparison above is made with offset rule zero: version 3.2 finds `b` at offset 1, before `a` at 0."""
    gold = [Edit(1, 1, ("b",))]
    assert count(["a"], ["c", "b", "a"], gold, initial_insertions="running") == (1, 2, 1)
    assert count(["a"], ["c", "b", "a"], gold, initial_insertions="zero")[0] == 0
    assert count(["a"], ["c", "b", "a"], gold, behaviour="optimal")[0] == 0


@settings(max_examples=400)
@given(case=cases(max_words=5, max_edits=4), u=st.integers(0, 2))
def test_optimal_edits_serve_the_criterion_being_scored(case, u):
    source, hypothesis, edits = case
    counted = hoo(source, hypothesis, edits, behaviour="optimal", max_unchanged_words=u)
    for criterion in ("detection", "recognition", "correction"):
        expected = hoo_oracle.best_for(source, hypothesis, gold_triples(edits), criterion, u)
        assert counted[criterion][:2] == expected


@settings(max_examples=600)
@given(case=cases(), extraction=st.sampled_from(["maxmatch", "word-diff"]))
def test_hoo_counts_are_the_literal_twins_on_the_same_edits(case, extraction):
    source, hypothesis, edits = case
    options = {"extraction": extraction, "initial_insertions": "zero"}
    counted = hoo(source, hypothesis, edits, **options)
    proposed, position = [], 0
    for start, end, _, correction in trace(source, hypothesis, edits, **options):
        # Where the words of an edit stand in the hypothesis: before them all else is unchanged.
        first = start + position
        last = first + len(correction.split())
        position += len(correction.split()) - (end - start)
        proposed.append((start, end, first, last))
    optional = [edit.is_optional(source) for edit in edits]
    for criterion, seen in counted.items():
        assert seen == hoo_oracle.counts(hypothesis, proposed, gold_triples(edits), optional, criterion)


@settings(max_examples=500)
@given(case=cases(max_edits=0))
def test_a_word_diff_is_a_longest_common_subsequence_in_maximal_runs(case):
    source, hypothesis, _ = case
    edits = trace(source, hypothesis, [], extraction="word-diff")
    rebuilt = list(source)
    for start, end, original, correction in reversed(edits):
        assert original == " ".join(source[start:end])
        rebuilt[start:end] = correction.split()
    assert rebuilt == hypothesis
    kept = len(source) - sum(end - start for start, end, *_ in edits)
    assert kept == _longest_common_subsequence(source, hypothesis)
    assert all(a[1] < b[0] for a, b in pairwise(edits))


def _longest_common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@pytest.mark.parametrize("behaviour", ["official", "paper", "optimal"])
def test_a_hypothesis_equal_to_its_source_has_no_edits(behaviour):
    assert count(["a", "b"], ["a", "b"], [Edit(0, 1, ("c",))], behaviour=behaviour) == (0, 0, 1)


def test_an_empty_hypothesis_deletes_everything():
    assert trace(["a", "b"], [], []) == [(0, 2, "a b", "")]
    assert count([], [], []) == (0, 0, 0)


def test_a_lattice_beyond_the_limit_gets_a_word_diff_and_says_so():
    source, hypothesis = [f"s{i}" for i in range(30)], [f"h{i}" for i in range(30)]
    annotations = (Annotation("0"),)
    search = EditSearch.of(columns_of([Sentence(" ".join(source))], [annotations]))
    exact, fallbacks = search.count([" ".join(hypothesis)], SearchOptions(max_lattice=961))
    assert not fallbacks[0]
    word_diffed, fallbacks = search.count([" ".join(hypothesis)], SearchOptions(max_lattice=960))
    assert fallbacks[0]
    assert exact.tolist() == word_diffed.tolist() == [[[0, 1, 0]]]


def test_very_long_pairs_are_refused_and_long_ones_diffed():
    search = EditSearch.of(columns_of([Sentence("a " * 60_000)], [(Annotation("0"),)]))
    with pytest.raises(TooLongError, match=r"hypothesis 1: .*split the line"):
        search.count(["b " * 60_000], SearchOptions())
    rows, fallbacks = search.count(["a " * 59_000 + "b " * 900], SearchOptions())
    assert fallbacks[0]
    assert rows[0, 0].tolist() == [0, 1, 0]


def test_too_many_insertions_at_one_place_are_refused_only_where_the_choice_must_be_exact():
    gold = [Edit(0, 0, (f"w{i}",)) for i in range(9)]
    assert count(["a"], ["w1", "a"], gold)[0] == 1
    with pytest.raises(TooLongError, match="more than 8 edits at one place"):
        count(["a"], ["w1", "a"], gold, behaviour="optimal")


def test_corrections_with_odd_spacing_never_match():
    assert count(["a"], ["b", "c"], [Edit(0, 1, ("b  c",))])[0] == 0
    assert count(["a"], ["b", "c"], [Edit(0, 1, ("b c",))])[0] == 1


def test_edits_past_the_end_are_refused():
    with pytest.raises(InputError, match="edit 1 3 of annotator 0: expected offsets within the 2 tokens"):
        count(["a", "b"], ["a"], [Edit(1, 3, ("c",))])


@pytest.mark.parametrize("options", [{"max_unchanged_words": -1}, {"max_unchanged_words": 21}, {"max_lattice": 0}])
def test_senseless_options_are_refused(options):
    with pytest.raises(OptionError):
        SearchOptions(**options)


def test_results_do_not_depend_on_the_number_of_threads(monkeypatch):
    sources = [f"a b{i % 7} c d e" for i in range(500)]
    hypotheses = [f"a b{i % 5} c e e f" for i in range(500)]
    annotations = [(Annotation("0", (Edit(1, 2, (f"b{i % 5}",)),)),) for i in range(500)]
    search = EditSearch.of(columns_of([Sentence(s) for s in sources], annotations))
    results = []
    for threads in ("1", "2", "7"):
        monkeypatch.setenv("RECTE_THREADS", threads)
        results.append(search.count(hypotheses, SearchOptions())[0].tolist())
    assert results[0] == results[1] == results[2]
    monkeypatch.setenv("RECTE_THREADS", "many")
    with pytest.raises(OptionError, match="RECTE_THREADS: expected a number from 1 to 1024, got 'many'"):
        search.count(hypotheses, SearchOptions())

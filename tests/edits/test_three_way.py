"""The three-way alignment and the search for references, against their literal twins."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import imeasure as oracle
from recte import Annotation, Edit, OptionError, Sentence, TooLongError
from recte.corpus.corpus import GoldError
from recte.edits.error_clusters import apply_slices, cluster_errors, error_options, list_references
from recte.edits.three_way import ReferenceSearch, ThreeWayOptions
from shared_data import golden_json, golden_lines
from strategies import edits, sentences

costs = st.sampled_from([(0, 3, 2), (0, 5, 3), (1, 3, 2)])


def search_for(source, *references) -> ReferenceSearch:
    sentence = Sentence(" ".join(source), references=tuple(" ".join(r) for r in references))
    return ReferenceSearch([sentence], mix=False, treebank=False)


def options(triple=(0, 3, 2), **others) -> ThreeWayOptions:
    match, mismatch, gap = triple
    return ThreeWayOptions(match_cost=match, mismatch_cost=mismatch, gap_cost=gap, **others)


@settings(max_examples=1500)
@given(sentences(6), sentences(6), sentences(6), costs)
def test_alignment_is_the_literal_cubes_ties_included(source, hypothesis, reference, triple):
    actual = search_for(source, reference).align(source, hypothesis, reference, options(triple))
    columns, cost = oracle.alignment(source, hypothesis, reference, triple)
    assert actual.cost == cost
    assert [tuple(column) for column in actual.columns] == columns


@settings(max_examples=40)
@given(sentences(14), sentences(14), sentences(14), st.sampled_from([(0, 3, 2), (0, 99, 50)]))
def test_longer_unrelated_texts_where_the_whole_cube_is_filled(source, hypothesis, reference, triple):
    actual = search_for(source, reference).align(source, hypothesis, reference, options(triple))
    columns, cost = oracle.alignment(source, hypothesis, reference, triple)
    assert actual.cost == cost
    assert [tuple(column) for column in actual.columns] == columns


@settings(max_examples=1000)
@given(sentences(6), sentences(6), sentences(6), costs)
def test_counts_are_those_of_the_literal_alignment(source, hypothesis, reference, triple):
    rows, _, _ = search_for(source, reference).count([" ".join(hypothesis)], options(triple), [0])
    assert tuple(rows[0, 0].tolist()) == oracle.row(source, hypothesis, reference, triple)


@settings(max_examples=400)
@given(sentences(5), sentences(5), sentences(5))
def test_tie_outcomes_are_those_of_all_optimal_alignments(source, hypothesis, reference):
    actual = search_for(source, reference).tie_outcomes(source, hypothesis, reference, options())
    assert set(map(tuple, actual)) == oracle.all_outcomes(source, hypothesis, reference)


@settings(max_examples=300)
@given(sentences(5), sentences(5), st.lists(sentences(5), min_size=1, max_size=4))
def test_the_best_reference_is_chosen(source, hypothesis, references):
    search = search_for(source, *references)
    rows, _, picks = search.count([" ".join(hypothesis)], options(), [0])
    best = oracle.best_row(source, hypothesis, references)
    assert oracle.key(tuple(rows[0, 0].tolist())) == pytest.approx(oracle.key(best))
    assert oracle.row(source, hypothesis, list(picks[0].tokens)) == tuple(rows[0, 0].tolist())


@st.composite
def annotated(draw: st.DrawFn) -> Sentence:
    words = draw(sentences(5))
    annotations = tuple(Annotation(str(a), draw(edits(len(words), 2))) for a in range(draw(st.integers(1, 3))))
    return Sentence(" ".join(words), annotations=annotations)


def mixtures(sentence: Sentence) -> set[tuple[str, ...]]:
    """All mixed references, by the rules as written."""
    actual = set()
    choices = [error_options(sentence.tokens, error) for error in cluster_errors(sentence)]
    for picked in product(*choices):
        chosen = [edit for option in picked for edit in option.edits]
        spans = [edit[:2] for edit in chosen]
        if len(set(spans)) == len(spans):
            actual.add(apply_slices(sentence.tokens, chosen))
    return actual or {sentence.tokens}


@settings(max_examples=400)
@given(annotated(), sentences(5))
def test_mixed_search_is_the_best_of_all_mixtures(sentence, hypothesis):
    search = ReferenceSearch([sentence], mix=True, treebank=True)
    rows, searched, picks = search.count([" ".join(hypothesis)], options(), [0])
    assert not searched[0]
    best = oracle.best_row(list(sentence.tokens), hypothesis, mixtures(sentence))
    row = tuple(rows[0, 0].tolist())
    assert oracle.key(row) == pytest.approx(oracle.key(best))
    assert picks[0].tokens in mixtures(sentence)
    assert oracle.row(list(sentence.tokens), hypothesis, list(picks[0].tokens)) == row


def test_beyond_the_cap_segments_are_searched_and_say_so():
    words = [f"w{i}" for i in range(40)]
    edits_of = [tuple(Edit(i, i + 1, (f"{a}{i}",)) for i in range(2, 40, 8)) for a in "xyz"]
    sentence = Sentence(" ".join(words), annotations=tuple(Annotation(str(a), e) for a, e in enumerate(edits_of)))
    hypothesis = " ".join({2: "x2", 10: "y10", 18: "z18"}.get(i, w) for i, w in enumerate(words))
    search = ReferenceSearch([sentence], mix=True, treebank=True)
    exact, searched, _ = search.count([hypothesis], options(), [0])
    assert not searched[0]
    assert search.combinations == [3**5]
    capped, searched, picks = search.count([hypothesis], options(max_combinations=100), [0])
    assert searched[0]
    assert capped.tolist() == exact.tolist()
    assert exact[0, 0].tolist()[4:9] == [3, 35, 0, 2, 0]
    assert picks[0].annotators[:3] == ("0", "1", "2")


@settings(max_examples=200)
@given(st.data())
def test_segment_search_equals_enumeration_where_runs_keep_errors_apart(data):
    blocks = data.draw(st.integers(2, 3))
    words = [f"w{i}" for i in range(8 * blocks)]
    spans = [data.draw(st.integers(8 * b + 3, 8 * b + 4)) for b in range(blocks)]
    drawn = st.sampled_from(["p", "q", "p q", ""])
    annotations = tuple(
        Annotation(str(a), tuple(Edit(s, s + data.draw(st.integers(0, 1)), (data.draw(drawn),)) for s in spans))
        for a in range(2)
    )
    sentence = Sentence(" ".join(words), annotations=annotations)
    output = list(words)
    for s in reversed(spans):
        output[s : s + data.draw(st.integers(0, 1))] = data.draw(drawn).split()
    search = ReferenceSearch([sentence], mix=True, treebank=True)
    exact, _, _ = search.count([" ".join(output)], options(), [0])
    cap = 9  # enough for any one segment: two errors of three options
    capped, searched, _ = search.count([" ".join(output)], options(max_combinations=cap), [0])
    assert searched[0] == (search.combinations[0] > cap)
    assert oracle.key(tuple(capped[0, 0].tolist())) == pytest.approx(oracle.key(tuple(exact[0, 0].tolist())))


@st.composite
def much_annotated(draw):
    """A sentence with nine errors or ten, words between them, and an output that follows now one, now another."""
    random = draw(st.randoms(use_true_random=False))
    words = "abcdefghij"[: draw(st.sampled_from([2, 5, 10]))]
    longest = draw(st.sampled_from([3, 6, 14]))
    tokens, output, corrections = [], [], ([], [])
    for _ in range(draw(st.integers(9, 10))):
        for word in random.choices(words, k=random.randint(0, longest)):
            tokens.append(word)
            output += [word] * (random.random() > 0.05)
        start, ours = len(tokens), random.choices(words, k=random.randint(0, 2))
        tokens += ours
        offered = [ours]
        for of_annotator in corrections:
            corrected = random.choices(words, k=random.randint(0, 2))
            if corrected != ours:
                of_annotator.append(Edit(start, len(tokens), (" ".join(corrected),)))
                offered.append(corrected)
        output += random.choice([*offered, random.choices(words)])
        tokens.append("x")  # keeps insertions of two errors apart
        output.append("x")
    annotations = tuple(Annotation(str(a), tuple(edits)) for a, edits in enumerate(corrections))
    return Sentence(" ".join(tokens), annotations=annotations), " ".join(output)


@settings(max_examples=40, deadline=None)
@given(much_annotated(), costs, st.sampled_from([1.0, 2.0, 7.5]))
def test_what_a_bound_rules_out_is_never_the_best(case, triple, weight):
    """Several candidates are kept without a bound: all mixtures are aligned then, and the first one is the best."""
    sentence, output = case
    search = ReferenceSearch([sentence], mix=True, treebank=False)
    chosen = options(triple, weight=weight)
    rows, _, picks = search.count([output], chosen, [0])
    all_rows, _, all_picks = search.count([output], replace(chosen, candidates=5), [0])
    assert rows[0, 0].tolist() == all_rows[0, 0].tolist()
    assert picks[0] == all_picks[0]


@settings(max_examples=200)
@given(annotated(), sentences(5), st.integers(1, 4))
def test_a_capped_search_gives_a_true_mixture_and_counts_it_truly(sentence, hypothesis, cap):
    search = ReferenceSearch([sentence], mix=True, treebank=True)
    rows, _, picks = search.count([" ".join(hypothesis)], options(max_combinations=cap), [0])
    assert picks[0].tokens in mixtures(sentence)
    assert oracle.row(list(sentence.tokens), hypothesis, list(picks[0].tokens)) == tuple(rows[0, 0].tolist())


def test_random_triples_of_the_released_scorer():
    triples = golden_lines("imeasure/random-triples.jsonl")
    assert len(triples) == 750
    for case in triples:
        source, hypothesis, reference = (case[key].split() for key in ("src", "hyp", "ref"))
        search = search_for(source, reference)
        actual = search.align(source, hypothesis, reference, options())
        assert [list(column) for column in actual.columns] == case["columns"]
        assert actual.cost == case["cost"]
        rows, _, _ = search.count([case["hyp"]], options(), [0])
        expected = [case["det"][key] for key in ("tp", "tn", "fp", "fn")]
        expected += [case["cor"][key] for key in ("tp", "tn", "fp", "fn", "fpn")]
        assert rows[0, 0].tolist() == [*expected, case["base"]["tn"], case["base"]["fn"]]


def test_tie_cases_on_real_data():
    cases = golden_json("imeasure/tie-cases.json")
    assert len(cases) == 44
    for case in cases:
        source, hypothesis, reference = (case[key].split() for key in ("src", "hyp", "ref"))
        actual = search_for(source, reference).tie_outcomes(source, hypothesis, reference, options())
        assert sorted(actual) == sorted([*o[:4], *o[5:]] for o in case["outcomes"])


def test_ties_matter_against_the_papers_claim():
    search = search_for(["c", "b", "a"], ["a", "c", "b"])
    outcomes = search.tie_outcomes(["c", "b", "a"], ["a"], ["a", "c", "b"], options())
    waccs = {round(oracle.weighted_accuracy(*outcome[4:]), 3) for outcome in outcomes}
    assert {0.0, 0.5, 0.714} <= waccs
    rows, _, _ = search.count(["a"], options(), [0])
    assert oracle.weighted_accuracy(*rows[0, 0].tolist()[4:9]) == 0.0


def test_gaps_of_a_common_prefix_stand_as_published():
    actual = search_for(["c"], ["c"]).align(["c"], ["c", "c"], ["c"], options())
    assert [tuple(column) for column in actual.columns] == [(None, "c", None), ("c", "c", "c")]


def test_overlapping_clusters_as_the_released_scorer_groups_them():
    """Not exercised by CoNLL: file order decides, clusters never merge, same spans across errors exclude each other."""
    edits_of = {
        "0": (Edit(0, 3, ("P",), line=1), Edit(3, 5, ("x",), line=3), Edit(3, 5, ("y",), line=5)),
        "1": (Edit(3, 6, ("Q",), line=2), Edit(2, 4, ("Z",), line=4)),
    }
    sentence = Sentence("0 1 2 3 4 5 6", annotations=tuple(Annotation(a, e) for a, e in edits_of.items()))
    first, second = cluster_errors(sentence)
    assert [(a.annotator, [e.corrections[0] for e in a.edits]) for a in first.alternatives] == [
        ("0", ["P", "y"]),
        ("1", ["Z"]),
    ]
    assert [(a.annotator, [e.corrections[0] for e in a.edits]) for a in second.alternatives] == [
        ("0", ["x"]),
        ("1", ["Q"]),
    ]
    assert first.required
    assert second.required
    unmixed = {" ".join(tokens) for tokens in list_references(sentence, (first, second))}
    assert unmixed == {"P x 6", "0 1 Z 6"}
    assert {" ".join(tokens) for tokens in mixtures(sentence)} == {"0 1 Z 5 6", "0 1 Z 6", "P y"}


def test_edits_of_one_alternative_on_one_span_are_joined_and_none_empties_the_sentence():
    joined = GoldError((Annotation("0", (Edit(0, 1, ("a",)), Edit(0, 1, ("b",)))),))
    (option,) = error_options(("x",), joined)
    assert option.edits == ((0, 1, ("a", "b")),)
    assert apply_slices(("x",), [(0, 1, ())]) == ("x",)


def test_alternatives_with_the_same_text_are_one_and_a_useless_one_is_leaving_the_text_alone():
    error = GoldError(
        (
            Annotation("0", (Edit(0, 1, ("a",)),)),
            Annotation("1", (Edit(0, 2, ("a y",)),)),
            Annotation("2", (Edit(0, 1, ("x",)),)),
        ),
        required=False,
    )
    actual = error_options(("x", "y"), error)
    assert [option.annotators for option in actual] == [("0", "1"), ("2",)]
    assert actual[1].edits == ()


@pytest.mark.parametrize("triple", [(0, 4, 2), (0, 2, 2), (2, 3, 2), (-1, 3, 2), (0, 2, 3)])
def test_costs_that_break_the_papers_constraint_are_refused(triple):
    with pytest.raises(OptionError, match="expected 2·gap > mismatch > gap > match"):
        options(triple)


def test_alignments_beyond_the_limit_are_refused():
    texts = [[f"{letter}{i % 3}" for i in range(40)] for letter in "aab"]
    search = search_for(texts[0], texts[2])
    with pytest.raises(TooLongError, match=r"hypothesis 1: .*more than max_cells 1,000 cells"):
        search.count([" ".join(texts[1][::-1])], options(max_cells=1000), [0])
    rows, _, _ = search.count([" ".join(texts[1][::-1])], options(), [0])
    assert rows[0, 0, 0] >= 0

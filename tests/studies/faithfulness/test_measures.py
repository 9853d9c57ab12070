"""The measures against their literal twins, on random graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recte.faithfulness import Passage, dag_f_score, distsim, score_agreement, score_faithfulness, uccasim

from oracles import ucca as oracle
from recte import InputError, OptionError
from recte.studies.faithfulness.edge_f_score import MatchCounts
from recte.studies.faithfulness.graph import Edge, Terminal, Unit
from recte.studies.faithfulness.leaf_alignment import align_leaves, sentence_pairs
from ucca_graphs import annotated_twice, passages

LABELS = st.sampled_from(["weak", "strict"])


@given(annotated_twice(), LABELS)
def test_dag_f_score_counts_units_as_its_twin(pair, labels):
    counts = dag_f_score(*pair, labels=labels).labelled
    assert (counts.matched_candidate, counts.candidate, counts.reference) == oracle.dag_counts(*pair, labels)
    assert counts.matched_reference == counts.matched_candidate


@given(annotated_twice(), LABELS)
def test_dag_f_score_counts_edges_as_printed(pair, labels):
    counts = dag_f_score(*pair, labels=labels, counted="edges").labelled
    assert counts == MatchCounts(*oracle.edge_counts(*pair, labels))


@given(passages(), passages(), LABELS, st.integers(1, 3), st.sampled_from(["official", "paper"]))
def test_uccasim_as_its_twin(source, corrected, labels, least, behaviour):
    result = uccasim(source, corrected, labels=labels, min_terminals=least, behaviour=behaviour)
    pairs = [tuple(pair) for pair in np.argwhere(align_leaves(source, corrected, behaviour=behaviour)).tolist()]
    back = [(j, i) for i, j in pairs]
    if behaviour == "official":
        kept = oracle.kept_units(source, corrected, pairs, labels, least)
        actual = oracle.kept_units(corrected, source, back, labels, least)
        assert result.counts == (MatchCounts(*actual, *kept),)
    else:
        forward = oracle.equation_9(source, corrected, pairs, labels)
        backward = oracle.equation_9(corrected, source, back, labels)
        assert result.counts == (
            MatchCounts(*forward[1], *forward[0]),
            MatchCounts(*backward[0], *backward[1]),
        )


@given(passages())
def test_a_graph_is_faithful_to_itself(passage):
    assert dag_f_score(passage, passage).labelled.f == 1
    assert uccasim(passage, passage).score == 1
    assert uccasim(passage, passage, behaviour="paper").score == 1
    assert distsim(passage, passage, ["A", "D"]).similarity == 1
    assert distsim(passage, passage, ["H"]).distance == 0


@given(passages(), passages(), LABELS)
def test_uccasim_as_printed_does_not_depend_on_which_graph_is_the_source(one, other, labels):
    there, back = (uccasim(*pair, labels=labels, behaviour="paper") for pair in ((one, other), (other, one)))
    assert there.score == back.score
    assert there.source_to_corrected == back.corrected_to_source


@given(passages(), passages(), st.sampled_from(["official", "paper"]))
def test_a_leaf_has_one_partner_at_most(source, corrected, behaviour):
    leaves = align_leaves(source, corrected, behaviour=behaviour)
    assert leaves.sum(axis=0).max() <= 1
    assert leaves.sum(axis=1).max() <= 1
    assert leaves.shape == (len(source.terminals), len(corrected.terminals))


@given(st.lists(st.sampled_from(["a", "b.", "c?", ".", "d!"])), st.lists(st.sampled_from(["a", "b.", "c?", ".", "d!"])))
def test_sentence_pairs_cover_both_texts(ours, theirs):
    pairs = sentence_pairs(ours, theirs)
    assert [place for span, _ in pairs for place in span] == list(range(len(ours)))
    assert [place for _, span in pairs for place in span] == list(range(len(theirs)))


def simple(categories=("A", "P"), words=("He", "left")):
    units = Unit("1.1"), Unit("1.2", (0,)), Unit("1.3", (1,))
    edges = tuple(Edge(0, n, (c,)) for n, c in enumerate(categories, 1))
    return Passage("1", tuple(map(Terminal, words)), units, edges)


def test_remote_and_implicit_units_apart():
    words = Terminal("He"), Terminal("left")
    units = Unit("1.1"), Unit("1.2", (0,)), Unit("1.3", (1,)), Unit("1.4", implicit=True)
    edges = Edge(0, 1, ("A",)), Edge(0, 2, ("P",)), Edge(2, 1, ("A",), remote=True), Edge(0, 3, ("A",))
    passage = Passage("1", words, units, edges)
    score = dag_f_score(passage, simple())
    assert score.primary == MatchCounts(2, 2, 2, 2)
    assert score.remote == MatchCounts(0, 1, 0, 0)
    assert passage.text_of(2) == "left"  # a remote part is not in the yield


def test_agreement_needs_the_same_words():
    with pytest.raises(InputError, match="got 'left' and 'leaves' at terminal 2"):
        dag_f_score(simple(), simple(words=("He", "leaves")))
    longer = Passage("2", tuple(map(Terminal, "abc")), (Unit("1.1", (0, 1, 2)),), ())
    with pytest.raises(InputError, match="got 2 and 3 of them"):
        dag_f_score(simple(), longer)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"labels": "loose"}, "labels: expected one of weak, strict"),
        ({"behaviour": "optimal"}, "behaviour: expected one of official, paper"),
        ({"min_terminals": 0}, "min_terminals: expected at least 1"),
    ],
)
def test_options_are_checked(wrong, message):
    with pytest.raises(OptionError, match=message):
        uccasim(simple(), simple(), **wrong)
    with pytest.raises(OptionError, match="counted: expected one of units, edges"):
        dag_f_score(simple(), simple(), counted="nodes")


def test_averages_by_group():
    same, other = simple(), simple(("A", "D"))
    pairs = [("1", same, same, "x"), ("2", same, other, "y")]
    result = score_faithfulness(pairs, min_terminals=1)
    assert [(g.group, g.score) for g in result.groups] == [("x", 1.0), ("y", 0.5)]
    assert result.average.score == 0.75
    agreement = score_agreement(pairs)
    assert agreement.total.labelled == MatchCounts(3, 4, 3, 4)
    assert agreement.to_dict()["groups"]["y"]["labelled"]["f"] == 0.5
    for function in (score_faithfulness, score_agreement):
        with pytest.raises(InputError, match="expected at least one pair"):
            function([])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (((), (Unit("1.1"),), ()), "at least one terminal"),
        (((Terminal("a"),), (), ()), "at least one unit"),
        (((Terminal("a"),), (Unit("1.1", (1,)),), ()), "unit 1.1 has a terminal that is not there"),
        (((Terminal("a"),), (Unit("1.1", (0,)),), (Edge(0, 4, ("A",)),)), "expected edges between its 1 units"),
        (((Terminal("a"), Terminal("b")), (Unit("1.1", (0,)),), ()), "got none above 'b', terminal 2"),
        (
            ((Terminal("a"),), (Unit("1.1", (0,)), Unit("1.2"), Unit("1.3")), (Edge(1, 2, "A"), Edge(2, 1, "A"))),
            "expected no cycle, got 1.2 → 1.3 → 1.2",
        ),
    ],
)
def test_graphs_that_are_none(parts, message):
    with pytest.raises(InputError, match=f"passage p: .*{message}"):
        Passage("p", *parts)


def test_remote_edges_may_form_a_cycle():
    """As in passage 904 of the English UCCA corpus: two participants of each other."""
    remote = (Edge(1, 2, ("A",), remote=True), Edge(2, 1, ("A",), remote=True))
    units = Unit("1.1"), Unit("1.2", (0,)), Unit("1.3", (1,))
    passage = Passage("p", (Terminal("a"), Terminal("b")), units, (Edge(0, 1, ("H",)), Edge(0, 2, ("H",)), *remote))
    assert [passage.text_of(unit) for unit in range(3)] == ["a b", "a", "b"]
    assert uccasim(passage, passage).score == 1
    assert dag_f_score(passage, passage).labelled.f == 1


def test_a_deep_graph_is_no_trouble():
    depth = 5000
    units = tuple(Unit(str(u), (0,) if u == depth - 1 else ()) for u in range(depth))
    edges = tuple(Edge(u, u + 1, ("C",)) for u in range(depth - 1))
    assert Passage("deep", (Terminal("a"),), units, edges).yields.all()


def test_passages_of_thousands_of_units_are_refused():
    size = 3001
    units = tuple(Unit(str(place), (0,) if place == size - 1 else ()) for place in range(size))
    edges = tuple(Edge(place, place + 1, ("A",)) for place in range(size - 1))
    chain = Passage("chain", (Terminal("word"),), units, edges)
    for behaviour in ("official", "paper"):
        with pytest.raises(InputError, match="expected at most 9,000,000 pairs of units to compare"):
            uccasim(chain, chain, behaviour=behaviour)

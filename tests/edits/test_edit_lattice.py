"""The lattice as printed: its matrix against RapidFuzz, its best path against the kernel that searches without it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from recte import Edit
from recte.edits import edit_lattice
from searching import count
from strategies import cases, sentences


@given(sentences(), sentences())
def test_the_matrix_holds_distances_of_all_beginnings(source, hypothesis):
    matrix = edit_lattice(" ".join(source), " ".join(hypothesis)).matrix
    for i, row in enumerate(matrix):
        for j, distance in enumerate(row):
            assert distance == Levenshtein.distance(source[:i], hypothesis[:j])


@given(cases(), st.integers(0, 2))
def test_the_best_path_overlaps_with_gold_as_the_search_does(case, unchanged):
    source, hypothesis, gold = case
    lattice = edit_lattice(" ".join(source), " ".join(hypothesis), gold, max_unchanged_words=unchanged)
    tp, _, _ = count(source, hypothesis, gold, behaviour="paper", max_unchanged_words=unchanged)
    assert sum(edge.matched and edge.changes for edge in lattice.path) == tp
    assert [word for edge in lattice.path for word in edge.original.split()] == list(source)
    assert [word for edge in lattice.path for word in edge.correction.split()] == list(hypothesis)


def test_the_papers_figure_2():
    source = "Our baseline system feeds word into PB-SMT pipeline ."
    lattice = edit_lattice(source, source.replace("word", "a word"), [Edit(4, 5, ("a word", "words"))])
    assert len(lattice.edges) == 15
    assert {edge.cost for edge in lattice.edges} == {1, 2, 3, -45}
    assert [(edge.start, edge.end) for edge in lattice.edges if edge.matched] == [((4, 4), (5, 6))]
    assert len(lattice.vertices) == 11

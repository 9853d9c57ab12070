"""Lines of two files that belong together."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from oracles.line_alignment import align_lines as align_slowly
from oracles.line_alignment import is_longest_common
from recte import _kernels
from recte.corpus.text_columns import TextColumn
from recte.evaluation.inputs import GoldFiles
from recte.formats.parallel import read_system
from recte.text.line_alignment import align_lines, common_in_order, describe_length
from shared_data import shared
from untidy_files import UNTIDY_FILES

LINES = st.lists(st.sampled_from(["", "a", "one two three", "one two four", "five six seven eight", "nine ten"]))


@given(LINES, LINES)
def test_pairs_hold_all_lines_in_order(sources, outputs):
    pairs = align_lines(sources, outputs)
    for ends, count in (("source", len(sources)), ("output", len(outputs))):
        places = [at for pair in pairs for at in range(getattr(pair, ends), getattr(pair, f"{ends}_end"))]
        assert places == list(range(count))
    assert all(sum(pair.shape) for pair in pairs)


@given(st.lists(st.integers(0, 9), max_size=9), st.lists(st.integers(0, 9), max_size=9))
def test_common_places_are_as_many_as_can_rise(first, second):
    assert is_longest_common(first, second, common_in_order(first, second))


WORDS = ("the old garden", "a", "he goes home", "never seen before", "\u3000", "", "les cafés", "two fish and more")
LINES_OF_WORDS = st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=9)


@given(LINES_OF_WORDS, LINES_OF_WORDS, st.sampled_from([5, 20, 600]), st.integers(0, 30), st.integers(0, 3))
def test_pairs_are_those_of_the_slow_twin(sources, outputs, prefix, large, widest):
    spans = TextColumn.of(sources).spans, TextColumn.of(outputs).spans
    pairs = _kernels.align_lines(*spans, prefix, large, widest, 2)
    keys = ["".join(text.split()) for text in sources], ["".join(text.split()) for text in outputs]
    fixed = [place for place in common_in_order(*keys) if keys[0][place[0]]]
    assert list(map(tuple, pairs.tolist())) == align_slowly(sources, outputs, fixed, prefix, large, widest)


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("label", {(1, 1): 1312}),
        ("missing line", {(1, 1): 1311, (1, 0): 1}),
        ("line too many", {(1, 1): 1312, (0, 1): 1}),
        ("split lines", {(1, 1): 1293, (1, 2): 19}),
        ("joined lines", {(1, 1): 1268, (2, 1): 22}),
        ("empty lines between", {(1, 1): 1312, (0, 1): 1312}),
    ],
)
def test_lines_of_real_outputs(name, shapes):
    sources = list(read_system(shared("data", "conll14", "source.txt")).outputs)
    outputs = list(read_system(shared("data", "conll14", "systems", "AMU.txt")).outputs)
    pairs = align_lines(sources, UNTIDY_FILES[name](sources, outputs))
    assert Counter(pair.shape for pair in pairs) == shapes


SOURCES = ["He go home now .", "They was very late .", "I likes the old garden .", "We has seen it ."]


def test_lengths_are_described():
    assert describe_length(SOURCES, SOURCES) == ""
    assert describe_length(SOURCES, SOURCES[1:]) == "sentence 1 has no line"
    assert describe_length(SOURCES, [*SOURCES[:2], "Ok!", *SOURCES[2:]]) == "line 3 fits no sentence"
    assert describe_length(SOURCES, [f"{SOURCES[0]} {SOURCES[1]}", *SOURCES[2:]]) == "line 1 holds several sentences"
    parts = [*SOURCES[:3], "We have", "seen it ."]
    assert describe_length(SOURCES, parts) == "sentence 4 stands on several lines"
    assert describe_length(SOURCES, SOURCES[:1]) == ""  # a part of the file
    others = [f"another text of {number} pages" for number in range(9)]
    assert describe_length(SOURCES, others) == ""  # each sentence takes one of them, but most fit nowhere


def test_a_wrong_number_of_hypotheses_says_which():
    with pytest.raises(recte.InputError, match=r"expected 4 hypotheses.*got 3: sentence 2 has no line"):
        recte.score(SOURCES, [SOURCES[0], *SOURCES[2:]], references=[SOURCES])


def test_a_wrong_number_of_lines_says_which(tmp_path):
    for name, lines in (("source", SOURCES), ("mine", [SOURCES[0], *SOURCES[2:]])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    gold = GoldFiles(source=tmp_path / "source", references=(tmp_path / "source",))
    with pytest.raises(recte.InputError, match="got 3: sentence 2 has no line; recte clean brings them in order"):
        list(gold.chunks({"mine": tmp_path / "mine"}, 10))
    with pytest.raises(recte.InputError, match="got 3: sentence 2 has no line"):
        list(
            GoldFiles(source=tmp_path / "source", references=(tmp_path / "mine",)).chunks(
                {"mine": tmp_path / "source"}, 10
            )
        )

"""Marks apart from words and at them, compared with the twin that reads letter by letter."""

from __future__ import annotations

from time import process_time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from oracles.marks import count_marks as slowly
from recte import read_m2
from recte.corpus.text_columns import TextColumn
from recte.evaluation.plausibility.text_oddities import count_marks
from shared_data import shared

SIGNS = "ab1_ ,;.?!()'\t\x1c"


def quickly(texts: TextColumn) -> list[tuple[int, int]]:
    foreign = np.array([not text.isascii() for text in texts], dtype=np.bool_)
    return [(alone, joined) for alone, joined in count_marks(texts, foreign).tolist()]


@given(st.lists(st.text(SIGNS, max_size=12) | st.text(SIGNS + "é。？，", max_size=8), max_size=6), st.randoms())
def test_marks_are_those_of_the_twin(texts, random):
    order = [random.randrange(len(texts)) for _ in texts]
    column = TextColumn.of(texts)
    mixed = TextColumn(column.buffer, column.begins[order], column.ends[order])
    assert quickly(column) == [slowly(text) for text in texts]
    assert quickly(mixed) == [slowly(texts[i]) for i in order]


def test_many_blanks_behind_a_mark_cost_little():
    texts = TextColumn.of(["Well , he goes ." + " " * 1_000_000, "He goes.", " " * 1000])
    begin = process_time()
    assert quickly(texts) == [(2, 0), (0, 1), (0, 0)]
    assert process_time() - begin < 1  # 0.02 s; one step for each blank takes 8 s


def test_marks_of_a_corpus_are_those_of_the_twin():
    texts = TextColumn.of([sentence.text for sentence in read_m2(shared("data", "conll14", "gold.m2"))])
    actual = quickly(texts)
    assert actual == [slowly(text) for text in texts]
    assert sum(alone for alone, _ in actual) > 1000

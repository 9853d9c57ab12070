"""Objects that are compressed in memory, compared with the list that they are made of."""

from __future__ import annotations

import pickle
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte.corpus import packed_items
from recte.corpus.packed_items import PackedItems
from recte.edits.verdicts import JudgedEdit
from recte.evaluation.counting import SentenceTexts

ITEMS = st.one_of(
    st.builds(SentenceTexts, st.text(), st.lists(st.text(), max_size=2).map(tuple), st.text()),
    st.dictionaries(
        st.text(max_size=2), st.tuples(st.builds(JudgedEdit, st.just("missed"), *[st.integers()] * 2, *[st.text()] * 2))
    ),
)


@given(st.lists(st.lists(ITEMS, max_size=9), max_size=4), st.data())
def test_items_are_those_that_were_packed(parts, data):
    before, packed_items._BLOCK = packed_items._BLOCK, 4
    try:
        packed = PackedItems()
        for part in parts:
            packed.extend(iter(part))
        items = [*chain.from_iterable(parts)]
        assert len(packed) == len(items)
        assert list(packed) == items
        assert list(pickle.loads(pickle.dumps(packed))) == items
        for _ in range(3 if items else 0):
            place = data.draw(st.integers(-len(items), len(items) - 1))
            assert packed[place] == items[place]
        part = slice(data.draw(st.integers(-40, 40)), data.draw(st.integers(-40, 40)))
        assert packed[part] == items[part]
        with pytest.raises(IndexError):
            packed[len(items)]
    finally:
        packed_items._BLOCK = before


def test_items_take_less_memory_than_their_pickle():
    texts = [SentenceTexts(f"This is sentence {number} .", ("It is .",), "It was .") for number in range(5000)]
    packed = PackedItems(texts)
    assert sum(map(len, packed._blocks)) < len(pickle.dumps(texts)) / 3

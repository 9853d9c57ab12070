"""Sequences that are made when they are read behave as the tuple of their items."""

from __future__ import annotations

import copy

import pytest

from recte.streamed import Streamed


def squares(calls):
    def make():
        calls.append(1)
        return (number**2 for number in range(5))

    return Streamed(5, make)


def test_each_loop_makes_the_items_until_one_is_asked_for_by_its_place():
    calls = []
    streamed = squares(calls)
    assert len(streamed) == 5
    assert not calls
    assert list(streamed) == list(streamed) == [0, 1, 4, 9, 16]
    assert len(calls) == 2
    assert streamed[-1] == 16
    assert streamed[1:3] == (1, 4)
    assert list(streamed) == [0, 1, 4, 9, 16]
    assert len(calls) == 3
    with pytest.raises(IndexError):
        streamed[5]


def test_it_is_equal_to_a_tuple_and_copied_as_one():
    streamed = squares([])
    assert streamed == (0, 1, 4, 9, 16) == streamed
    assert streamed == squares([])
    assert streamed != (0, 1, 4, 9)
    assert streamed != (0, 1, 4, 9, 17)
    assert streamed != [0, 1, 4, 9, 16]
    assert hash(streamed) == hash((0, 1, 4, 9, 16))
    assert repr(streamed) == "(0, 1, 4, 9, 16)"
    assert isinstance(copy.deepcopy(streamed), tuple)

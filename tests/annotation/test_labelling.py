"""The labelling kernel against its twin, and what it refuses."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.labelling import affix_hashes, best_labels, feature_number
from recte import _kernels
from recte.errors import InputError

LABELS, COLUMNS, TYPES = 3, 2, 4
ALL = np.array([], dtype=np.uint8)
_cells = st.tuples(st.integers(0, COLUMNS - 1), st.integers(-2, 2))
_templates = st.lists(st.lists(_cells, min_size=1, max_size=3), min_size=1, max_size=5)
_small = st.integers(-4, 4)  # so that ties occur


@st.composite
def _cases(draw):
    templates = draw(_templates)
    attributes = draw(st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=2), min_size=5, max_size=5))
    sentences = draw(st.lists(st.lists(st.integers(0, TYPES - 1), max_size=6), min_size=1, max_size=3))
    # Half of the cases have neighbours that are alike, as a source and its correction are.
    if draw(st.booleans()):
        sentences = [item for sentence in sentences for item in (sentence, sentence[1:], [*sentence[:1], *sentence])]
    values = st.lists(st.integers(0, 2), min_size=3, max_size=3)
    weights = {}
    for number, given_values in draw(st.lists(st.tuples(st.integers(0, len(templates) - 1), values), max_size=30)):
        feature = feature_number(number, given_values[: len(templates[number])])
        weights[feature] = draw(st.dictionaries(st.integers(0, LABELS - 1), _small, min_size=1))
    transitions = draw(st.lists(st.lists(_small, min_size=LABELS, max_size=LABELS), min_size=LABELS, max_size=LABELS))
    return templates, attributes, sentences, weights, transitions, draw(st.sampled_from((1, 3, 100)))


def _labeller(templates, weights, transitions, margin):
    rows = [[number for cell in (*item, *((-1, 0),) * (3 - len(item))) for number in cell] for item in templates]
    features = sorted(weights)
    return _kernels.Labeller(
        np.array(rows, dtype=np.int32).ravel(),
        LABELS,
        margin,
        np.array(features, dtype=np.uint32),
        np.array([len(weights[feature]) for feature in features], dtype=np.uint8),
        np.array([label for feature in features for label in weights[feature]], dtype=np.uint8),
        np.array([weight for feature in features for weight in weights[feature].values()], dtype=np.int16),
        np.array(transitions, dtype=np.int32).ravel(),
    )


@given(_cases())
def test_labels_are_those_of_the_best_sequence(case):
    templates, attributes, sentences, weights, transitions, margin = case
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    tokens = np.array([token for sentence in sentences for token in sentence], dtype=np.int32)
    labeller = _labeller(templates, weights, transitions, margin)
    actual = labeller.label(np.array(attributes, dtype=np.uint32).ravel(), COLUMNS, (tokens, offsets), ALL, 2)
    expected = [best_labels(item, attributes, templates, weights, transitions, margin) for item in sentences]
    assert actual.tolist() == [label for labels in expected for label in labels]


@given(_cases(), st.data())
def test_labels_of_some_tokens_are_those_of_the_whole_sentence(case, data):
    templates, attributes, sentences, weights, transitions, margin = case
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    tokens = np.array([token for sentence in sentences for token in sentence], dtype=np.int32)
    size = len(tokens)
    wanted = np.array(data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)), dtype=np.uint8)
    labeller = _labeller(templates, weights, transitions, margin)
    attributes = np.array(attributes, dtype=np.uint32).ravel()
    whole, some = (labeller.label(attributes, COLUMNS, (tokens, offsets), marks, 1) for marks in (ALL, wanted))
    assert some[wanted == 1].tolist() == whole[wanted == 1].tolist()
    assert all(label in (-1, expected) for label, expected in zip(some.tolist(), whole.tolist(), strict=True))


def test_windows_that_were_overwritten_are_computed_again():
    draw, labels, types = random.Random(1), 40, 30
    features = sorted({feature_number(0, [value]) for value in range(types)})
    labeller = _kernels.Labeller(
        np.array([0, 0, -1, 0, -1, 0, 0, -1, 0, 1, -1, 0], dtype=np.int32),  # the second has no weights
        labels,
        1000,
        np.array(features, dtype=np.uint32),
        np.full(types, labels, dtype=np.uint8),
        np.tile(np.arange(labels, dtype=np.uint8), types),
        np.array([draw.randint(-200, 200) for _ in range(types * labels)], dtype=np.int16),
        np.array([draw.randint(-200, 200) for _ in range(labels * labels)], dtype=np.int32),
    )
    attributes = np.arange(types + 1, dtype=np.uint32)
    tokens = np.array([draw.randrange(types) for _ in range(2000)], dtype=np.int32)
    tokens[1000:1500] = tokens[:500]
    together = labeller.label(attributes, 1, (tokens, np.arange(0, 2001, 10)), ALL, 1)
    ends = np.array([0, 10], dtype=np.int64)
    alone = [labeller.label(attributes, 1, (tokens[at : at + 10], ends), ALL, 1) for at in range(0, 2000, 10)]
    assert together.tolist() == np.concatenate(alone).tolist()


def test_marks_must_be_one_for_each_token():
    labeller = _labeller([[(0, 0)]], {}, np.zeros((3, 3)).tolist(), 50)
    text = np.array([0], np.int32), np.array([0, 1], np.int64)
    with pytest.raises(InputError, match="a mark for each token"):
        labeller.label(np.zeros(4, dtype=np.uint32), 2, text, np.zeros(2, np.uint8), 1)


@given(st.lists(st.text(max_size=6), max_size=5))
def test_affixes_are_hashed_by_code_points(words):
    pieces = [word.encode() for word in words]
    offsets = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
    actual = _kernels.affixes(np.frombuffer(b"".join(pieces), dtype=np.uint8), offsets, 2, 3)
    assert actual.tolist() == [affix_hashes(word, 2, 3) for word in words]


def test_threads_change_nothing():
    labeller = _labeller([[(0, 0)], [(0, -1), (1, 1)]], {feature_number(0, [1]): {1: 2}}, np.eye(3).tolist(), 50)
    attributes = np.array([[1, 0], [0, 1], [2, 2]], dtype=np.uint32)
    tokens = np.arange(1000, dtype=np.int32) % 2
    offsets = np.arange(0, 1001, 10, dtype=np.int64)
    item, many = (labeller.label(attributes.ravel(), 2, (tokens, offsets), ALL, threads) for threads in (1, 4))
    assert item.tolist() == many.tolist()


@pytest.mark.parametrize(
    ("tokens", "offsets", "columns"),
    [([0, 9], [0, 2], 2), ([0, -1], [0, 2], 2), ([0, 2], [0, 2], 2), ([0, 1], [0, 3], 2), ([0, 1], [0, 2], 1)],
)
def test_what_points_nowhere_is_refused(tokens, offsets, columns):
    labeller = _labeller([[(1, 0)]], {}, np.zeros((3, 3)).tolist(), 50)
    attributes = np.zeros(6, dtype=np.uint32)  # three types, the last one beyond the ends
    with pytest.raises(InputError, match="expected"):
        labeller.label(attributes, columns, (np.array(tokens, np.int32), np.array(offsets, np.int64)), ALL, 1)

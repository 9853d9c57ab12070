"""Many weightings at once give what scoring the repeated sentences gives, for every metric."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte import Corpus, Counts, Gleu, IMeasure, MaxMatch, read_m2
from recte.corpus.counts import ABSENT
from recte.metrics import Bleu, CharMeaning, Hoo, SentenceAccuracy
from shared_data import shared

SOURCES = ["He go to school .", "I has a apples .", "They is here", "It are .", "No error here ."]
REFERENCES = [
    ["He goes to school .", "I have an apple .", "They are here .", "It is .", "No error here ."],
    ["He went to school .", "I have apples .", "They are here", "It is .", "No errors here ."],
]
OUTPUTS = ["He goes to the school .", "I have a apple .", "They is here .", "It is .", "No error there ."]
METRICS = [
    MaxMatch(),
    MaxMatch(behaviour="optimal", beta=1.0),
    Hoo(),
    IMeasure(),
    IMeasure(behaviour="paper"),
    IMeasure(optimise_level="corpus"),
    IMeasure(optimise_level="corpus", optimise="f"),
    Gleu(draws="expected"),
    Gleu(draws="mean-counts"),
    Gleu(draws="mean-counts", brevity_penalty="inverted"),
    Gleu(only_reference=1),
    Bleu(),
    SentenceAccuracy(),
    CharMeaning(),
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name}-{len(str(metric))}")
@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5).filter(any), min_size=1, max_size=3))
def test_as_if_the_sentences_were_repeated(metric, weights):
    counts = metric.prepare(Corpus.from_references(SOURCES, REFERENCES)).count(OUTPUTS)
    fast = metric.score_many(counts, np.array(weights, dtype=np.int32))
    slow = [metric.score_counts(counts.repeat(np.array(row))).score for row in weights]
    np.testing.assert_allclose(fast, slow, atol=1e-12)


@st.composite
def annotated_counts(draw):
    annotators, sentences = draw(st.integers(1, 4)), draw(st.integers(1, 8))
    rows = np.array(
        draw(
            st.lists(
                st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.booleans()),
                min_size=annotators * sentences,
                max_size=annotators * sentences,
            )
        )
    )
    tp, more_proposed, more_gold, absent = rows.T
    cells = np.stack([tp, tp + more_proposed, tp + more_gold], axis=1)
    there = ~absent.astype(bool).reshape(sentences, annotators)
    there[~there.any(axis=1), 0] = True  # everyone's sentence is somebody's
    return np.where(there[..., None], cells.reshape(sentences, annotators, 3), ABSENT).astype(np.int32)


@given(annotated_counts(), st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from(["official", "optimal"]), st.data())
def test_annotators_are_chosen_again_in_every_weighting(rows, beta, behaviour, data):
    n = len(rows)
    counts = Counts(
        "m2",
        {"behaviour": behaviour},
        "x",
        tuple(map(str, range(rows.shape[1]))),
        rows,
        np.arange(n),
        np.zeros(n, dtype=bool),
        np.zeros(n, dtype=np.uint32),
    )
    weights = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any), min_size=1, max_size=4)
    )
    metric = MaxMatch(beta=beta, behaviour=behaviour)
    fast = metric.score_many(counts, np.array(weights, dtype=np.int32))
    slow = [metric.score_counts(counts.repeat(np.array(row))).score for row in weights]
    np.testing.assert_allclose(fast, slow, atol=1e-12)


def test_on_real_data():
    gold = read_m2(shared("data", "conll14", "gold.m2"))
    outputs = shared("data", "conll14", "systems", "AMU.txt").read_text().splitlines()
    generator = np.random.default_rng(1)
    weights = np.stack([np.bincount(generator.integers(1312, size=1312), minlength=1312) for _ in range(5)])
    for metric in (MaxMatch(), MaxMatch(behaviour="optimal"), IMeasure(), Gleu(draws="expected")):
        counts = metric.prepare(gold).count(outputs)
        slow = [metric.score_counts(counts.repeat(row)).score for row in weights]
        np.testing.assert_allclose(metric.score_many(counts, weights.astype(np.int32)), slow, atol=1e-12)

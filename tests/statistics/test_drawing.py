"""Weights that do not depend on how the sentences are split."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recte import _kernels
from recte.metrics import metric_class
from recte.metrics.gleu import Gleu
from recte.metrics.maxmatch import MaxMatch
from recte.statistics import drawing
from recte.statistics.drawing import Drawing, document_keys
from recte.statistics.intervals import Replicates, Resampling


def counts_of(metric, size):
    from recte import Corpus

    sources = [f"a{i % 7} b c{i % 3} d" for i in range(size)]
    references = [[f"a{i % 7} B c{i % 3} d" for i in range(size)], [f"a{i % 7} b x y d" for i in range(size)]]
    outputs = [references[i % 2][i] if i % 5 else sources[i] for i in range(size)]
    return metric.prepare(Corpus.from_references(sources, references)).count(outputs)


def test_any_part_has_the_weights_it_has_in_the_whole():
    keys = np.arange(5000, dtype=np.uint64)
    whole = _kernels.poisson_weights(keys, 7, 0, 50, 1)
    assert (_kernels.poisson_weights(keys[1234:2345], 7, 0, 50, 2) == whole[:, 1234:2345]).all()
    for first in (1, 4, 6, 11):
        assert (_kernels.poisson_weights(keys, 7, first, 9, 3) == whole[first : first + 9]).all()
    assert (_kernels.poisson_weights(keys, 8, 0, 50, 1) != whole).any()


def test_weights_are_poisson_numbers_and_independent():
    weights = _kernels.poisson_weights(np.arange(20_000, dtype=np.uint64), 12345, 0, 200, 1)
    for k in range(6):
        wanted = math.exp(-1) / math.factorial(k)
        spread = math.sqrt(wanted * (1 - wanted) / weights.size)
        assert abs((weights == k).mean() - wanted) < 5 * spread + 2**-16
    rows = weights.astype(float) - 1
    between = (rows[:-1] * rows[1:]).mean(), (rows[:, :-1] * rows[:, 1:]).mean()
    assert max(map(abs, between)) < 5 / math.sqrt(weights.size)


@pytest.mark.parametrize("metric", [MaxMatch(), Gleu()], ids=["chosen for the corpus", "summed"])
def test_a_large_corpus_is_drawn_by_counters(metric, monkeypatch):
    counts = counts_of(metric, 400)
    usual = Replicates.of(counts, metric, Resampling())
    assert usual.interval().weights is None
    monkeypatch.setattr(drawing, "POISSON_FROM", 300)
    monkeypatch.setattr(drawing, "_BLOCK_CELLS", 100_000)
    drawn = Replicates.of(counts, metric, Resampling())
    interval = drawn.interval()
    assert interval.weights == "poisson"
    assert Resampling().signature(interval) == "ci:percentile95-1000-poisson-seed12345"
    assert abs(interval.low - usual.interval().low) < 0.02
    assert abs(interval.high - usual.interval().high) < 0.02
    whole = np.concatenate(list(Drawing.of(counts, 1000, 12345, None).blocks()))
    assert np.allclose(drawn.values, metric.score_many(counts, whole), rtol=0, atol=1e-12)


def test_sums_of_parts_are_those_of_the_whole(monkeypatch):
    monkeypatch.setattr(drawing, "POISSON_FROM", 1)
    counts = counts_of(metric_class("imeasure")(), 100)
    summands = metric_class("imeasure")().summands(counts)
    parts = [counts.part(slice(0, 37)), counts.part(slice(37, 100))]
    weights = [np.concatenate(list(Drawing.of(part, 20, 1, None).blocks())) for part in parts]
    whole = np.concatenate(list(Drawing.of(counts, 20, 1, None).blocks()))
    assert (weights[0] @ summands[:37] + weights[1] @ summands[37:] == whole @ summands).all()


def test_sentences_of_a_document_share_their_weights(monkeypatch):
    monkeypatch.setattr(drawing, "POISSON_FROM", 10)
    documents = np.array([f"essay {i // 4}" for i in range(80)])
    _, groups = np.unique(documents, return_inverse=True)
    made = Drawing(80, 30, 5, groups.astype(np.int64), document_keys(np.unique(documents)))
    weights = np.concatenate(list(made.blocks()))
    assert (weights[:, ::4] == weights[:, 3::4]).all()
    by_stretch = np.concatenate([block for _, block in made.stretches()], axis=1)
    assert (by_stretch == weights).all()

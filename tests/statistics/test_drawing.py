"""Weights that do not depend on how the sentences are split."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def drawn_sums(rows, present, bounds, draws, step, python3):
    """What `ReferenceDraws` adds up, place by place, with Python's own numbers."""
    sums = np.zeros((draws, rows.shape[2]), dtype=np.int64)
    for draw in range(draws):
        stream = random.Random(draw * step)
        for place, bound in enumerate(bounds):
            if python3:
                while (rank := stream.getrandbits(bound.bit_length())) >= bound:
                    pass
            else:
                rank = int(stream.random() * bound)
            there = rows[place][present[place]]
            if rank < len(there):
                sums[draw] += there[rank]
    return sums


@pytest.mark.parametrize("python3", [False, True])
@given(st.data())
def test_references_are_drawn_alike_in_parts(python3, data):
    size, columns = data.draw(st.integers(1, 400)), data.draw(st.integers(1, 4))
    cells, draws = data.draw(st.sampled_from([1, 3, 10, 12])), data.draw(st.integers(1, 12))
    generator = np.random.default_rng(data.draw(st.integers(0, 1000)))
    present = generator.random((size, columns)) < data.draw(st.sampled_from([0.7, 1.0]))
    rows = np.where(present[..., None], generator.integers(0, 3, (size, columns, cells)), -1).astype(np.int32)
    bounds = np.maximum(1, present.sum(axis=1)).astype(np.int32)
    wanted = drawn_sums(rows, present, bounds.tolist(), draws, 101, python3)
    whole = _kernels.ReferenceDraws(0, draws, int(python3), 101, cells)
    whole.add(rows, np.arange(size + 1), bounds, 2)
    assert (whole.sums() == wanted).all()
    cut = data.draw(st.integers(0, size))
    parts = _kernels.ReferenceDraws(0, draws, int(python3), 101, cells)
    for part in (slice(0, cut), slice(cut, size)):
        parts.add(rows[part].copy(), np.arange(len(rows[part]) + 1), bounds[part].copy(), 1)
    assert (parts.sums() == wanted).all()


def test_draws_refuse_what_does_not_fit():
    rows, bounds = np.ones((2, 2, 3), np.int32), np.full(2, 2, np.int32)
    draws = _kernels.ReferenceDraws(0, 4, 0, 101, 3)
    with pytest.raises(ValueError, match="row_offsets"):
        draws.add(rows, np.arange(2), bounds, 1)
    with pytest.raises(ValueError, match="row_offsets"):
        draws.add(rows, np.array([0, 1, 9]), bounds, 1)
    with pytest.raises(ValueError, match="bounds"):
        draws.add(rows, np.arange(3), bounds - 2, 1)
    with pytest.raises(ValueError, match="rows"):
        draws.add(rows[:, :, :2].copy(), np.arange(3), bounds, 1)
    with pytest.raises(ValueError, match="threads"):
        draws.add(rows, np.arange(3), bounds, 0)
    assert not draws.sums().any()

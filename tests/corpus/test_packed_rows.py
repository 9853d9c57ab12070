"""Rows that are compressed in memory, compared with the arrays that they are made of."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recte
from recte.corpus import packed_rows
from recte.corpus.packed_rows import PackedRows
from recte.formats.counts import read_counts, write_counts
from recte.metrics import metric_class


@st.composite
def row_parts(draw):
    dtype, shape = draw(st.sampled_from([np.int32, np.float64])), draw(st.sampled_from([(1, 1), (2, 3), (1, 2, 4)]))
    generator = np.random.default_rng(draw(st.integers(0, 1000)))
    parts = []
    for size in draw(st.lists(st.integers(0, 30), min_size=1, max_size=5)):
        part = generator.integers(-1, draw(st.sampled_from([3, 300, 2**31 - 1])), (size, *shape)).astype(dtype)
        if dtype is np.float64:
            part[part == -1] = np.nan
        parts.append(part)
    return parts


@given(row_parts(), st.data())
def test_rows_are_those_that_were_packed(parts, data):
    before, packed_rows._BLOCK = packed_rows._BLOCK, 7
    try:
        packed = PackedRows(parts[0])
        for part in parts[1:]:
            packed.append(part)
        rows = np.concatenate(parts)
        assert packed.shape == rows.shape
        assert packed.dtype == rows.dtype
        places = st.integers(-len(rows), len(rows) - 1) if len(rows) else st.nothing()
        mask = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
        for which in (
            slice(None),
            slice(data.draw(st.integers(-40, 160)), data.draw(st.integers(-40, 160))),
            slice(None, None, 3),
            np.array(mask, dtype=np.bool_),
            np.array(data.draw(st.lists(places)), dtype=np.int64),
        ):
            np.testing.assert_array_equal(packed[which], rows[which])
        np.testing.assert_array_equal(np.concatenate([rows[:0], *packed.blocks()]), rows)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(packed))[:], rows)
    finally:
        packed_rows._BLOCK = before


def test_what_is_read_can_be_changed_without_harm():
    packed = PackedRows(np.zeros((3, 1, 1), dtype=np.int32))
    packed[:][:] = 5
    packed[np.array([1])][:] = 5
    assert not packed[:].any()


@pytest.mark.parametrize("name", ["m2", "gleu", "green", "cleme", "cleme2", "imeasure"])
def test_scores_do_not_depend_on_packing(name, tmp_path):
    """Rows as an array, packed, in parts of another size, and from a file."""
    size = 60
    sources = [f"He go to {'school ' * (i % 7)}with {i % 5} dog ." for i in range(size)]
    references = [[f"He goes to {'school ' * (i % 7)}with {i % 5} dogs ." for i in range(size)]]
    references.append([f"He went to {'the school ' * (i % 3)}with a dog ." for i in range(size)])
    outputs = [references[i % 2][i] if i % 3 else sources[i] for i in range(size)]
    metric = metric_class(name)()
    gold = recte.Corpus.from_references(sources, references)
    counts = metric.prepare(gold).count(outputs)
    parts = [metric.prepare(gold[i : i + 11]).count(outputs[i : i + 11]) for i in range(0, size, 11)]
    write_counts(tmp_path / "some.counts", counts)
    weights = np.random.default_rng(1).integers(0, 3, (5, size))
    for other in (recte.merge(parts), read_counts(tmp_path / "some.counts")):
        assert other == counts
        assert metric.score_counts(other) == metric.score_counts(counts)
        assert (metric.score_many(other, weights) == metric.score_many(counts, weights)).all()
        assert (metric.sentence_scores(other) == metric.sentence_scores(counts)).all()


def test_counts_change_their_fields_without_unpacking(monkeypatch):
    gold = recte.Corpus.from_references(["a", "b"], [["A", "B"]])
    counts = recte.merge([recte.MaxMatch().prepare(gold[i : i + 1]).count(["A"]) for i in (0, 1)])
    monkeypatch.setattr(PackedRows, "__getitem__", None)
    renamed = counts.with_fields(system="other")
    assert (renamed.system, len(renamed), renamed.row_shape, renamed.size) == ("other", 2, (1, 3), 6)


@pytest.mark.parametrize("order", ["C", "F"])
def test_wide_rows_are_read_some_at_a_time(tmp_path, monkeypatch, order):
    gold = recte.Corpus.from_references(["a"] * 30, [["b"] * 30])
    counts = metric_class("m2")().prepare(gold).count(["b", "c", "a"] * 10)
    write_counts(tmp_path / "one.counts", counts)
    with np.load(tmp_path / "one.counts") as archive:
        arrays = {name: np.asarray(archive[name], order=order) for name in archive.files}
    with (tmp_path / "two.counts").open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    monkeypatch.setattr("recte.formats.counts._BYTES_TOGETHER", 30)
    assert read_counts(tmp_path / "two.counts") == read_counts(tmp_path / "one.counts") == counts

"""What earlier versions stored is still used: the names of files, the keys and the form of values stay as they are."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from recte.annotation.annotated import Annotated
from recte.annotation.spacy_models import AnnotationCache
from recte.caching.result_cache import results_of, unknown_inputs
from recte.caching.row_cache import cache_bytes

# Written by version 0.2.0: rows of two 32-bit numbers for one text and for a pair, and bytes for two texts together.
STORED = [
    ("3c3abb67a6530e4699a078a7dbf9a040", "0000003f000000c0", 2116020623),
    ("3f6cc6bbe9c595128fd641530b561a8a", "0000803f00004040", 2986902260),
    ("e2159d46d740c8146de206c92610864a", "6d616465", 3978258340),
]
ANNOTATION = (
    "72bad318ff8837b42fd7e77b316f692b",
    "5b5b225642225d2c205b2256455242225d2c205b22676f225d2c205b22524f4f54225d2c205b305d5d",
    1333714367,
)


class Model:
    title, width, rows_dtype = "a model", 2, np.float32
    key = "a model|with options"

    def score_inputs(self, inputs):
        pytest.fail("the model was asked")


def write_database(path, rows):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE checked (key BLOB PRIMARY KEY, value BLOB, checksum INT)")
        values = [(bytes.fromhex(key), bytes.fromhex(value), checksum) for key, value, checksum in rows]
        database.executemany("INSERT INTO checked VALUES (?, ?, ?)", values)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RECTE_NEURAL_CACHE", str(tmp_path))
    write_database(tmp_path / "f3e1b10c3d8d263adb2c9678.sqlite", STORED)
    write_database(tmp_path / "spacy_3_x.sqlite", [ANNOTATION])
    return tmp_path


def test_results_of_models(folder):
    inputs = ["He go .", ("He go .", "He goes .")]
    assert unknown_inputs(Model(), [*inputs, "other"]) == ["other"]
    assert results_of(Model(), inputs).tolist() == [[0.5, -2.0], [1.0, 3.0]]
    assert cache_bytes(Model(), ["a", "b"], lambda: pytest.fail("made again")) == b"made"


def test_annotations(folder):
    stored = AnnotationCache("spacy 3/x", folder).read([("Go",)])
    assert stored == {("Go",): Annotated(("Go",), ("VB",), ("VERB",), ("go",), ("ROOT",), (0,))}

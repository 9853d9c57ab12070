"""Every form that ratings come in, and what is wrong with a file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from recte.errors import InputError, LengthError
from recte.studies.human.rating_files import is_ratings, read_ratings, write_ratings
from recte.studies.human.ratings import Rating, Ratings


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def test_gmegs_table(tmp_path):
    path = written(tmp_path, "fce-segment-scores.csv", "amu,source\n50.25,40\n,\n60,61\n,\n")
    ratings = read_ratings(path)
    assert is_ratings(path)
    assert ratings.systems == ("amu", "source")
    assert ratings.length == 4
    expected = [[50.25, np.nan, 60, np.nan], [40, np.nan, 61, np.nan]]
    np.testing.assert_array_equal(ratings.table(), expected)


def test_score_files_of_mt_metrics_eval(tmp_path):
    path = written(tmp_path, "en-de.mqm.seg.score", "b -1.5\nb\tNone\na   0\na 2\n")
    assert is_ratings(path)
    np.testing.assert_array_equal(read_ratings(path).table(), [[0, 2], [-1.5, np.nan]])


def test_marked_errors_and_several_raters(tmp_path):
    def marked(*scores):
        errors = [{"start": 0, "end": 1, "category": "x", "severity": "minor", "score": s} for s in scores]
        return json.dumps({"errors": errors})

    item = written(tmp_path, "cs.ann.seg.rating", f"a\t{marked(1, 5)}\na\tNone\nb\t{marked()}\nb\t{marked(-1)}\tcid\n")
    two = written(tmp_path, "cs.bob.seg.rating", f"a\t{marked(2)}\tbob\na\t{marked(3)}\tbob\n")
    ratings = read_ratings(item, two)
    assert ratings.raters == ("bob", "cid", "cs.ann")
    np.testing.assert_array_equal(ratings.table(), [[-4, -3], [0, -1]])
    lines = [
        {"segment_id": 1, "system_id": "a", "rater_id": "ann", "errors": [{"start": 0, "end": 1, "score": 5}]},
        {"segment_id": 0, "system_id": "b", "rater_id": "ann", "rating": 7},
    ]
    path = written(tmp_path, "standalone.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    np.testing.assert_array_equal(read_ratings(path).table(), [[np.nan, -5], [7, np.nan]])


@pytest.mark.parametrize("absent", ["sentence", "rater", "system", "rating"])
def test_a_missing_column_is_named(tmp_path, absent):
    columns = [column for column in ("sentence", "rater", "system", "rating") if column != absent]
    path = written(tmp_path, "rated.tsv", "\t".join(columns) + "\n" + "\t".join("1" * 3) + "\n")
    assert is_ratings(path)
    with pytest.raises(InputError, match=rf"rated.tsv:1: expected the columns .*, got none called {absent}"):
        read_ratings(path)


def test_files_by_line_of_different_lengths(tmp_path):
    item = written(tmp_path, "one.seg.score", "a 1\na 2\n")
    two = written(tmp_path, "two.seg.score", "a 1\n")
    with pytest.raises(LengthError, match=r"two.seg.score: expected 2 lines for each system as in .*one.*, got 1"):
        read_ratings(item, two)
    assert read_ratings(item).by_line
    assert read_ratings(item).name == str(item)


def test_our_own_table_comes_back(tmp_path):
    ratings = Ratings.of([Rating(0, "ann", "x", 1.5), Rating(3, "bob", "y", -2.0)])
    write_ratings(tmp_path / "rated.tsv", ratings)
    assert list(read_ratings(tmp_path / "rated.tsv").ratings()) == list(ratings.ratings())


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.csv", "a,b\n1\n", "r.csv:2: expected 2 cells as in the header, got 1"),
        ("r.csv", "a,b\n1,x\n", "r.csv:2: expected a number as rating, got 'x'"),
        ("r.csv", "a,a\n1,2\n", "expected the names of different systems"),
        ("r.csv", "a,b\n,\n", "expected at least one rating, got none"),
        ("r.seg.score", "a 1\na 2\nb 1\n", "expected as many lines for each system, got 2 of a and 1 of b"),
        ("r.seg.score", "a 1 2\n", "r.seg.score:1: expected a system and its score, got 3 columns"),
        ("r.seg.rating", "a\t[]\n", "expected a JSON object, got '[]'"),
        ("r.seg.rating", 'a\t{"errors": [{"start": 1}]}\n', "expected a score for every marked error"),
        ("r.seg.rating", "a\n", "r.seg.rating:1: expected a system, its marked errors and a rater"),
        ("r.jsonl", '{"segment_id": -1, "system_id": "a"}\n', "expected segment_id, a number from 0, got '-1'"),
        ("r.jsonl", '{"segment_id": 1, "system_id": 2}\n', "expected system_id and rater_id as text"),
        ("r.jsonl", '{"segment_id": 1, "system_id": "a", "rating": {}}\n', "expected a list of errors, got none"),
        (
            "r.tsv",
            "sentence\trater\tsystem\trating\n0\ta\tx\t1\n",
            "expected the number of a sentence, from 1, got '0'",
        ),
        ("r.tsv", "sentence\trater\tsystem\trating\n1\ta\tx\n", "r.tsv:2: expected 4 columns as in the header, got 3"),
        ("r.tsv", "sentence\trater\tsystem\trating\n1\ta\tx\tnan\n", "expected a number as rating, got 'nan'"),
        ("r.tsv", "what\n", "r.tsv:1: expected ratings: a table with the columns sentence, rater, system, rating"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, name, text, message):
    with pytest.raises(InputError) as error:
        read_ratings(written(tmp_path, name, text))
    assert message in str(error.value)

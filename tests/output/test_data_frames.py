"""Data frames by what pandas and Polars share, and with each of them where it is installed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import recte
from recte.data_frames import make_data_frame
from recte.errors import OptionError

PLAIN = SimpleNamespace(DataFrame=dict)
GOLD = recte.Corpus.from_references(["He go .", "I am .", "We was ."] * 4, [["He goes .", "I am .", "We were ."] * 4])
OUTPUTS = {"good": ("He goes .", "I am .", "We were .") * 4, "half": ("He goes .", "I is .", "We was .") * 4}


@pytest.fixture(scope="module")
def results():
    systems = [recte.System(name, outputs) for name, outputs in OUTPUTS.items()]
    return recte.evaluate(GOLD, systems, [recte.MaxMatch(), recte.Gleu()])


@pytest.fixture(params=["plain", "pandas", "polars"])
def library(request):
    return PLAIN if request.param == "plain" else pytest.importorskip(request.param)


def column(frame, name):
    return list(frame[name])


def test_scores(results, library):
    frame = results.to_dataframe("scores", library=library)
    assert column(frame, "metric")[:2] == ["m2", "m2"]
    assert column(frame, "score")[:2] == [results.score("m2", name).score for name in OUTPUTS]
    assert column(frame, "interval.low")[0] == results.score("m2", "good").interval["low"]


def test_comparisons(results, library):
    frame = results.to_dataframe("comparisons", library=library)
    assert column(frame, "difference")[0] == results.comparisons["m2"].pairs[0].difference
    assert column(results.comparisons["m2"].to_dataframe(library=library), "first") == ["good"]


def test_sentences_have_texts_and_every_metric(results, library):
    frame = results.to_dataframe("sentences", library=library)
    assert column(frame, "output")[:2] == ["He goes .", "I am ."]
    assert column(frame, "gleu") == [score for name in OUTPUTS for score in results.sentence_scores["gleu"][name]]


def test_edits_have_verdicts(results, library):
    frame = results.to_dataframe("edits", library=library)
    rows = list(zip(*(column(frame, key) for key in ("system", "sentence", "verdict", "original")), strict=True))
    assert rows[0] == ("good", 1, "correct", "go")
    assert ("half", 3, "missed", "was") in rows


def test_a_score_alone(library):
    score = recte.score(GOLD, OUTPUTS["half"], sentences=True)
    assert column(score.to_dataframe(library=library), "precision") == [score.precision]
    frame = score.to_dataframe("sentences", library=library)
    assert column(frame, "sentence") == list(range(1, 13))


def test_rows_that_lack_a_figure_have_none():
    assert make_data_frame([{"a": 1}, {"b": 2}], PLAIN) == {"a": [1, None], "b": [None, 2]}


def test_what_there_are_no_rows_of_is_refused(results):
    with pytest.raises(OptionError, match="rows: expected one of scores, comparisons, sentences, edits"):
        results.to_dataframe("words")


def test_without_a_library_one_is_named(monkeypatch):
    monkeypatch.setattr("recte.data_frames._LIBRARIES", ("no_such_library",))
    with pytest.raises(OptionError, match="needs pandas or polars"):
        make_data_frame([{"a": 1}])


def test_a_library_is_a_module_or_its_name():
    score = recte.score(GOLD, OUTPUTS["half"])
    with pytest.raises(OptionError, match="library: expected one of pandas, polars, got 'numpy'"):
        score.to_dataframe(library="numpy")
    pandas = pytest.importorskip("pandas")
    assert isinstance(score.to_dataframe(library="pandas"), pandas.DataFrame)

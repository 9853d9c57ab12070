"""Sentences with their texts: exports of `score`, where two systems differ most, and several systems explained."""

from __future__ import annotations

import csv
import io
import json

import pytest

from recte.cli import main

pytestmark = pytest.mark.usefixtures("in_sample")
GOLD, HERON, WREN = "sample/gold.m2", "sample/systems/heron.txt", "sample/systems/wren.txt"


def printed(capsys, *words):
    assert main([*words]) == 0
    return capsys.readouterr().out


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def test_texts_and_edits_of_sentences(capsys):
    text = printed(capsys, "score", GOLD, WREN, "-sl", "--edits", "--with-texts", "-f", "csv", "-m", "m2")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["output"] for row in rows] == lines_of(WREN)
    assert rows[1]["edits"] == "○ since → for"
    assert rows[0]["reference 1"] == "Last summer I went to Lisbon with my family ."
    plain = json.loads(printed(capsys, "score", GOLD, WREN, "-sl", "--with-texts", "-f", "json"))
    entry = plain["scores"][0]["sentences"][1]
    assert (entry["source"], entry["output"]) == (rows[1]["source"], rows[1]["output"])
    assert rows[1]["reference 1"] in entry["references"]


def test_texts_need_sentences_and_a_place(capsys):
    for words in (["-f", "csv"], ["-sl"], ["-sl", "-f", "tidy"]):
        assert main(["score", GOLD, WREN, "--with-texts", *words]) == 2
        assert "--with-texts: expected -sl" in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["m2", "gleu"])
def test_where_two_systems_differ_most(capsys, metric):
    printed_json = json.loads(
        printed(capsys, "compare", GOLD, WREN, HERON, "-m", metric, "--sentences", "5", "-f", "json")
    )
    sentences = printed_json["comparisons"][0]["sentences"]
    by_sentence = json.loads(printed(capsys, "score", GOLD, HERON, WREN, "-m", metric, "-sl", "-f", "json"))["scores"]
    heron, wren = ([entry["score"] for entry in score["sentences"]] for score in by_sentence)
    sizes = [abs(first - second) for first, second in zip(heron, wren, strict=True)]
    assert [abs(sentence["difference"]) for sentence in sentences] == sorted(sizes, reverse=True)[:5]
    largest = sentences[0]
    assert largest["difference"] == heron[largest["sentence"] - 1] - wren[largest["sentence"] - 1]
    assert [side["output"] for side in largest["sides"]] == [
        lines_of(path)[largest["sentence"] - 1] for path in (HERON, WREN)
    ]
    assert (largest["sides"][0]["edits"] is None) == (metric == "gleu")
    assert "differ most" in printed(capsys, "compare", GOLD, WREN, HERON, "-m", metric, "--sentences", "5")


def test_more_than_two_systems_are_refused(capsys):
    assert main(["compare", GOLD, WREN, HERON, "sample/systems/magpie.txt", "--sentences", "5"]) == 2
    assert "--sentences: expected two systems, got 3" in capsys.readouterr().err


def test_several_systems_are_explained_together(capsys):
    alone = printed(capsys, "explain", GOLD, HERON, "-n", "7")
    both = printed(capsys, "explain", GOLD, HERON, WREN, "-n", "7")
    assert alone.strip() in both
    assert both.startswith("Sentence 7 · 2 systems · MaxMatch (M²)")
    plain = json.loads(printed(capsys, "explain", GOLD, HERON, WREN, "-n", "7", "-f", "json"))
    assert [each["system"] for each in plain["explanations"]] == ["heron", "wren"]

"""Sentences of a score are written one by one, in every format, and are never all in memory."""

from __future__ import annotations

import io
import json
import pickle
from dataclasses import replace

import pytest

import recte
from recte.output.document import json_pieces
from recte.output.score_tables import sentence_table
from recte.output.spreadsheet import spreadsheet_table
from recte.output.tables import csv_lines, markdown_lines, to_csv
from recte.output.terminal import laid_out, print_table
from recte.output.tidy import tidy_lines
from recte.streamed import Streamed

SIZE = 500
METRIC = recte.MaxMatch()
FORMATS = {
    "csv": lambda score: csv_lines(spreadsheet_table("t", {METRIC: [score]}, sentences=True)),
    "json": lambda score: json_pieces([score]),
    "markdown": lambda score: markdown_lines(sentence_table("t", [score])),
    "text": lambda score: laid_out(sentence_table("t", [score])),
    "tidy": lambda score: tidy_lines([score], {}, ","),
}


class Entry(dict):
    """What a score says of a sentence; knows how many of them there are."""

    alive = most = 0

    def __init__(self, **figures):
        super().__init__(figures)
        Entry.alive += 1
        Entry.most = max(Entry.most, Entry.alive)

    def __del__(self):
        Entry.alive -= 1


@pytest.fixture(scope="module")
def score():
    return METRIC.score(recte.Corpus.from_references(["He go ."] * SIZE, [["He goes ."] * SIZE]), ["He went ."] * SIZE)


@pytest.fixture(scope="module")
def with_sentences(score):
    gold = recte.Corpus.from_references(["He go ."] * SIZE, [["He goes ."] * SIZE])
    return METRIC.score(gold, ["He went ."] * SIZE, sentences=True)


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_keeps_entries(score, name):
    Entry.most = 0
    entries = Streamed(SIZE, lambda: (Entry(sentence=n, score=0.5) for n in range(1, SIZE + 1)))
    pieces = sum(1 for _ in FORMATS[name](replace(score, sentences=entries)))
    assert pieces >= SIZE
    assert 1 <= Entry.most <= 3


@pytest.mark.parametrize("name", FORMATS)
def test_streamed_entries_are_written_as_those_of_a_tuple(with_sentences, name):
    kept = replace(with_sentences, sentences=tuple(with_sentences.sentences))
    streamed_text, kept_text = ("".join(map(str, FORMATS[name](score))) for score in (with_sentences, kept))
    assert streamed_text == kept_text


def test_json_in_pieces_is_what_the_library_writes(with_sentences):
    text = "".join(json_pieces([with_sentences]))
    values = json.loads(text)
    assert values["scores"][0] == json.loads(json.dumps(with_sentences.to_dict()))
    assert json.dumps(values, indent=2, ensure_ascii=False) == text
    assert len(values["scores"][0]["sentences"]) == SIZE
    nothing = "".join(json_pieces([replace(with_sentences, sentences=Streamed(0, lambda: ()))]))
    assert json.loads(nothing)["scores"][0]["sentences"] == []


def test_a_score_is_plain_where_it_is_copied_or_converted(with_sentences):
    assert isinstance(with_sentences.to_dict()["sentences"], list)
    again = pickle.loads(pickle.dumps(with_sentences))
    assert isinstance(again.sentences, tuple)
    assert again == with_sentences
    assert with_sentences.sentences[7]["sentence"] == 8


def test_texts_in_some_entries_have_columns_of_their_own(with_sentences):
    texts = [{"source": "He go .", "output": "He went .", "references": ("a", "b")[: 1 + n % 2]} for n in range(SIZE)]
    entries = tuple({**entry, **more} for entry, more in zip(with_sentences.sentences, texts, strict=True))
    table = spreadsheet_table("t", {METRIC: [replace(with_sentences, sentences=entries)]}, sentences=True, texts=True)
    assert table.headers[-4:] == ("source", "output", "reference 1", "reference 2")
    assert len(table.rows) == SIZE == len(to_csv(table).split("\n")) - 1


def test_a_wide_table_of_sentences_is_broken_in_a_terminal(with_sentences, monkeypatch):
    scores = [replace(with_sentences, system=f"{number} {'x' * 30}") for number in range(4)]
    stream = io.StringIO()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    print_table(sentence_table("t", scores), stream)
    assert stream.getvalue().count("x" * 30) == len(scores)

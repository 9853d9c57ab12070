from __future__ import annotations

import json

import pytest

from recte.errors import InputError
from recte.evaluation.inputs import GoldFiles

ESSAY = {
    "id": "1-1",
    "text": "He go.\n\nI is “fine”.",
    "edits": [[0, [[3, 5, "goes"], [10, 12, None]]], [1, [[10, 12, "am"], [5, 8, "! "], [4, 6, "x"]]]],
}


@pytest.fixture
def files(tmp_path):
    def write(*lines, reading=None):
        path = tmp_path / "train.json"
        path.write_text("".join(f"{line}\n" for line in lines))
        return GoldFiles(gold=path, reading=reading)

    return write


def test_whole_essays(files):
    (sentence,) = files(json.dumps(ESSAY)).sentences()
    assert sentence.id == "1-1"
    assert sentence.text == "He go.\n\nI is “fine”."
    # Of two corrections that overlap, the one that begins first is made.
    assert sentence.references == ("He goes.\n\nI is “fine”.", "He gx\n\nI am “fine”.")


def test_paragraphs(files):
    sentences = list(files(json.dumps(ESSAY), reading="lines").sentences())
    assert [(s.id, s.document, s.text) for s in sentences] == [
        ("1-1:1", "1-1", "He go."),
        ("1-1:2", "1-1", "I is “fine”."),
    ]
    assert [s.references for s in sentences] == [("He goes.", "He gx"), ("I is “fine”.", "I am “fine”.")]


@pytest.mark.parametrize(
    "line",
    ['{"id": 1}', "[]", '{"id": 1, "text": "a", "edits": [[0, [[0, 9, "b"]]]]}', '{"id": 1, "text": 3, "edits": []}'],
)
def test_wrong_lines(files, line):
    with pytest.raises(InputError, match=r"train.json:2: expected an essay with id, text and edits"):
        list(files(json.dumps(ESSAY), line).sentences())

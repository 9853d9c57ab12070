"""The check of words: where it looks, and what it leaves alone."""

from __future__ import annotations

import pytest

import plain_words

CODE = '''"""A door is a metaphor."""
SENTENCE = "He is beside the house ."  # whence it came
def kept_rows(given): found = given
'''


@pytest.fixture
def places(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_words, "ROOT", tmp_path)

    def find(name):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(CODE)
        return {word for _, word in plain_words.find_places(path)}

    return find


def test_names_docstrings_comments_and_messages(places):
    variables = {"a variable named found", "an argument named given"}
    assert places("src/module.py") == {"door", "beside", "house", "whence", "kept_rows"} | variables


def test_strings_of_tests_are_sentences(places):
    assert places("tests/module.py") == {
        "door",
        "whence",
        "kept_rows",
        "a variable named found",
        "an argument named given",
    }


def test_docs_are_read_as_a_whole(places):
    assert places("page.md") == {"door", "beside", "house", "whence", "kept_rows"}

"""Texts of other languages under English rules are a warning that names the options; learners' English is none."""

from __future__ import annotations

import pytest

from recte.cli import main
from recte.evaluation.plausibility.foreign_text import foreign_lines
from shared_data import golden, opened, shared

GERMAN = (
    "Sie gehen jeden Tag in die Schule .",
    "Wir lernen dort viele neue Wörter .",
    "Das macht uns allen Freude .",
) * 2


@pytest.mark.parametrize("language", ["cs", "de", "el", "et", "it", "lt", "lv", "nn", "ru", "sl", "sv", "uk"])
def test_other_languages_are_seen(language):
    with opened(golden(f"multigec/{language}/source.txt")) as stream:
        sighting = foreign_lines(stream.read().splitlines(), 0)
    assert len(sighting.lines) > 0.8 * sighting.of > 0


@pytest.mark.parametrize("file", ["conll14/source.txt", "jfleg/dev.src"])
def test_english_of_learners_is_not(file):
    sighting = foreign_lines(shared(f"data/{file}").read_text(encoding="utf-8").splitlines(), 0)
    assert len(sighting.lines) < 0.01 * sighting.of


def test_english_rules_on_german_are_a_warning_that_names_the_options(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, texts in (("source", GERMAN), ("reference", GERMAN), ("mine", (*GERMAN[:5], "Das machen uns Freude ."))):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    words = ["score", "-s", "source.txt", "-r", "reference.txt", "-i", "mine.txt", "--no-ci"]
    expected = "source: 4 of 6 lines are not English, and English rules find and type their edits: --language and"
    for options, warns in ((("errant",), True), (("m2",), False), (("errant", "--language", "multigec"), False)):
        assert main([*words, "-m", *options]) == 0
        assert (expected in capsys.readouterr().err) == warns
    assert main([*words, "-m", "errant", "--strict"]) == 2
    capsys.readouterr()
    for options, warns in (([], True), (["--language", "multigec"], False)):
        assert main(["extract", "source.txt", "mine.txt", *options]) == 0
        assert (expected in capsys.readouterr().err) == warns

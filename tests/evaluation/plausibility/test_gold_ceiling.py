"""A note says what the gold's own text scores, where the gold's spans are given and those of texts are found."""

from __future__ import annotations

import json

import pytest

from recte.cli import main
from shared_data import shared

GOLD = "S He go to schools .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n{more}\n"
AS_FOUND = "A 3 4|||Nn|||school|||REQUIRED|||-NONE-|||0\n"
WIDER = "A 2 4|||Nn|||to school|||REQUIRED|||-NONE-|||0\n"
UNSURE = "A 0 1|||Um|||?|||REQUIRED|||-NONE-|||0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("He go to school .\n")
    return tmp_path


@pytest.mark.parametrize(
    ("more", "options", "percent"),
    [
        (WIDER, (), "50.00"),
        (AS_FOUND, (), None),
        (WIDER, ("--gold-edits", "extracted"), None),
        (AS_FOUND + UNSURE, (), "90.91"),
    ],
)
def test_the_note(folder, capsys, more, options, percent):
    (folder / "gold.m2").write_text(GOLD.format(more=more))
    assert main(["score", "gold.m2", "mine.txt", "-m", "errant", "--no-ci", *options]) == 0
    printed = capsys.readouterr()
    assert "own text" not in printed.out
    if percent is None:
        assert printed.err == ""
    else:
        assert printed.err.startswith(f"recte: note: gold: its own text scores {percent} by ERRANT, ")
        assert len(printed.err.splitlines()) == 1


def test_metrics_that_search_for_the_golds_spans_have_no_note(folder, capsys):
    (folder / "gold.m2").write_text(GOLD.format(more=WIDER))
    assert main(["score", "gold.m2", "mine.txt", "-m", "m2", "--no-ci"]) == 0
    assert capsys.readouterr().err == ""


def test_in_json_it_is_a_finding_and_no_system(folder, capsys):
    (folder / "gold.m2").write_text(GOLD.format(more=WIDER))
    assert main(["score", "gold.m2", "mine.txt", "-m", "errant", "-q", "-f", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [score["system"] for score in document["scores"]] == ["mine"]
    assert [(f["kind"], f["level"], f["where"]) for f in document["warnings"]] == [("gold-ceiling", "note", "gold")]


def test_systems_whose_edits_are_given_have_no_note(folder, capsys):
    (folder / "gold.m2").write_text(GOLD.format(more=WIDER))
    assert main(["score", "gold.m2", "gold.m2", "-m", "errant", "--no-ci"]) == 0
    assert capsys.readouterr().err == ""


def test_conll14(capsys):
    folder = shared("data/conll14")
    arguments = [str(folder / "gold.m2"), str(folder / "systems/AMU.txt"), "-m", "errant", "--no-ci"]
    assert main(["score", *arguments]) == 0
    assert "its own text scores 79.65 by ERRANT" in capsys.readouterr().err

"""Mistakes that people make: each message ends with the command to type."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from recte.cli import main

METRIC = """import recte

@recte.sentence_metric("mine")
def mine(source, hypothesis, references):
    return 1.0
"""
WREN, HERON = "systems/wren.txt", "systems/heron.txt"
MISTAKES = [
    (f"-hyp {WREN} -ref gold.m2", f"score gold.m2 {WREN} -m errant"),
    (f"score -hyp {WREN} -ref gold.m2 -b 1", f"score gold.m2 {WREN} -m errant --beta 1"),
    (f"score gold.m2 {WREN} -m ERRANT,GLEU", f"score gold.m2 {WREN} -m errant gleu"),
    (f"score -m ERRANT,GLEU gold.m2 {WREN}", f"score gold.m2 {WREN} -m errant gleu"),
    (f"score -m errant gold.m2 {WREN} --no-ci", f"score gold.m2 {WREN} --no-ci -m errant"),
    (f"score -s source.txt -r gold.m2 -i {WREN}", f"score gold.m2 -i {WREN}"),
    (f"score -s source.txt -r gold.m2 {WREN}", f"score gold.m2 {WREN}"),
    (f"score gold.m2 {WREN} --json", f"score gold.m2 {WREN} -f json"),
    (f"compare gold.m2 {WREN} {HERON} --by level", f"score gold.m2 {WREN} {HERON} --by level"),
    (f"score gold.m2 {WREN} -m my_metric.py", f"score gold.m2 {WREN} -m my_metric:mine"),
]


@pytest.fixture
def mistaken(sample):
    lines = [line[2:] for line in Path("gold.m2").read_text().splitlines() if line.startswith("S ")]
    Path("source.txt").write_text("".join(f"{line}\n" for line in lines))
    Path("my_metric.py").write_text(METRIC)


def refused(capsys, command: str) -> str:
    try:
        code = main(shlex.split(command))
    except SystemExit as ended:
        code = ended.code
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (2, 1)
    return error.strip()


@pytest.mark.parametrize(("typed", "wanted"), MISTAKES)
def test_a_message_says_what_to_type(mistaken, capsys, typed, wanted):
    error = refused(capsys, typed)
    assert error.endswith(f"; type: recte {wanted}")
    assert "did you mean" not in error
    assert "--help" not in error


@pytest.mark.parametrize(("typed", "wanted"), MISTAKES)
def test_what_to_type_works(mistaken, capsys, typed, wanted):
    labels = ["--labels", "labels.tsv"] if "--by" in wanted else []
    assert main([*shlex.split(wanted), *labels]) == 0


def test_a_reference_in_place_of_gold_needs_its_source(mistaken, capsys):
    error = refused(capsys, f"score {HERON} {WREN}")
    assert error.endswith(f"; type: recte score -s SOURCE -r {HERON} -i {WREN}")


def test_where_nothing_is_clear_nothing_is_said(mistaken, capsys):
    assert "type:" not in refused(capsys, "score gold.m2 nosuch.txt")
    assert "(recte score --help says more)" in refused(capsys, f"score gold.m2 {WREN} --nosuch")

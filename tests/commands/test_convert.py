"""`recte convert` writes the same files however much of the gold is in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from recte.cli import main
from recte.commands import convert
from recte.formats.m2 import read_m2

TARGETS = ["--to-m2", "a.m2", "--to-jsonl", "a.jsonl", "--to-tsv", "a.tsv", "--to-xml", "a.xml", "--to-source", "a.src"]


def written():
    return {path.name: path.read_bytes() for path in Path().glob("a.*")}


@pytest.mark.parametrize("size", [1, 7])
def test_parts_are_written_as_the_whole(size, sample, monkeypatch, capsys):
    """The second annotator has a line in the first sentences alone."""
    blocks = Path("gold.m2").read_text().strip().split("\n\n")
    fewer = ["\n".join(line for line in block.split("\n") if not line.endswith("|||1")) for block in blocks[9:]]
    Path("fewer.m2").write_text("\n\n".join([*blocks[:9], *fewer]) + "\n\n")
    command = ["convert", "fewer.m2", *TARGETS, "--to-references", "a.r0", "a.r1"]
    assert main(command) == 0
    whole, messages = written(), capsys.readouterr().err
    assert len(whole) == 7
    assert read_m2("a.m2").sentences == read_m2("fewer.m2").sentences
    monkeypatch.setattr(convert, "CHUNK", size)
    assert main(command) == 0
    assert written() == whole
    assert capsys.readouterr().err == messages
    assert "a.tsv: " in messages  # what the format cannot hold is counted over all parts
    back = ["convert", "-s", "a.src", "-r", "a.r0", "a.r1", "--to-m2", "a.m2"]
    assert main(back) == 0
    in_parts = Path("a.m2").read_bytes()
    monkeypatch.setattr(convert, "CHUNK", 10_000)
    assert main([*back[:-1], "b.m2"]) == 0
    assert Path("b.m2").read_bytes() == in_parts


def test_standard_input_is_read_once(sample, monkeypatch):
    with open("gold.m2") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert main(["convert", "-", *TARGETS]) == 0
    once = written()
    assert main(["convert", "gold.m2", *TARGETS]) == 0
    assert written() == once

"""Options that take lists, standard input, and systems that others lend their references to."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from recte.cli import main

HERON, WREN = "systems/heron.txt", "systems/wren.txt"


@pytest.fixture
def sample(sample):
    """With source and references as plain text."""
    main(["convert", "gold.m2", "--to-source", "src.txt", "--to-references", "r0.txt", "r1.txt"])


def refused(capsys, *arguments):
    capsys.readouterr()
    assert main(list(arguments)) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_a_list_option_that_took_the_system_says_so(sample, capsys):
    error = refused(capsys, "score", "-s", "src.txt", "-r", "r0.txt", "r1.txt", HERON)
    assert "-r takes all files behind it as references, got 3 and no system" in error
    assert "expected systems before -r or after -i" in error
    error = refused(capsys, "score", "gold.m2", "--names", "mine", HERON)
    assert f"--names takes all words behind it, got the file '{HERON}'" in error
    error = refused(capsys, "score", "--names", "mine", "gold.m2", HERON)
    assert "--names takes all words behind it, got the file 'gold.m2': put --names after the files" in error
    assert "put -m after the files" in refused(capsys, "score", "gold.m2", "-m", "m2", HERON)
    for arguments in (
        ["-s", "src.txt", HERON, "-r", "r0.txt", "r1.txt"],
        ["-s", "src.txt", "-r", "r0.txt", "-i", HERON],
    ):
        assert main(["score", *arguments, "-b"]) == 0


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_waiting_for_standard_input_is_announced_on_a_terminal(sample, capsys, monkeypatch):
    content = Path(HERON).read_bytes()
    monkeypatch.setattr("sys.stdin", Terminal(io.BytesIO(content)))
    assert main(["score", "gold.m2", "-b"]) == 0
    assert "recte: reading standard input (end with Ctrl-D" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["score", "gold.m2", "-b"]) == 0
    assert capsys.readouterr().err == ""


def test_references_of_another_system_wherever_a_metric_is_computed(sample, capsys):
    pytest.importorskip("vl_convert")
    wanted = ["-m", "imeasure", "--references-of", "wren"]
    assert main(["score", "gold.m2", HERON, WREN, *wanted, "-f", "json"]) == 0
    heron = json.loads(capsys.readouterr().out)["scores"][0]
    assert "references_of:wren" in heron["signature"]
    assert main(["report", "gold.m2", HERON, WREN, *wanted, "-o", "page.html", "-q"]) == 0
    assert "references_of:wren" in Path("page.html").read_text()
    assert main(["explain", "gold.m2", HERON, WREN, *wanted, "-n", "7"]) == 0
    explained = capsys.readouterr().out
    assert "heron" in explained
    assert "1 reference(s) tried" in explained
    assert main(["count", "gold.m2", HERON, WREN, *wanted, "-o", "h.counts", "-q"]) == 0
    capsys.readouterr()
    assert main(["score", "h.counts", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"][0]["score"] == heron["score"]
    assert "--references-of: expected one of the systems heron" in refused(capsys, "score", "gold.m2", HERON, *wanted)


def test_threads_are_obeyed_for_few_sentences_too(monkeypatch):
    from recte.threads import thread_count

    monkeypatch.setenv("RECTE_THREADS", "8")
    assert [thread_count(items) for items in (0, 1, 5, 8, 1000)] == [1, 1, 5, 8, 8]

"""Tokens of one metric alone: `--m2-tokens`."""

from __future__ import annotations

import json

import pytest

from recte.cli import main

GOLD = "S 我 是 是 学生 。\nA 1 3|||R|||是|||REQUIRED|||-NONE-|||0\nA 3 4|||R|||老师|||REQUIRED|||-NONE-|||0\n\n"
OUTPUT = "我 是 老 师 。\n"
METRICS = ["m2", "sentence-accuracy", "char-bleu", "gleu"]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "gold.m2").write_text(GOLD * 6, "utf-8")
    (tmp_path / "wren").write_text(OUTPUT * 6, "utf-8")
    return [str(tmp_path / "gold.m2"), str(tmp_path / "wren")]


def scores(capsys, *words):
    assert main([*words, "-f", "json", "-q"]) == 0
    return {entry["metric"]: entry for entry in json.loads(capsys.readouterr().out)["scores"]}


def test_one_metric_is_scored_as_by_tokens_and_the_others_as_without(files, capsys):
    command = ["score", *files, "-m", *METRICS, "--no-ci"]
    uncut, cut = scores(capsys, *command), scores(capsys, *command, "--tokens", "characters")
    mixed = scores(capsys, *command, "--m2-tokens", "characters")
    assert mixed == uncut | {"m2": cut["m2"]}
    assert mixed["m2"] != uncut["m2"]
    assert "|tokens:characters|" in mixed["m2"]["signature"]
    assert "|tokens:given|" in mixed["gleu"]["signature"]


def test_several_metrics_have_their_own_tokens(files, capsys):
    command = ["score", *files, "-m", *METRICS, "--no-ci", "--tokens"]
    jieba = pytest.importorskip("jieba", reason="needs the extra chinese") and scores(capsys, *command, "jieba")
    characters = scores(capsys, *command, "characters")
    mixed = scores(capsys, *command[:-1], "--m2-tokens", "jieba", "--gleu-tokens=characters")
    assert (mixed["m2"], mixed["gleu"]) == (jieba["m2"], characters["gleu"])


def test_counts_and_comparisons_take_them_too(files, tmp_path, capsys):
    counts = str(tmp_path / "wren.counts")
    assert main(["count", *files, "--m2-tokens", "characters", "-o", counts]) == 0
    capsys.readouterr()
    from_texts = scores(capsys, "score", *files, "--m2-tokens", "characters", "--no-ci")
    assert scores(capsys, "score", counts, "--no-ci") == from_texts
    assert (
        main(["compare", *files, files[1], "--names", "a", "b", "-m", "m2", "gleu", "--m2-tokens", "characters"]) == 0
    )
    assert "tokens:characters" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--gleu-tokens", "characters"], "--gleu-tokens: expected gleu among the metrics m2"),
        (["--m2-tokens", "words"], "tokens: expected one of given, treebank"),
        (["--m2-tokens", "characters", "--tokens", "jieba"], "--m2-tokens: expected no --tokens with it"),
    ],
)
def test_what_cannot_be_is_refused(files, capsys, flags, message):
    assert main(["score", *files, "-m", "m2", *flags]) == 2
    assert message in capsys.readouterr().err


def test_commands_that_show_texts_have_no_such_flag(files, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["report", *files, "--m2-tokens", "characters", "--to", "page.html"])
    assert "'--m2-tokens'; did you mean --tokens?" in capsys.readouterr().err


def test_counts_files_were_cut_already(files, tmp_path, capsys):
    counts = str(tmp_path / "wren.counts")
    assert main(["count", *files, "-o", counts]) == 0
    assert main(["score", counts, "-m", "m2", "--m2-tokens", "characters"]) == 2
    assert "--m2-tokens: expected texts, got counts files" in capsys.readouterr().err

"""Words of raw English text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte.cli import main
from recte.text.english_words import words_13a

_TEXT = st.text(st.sampled_from("ab 019.,-'\"&;()[]{}<>/?!:@#$%^*_+=`~|\\\u00e9\u4f60") | st.characters(), max_size=40)


@given(_TEXT | st.lists(st.sampled_from(["&quot;", "&amp;", "<skipped>", "1.5", "a.", "-\n", " "])).map("".join))
def test_13a_is_that_of_sacrebleu(text):
    tokenizer = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    assert words_13a(text) == tokenizer(text).split()


@pytest.mark.parametrize("tokens", ["treebank", "13a"])
def test_raw_text_is_scored_in_words(tokens, tmp_path, capsys):
    texts = {
        "source": 'It don\'t works.\nHe said, "go".',
        "reference": 'It doesn\'t work.\nHe said, "go".',
        "out": 'It doesn\'t work .\nHe said , "go" .',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n")
    files = ["-s", str(tmp_path / "source"), "-r", str(tmp_path / "reference"), "-i", str(tmp_path / "out")]
    assert main(["score", *files, "--tokens", tokens, "-b"]) == 0
    assert capsys.readouterr().out == "100.00\n"
    assert main(["score", *files, "--tokens", tokens]) == 0
    printed = capsys.readouterr()
    assert f"|tokens:{tokens}|" in printed.out
    assert printed.err == ""
    assert main(["score", *files, "-b"]) == 0
    assert capsys.readouterr().out != "100.00\n"


def test_gold_edits_stay_in_their_tokens(tmp_path, capsys):
    (tmp_path / "gold.m2").write_text("S a b\nA 0 1|||X|||y|||REQUIRED|||-NONE-|||0\n")
    (tmp_path / "out").write_text("a b\n")
    assert main(["score", str(tmp_path / "gold.m2"), str(tmp_path / "out"), "--tokens", "13a"]) == 2
    assert capsys.readouterr().err.startswith("recte: tokens 13a: expected raw text with references, got gold edits")

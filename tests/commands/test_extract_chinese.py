"""`recte extract --language zh`: files in, ChERRANT's M2 out, and what is refused."""

from __future__ import annotations

import pytest

from cherrant_cases import LISTS, text_of
from recte import Corpus
from recte.cli import main
from recte.extraction.extract import extract
from recte.extraction.zh.extractor import extract_chinese
from shared_data import shared

BLOCKS = """S 我 喜 换 你
T0-A0 我 很 喜 欢 你
A 1 1|||M|||很|||REQUIRED|||-NONE-|||0
A 2 3|||S|||欢|||REQUIRED|||-NONE-|||0
T1 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S 他 好
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0
T1-A0 他 们 好
A 1 1|||M|||们|||REQUIRED|||-NONE-|||1

"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.para").write_text(
        "1\t我喜换你\t我很喜歡你\t没有错误\n2\t他好\t无法标注\t他们好\n", encoding="utf-8"
    )
    (tmp_path / "source.txt").write_text("我喜换你\n他好\n", encoding="utf-8")
    (tmp_path / "one.txt").write_text("我很喜欢你\n无法标注\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("我喜换你\n他们 好\n", encoding="utf-8")
    return tmp_path


def printed(capsys, *arguments):
    assert main(["extract", "--language", "zh", *arguments]) == 0
    return capsys.readouterr().out


def test_three_ways_to_the_same_file(folder, capsys):
    assert printed(capsys, "gold.para") == BLOCKS
    assert printed(capsys, "source.txt", "one.txt", "two.txt") == BLOCKS
    (folder / "gold.m2").write_text(BLOCKS, encoding="utf-8")
    assert printed(capsys, "gold.m2") == BLOCKS
    assert printed(capsys, "gold.para", "--to", "out.m2") == ""
    assert (folder / "out.m2").read_text(encoding="utf-8") == BLOCKS


def test_published_files_to_the_byte(tmp_path, capsys):
    lists = str(shared(*LISTS))
    (tmp_path / "references.m2").write_text(text_of("m2", "nlpcc18.references.m2.gz"), encoding="utf-8")
    again = printed(capsys, str(tmp_path / "references.m2"), "--lists", lists, "--no-simplify")
    assert again == text_of("m2", "nlpcc18.references.m2.gz")


def test_words(folder, capsys):
    pytest.importorskip("pypinyin")
    (folder / "words.txt").write_text("他 喜换 书\n", encoding="utf-8")
    (folder / "corrected.txt").write_text("他 喜欢 书\n", encoding="utf-8")
    plain = printed(capsys, "words.txt", "corrected.txt", "--granularity", "words", "--ties", "first")
    assert "A 1 2|||S:SPELL|||喜欢|||" in plain
    pytest.importorskip("jieba")
    cut = printed(capsys, "words.txt", "corrected.txt", "--granularity", "words", "--words", "jieba")
    assert cut.split("\n")[0].replace(" ", "") == "S他喜换书"
    assert "A " in cut


def test_in_python():
    corpus = Corpus.from_references(["我喜换你"], [["我很喜欢你"]])
    made = extract(corpus, language="zh")
    assert made[0].id == "1"
    assert [edit.type for edit in made[0].annotations[0].edits] == ["M", "S"]
    assert extract_chinese(made)[0].annotations == made[0].annotations


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["source.txt", "empty.txt"],
            "expected a corrected text or 没有错误 for each source, got an empty one for senten",
        ),
        (["source.txt"], "extract: expected corrected texts behind the source, got none"),
        (["gold.para", "one.txt"], "extract: expected an M2 file alone (Chinese: or .para)"),
        (
            ["gold.para", "--merging", "split"],
            "merging: expected an option of the language zh (granularity, words, lists, simplify, ties), got 'split'",
        ),
        (["gold.para", "--words", "jieba"], "words, annotations: expected them with --granularity words alone"),
        (["gold.para", "--lists", "nowhere"], "nowhere: expected a folder with cilin.txt"),
        (["short.txt", "one.txt"], "one.txt:2: expected 1 lines, one for each sentence of short.txt, got 2"),
    ],
)
def test_bad_input_is_one_line(folder, capsys, arguments, message):
    (folder / "empty.txt").write_text("我很喜欢你\n\n", encoding="utf-8")
    (folder / "short.txt").write_text("我喜换你\n", encoding="utf-8")
    assert main(["extract", "--language", "zh", *arguments, "--to", "out.m2"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (folder / "out.m2").exists()


def test_chinese_flags_need_chinese(folder, capsys):
    assert main(["extract", "source.txt", "one.txt", "--ties", "first"]) == 2
    assert "ties: expected an option of the language en (alignment, merging, edits, " in capsys.readouterr().err

"""Spelling-check files: tables, SIGHAN's texts and answers, and what is wrong with them."""

from __future__ import annotations

import pytest

from recte import InputError
from recte.cli import main
from recte.formats.spelling import is_sighan_answers, is_spelling_table, read_sighan, read_spelling_table


@pytest.fixture
def sighan(tmp_path):
    texts, answers = tmp_path / "input.txt", tmp_path / "truth.txt"
    texts.write_text("(NID=B2-0001-1)\t我今天很高心。\nB2-0002-1\t他是我的朋友。\n", encoding="utf-8")
    answers.write_text("B2-0001-1, 6, 興\nB2-0002-1, 0\n", encoding="utf-8")
    return texts, answers


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_and_answers(sighan):
    corpus = read_sighan(*sighan)
    assert [s.id for s in corpus] == ["B2-0001-1", "B2-0002-1"]
    assert [s.references for s in corpus] == [("我今天很高興。",), ("他是我的朋友。",)]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("B2-0001-1, 6, 興\nB2-0003-1, 0\n", "truth.txt:2: expected the answer for B2-0002-1, got that for B2-0003-1"),
        (
            "B2-0001-1, 9, 興\nB2-0002-1, 0\n",
            "truth.txt:1: expected places within the 7 characters of B2-0001-1, got 9",
        ),
        ("B2-0001-1, 6\nB2-0002-1, 0\n", "truth.txt:1: expected an id, then places and characters in turn, or 0"),
        ("B2-0001-1, 6, 興\n", "truth.txt:1: expected 2 lines, one for each sentence of"),
    ],
)
def test_answers_that_do_not_fit(sighan, answers, message):
    texts, path = sighan
    with pytest.raises(InputError, match=message):
        read_sighan(texts, write(path, answers))


def test_systems_may_give_answers_too(sighan, tmp_path, capsys):
    texts, truth = sighan
    system = write(tmp_path / "mine.txt", "B2-0001-1, 6, 兴\nB2-0002-1, 0\n")
    assert is_sighan_answers(system)
    assert (
        main(["score", str(system), "-s", str(texts), "-r", str(truth), "-m", "csc", "-b", "--task", "detection"]) == 0
    )
    assert capsys.readouterr().out == "100.00\n"
    wrong = write(tmp_path / "other.txt", "B2-0002-1, 0\nB2-0001-1, 0\n")
    assert main(["score", str(wrong), "-s", str(texts), "-r", str(truth), "-m", "csc"]) == 2
    assert "other.txt:1: expected the answer for B2-0001-1, got that for B2-0002-1" in capsys.readouterr().err


def test_tables(tmp_path, capsys):
    two = write(tmp_path / "two.tsv", "我今天很高心\t我今天很高兴\n天气好\t天气好\n")
    assert is_spelling_table(two)
    assert [s.references[0] for s in read_spelling_table(two)] == ["我今天很高兴", "天气好"]
    three = write(tmp_path / "three.tsv", "1\t我今天很高心\t我今天很高兴\n0\t天气好\t天气好\n")
    assert [s.text for s in read_spelling_table(three)] == ["我今天很高心", "天气好"]
    system = write(tmp_path / "mine.txt", "我今天很高兴\n天汽好\n")
    assert main(["score", str(two), str(system), "-m", "csc", "--conventions"]) == 0
    printed = capsys.readouterr().out
    assert "mine by every convention" in printed
    assert "sighan-sets" in printed
    assert main(["score", str(two), str(system), "-m", "m2", "--conventions"]) == 2
    assert "--conventions: none of the metrics has it; csc does" in capsys.readouterr().err


def test_words_stand_to_the_left_and_are_broken_not_cut(tmp_path, capsys):
    gold = write(tmp_path / "two.tsv", "我今天很高心\t我今天很高兴\n天气好\t天气好\n")
    system = write(tmp_path / "mine.txt", "我今天很高兴\n天汽好\n")
    assert main(["score", str(gold), str(system), "-m", "csc", "--conventions", "-f", "markdown"]) == 0
    assert "| --- | ---: | ---: | --- | --- |" in capsys.readouterr().out
    assert main(["score", str(gold), str(system), "-m", "csc", "--conventions"]) == 0
    starts = {line.find(w) for line in capsys.readouterr().out.splitlines() for w in ("SIGHAN", "Wang") if w in line}
    assert len(starts) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "甲乙丙\t甲乙\n",
            "bad.tsv:1: expected a gold text of 3 characters, as in its source '甲乙丙', got 2 in '甲乙'",
        ),
        ("1\t2\t甲\t甲\n", "bad.tsv:1: expected 2 or 3 columns, source and gold last, got 4"),
    ],
)
def test_a_first_line_that_does_not_fit_is_said_of_the_table(tmp_path, capsys, text, message):
    gold = write(tmp_path / "bad.tsv", text)
    assert main(["score", str(gold), str(write(tmp_path / "mine.txt", "甲\n")), "-m", "csc"]) == 2
    assert message in capsys.readouterr().err


def test_tables_that_do_not_fit(tmp_path):
    with pytest.raises(
        InputError, match=r"long.tsv:2: expected a gold text of 3 characters, as in its source '甲乙丙'"
    ):
        read_spelling_table(write(tmp_path / "long.tsv", "甲乙\t甲乙\n甲乙丙\t甲乙\n"))
    with pytest.raises(InputError, match=r"ragged.tsv:2: expected 2 columns, source and gold last, got 3"):
        read_spelling_table(write(tmp_path / "ragged.tsv", "甲乙\t甲乙\n1\t甲\t甲\n"))

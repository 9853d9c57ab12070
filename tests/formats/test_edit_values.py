"""Weights, verdicts and tables of difficulty in files."""

from __future__ import annotations

import pytest

from recte import Corpus, InputError, MaxMatch, OptionError
from recte.cli import main
from recte.edits.difficulty import Difficulty
from recte.edits.edit_context import EditInContext, EditKey
from recte.formats import edit_values
from recte.formats.edit_values import read_difficulty, read_edit_verdicts, read_edit_weights, write_difficulty
from recte.metrics.goto import Goto

HEADER = "sentence\tstart\tend\tcorrection\t"

TABLES = {
    "edit_weights": (MaxMatch, edit_values.load_edit_weights, f"{HEADER}weight\n1\t1\t2\tgoes\t2\n"),
    "edit_verdicts": (MaxMatch, edit_values.load_edit_verdicts, f"{HEADER}verdict\n1\t1\t2\tgoes\tvalid\n"),
    "difficulty": (Goto, edit_values.load_difficulty, "1\n1 1 1 1 1\n"),
}


@pytest.mark.parametrize("option", TABLES)
def test_a_file_that_is_not_read_yet_is_refused_with_what_reads_it(option, tmp_path):
    metric_type, load, text = TABLES[option]
    path = tmp_path / "table.tsv"
    path.write_text(text)

    def score():
        return metric_type(**{option: str(path)}).score(Corpus.from_edits(["He go"], [[[]]]), ["He goes"])

    with pytest.raises(OptionError) as refused:
        score()
    call = f"recte.formats.edit_values.{load.__name__}({str(path)!r})"
    assert str(refused.value) == f"{option}: expected a file that has been read; first call {call}"
    load(str(path))
    assert score()


def test_weights(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text(HEADER + "weight\n2\t0\t1\ta  b\t0.25\n2\t3\t3\t\t2\n")
    table = read_edit_weights(path)
    assert table.name.startswith("mine-")
    assert table.weights == {EditKey(1, 0, 1, "a b"): 0.25, EditKey(1, 3, 3, ""): 2.0}
    known, unknown = EditInContext(1, ("x",), 0, 1, "a b"), EditInContext(0, ("x",), 0, 1, "a b")
    assert table([known, unknown]) == [0.25, 1.0]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1\t0\t1\ta\t-1\n", "mine.tsv:2: expected a number of 0 or more, got '-1'"),
        ("0\t0\t1\ta\t1\n", "mine.tsv:2: expected a sentence from 1 and offsets in order, got '0 0 1'"),
        ("1\t2\t1\ta\t1\n", "mine.tsv:2: expected a sentence from 1 and offsets in order"),
        ("1\t0\t1\ta\t1\n1\t0\t1\ta\t2\n", "mine.tsv:3: expected one weight of an edit, got 2.0 after 1.0"),
        ("1\t0\t1\n", "mine.tsv:2: expected 5 columns as in the header, got 3"),
    ],
)
def test_weights_that_do_not_fit(tmp_path, rows, message):
    path = tmp_path / "mine.tsv"
    path.write_text(HEADER + "weight\n" + rows)
    with pytest.raises(InputError, match=message):
        read_edit_weights(path)


def test_verdicts(tmp_path):
    path = tmp_path / "judge.tsv"
    path.write_text(HEADER + "verdict\n1\t0\t1\ta\tvalid\n")
    assert read_edit_verdicts(path)([EditInContext(0, ("x",), 0, 1, "a")]) == ["valid"]
    path.write_text(HEADER + "verdict\n1\t0\t1\ta\tfine\n")
    with pytest.raises(InputError, match=r"judge.tsv:2: expected one of valid, better, wrong, unjudged, got 'fine'"):
        read_edit_verdicts(path)
    path.write_text(HEADER + "weight\n1\t0\t1\ta\t1\n")
    with pytest.raises(InputError, match=r"judge.tsv:1: expected a column 'verdict'"):
        read_edit_verdicts(path)


def test_difficulty(tmp_path):
    path = tmp_path / "table.txt"
    write_difficulty(path, Difficulty("", 4, ((4, 0, 1), (3,))))
    assert path.read_text() == "4\n4 0 1\n3\n"
    assert read_difficulty(path).counts == ((4, 0, 1), (3,))
    for text, message in (
        ("", "expected the number of systems and a line for each sentence, got an empty file"),
        ("x\n", "table.txt:1: expected whole numbers, got 'x'"),
        ("1 2\n", "table.txt:1: expected the number of systems, got '1 2'"),
        ("4\n5\n", "table.txt:2: expected numbers from 0 to 4"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_difficulty(path)


@pytest.fixture
def files(tmp_path):
    gold = tmp_path / "gold.m2"
    gold.write_text("S He go home .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n\n")
    for name, text in (("a", "He goes home ."), ("b", "He go home .")):
        (tmp_path / f"{name}.txt").write_text(text + "\n")
    return tmp_path


def test_difficulty_is_saved_and_used_again(files, capsys):
    gold, a, b, table = (str(files / name) for name in ("gold.m2", "a.txt", "b.txt", "table.txt"))
    assert main(["difficulty", gold, a, b, "--to", table]) == 0
    assert "SVA" in capsys.readouterr().out
    assert main(["score", gold, a, b, "-m", "goto", "-b"]) == 0
    together = capsys.readouterr().out
    assert main(["score", gold, a, "-m", "goto", "-b", "--difficulty", table]) == 0
    assert capsys.readouterr().out == together.splitlines(keepends=True)[0]
    assert main(["score", gold, a, "-m", "goto"]) == 2
    assert "expected two systems at least to measure difficulty by, got 1" in capsys.readouterr().err
    assert main(["difficulty", gold]) == 2
    assert "expected two systems at least" in capsys.readouterr().err

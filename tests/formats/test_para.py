"""ChERRANT's parallel format: its marks, bad lines, and the figures on MuCGEC."""

from __future__ import annotations

import pytest

from recte import InputError
from recte.cli import main
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.formats import read_para
from recte.formats.para import iterate_para
from recte.metrics import CharBleu, CharMeaning, SentenceAccuracy
from shared_data import golden_json, shared


def written(folder, text, name="gold.para"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_marks(tmp_path):
    path = written(tmp_path, "\ufeff7\t我好\t没有错误\t我很好\r\n8\t乱\t无法标注\n9\t和。\t和[缺失成分]。\n")
    assert [(s.id, s.references, s.scored) for s in iterate_para(path)] == [
        ("7", ("我好", "我很好"), True),
        ("8", (), False),
        ("9", ("和[缺失成分]。",), True),
    ]
    assert [s.id for s in read_para(path)] == ["7", "9"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t我好\n", r"gold\.para:1: expected id, source and references, separated by tabs, got 2 fields"),
        ("1\t我\t你\n2\t我\t\n", r"gold\.para:2: expected at least one reference after the source"),
        ("", r"gold\.para:1: expected at least one sentence, got an empty file"),
    ],
)
def test_bad_lines(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_para(written(tmp_path, text))


def test_a_sentence_that_cannot_be_annotated_is_left_out_of_systems_too(tmp_path, capsys):
    gold = written(tmp_path, "1\t乱\t无法标注\n2\t我好\t我很好\n")
    system = written(tmp_path, "我不乱\n我很好\n", "mine.txt")
    assert main(["score", str(gold), str(system), "-m", "sentence-accuracy", "-b"]) == 0
    assert capsys.readouterr().out == "100.00\n"
    other = written(tmp_path, "1\t乱\t乱\n2\t你好\t你很好\n", "other.para")
    assert main(["score", str(gold), str(other)]) == 2
    assert "expected an output for sentence 2, '我好', got one for '你好'" in capsys.readouterr().err


def test_nothing_to_score(tmp_path, capsys):
    gold, system = written(tmp_path, "1\t乱\t无法标注\n"), written(tmp_path, "乱\n", "mine.txt")
    assert main(["score", str(gold), str(system)]) == 2
    assert "expected at least one sentence that can be scored, got none" in capsys.readouterr().err


def test_metrics_on_mucgec():
    golden = golden_json("chinese/lin2022_metrics_on_real_data.json")
    expected = golden["mucgec_dev/example_pred"]
    gold = GoldFiles(gold=shared("data", "chinese", "mucgec", "dev.para"))
    files = {"system": shared("data", "chinese", "mucgec", "system.para")}
    corpus, (system,) = read_corpus_and_systems(gold, files)
    assert len(corpus) == expected["n"]
    assert SentenceAccuracy().score(corpus, system).correct == expected["acc_count"]
    assert CharBleu().score(corpus, system).score == pytest.approx(expected["bleu_corpus"], abs=1e-12)
    meaning = CharMeaning().score(corpus, system)
    assert meaning.mp == pytest.approx(expected["MP_bag"]["MP"], abs=1e-12)
    assert meaning.mp_average == pytest.approx(expected["MP_bag"]["MP_avg_pairs"], abs=1e-12)
    assert meaning.score == pytest.approx(expected["MP_bag"]["MPprime_pairs"], abs=1e-12)

from __future__ import annotations

import pytest

import recte
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.formats.essays import read_essays
from recte.inputs import GoldFiles, read_corpus_and_system, read_outputs_for

SOURCE = "a preface\n### essay_id = 1\nHe go.\n\nI is.\n\n### essay_id = x y\nFine.\n"
FIRST = "### essay_id = 1\nHe goes.\n\nI am.\n\n### essay_id = x y\nFine.\n"
SECOND = "### essay_id = x y\nQuite fine.\n"


@pytest.fixture
def gold(tmp_path):
    for name, text in (("orig", SOURCE), ("ref1", FIRST), ("ref2", SECOND)):
        (tmp_path / f"{name}.md").write_text(text)

    def files(reading=None, references=("ref1", "ref2")):
        paths = tuple(tmp_path / f"{name}.md" for name in references)
        return GoldFiles(source=tmp_path / "orig.md", references=paths, reading=reading)

    return files


def hypothesis(tmp_path, text):
    path = tmp_path / "hypo.md"
    path.write_text(text)
    return path


def test_the_mark_counts_anywhere_and_the_last_of_an_id_wins(tmp_path):
    path = hypothesis(tmp_path, "### essay_id = a\nOne. ### essay_id = b\n\n\nTwo.\n\n\n### essay_id = a\nThree.")
    assert read_essays(path) == {"a": "Three.", "b": "Two."}


def test_a_missing_second_reference_is_the_first(gold):
    assert [s.references for s in gold().sentences()] == [
        ("He goes.\t\tI am.", "He goes.\t\tI am."),
        ("Fine.", "Quite fine."),
    ]


def test_lines(gold, tmp_path):
    sentences = list(gold("lines").sentences())
    assert [(s.id, s.document, s.text) for s in sentences] == [
        ("1:1", "1", "He go."),
        ("1:2", "1", "I is."),
        ("x y:1", "x y", "Fine."),
    ]
    _, system = read_corpus_and_system(gold("lines"), hypothesis(tmp_path, "### essay_id = 1\nHe goes.\nI am.\n"))
    assert list(system.outputs) == ["He goes.", "I am.", "!"]


def test_outputs_in_any_order_with_surplus(gold, tmp_path):
    path = hypothesis(tmp_path, "### essay_id = x y\nOK.\n### essay_id = new\nNew.\n### essay_id = 1\nHe.\n")
    corpus, system = read_corpus_and_system(gold(), path)
    assert list(system.outputs) == ["He.", "OK."]
    assert list(read_outputs_for(corpus, path).outputs) == ["He.", "OK."]


def test_several_systems_of_several_formats(gold, tmp_path):
    essays = hypothesis(tmp_path, "### essay_id = x y\nOK.\n")
    (tmp_path / "plain.txt").write_text("He goes. I am.\nFine.\n")
    rows = list(gold().beside([essays, tmp_path / "plain.txt", essays]))
    assert [[output.text for output in outputs] for _, outputs in rows] == [
        ["!", "He goes. I am.", "!"],
        ["OK.", "Fine.", "OK."],
    ]


@pytest.mark.parametrize(
    ("text", "reading", "message"),
    [
        ("Just text.\n", None, "hypo.md:1: expected essays, each behind a line ### essay_id = ID, got none"),
        ("### essay_id = 7\nText.\n", None, "expected essays of the gold, got none of them, but '7' and others"),
        ("### essay_id = 1\nText.\n", "lines", "expected 2 lines in essay '1', as in its source, got 1"),
    ],
)
def test_wrong_outputs(gold, tmp_path, text, reading, message):
    with pytest.raises(InputError) as caught:
        read_corpus_and_system(gold(reading), hypothesis(tmp_path, text))
    assert message in str(caught.value)


def test_the_first_reference_must_be_whole(gold):
    with pytest.raises(InputError, match="expected essay '1' of"):
        list(gold(references=("ref2", "ref1")).sentences())


def test_an_unknown_reading(gold):
    with pytest.raises(OptionError, match="reading: expected for MultiGEC essays whole or lines, got 'halves'"):
        list(gold("halves").sentences())
    with pytest.raises(OptionError, match="expected for M2 none, since there is one way to read it, got 'lines'"):
        list(GoldFiles(gold="gold.m2", reading="lines").sentences())


def test_convert_there_and_back(gold, tmp_path, monkeypatch, capsys):
    list(gold().sentences())
    monkeypatch.chdir(tmp_path)
    files = ["-s", "orig.md", "-r", "ref1.md", "ref2.md"]
    assert main(["convert", *files, "--to-jsonl", "all.jsonl", "--reading", "lines"]) == 0
    assert main(["convert", "all.jsonl", "--to-source", "again.md", "--to-references", "a.md", "b.md"]) == 0
    again = list(GoldFiles(source="again.md", references=("a.md", "b.md"), reading="lines").sentences())
    assert again == list(gold("lines").sentences())
    assert main(["score", *files, "-i", "ref1.md", "-m", "m2", "--tokens", "treebank", "-f", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "ref1,2,0,0,100.00,100.00,100.00"


def test_gold_with_fewer_references_here_and_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = '{"source": "a b", "references": ["a c", "a d"]}\n{"source": "e", "references": ["f"]}\n'
    (tmp_path / "gold.jsonl").write_text(rows)
    assert main(["convert", "gold.jsonl", "--to-references", "one", "two", "--to-tsv", "gold.tsv"]) == 0
    assert (tmp_path / "two").read_text() == "a d\nf\n"
    assert (tmp_path / "gold.tsv").read_text() == "id\tsource\treference1\treference2\n1\ta b\ta c\ta d\n2\te\tf\t\n"
    sentences = list(GoldFiles(gold="gold.tsv").sentences())
    assert [s.references for s in sentences] == [("a c", "a d"), ("f",)]
    (tmp_path / "out.tsv").write_text("id\toutput\n1\ta c\n2\te\n")
    assert recte.score("gold.tsv", "out.tsv").tp == 1

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recte
from recte.cli import main
from recte.errors import InputError, OptionError
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems, read_outputs_for
from recte.formats.essays import read_essays

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
        ("He goes.\n\nI am.", "He goes.\n\nI am."),
        ("Fine.", "Quite fine."),
    ]


def test_lines(gold, tmp_path):
    sentences = list(gold("lines").sentences())
    assert [(s.id, s.document, s.text) for s in sentences] == [
        ("1:1", "1", "He go."),
        ("1:2", "1", "I is."),
        ("x y:1", "x y", "Fine."),
    ]
    files = {"mine": hypothesis(tmp_path, "### essay_id = 1\nHe goes.\nI am.\n")}
    _, (system,) = read_corpus_and_systems(gold("lines"), files)
    assert list(system.outputs) == ["He goes.", "I am.", "!"]


def test_outputs_in_any_order_with_surplus(gold, tmp_path):
    path = hypothesis(tmp_path, "### essay_id = x y\nOK.\n### essay_id = new\nNew.\n### essay_id = 1\nHe.\n")
    corpus, (system,) = read_corpus_and_systems(gold(), {"mine": path})
    assert list(system.outputs) == ["He.", "OK."]
    assert list(read_outputs_for(corpus, path).outputs) == ["He.", "OK."]


def test_several_systems_of_several_formats(gold, tmp_path):
    essays = hypothesis(tmp_path, "### essay_id = x y\nOK.\n")
    (tmp_path / "plain.txt").write_text("He goes. I am.\nFine.\n")
    rows = list(gold().rows_with([essays, tmp_path / "plain.txt", essays]))
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
        read_corpus_and_systems(gold(reading), {"mine": hypothesis(tmp_path, text)})
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
    assert capsys.readouterr().out.splitlines()[1] == "ref1,m2,100.00,2,0,0,100.00,100.00"


# Ids as learners' corpora have them, and essays with blank lines, blanks, tabs and marks inside.
IDS = st.text("abc 0-", min_size=1, max_size=4).filter(lambda text: text == text.strip())
TEXTS = st.text("ab.# \t\n", min_size=1, max_size=12).map(lambda text: text.strip("\n")).filter(str.strip)


@settings(max_examples=30)
@given(st.lists(st.tuples(IDS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=4, unique_by=lambda row: row[0]))
def test_essays_come_through_unchanged(tmp_path_factory, rows):
    """Directly, and by JSON lines: paragraphs, blank lines and tabs included."""
    folder = tmp_path_factory.mktemp("essays")
    paths = [str(folder / name) for name in ("orig.md", "ref1.md", "ref2.md")]
    written = ["".join(f"### essay_id = {row[0]}\n{row[n]}\n\n" for row in rows) for n in (1, 2, 3)]
    for path, text in zip(paths, written, strict=True):
        Path(path).write_text(text, newline="")
    again, between = [f"{path}.again.md" for path in paths], str(folder / "all.jsonl")
    assert main(["convert", "-s", paths[0], "-r", *paths[1:], "--to-jsonl", between]) == 0
    for given_gold in (["-s", paths[0], "-r", *paths[1:]], [between]):
        assert main(["convert", *given_gold, "--to-source", again[0], "--to-references", *again[1:]]) == 0
        assert [Path(path).read_bytes().decode() for path in again] == written


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--to-source", "a.md", "--to-jsonl", "a.jsonl"], []),
        (
            ["--to-source", "a.txt"],
            ["a.txt: line breaks inside 1 text become tabs, since plain text cannot hold them"],
        ),
        (
            ["--to-tsv", "a.tsv"],
            ["a.tsv: line breaks and tabs inside 3 texts become blanks, since a TSV with a header cannot hold them"],
        ),
        (["--to-m2", "a.m2"], ["a.m2: line breaks inside 1 text become tabs, since M2 cannot hold them"]),
        (["--to-source", "a.md", "--reading", "lines"], ["orig.md: blank lines are not kept in the reading lines"]),
    ],
)
def test_what_another_format_cannot_hold_is_told(gold, tmp_path, monkeypatch, capsys, flags, told):
    gold()
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "-s", "orig.md", "-r", "ref1.md", "ref2.md", *flags]) == 0
    assert capsys.readouterr().err.splitlines() == [f"recte: warning: {line}" for line in told]


def test_the_signature_says_how_the_essays_were_read(gold, tmp_path, monkeypatch, capsys):
    gold()
    monkeypatch.chdir(tmp_path)
    files = ["score", "-s", "orig.md", "-r", "ref1.md", "ref2.md", "-i", "ref1.md", "-m", "gleu", "-f", "json"]
    for flags, reading in ([], "whole"), (["--reading", "lines"], "lines"):
        assert main([*files, *flags]) == 0
        assert f"|reading:{reading}|tokens:given|" in json.loads(capsys.readouterr().out)["scores"][0]["signature"]
    assert main(["count", *files[1:-2], "--reading", "lines", "-o", "mine.counts"]) == 0
    assert main(["score", "mine.counts", "-f", "json"]) == 0
    assert "|reading:lines|" in json.loads(capsys.readouterr().out)["scores"][0]["signature"]
    corpus, _ = read_corpus_and_systems(gold("lines"), {"ref1": tmp_path / "ref1.md"})
    assert len(read_outputs_for(corpus, tmp_path / "ref1.md").outputs) == len(corpus) == 3


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

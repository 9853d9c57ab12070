"""Judged subsets on the command line: which files are whole, what the judgments call sentences, what is left out."""

from __future__ import annotations

import json
from itertools import product

import pytest

from recte.cli import main
from shared_data import shared

FEW = ["--resamples", "30", "--trials", "30"]
SYSTEMS = ("heron", "magpie", "wren")
JUDGED = (4, 30, 9, 17, 20, 21)  # sentences of the sample, in the order of the subset


@pytest.fixture
def sample(sample):
    """The bundled sample, and a judged part of it: gold, outputs, judgments that call sentences in three ways."""
    tmp_path = sample
    blocks = (tmp_path / "gold.m2").read_text().strip("\n").split("\n\n")
    (tmp_path / "part.m2").write_text("\n\n".join(blocks[n - 1] for n in JUDGED) + "\n")
    (tmp_path / "part").mkdir()
    for system in SYSTEMS:
        lines = (tmp_path / "systems" / f"{system}.txt").read_text().splitlines()
        (tmp_path / "part" / f"{system}.txt").write_text("".join(f"{lines[n - 1]}\n" for n in JUDGED))
    header, *rows = (tmp_path / "judgments.tsv").read_text().splitlines()
    kept = [row.split("\t") for row in rows if int(row.split("\t")[0]) in JUDGED]
    texts = [block.splitlines()[0].removeprefix("S ") for block in blocks]
    for name, called in (("number", str), ("name", lambda n: f"s-{n}"), ("text", lambda n: texts[n - 1])):
        lines = ["\t".join([called(int(first)), *rest]) for first, *rest in kept]
        (tmp_path / f"{name}.tsv").write_text("\n".join([header, *lines]) + "\n")
        (tmp_path / f"{name}.ids").write_text("".join(f"{called(n)}\n" for n in JUDGED))
    return tmp_path


def outputs(folder):
    return [f"{folder}/{system}.txt" for system in SYSTEMS]


def ran(capsys, *arguments):
    assert main([*arguments, *FEW]) == 0
    return capsys.readouterr()


def refused(capsys, *arguments):
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


def test_gold_and_outputs_may_be_whole_or_of_the_subset(sample, capsys):
    """Each combination says the same, whatever the judgments call sentences."""
    printed = set()
    for gold, folder in product(("gold.m2", "part.m2"), ("systems", "part")):
        supplied = [gold, *outputs(folder), "-m", "m2", "gleu"]
        printed.add(ran(capsys, "metaeval", "number.tsv", *supplied, "--ids", "number.ids").out)
        if gold == "gold.m2":  # where the whole gold is there, its texts are known
            printed.add(ran(capsys, "metaeval", "text.tsv", *supplied, "--ids", "text.ids").out)
            printed.add(ran(capsys, "metaeval", "text.tsv", *supplied, "--ids", "number.ids").out)
    supplied = ["part.m2", *outputs("part"), "-m", "m2", "gleu"]
    printed.add(ran(capsys, "metaeval", "name.tsv", *supplied, "--ids", "name.ids").out)
    assert len(printed) == 1, "\n----\n".join(printed)


def test_texts_need_no_ids(sample, capsys):
    supplied = ["gold.m2", *outputs("systems"), "-m", "m2", "--only", "sentence"]
    assert (
        ran(capsys, "metaeval", "text.tsv", *supplied).out.splitlines()[:4]
        == ran(capsys, "metaeval", "number.tsv", *supplied).out.splitlines()[:4]
    )


def test_ratings_of_a_subset(sample, capsys):
    header, *rows = (sample / "ratings.tsv").read_text().splitlines()
    kept = [row.split("\t") for row in rows if int(row.split("\t")[0]) in JUDGED]
    texts = (sample / "text.ids").read_text().splitlines()
    (sample / "rated.tsv").write_text("\n".join([header, *("\t".join(row) for row in kept)]) + "\n")
    named = ["\t".join([texts[JUDGED.index(int(row[0]))], *row[1:]]) for row in kept]
    (sample / "named.tsv").write_text("\n".join([header, *named]) + "\n")
    printed = {
        ran(capsys, "metaeval", file, gold, *outputs(folder), "-m", "m2", "--ids", "number.ids").out
        for file, gold, folder in (
            ("rated.tsv", "gold.m2", "systems"),
            ("rated.tsv", "gold.m2", "part"),
            ("rated.tsv", "part.m2", "part"),
            ("named.tsv", "gold.m2", "part"),
        )
    }
    assert len(printed) == 1, "\n----\n".join(printed)
    said = refused(capsys, "metaeval", "ratings.tsv", "part.m2", *outputs("part"), "-m", "m2", "--ids", "number.ids")
    assert "ratings.tsv: expected one of the 6 ids, got sentence 1 and 33 more" in said


def test_ratings_by_line_that_are_too_short(sample, capsys):
    (sample / "rated.csv").write_text("heron,magpie,wren\n" + "7,3,5\n" * 30)
    (sample / "rated.seg.score").write_text("".join(f"{system} 5\n" * 30 for system in SYSTEMS))
    for name in ("rated.csv", "rated.seg.score"):
        said = refused(capsys, "metaeval", name, "gold.m2", *outputs("systems"), "-m", "m2")
        assert said == (
            f"recte: {name}: expected 40 lines for each system, one for each sentence of the corpus, got 30; "
            "of a judged subset --ids FILE names the sentences\n"
        )


def test_a_judged_sentence_beyond_the_corpus(sample, capsys):
    text = (sample / "judgments.tsv").read_text()
    _, _, more = text.splitlines()[-1].partition("\t")
    (sample / "beyond.tsv").write_text(text + "".join(f"{n}\t{more}\n" for n in (41, 999)))
    said = refused(capsys, "metaeval", "beyond.tsv", "gold.m2", *outputs("systems"), "-m", "m2")
    assert (
        said == "recte: beyond.tsv: expected sentences of a corpus of 40 numbered from 1, got sentence 41 and 1 more\n"
    )


def test_what_does_not_match_is_one_line(sample, capsys):
    supplied = ["gold.m2", *outputs("systems"), "-m", "m2"]
    said = refused(capsys, "metaeval", "name.tsv", *supplied)
    assert (
        said
        == "recte: name.tsv: expected numbers, ids or texts of the 40 sentences of the corpus, got 's-4' and 5 more\n"
    )
    said = refused(capsys, "metaeval", "number.tsv", "gold.m2", *outputs("part"), "-m", "m2", "--ids", "name.ids")
    assert "ids: expected numbers, ids or texts of the 40 sentences of the corpus, got 's-4' and 5 more" in said
    said = refused(capsys, "metaeval", "number.tsv", "gold.m2", *outputs("part"), "-m", "m2")
    assert (
        "part/heron.txt:6: expected 40 lines, one for each sentence of gold.m2, got 6; of a judged subset --ids" in said
    )
    (sample / "few.ids").write_text("4\n30\n")
    said = refused(capsys, "metaeval", "number.tsv", *supplied, "--ids", "few.ids")
    assert "expected every judged sentence among the 2 ids, got none for sentence 9 (3 more)" in said
    said = refused(capsys, "metaeval", "number.tsv", "gold.m2", *outputs("part"), "-m", "m2", "--ids", "few.ids")
    assert "part/heron.txt: expected 40 lines, or 2, one for each id, got 6" in said
    (sample / "gold.m2").write_text((sample / "gold.m2").read_text() * 2)
    doubled = [f"part/{system}.txt" for system in SYSTEMS]
    said = refused(capsys, "metaeval", "text.tsv", "gold.m2", *doubled, "-m", "m2", "--ids", "text.ids")
    assert "ids: expected names of single sentences, got" in said
    assert "which is sentence 4 and sentence 44" in said


def test_a_report_of_a_subset(sample, capsys):
    arguments = ["gold.m2", *outputs("part"), "-m", "m2", "gleu", "--human", "number.tsv", "--ids", "number.ids"]
    drawn = ["--method", "trueskill", "--windows", "3", "--formats", "json", "--resamples", "30"]
    assert main(["figures", *arguments, *drawn, "--to", "drawn"]) == 0
    assert {"ranking.json", "windows-trueskill.json"} <= {path.name for path in (sample / "drawn").iterdir()}
    capsys.readouterr()
    said = refused(capsys, "figures", *arguments[:-2], *drawn, "--to", "other")
    assert "of a judged subset --ids FILE names the sentences" in said
    said = refused(capsys, "report", "gold.m2", *outputs("systems"), "--ids", "number.ids")
    assert "--ids: expected --human with it, got none" in said


def test_systems_that_nobody_judged_are_named(sample, capsys):
    (sample / "systems" / "crow.txt").write_bytes((sample / "systems" / "wren.txt").read_bytes())
    actual = ran(capsys, "metaeval", "judgments.tsv", "gold.m2", *outputs("systems"), "systems/crow.txt", "-m", "m2")
    assert actual.err == "recte: note: nobody judged crow: left out\n"
    assert "(3 systems)" in actual.out
    arguments = ["judgments.tsv", "gold.m2", *outputs("systems"), "systems/crow.txt", "-m", "m2", "-q"]
    assert ran(capsys, "metaeval", *arguments).err == ""
    figures = ["figures", "gold.m2", *outputs("systems")[:2], "--human", "judgments.tsv", "--formats", "json"]
    assert main([*figures, "--resamples", "30"]) == 0
    assert "no output of wren: left out of what people say" in capsys.readouterr().err


def test_sentences_that_cannot_be_annotated_keep_their_numbers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sources = [f"第{n}句好" for n in range(1, 13)]
    marks = ["无法标注" if n in (2, 7) else f"第{n}句很好" for n in range(1, 13)]
    lines = [f"{n}\t{s}\t{m}\n" for n, (s, m) in enumerate(zip(sources, marks, strict=True), 1)]
    (tmp_path / "gold.para").write_text("".join(lines), encoding="utf-8")
    right = [f"第{n}句很好\n" for n in range(1, 13)]
    wrong = [f"{s}\n" for s in sources]
    (tmp_path / "a.txt").write_text("".join(right), encoding="utf-8")
    (tmp_path / "b.txt").write_text("".join(wrong), encoding="utf-8")
    # Judges prefer the right one, except in sentence 9, where both are judged alike and both systems leave the source.
    (tmp_path / "a.txt").write_text("".join([*right[:8], wrong[8], *right[9:]]), encoding="utf-8")
    rows = [f"{n}\tann\ta\tb\t{'=' if n == 9 else 'a'}\n" for n in range(1, 13)]
    (tmp_path / "judged.tsv").write_text("".join(["sentence\tjudge\tsystem1\tsystem2\tbetter\n", *rows]))
    arguments = ["metaeval", "judged.tsv", "gold.para", "a.txt", "b.txt", "-m", "sentence-accuracy"]
    actual = ran(capsys, *arguments, "--only", "sentence", "-f", "json")
    assert json.loads(actual.out)["sentence_level"]["metrics"][0]["accuracy"] == 1.0
    assert json.loads(actual.out)["sentence_level"]["pairs"] == 10
    assert actual.err.splitlines() == [
        "recte: note: gold: 2 of 12 sentences are not scored, as impossible to annotate or left out, first sentence 2",
        "recte: note: 2 judged sentences are not scored and left out, first sentence 2",
    ]
    scores = [f"{s}\t{n}\t{float(s == 'a' and n != 9)}\n" for s in "ab" for n in range(1, 13)]
    (tmp_path / "judge.tsv").write_text("".join(["system\tsentence\tscore\n", *scores]))
    actual = ran(capsys, *arguments, "--scores", "judge.tsv", "--only", "sentence", "-f", "json")
    assert [m["accuracy"] for m in json.loads(actual.out)["sentence_level"]["metrics"]] == [1.0, 1.0]


def test_two_documents_are_pooled_with_a_note(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    header = "sentence\tjudge\tsystem1\tsystem2\tbetter\tdocument\n"
    rows = [f"{n}\tann\ta\tb\t{'a' if d == 'x' else 'b'}\t{d}\n" for d in "xy" for n in range(1, 9)]
    (tmp_path / "judged.tsv").write_text("".join([header, *rows]))
    actual = ran_rank(capsys, "judged.tsv")
    assert actual.err == "recte: note: judgments of 2 documents are pooled: x, y; --document takes one\n"
    assert "|documents:2|" in actual.out
    alone = ran_rank(capsys, "judged.tsv", "--document", "x")
    assert alone.err == ""
    assert "documents" not in alone.out


def ran_rank(capsys, *arguments):
    assert main(["rank", *arguments, "--resamples", "30"]) == 0
    return capsys.readouterr()


def test_the_chinese_rankings_in_every_combination(tmp_path, monkeypatch, capsys):
    """100 of 1,137 sentences were judged; one of them cannot be annotated."""
    monkeypatch.chdir(tmp_path)
    rankings = shared("data", "chinese", "rankings")
    whole = shared("data", "chinese", "mucgec", "dev.para")
    lines = whole.read_text(encoding="utf-8").splitlines()
    ids = [int(item) for item in (rankings / "mucgec_ids.txt").read_text().split()]
    (tmp_path / "part.para").write_text("".join(f"{lines[n - 1]}\n" for n in ids), encoding="utf-8")
    systems = ("bart", "char", "s2e", "spm", "t5", "word")
    for system in systems:
        ours = (rankings / f"{system}.mucgec.txt").read_text(encoding="utf-8").splitlines()
        (tmp_path / f"{system}.txt").write_text("\n".join(ours) + "\n", encoding="utf-8")
        all_of_them = [line.split("\t")[1] for line in lines]
        for number, text in zip(ids, ours, strict=True):
            all_of_them[number - 1] = text
        (tmp_path / f"{system}.whole").write_text("\n".join(all_of_them) + "\n", encoding="utf-8")
    supplied = ["--document", "mucgec", "--ids", str(rankings / "mucgec_ids.txt"), "-m", "char-bleu", *FEW]
    printed = set()
    for gold, ending in product((str(whole), "part.para"), ("txt", "whole")):
        files = [str(rankings / "judgments.xml"), gold, *(f"{system}.{ending}" for system in systems)]
        assert main(["metaeval", *files, *supplied, "--names", *systems]) == 0
        actual = capsys.readouterr()
        assert "1 judged sentence is not scored and left out, first sentence 1077" in actual.err
        printed.add(actual.out)
    assert len(printed) == 1, "\n----\n".join(printed)

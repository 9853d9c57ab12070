"""Raw outputs on the command line: when they are seen, what the signature says, and that no real corpus is mistaken."""

from __future__ import annotations

import pytest

from detokenising import naive_detokenised
from recte import read_m2, read_system
from recte.cli import main
from recte.corpus.text_columns import TextColumn
from recte.evaluation.raw_systems import look_raw
from shared_data import shared

SOURCES = ["Well , he go home .", "Yes , they do n't know .", "We was there , too .", "What is it ?"]
OUTPUTS = ["Well , he goes home .", "Yes , they did n't know .", "We were there , too .", "What is it ?"]
EDITS = ["A 3 4|||V|||goes", "A 3 4|||V|||did", "A 1 2|||V|||were", ""]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = []
    for source, edit in zip(SOURCES, EDITS, strict=True):
        lines.append(f"S {source}")
        if edit:
            lines.append(f"{edit}|||REQUIRED|||-NONE-|||0")
        lines.append("")
    (tmp_path / "gold.m2").write_text("\n".join(lines) + "\n")
    (tmp_path / "tokens.txt").write_text("".join(f"{line}\n" for line in OUTPUTS))
    (tmp_path / "raw.txt").write_text("".join(f"{naive_detokenised(line)}\n" for line in OUTPUTS))
    return tmp_path


def score(capsys, *arguments):
    assert main(["score", "gold.m2", *arguments, "--no-ci"]) == 0
    said = capsys.readouterr()
    return said.out, said.err


def test_raw_outputs_are_seen_and_said_once(files, capsys):
    out, err = score(capsys, "raw.txt", "tokens.txt")
    assert out.count("100.00  100.00  100.00") == 2
    assert "|outputs:raw(treebank)|" in out
    assert err == (
        "recte: note: raw: outputs look detokenised, and are put on the gold's tokens, as by --outputs raw "
        "(--outputs tokens leaves them as they are)\n"
    )
    out, err = score(capsys, "tokens.txt")
    assert ("outputs:" in out, err) == (False, "")


def test_what_is_asked_for_is_done_without_a_word(files, capsys):
    out, err = score(capsys, "raw.txt", "--outputs", "raw", "--output-tokens", "13a")
    assert "|outputs:raw(13a)|" in out
    assert err == ""
    out, err = score(capsys, "raw.txt", "--outputs", "tokens")
    assert "100.00  100.00" not in out
    assert "--outputs raw puts them on the source's tokens" in err


@pytest.mark.parametrize("arguments", [["--preset", "conll14"], ["--cluster", "local:1"]])
def test_tasks_and_clusters_leave_outputs_alone(files, capsys, arguments):
    if "--cluster" in arguments:
        pytest.importorskip("distributed")
    out, err = score(capsys, "raw.txt", *arguments)
    assert "outputs:" not in out
    assert "--outputs raw puts them on the source's tokens" in err


def test_parts_of_a_gold_leave_outputs_alone(files, capsys):
    assert main(["count", "gold.m2", "raw.txt", "--first", "5", "-o", "part.counts"]) == 0
    assert "--outputs raw puts them" in capsys.readouterr().err
    assert main(["count", "gold.m2", "raw.txt", "-o", "whole.counts"]) == 0
    capsys.readouterr()
    assert main(["score", "whole.counts", "--no-ci"]) == 0
    assert "|outputs:raw(treebank)|" in capsys.readouterr().out


def test_strict_takes_what_is_put_on_tokens(files, capsys):
    out, _ = score(capsys, "raw.txt", "--strict")
    assert "outputs:raw(treebank)" in out
    assert main(["score", "gold.m2", "raw.txt", "--strict", "--outputs", "tokens"]) == 2


def test_an_explanation_sees_the_same_tokens(files, capsys):
    assert main(["explain", "gold.m2", "raw.txt", "-n", "2"]) == 0
    assert "They did n't know ." in capsys.readouterr().out.replace("Yes , t", "T")


def seen(sources, *systems) -> list[bool]:
    column = TextColumn.of(list(sources))
    return [look_raw(column, TextColumn.of(list(outputs))) for outputs in systems]


def test_no_real_output_is_taken_for_raw():
    conll = [read_system(path).outputs for path in sorted(shared("data", "conll14", "systems").iterdir())]
    conll += [read_system(path).outputs for path in sorted(shared("data", "conll14", "references").iterdir())]
    assert not any(seen(read_m2(shared("data", "conll14", "gold.m2")).unchanged, *conll))
    jfleg = [read_system(shared("data", "jfleg", f"dev.ref{r}")).outputs for r in range(4)]
    assert not any(seen(read_system(shared("data", "jfleg", "dev.src")).outputs, *jfleg))
    chinese = [read_system(path).outputs for path in shared("data", "chinese", "nlpcc18").glob("*.pkunlp.txt")]
    assert not any(seen(read_m2(shared("data", "chinese", "nlpcc18", "gold.m2"), lenient=True).unchanged, *chinese))
    hard = shared("data", "hard")
    for name, ending in (("gmeg_wiki_test_694", "marian"), ("m2scorer_issue8", "hyp")):
        sources, outputs = (read_system(hard / f"{name}.{end}").outputs for end in ("src", ending))
        assert not any(seen(sources, outputs))


def test_raw_outputs_of_every_language_are_seen():
    gold = read_m2(shared("data", "ukrainian", "gec-only.test.m2"))
    raw = [naive_detokenised(text) for text in gold.unchanged]
    assert seen(gold.unchanged, raw, gold.unchanged) == [True, False]
    chinese = read_m2(shared("data", "chinese", "nlpcc18", "gold.m2"), lenient=True).unchanged
    assert seen(chinese, ["".join(text.split()) for text in chinese]) == [True]

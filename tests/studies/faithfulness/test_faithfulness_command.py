"""`recte faithfulness` from the outside."""

from __future__ import annotations

import json
import sys
from xml.etree import ElementTree

import pytest
from recte.faithfulness import score_text_faithfulness

from recte import InputError
from recte.cli import main
from recte.formats import read_passages
from recte.output import draw_graphs

PARSES = ("ucca/source", "ucca/corrected")


def printed(capsys, *arguments):
    assert main(["faithfulness", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys, *arguments):
    assert main(["faithfulness", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def test_json_of_two_folders(sample, capsys):
    result = json.loads(printed(capsys, *PARSES, "-f", "json"))["faithfulness"]
    assert [row["name"] for row in result["passages"]] == ["lisbon", "sister", "window"]
    sister = result["passages"][1]["uccasim"]
    assert sister["counts"][0] == {
        "matched_candidate": 3, "candidate": 4, "matched_reference": 2, "reference": 2,
        "precision": 0.75, "recall": 1.0, "f": sister["score"],
    }  # fmt: skip
    assert result["average"]["passages"] == 3
    paper = json.loads(printed(capsys, *PARSES, "-f", "json", "--behaviour", "paper", "--labels", "strict"))
    assert len(paper["faithfulness"]["passages"][0]["uccasim"]["counts"]) == 2


def test_two_files_and_a_pair_list_say_the_same(sample, capsys):
    (sample / "pairs.tsv").write_text("ucca/source/sister.xml\tucca/corrected/sister.xml\n")
    files = printed(capsys, "ucca/source/sister.xml", "ucca/corrected/sister.xml")
    assert files == printed(capsys, "--pairs", "pairs.tsv")


def test_agreement(sample, capsys):
    arguments = ("ucca/source", "ucca/second-annotator", "--agreement")
    result = json.loads(printed(capsys, *arguments, "-f", "json"))["agreement"]
    assert result["total"]["labelled"]["candidate"] == sum(r["labelled"]["candidate"] for r in result["passages"])
    strict = json.loads(printed(capsys, *arguments, "-f", "json", "--labels", "strict"))["agreement"]
    assert strict["total"]["labelled"]["f"] < result["total"]["labelled"]["f"] < result["total"]["unlabelled"]["f"]
    assert "counted:edges" in printed(capsys, *arguments, "--counted", "edges")
    assert "same words" in refused(capsys, *PARSES, "--agreement")


def test_latex_has_no_sign_that_its_text_fonts_lack(sample, capsys):
    latex = printed(capsys, *PARSES, "-f", "latex")
    assert r"s$\rightarrow$c & c$\rightarrow$s & UCCASIM & A+D & Scenes & $|$A+D$|$ & $|$Scenes$|$ \\" in latex


def test_drawings_are_well_formed_and_complete(sample, capsys):
    printed(capsys, *PARSES, "--draw", "drawings/of/it")
    for name, passage in read_passages("ucca/source").items():
        drawing = ElementTree.parse(f"drawings/of/it/{name}.svg").getroot()
        texts = [element.text for element in drawing.iter() if element.tag.endswith("text")]
        assert {terminal.text for terminal in passage.terminals} <= set(texts)
    sources = read_passages("ucca/source")
    drawing = draw_graphs(sources["sister"], read_passages("ucca/corrected")["sister"], titles=("<a&b>", "\x01"))
    assert ElementTree.fromstring(drawing) is not None
    assert drawing.count("remote A") == 2
    printed(capsys, "ucca/source", "ucca/second-annotator", "--agreement", "--draw", "drawings")
    assert "second annotator: sister" in (sample / "drawings" / "sister.svg").read_text()
    assert "cannot be made" in refused_drawing(sample, capsys)


def refused_drawing(sample, capsys):
    (sample / "file").write_text("")
    assert main(["faithfulness", *PARSES, "--draw", "file"]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected source and corrected parses"),
        ((*PARSES, "--pairs", "x.tsv"), "expected no parses with it"),
        ((*PARSES, "--min-terminals", "0"), "--min-terminals: expected 1 or more"),
        ((*PARSES, "-w", "99"), "expected 0 to 15 digits"),
        (("ucca/source", "nowhere"), "nowhere: no such file"),
        (("a", "b", "--scorer", "x:y", "--scorer-command", "z"), "got both"),
        (("a", "--scorer", "x:y"), "at least one SYSTEM"),
        (("a", "b", "--scorer", "math:hypot", "--agreement"), "--agreement: expected only with parses"),
        (("a", "b", "--scorer-command", "cat", "--draw", "x"), "--draw: expected only with parses"),
        ((*PARSES, "-sl"), "-sl: expected only with a scorer"),
        (("a", "b", "--scorer-command", " "), "scorer command: expected a command, got nothing"),
        (("a", "b", "--scorer-command", "'"), "No closing quotation"),
        (("a", "b", "--scorer", "sys:exit"), "scorer sys:exit: TypeError"),
        (("a", "b", "--scorer", "nonsense"), "expected module:function"),
        (("a", "b", "--scorer", "nonsense_module:f"), "cannot import 'nonsense_module'"),
        (("a", "b", "--scorer", "math:pi"), "which cannot be called"),
        (("a", "b", "--scorer-command", "nonsense-command"), "cannot run 'nonsense-command'"),
        (("a", "b", "--scorer-command", f"{sys.executable} -c 'raise SystemExit(3)'"), "exit code 3"),
        (("a", "b", "--scorer-command", "echo 1"), "expected 2 figures, one for each sentence, got 1"),
        (("a", "b", "--scorer-command", "sed s/.*/high/"), "expected a number for sentence 1, got 'high'"),
        (("a", "b", "--scorer", "operator:itemgetter"), "expected a number for sentence 1"),
        (("a", "b", "--scorer", "math:hypot"), "scorer math:hypot: TypeError"),
        (("a", "ucca/source/sister.xml", "--scorer", "math:hypot"), "expected 2 corrections"),
    ],
)
def test_wrong_use_is_one_line(sample, capsys, arguments, message):
    (sample / "a").write_text("one\ntwo\n")
    (sample / "b").write_text("one\ntwos\n")
    assert message in refused(capsys, *arguments)


def test_scorers_by_name_and_by_command(sample, capsys):
    (sample / "length_ratio.py").write_text(
        "def one(source, corrected):\n    return len(corrected) / len(source)\n"
        "def many(sources, corrected):\n    return [one(s, c) for s, c in zip(sources, corrected, strict=True)]\n"
    )
    (sample / "source.txt").write_text("ab\nabcd\n")
    (sample / "x.txt").write_text("ab\nab\n")
    texts = ("source.txt", "x.txt", "-f", "json")
    for how in (["length_ratio:one"], ["length_ratio:many", "--batched"]):
        (result,) = json.loads(printed(capsys, *texts, "--scorer", *how))["text_faithfulness"]
        assert (result["system"], result["sentences"], result["average"]) == ("x", [1.0, 0.5], 0.75)
    command = "awk -F '\\t' '{ print length($2) / length($1) }'"
    (result,) = json.loads(printed(capsys, *texts, "--scorer-command", command))["text_faithfulness"]
    assert result["sentences"] == [1.0, 0.5]
    table = printed(capsys, *texts[:2], "--scorer", "length_ratio:one", "-sl")
    assert [line.split() for line in table.splitlines()[1:]] == [["sentence", "x"], ["1", "1.0000"], ["2", "0.5000"]]


def test_scorers_in_python():
    with pytest.raises(InputError, match="expected at least one sentence"):
        score_text_faithfulness([], [], lambda s, c: 1.0)
    with pytest.raises(InputError, match="expected a number for sentence 1, got nan"):
        score_text_faithfulness(["a"], ["a"], lambda s, c: float("nan"))
    assert score_text_faithfulness(["a"], ["a"], lambda s, c: [0.5], batched=True, system="x").average == 0.5

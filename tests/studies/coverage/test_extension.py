"""Growing a reference set: what is accepted, what is audited, and the files written."""

from __future__ import annotations

import json

import pytest
from recte.coverage import AnsweredSentence, extend_references

from recte import InputError, OptionError
from recte.cli import main

ANSWERS = AnsweredSentence("He go", ("He goes", "He went", "He  goes", "Hegoes", "He went", "He is"), id="7")


def test_more_than_twice_is_accepted_and_the_rest_audited():
    (extended,) = extend_references([ANSWERS])
    assert (extended.references, extended.to_audit) == (("He goes",), ("He went", "He is"))
    (known,) = extend_references([ANSWERS], [["He went"]])
    assert (known.references, known.accepted, known.to_audit) == (("He went", "He goes"), ("He goes",), ("He is",))
    (looser,) = extend_references([ANSWERS], more_than=1)
    assert looser.references == ("He goes", "He went")


def test_bad_arguments():
    with pytest.raises(OptionError, match="more_than: expected at least 1, got 0"):
        extend_references([ANSWERS], more_than=0)
    with pytest.raises(InputError, match="expected references for 1 sentences, got them for 2"):
        extend_references([ANSWERS], [[], []])


def test_command(tmp_path, capsys):
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"id": "7", "source": ANSWERS.source, "corrections": ANSWERS.answers}) + "\n")
    accepted, audit = tmp_path / "accepted.jsonl", tmp_path / "audit.jsonl"
    assert main(["references", "extend", str(answers), "--to", str(accepted), "--audit", str(audit)]) == 0
    assert "to audit" in capsys.readouterr().out
    assert json.loads(accepted.read_text()) == {"id": "7", "source": "He go", "corrections": ["He goes"]}
    assert json.loads(audit.read_text())["corrections"] == ["He went", "He is"]
    assert main(["references", "extend", str(answers), "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["references"][0]["accepted"] == ["He goes"]
    assert main(["references", "extend", str(answers), "--to", str(accepted), "--audit", str(accepted)]) == 2
    assert "expected different files" in capsys.readouterr().err
    para = tmp_path / "grown.para"
    assert main(["references", "extend", str(answers), "--to", str(para)]) == 0
    assert para.read_text() == "7\tHe go\tHe goes\n"


def test_answers_are_added_to_the_references_of_a_gold(tmp_path, capsys):
    gold = tmp_path / "gold.m2"
    edit = "A 1 2|||R|||goes|||REQUIRED|||-NONE-|||0"
    gold.write_text(f"S He go .\n{edit}\n\nS I am .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n")
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"source": "I am.", "corrections": ["I was .", "I was .", "I was .", "I am .", "I be ."]}\n')
    to = tmp_path / "more.jsonl"
    assert main(["references", "extend", str(answers), "--gold", str(gold), "--to", str(to)]) == 0
    rows = [json.loads(line) for line in to.read_text().splitlines()]
    assert [row["corrections"] for row in rows] == [["He goes ."], ["I am .", "I was ."]]
    capsys.readouterr()
    answers.write_text('{"source": "We are.", "corrections": ["We were ."]}\n')
    assert main(["references", "extend", str(answers), "--gold", str(gold)]) == 2
    message = f"{gold}: lacks 1 of the 1 sentences that have answers, first 'We are.'; answers and gold must be"
    assert message in capsys.readouterr().err

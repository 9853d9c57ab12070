"""Presets: a task's official metrics and options by its name, and texts that are not in its tokens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import recte
from recte import OptionError
from recte.cli import main
from recte.tasks.presets import PRESETS
from recte.tasks.store import get_test_set
from recte.tasks.store import test_set_files as files_of
from shared_data import shared

PUBLISHED = {"conll14": ("conll14", "35.01"), "multigec-2025": ("conll14", "58.9564"), "jfleg": ("jfleg", "40.5430")}
RAW = ["He go to school.", "I like it!", "We was there?", "She is.", "They runs."]
APART = [f"{text[:-1]} {text[-1]}" for text in RAW]
INNER = ["When I come home, I sleep", "He said: no, never", "Red, green; blue"]
ESSAY = ["When I come home, I sleep. Then I wakes up, and eat. It is late; I go to bed (again)"]
CHINESE = ["我去学校。", "我喜欢它！", "他们在那里。", "你好吗？", "再见。"]
UNCUT = "5 of 5 lines look untokenised: punctuation is joined to words, first line 1"
JFLEG = "jfleg is defined on the tokens of its files, so these figures are not the task's"
NLPCC = "nlpcc18 is defined on the organisers' words (pkunlp), so these figures are not the task's"


def test_further_metrics_stand_with_those_of_a_preset(sample, capsys):
    output = "systems/wren.txt"
    assert main(["score", "gold.m2", output, "--preset", "conll14", "-m", "gleu", "--beta", "1", "-f", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    signatures = [score["signature"] for score in shown["scores"]]
    assert [signature.split("|")[0] for signature in signatures] == ["m2", "gleu"]
    assert "beta:1|" in signatures[0]


def test_the_name_of_a_preset_leads_to_its_test_sets():
    with pytest.raises(OptionError, match=r"got 'bea-2019'; that is a preset, its test sets: bea19-dev$"):
        files_of("bea-2019")
    with pytest.raises(OptionError, match=r"got 'unlp-2023'; that is a preset, its test sets: ua-gec$"):
        files_of("unlp-2023")


@pytest.mark.parametrize("preset", PUBLISHED)
def test_presets_give_the_published_numbers(preset, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RECTE_DATA", str(tmp_path))
    name, wanted = PUBLISHED[preset]
    if name == "conll14":
        get_test_set(name, source=shared("data", "conll14", "gold.m2"))
        output = shared("data", "conll14", "systems", "AMU.txt")
    else:
        get_test_set(name, source=shared("data", "jfleg"))
        output = shared("data", "jfleg", "test.src")
    digits = str(len(wanted.partition(".")[2]))
    assert main(["score", "-t", name, str(output), "--preset", preset, "-b", "-w", digits]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == wanted
    assert "warning" not in told.err


@pytest.mark.parametrize(
    ("lines", "flags", "expected"),
    [
        (RAW, "--preset jfleg", f"{UNCUT}; {JFLEG}"),
        (RAW, "--preset jfleg --tokens treebank", f"all 5 texts were cut into other tokens; by treebank; {JFLEG}"),
        (CHINESE, "--preset nlpcc18", f"{UNCUT}; {NLPCC}"),
        (RAW, "-m gleu", None),
        (APART, "--preset jfleg", None),
        (CHINESE, "--preset mucgec --tokens characters+marks", None),
    ],
)
def test_other_tokens_than_the_task_s_are_told(lines, flags, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("texts").write_text("".join(f"{line}\n" for line in lines))
    files = ["-s", "texts", "-r", "texts", "-i", "texts"]
    assert main(["score", *files, *flags.split()]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "changes nothing" not in line]
    assert told == ([] if expected is None else [f"recte: warning: source: {expected}"])
    for command in (["compare", *files, "texts", "--names", "a", "b"], ["count", *files, "-o", "x.counts"]):
        assert main([*command, *flags.split()]) == 0
        assert (expected or "the gold changes nothing") in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "count"), [(INNER, 3), (ESSAY, 1), (["It costs 1,000 , he said .", "In the U.S. it is so ."], 0)]
)
def test_marks_inside_and_few_lines_are_looked_at(lines, count, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("texts").write_text("".join(f"{line}\n" for line in lines))
    assert main(["score", "-s", "texts", "-r", "texts", "-i", "texts", "--preset", "jfleg"]) == 0
    told = capsys.readouterr().err
    assert ("look untokenised" in told) == (count > 0)
    assert (
        f"{count} of {count} lines look untokenised: punctuation is joined to words, first line 1; {JFLEG}" in told
        or not count
    )


def test_the_page_lists_every_preset():
    page = (Path(__file__).parents[2] / "docs" / "test-sets.md").read_text()
    for name, preset in PRESETS.items():
        row = (f"`{name}`", f"`{' '.join(preset.words)}`", preset.tokens or "any: it cuts characters", preset.known)
        assert f"| {' | '.join(row)} |" in page


@pytest.mark.parametrize(("preset", "model"), [("unlp-2023", "spaCy 2"), ("bea-2019", "spaCy 1.9")])
def test_another_annotator_than_the_task_s_is_told(preset, model, sample, capsys):
    """Not where edits are given, and not where the user names an annotator."""
    message = "edits of 40 texts are found with the built-in English tags; " + f"{preset}'s were found with {model} "
    for command in (["score", "gold.m2"], ["explain", "gold.m2", "--sentence", "7"], ["compare", "gold.m2"]):
        systems = ["systems/wren.txt", *(["systems/heron.txt"] if command[0] == "compare" else [])]
        assert main([*command[:2], *systems, *command[2:], "--preset", preset]) == 0
        assert f"recte: warning: source: {message}" in capsys.readouterr().err
    assert main(["score", "gold.m2", "systems/wren.txt", "--preset", preset, "-f", "json"]) == 0
    assert "+builtin-en" in json.loads(capsys.readouterr().out)["scores"][0]["signature"]
    Path("source").write_text("".join(f"{text}\n" for text in recte.read_m2("gold.m2").unchanged))
    assert main(["extract", "source", "systems/wren.txt", "--to", "wren.m2"]) == 0
    assert main(["score", "gold.m2", "wren.m2", "--preset", preset]) == 0
    assert message not in capsys.readouterr().err

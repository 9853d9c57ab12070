"""A dry run says what a run would ask: the very requests, whatever the command, and those that are left."""

from __future__ import annotations

import re

import pytest

from judging_model import GOLD, GOOD, SOURCES, Model
from recte import System, counting, evaluate
from recte.caching import result_cache
from recte.cli import main
from recte.errors import DryRun
from recte.evaluation.rewards import reward
from recte.judges.budget import estimate_tokens
from recte.studies.human.judgment_files import write_judgments
from recte.studies.human.judgments import Judgments, Preference

MORE = ["We is .", "You are .", "It rain ."]
FILES = {
    "source": [*SOURCES, *MORE],
    "ref": [*GOOD, "We are .", "You are .", "It rains ."],
    "a": [*GOOD, *MORE],
    "b": [*SOURCES, *MORE],
    "c": ["He goes .", "I am !", "They were here .", *MORE],
}


@pytest.fixture(autouse=True)
def models():
    """No stub stands for the judge here."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, lines in FILES.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    people = [
        Preference(1, "x", "a", "b", 1, 0),
        Preference(2, "x", "a", "c", 1, 1),
        Preference(3, "x", "b", "c", -1, 2),
    ]
    write_judgments(tmp_path / "people.tsv", Judgments.from_preferences(people, first_sentence=1))
    monkeypatch.chdir(tmp_path)
    return tmp_path


BASE = ["-q", "-s", "source", "-r", "ref"]
COMMANDS = {
    "score": ["score", *BASE, "-i", "a", "b", "--no-ci"],
    "against the source": ["score", *BASE, "-i", "a", "c", "--baseline", "do-nothing", "--resamples", "10"],
    "compare": ["compare", *BASE, "-i", "a", "c", "--baseline", "do-nothing", "--resamples", "10"],
    "explain": ["explain", *BASE, "-i", "a", "-n", "3"],
    "attribute": ["explain", *BASE, "-i", "c", "-n", "3", "--attribute"],
    "count": ["count", *BASE, "-i", "a", "-o", "counted"],
    "edits": ["score", *BASE, "-i", "a", "b", "--no-ci", "--basis", "edits"],
    "report": ["report", *BASE, "-i", "a", "b", "-o", "report.html"],
    "with another": ["score", *BASE, "-i", "a", "b", "--no-ci", "-m", "gleu", "llm-judge"],
    "segmentation": ["segmentation", *BASE[1:], "-i", "a", "b", "--segmenters", "given", "characters"],
    "closest": ["closest", *BASE, "-i", "a", "b", "--closest", "ref", "ref", "-m", "gleu", "llm-judge"],
    "metaeval": ["metaeval", "people.tsv", *BASE, "-i", "a", "b", "c"],
    "figures": ["figures", *BASE, "-i", "a", "b", "--to", "figures"],
    "judge": ["judge", "-q", "-s", "source", "-i", "a", "b", "c", "-o", "judged.tsv"],
}
_TOLD = re.compile(
    r"([\d,]+) requests?, about ([\d,]+) tokens; ([\d,]+) of them (?:is|are) answered in the cache: ([\d,]+) requests? "
    r"to 127\.0\.0\.1:\d+ (?:is|are) left, about ([\d,]+) tokens\n"
)


def told(capsys):
    """All requests and tokens, those known, and those left."""
    actual = _TOLD.search(capsys.readouterr().out)
    assert actual is not None
    return [int(number.replace(",", "")) for number in actual.groups()]


def sent():
    return len(Model.seen), sum(estimate_tokens(item["messages"]) for item in Model.seen)


@pytest.mark.parametrize("chunk", [10_000, 2])
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_told_is_what_is_asked(judge, folder, capsys, monkeypatch, name, chunk):
    monkeypatch.setattr(counting, "CHUNK", chunk)
    command = [*COMMANDS[name], "--judge", "m1", "--endpoint", judge().endpoint]
    command += [] if "-m" in command or name == "judge" else ["-m", "llm-judge"]
    there = set(folder.iterdir())
    assert main([*command, "--dry-run"]) == 0
    requests, tokens, known, left, tokens_left = told(capsys)
    assert not Model.seen
    assert set(folder.iterdir()) == there  # nothing was written
    assert main(command) == 0
    assert (requests, tokens) == (left, tokens_left) == sent()
    assert known == 0
    assert len(Model.seen) > 0
    capsys.readouterr()
    monkeypatch.setattr(result_cache, "_memory", {})  # as in another run
    assert main([*command, "--dry-run"]) == 0
    assert told(capsys) == [requests, tokens, requests, 0, 0]


def test_what_is_known_is_told_apart(judge, folder, capsys):
    options = ["-m", "llm-judge", "--judge", "m1", "--endpoint", judge().endpoint, "--no-ci"]
    assert main(["score", *BASE, "-i", "a", *options]) == 0
    capsys.readouterr()
    assert main(["score", *BASE, "-i", "a", "b", *options, "--dry-run"]) == 0
    requests, tokens, known, left, tokens_left = told(capsys)
    assert (requests, known, left) == (8, 6, 2)
    assert 0 < tokens_left < tokens
    Model.seen = []
    assert main(["score", *BASE, "-i", "a", "b", *options]) == 0
    assert sent() == (left, tokens_left)


def test_nobody_named_is_nobody_to_ask(judge, folder, capsys):
    assert main(["score", *BASE, "-i", "a", "-m", "llm-judge", "--dry-run"]) == 2
    assert capsys.readouterr().err == "recte: --judge: expected the name of a model, got none\n"
    assert main(["judge", "-q", "-s", "source", "-i", "a", "b", "--dry-run"]) == 2
    assert capsys.readouterr().err == "recte: --judge: expected the name of a model, got none\n"


def test_the_python_calls_tell_too(judge):
    asked = r"3 requests, about \d+ tokens; 0 of them are answered in the cache: 3 requests to 127"
    metric = judge(dry_run=True)
    for call in (
        lambda: metric.score(GOLD, GOOD),
        lambda: metric.prepare(GOLD).sentence_scores(GOOD),
        lambda: metric.prepare(GOLD).candidate_scores([[text] for text in GOOD]),
        lambda: evaluate(GOLD, [System("a", tuple(GOOD))], [metric]),
        lambda: reward(metric)(completions=GOOD, source=SOURCES),
    ):
        with pytest.raises(DryRun, match=asked):
            call()
    with pytest.raises(
        DryRun, match=r"^1 request, .*: 1 request to 127.0.0.1:\d+ is left"
    ):  # what was told before is not told again
        metric.score(GOLD[:1], ["He went ."])
    assert not Model.seen


def test_a_cluster_has_no_budget(judge, folder, capsys):
    options = ["-m", "llm-judge", "--judge", "m1", "--endpoint", judge().endpoint, "--cluster", "local:1"]
    assert main(["score", *BASE, "-i", "a", *options]) == 2
    assert "llm-judge: expected one machine, since one budget and one pace are kept there" in capsys.readouterr().err

"""A task of whole essays, as MultiGEC's: Markdown, found by id, with second references for some."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bundle_cases import write_task
from recte.cli import main
from recte.errors import InputError
from recte.tasks.bundle.codabench import bundle_files, list_expected_files, sample_submission
from recte.tasks.bundle.scoring_task import ScoringTask
from recte.tasks.bundle.submission_scores import column_values
from recte.tasks.bundle.task_file import read_task

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

NUMBERS = range(6)
SOURCE = "".join(f"### essay_id = e{n}\nHe go to school {n} .\n\nI is here .\n\n" for n in NUMBERS)
FIRST = SOURCE.replace("go", "goes").replace("is", "am")
SECOND = "### essay_id = e1\nHe went to school 1 .\n\nI am here .\n\n"


def essay_task(folder: Path, more: str = "") -> Path:
    """The task in two languages, whose English test set is one of essays."""
    path = write_task(folder)
    for name, text in (("orig", SOURCE), ("ref1", FIRST), ("ref2", SECOND)):
        (folder / f"{name}.md").write_text(text)
    text = path.read_text().replace('title = "English"', f'title = "English"\nsubmission = "en.md"\n{more}')
    text = text.replace('gold = "dev-en.m2"\n', "").replace('gold = "sample/gold.m2"\n', "")
    essays = 'source = "orig.md"\nreferences = ["ref1.md", "ref2.md"]'
    path.write_text(text.replace('baselines = ["sample/systems/magpie.txt", "sample/systems/wren.txt"]', essays))
    return path


@pytest.mark.parametrize(("more", "reading"), [("", "whole"), ('reading = "lines"', "lines")])
def test_scored_as_recte_score_does(more, reading, tmp_path, monkeypatch, capsys):
    task = read_task(essay_task(tmp_path / "task", more))
    made = bundle_files(task, [])
    assert sample_submission(task, task.phases[0])["en.md"].decode() == SOURCE
    assert made.read("starting_kit/0/sources/en.md").decode() == SOURCE
    assert list_expected_files(task, task.phases[0])[0].lines is None
    made.data("reference_data/0/").write_to(tmp_path / "ref")
    sent = tmp_path / "en.md"
    sent.write_text("### essay_id = e2\nHe goes to school 2 .\n\nI is here .\n\n" + SECOND)  # four essays are missing
    (tmp_path / "zh.txt").write_bytes((tmp_path / "task" / "sample/chinese/systems/crane.txt").read_bytes())
    monkeypatch.chdir(tmp_path / "ref")
    scored = ScoringTask.from_dict(json.loads(Path("task.json").read_text()))
    values, lines, _ = column_values(scored, {"en.md": sent, "zh.txt": tmp_path / "zh.txt"})
    signature = next(line for line in lines if line.startswith("m2|"))
    assert f"|reading:{reading}|" in signature
    monkeypatch.chdir(tmp_path / "task")
    supplied = ["-s", "orig.md", "-r", "ref1.md", "ref2.md", "-i", str(sent), "-m", "m2", "gleu", "--reading", reading]
    assert main(["score", *supplied, "-f", "json"]) == 0
    scores = {item["metric"]: item for item in json.loads(capsys.readouterr().out)["scores"]}
    assert scores["m2"]["signature"] == signature
    for name in ("m2", "gleu"):
        assert values[f"en_{name}"] == 100 * scores[name]["score"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('reading = "halves"', "references: reading: expected for MultiGEC essays whole or lines, got 'halves'"),
        ("reading = 7", "test_sets[1].reading: expected a text, got int 7"),
    ],
)
def test_an_unknown_reading_is_one_line(more, message, tmp_path):
    with pytest.raises(InputError) as refused:
        read_task(essay_task(tmp_path, more))
    assert message in str(refused.value)

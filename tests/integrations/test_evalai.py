"""EvalAI's evaluation script: the figures of the scoring program, and its one line for a bad submission."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bundle_cases import submission, write_task
from recte.tasks.bundle.bundle_files import zip_files
from recte.tasks.bundle.codabench import bundle_files
from recte.tasks.bundle.program.submission_check import BadSubmissionError
from recte.tasks.bundle.scoring_task import ScoringTask
from recte.tasks.bundle.submission_scores import column_values
from recte.tasks.bundle.task_file import read_task

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")


def test_evaluate_gives_the_figures_of_the_bundle(adapter, tmp_path, monkeypatch, capsys):
    task = read_task(write_task(tmp_path / "task"))
    reference = bundle_files(task, []).data("reference_data/1/")
    annotations = tmp_path / "annotations.zip"
    annotations.write_bytes(zip_files({name: reference.read(name) for name in reference}))
    sample = tmp_path / "task" / "sample"
    files = {"en.txt": sample / "systems" / "heron.txt", "zh.txt": sample / "chinese" / "systems" / "crane.txt"}
    good = submission(tmp_path / "good.zip", **{name.replace(".", "_"): p.read_bytes() for name, p in files.items()})
    evaluate = adapter("evalai/main.py").evaluate
    answer = evaluate(str(annotations), str(good), "test", submission_metadata={})
    reference.write_to(tmp_path / "ref")
    monkeypatch.chdir(tmp_path / "ref")
    expected = column_values(ScoringTask.from_dict(json.loads(Path("task.json").read_text())), files)
    assert answer["result"] == [{"test": pytest.approx(expected.scores, abs=1e-9)}]
    assert answer["result"][0]["test"]["mean"] > 0
    assert capsys.readouterr().out.splitlines() == expected.lines
    bad = submission(tmp_path / "bad.zip", en_txt="x\n")
    with pytest.raises(BadSubmissionError, match=r"en\.txt: expected 40 lines, one for each sentence, got 1"):
        evaluate(str(annotations), str(bad), "test")

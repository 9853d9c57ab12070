"""`recte bundle init`: a first task file from gold, checked before anything is written."""

from __future__ import annotations

import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recte.cli import main
from recte.evaluation.inputs import GoldFiles
from recte.tasks.bundle.codabench import bundle_files
from recte.tasks.bundle.task_draft import task_draft
from recte.tasks.bundle.task_file import read_task

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

TWO_SETS = ["bundle", "init", "gold.m2", "chinese/gold.m2"]
WITH_DEVELOPMENT = [*TWO_SETS, "--development", "gold.m2", "chinese/gold.m2", "--to", "new"]


def test_a_draft_is_a_task(sample, capsys):
    assert main(WITH_DEVELOPMENT) == 0
    assert capsys.readouterr().out == "recte bundle codabench new/TASK.toml --to task.zip\n"
    task = read_task("new/TASK.toml")
    assert [item.name for item in task.test_sets] == ["test_a_draft_is", "chinese"]
    assert [phase.name for phase in task.phases] == ["Development", "Test"]
    assert task.python == f"{sys.version_info.major}.{sys.version_info.minor}"
    bundle_files(task, [])
    assert main(WITH_DEVELOPMENT) == 2
    assert "TASK.toml: is there already (--force writes over it)" in capsys.readouterr().err
    assert main([*WITH_DEVELOPMENT, "--force", "--names", "en", "zh"]) == 0
    assert [item.name for item in read_task("new/TASK.toml").test_sets] == ["en", "zh"]


def test_sources_with_references_are_test_sets_too(sample):
    Path("jfleg.src").write_text("He go .\n" * 6)
    for number in "01":
        Path(f"jfleg.ref{number}").write_text("He goes .\n" * 6)
    Path("essays.md").write_text("### essay_id = 1\nHe go .\n\n")
    Path("corrected.md").write_text("### essay_id = 1\nHe goes .\n\n")
    texts = ["-s", "jfleg.src", "-r", "jfleg.ref0", "jfleg.ref1", "-s", "essays.md", "-r", "corrected.md"]
    assert main(["bundle", "init", "gold.m2", *texts, "--names", "en", "jfleg", "md", "--to", "new", "-m", "gleu"]) == 0
    task = read_task("new/TASK.toml")
    assert [item.submission for item in task.test_sets] == ["en.txt", "jfleg.txt", "md.md"]
    data = task.phases[0].data
    assert [path.name for path in data["jfleg"].gold.references] == ["jfleg.ref0", "jfleg.ref1"]
    assert not task.intervals  # of one essay there are none
    made = bundle_files(task, [])
    # A test phase is blind: the kit has no sentences, and the platform gets no references.
    assert not any(name.startswith("starting_kit/0/sources/") for name in made)
    assert made.read("reference_data/0/md/unchanged/md.md") == Path("essays.md").read_bytes()
    assert not any(b"goes" in made.read(name) for name in made if name.startswith("reference_data/"))


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--names", "en"], "--names: expected 2, one for each test set, got 1"),
        (["--names", "En", "zh"], "--names: expected small letters, digits and _, at most 16, got 'En'"),
        (["--names", "zh", "zh"], "--names: expected different ones, got 'zh' twice"),
        (["--development", "gold.m2"], "--development: expected 2, one for each test set, got 1"),
        (["-m", "gleuu"], "metric: expected one of m2, "),
        (["nowhere.m2"], "nowhere.m2: no such file"),
        (["bad.m2"], "bad.m2:2: edit 9 10 reaches past the 2 tokens of its sentence"),
        (["empty.m2"], "empty.m2"),
        (["-s", "two", "-r", "three"], "three:3: expected 2 lines, one for each sentence of two, got 3"),
        (["-s", "two"], "-s: expected references with -r for each source, got 1 and 0"),
        (["-r", "two"], "-s: expected references with -r for each source, got 0 and 1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_a_task_is_one_line_and_nothing_is_written(flags, message, sample, capsys):
    Path("bad.m2").write_text("S He go\nA 9 10|||X|||y|||REQUIRED|||-NONE-|||0\n\n")
    Path("empty.m2").write_text("")
    Path("two").write_text("a\nb\n")
    Path("three").write_text("a\nb\nc\n")
    assert main([*TWO_SETS, *flags, "--to", "new"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not Path("new").exists()


def test_a_draft_with_any_title_is_toml(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("7.m2").write_text("S a\n\n")
    start = datetime(2027, 3, 1, tzinfo=UTC)
    files = task_draft([GoldFiles(gold="7.m2")], Path("x"), title='A "title" \\ \x7f \U0001f600', start=start)
    told = tomllib.loads(files[Path("x/TASK.toml")].decode())
    assert told["title"] == 'A "title" \\ \x7f \U0001f600'
    assert told["test_sets"][0]["name"] == "set_7"
    assert told["phases"][0]["start"] == start


@pytest.mark.parametrize("target", ["task/TASK.toml", "gold.m2", "task/task.zip/"])
def test_a_bundle_is_written_over_no_other_file(target, sample, capsys):
    assert main(["bundle", "init", "gold.m2", "--to", "task"]) == 0
    assert main(["bundle", "codabench", "task/TASK.toml", "--to", target, "--no-try"]) == 2
    assert f"--to: expected a file that ends in .zip, got {target!r}" in capsys.readouterr().err
    assert read_task("task/TASK.toml").test_sets

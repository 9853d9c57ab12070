"""Bundles of others, checked on the command line: warnings, samples, what cannot be run here."""

from __future__ import annotations

import io
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from recte.cli import main
from recte.errors import InputError
from recte.tasks.bundle.bundle_files import BundleFiles, zip_files
from recte.tasks.bundle.codabench import _program_files, find_foreign_file
from recte.tasks.bundle.offline_check import try_samples
from recte.tasks.bundle.task_draft import plain_logo
from recte.tasks.bundle.wheels import pack_installed

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

COMPETITION = """
version: 2
title: Tiny correction task
image: logo.png
terms: terms.md
{more}
pages: [{{title: Overview, file: terms.md}}]
tasks: [{{index: 0, name: English, scoring_program: program/, reference_data: data/ {task}}}]
phases: [{{name: Test, start: "2027-03-01 12:00:00", tasks: [0] {phase}}}]
leaderboards: [{{title: Results, key: main, columns: [{{title: F0.5, key: f05, index: 0}}]}}]
"""
SCORING = b"import json, pathlib; pathlib.Path('../output/scores.json').write_text(json.dumps({'f05': 0.5}))"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("submission.zip").write_bytes(zip_files({"en.txt": b"a\n"}))

    def checked(*arguments, more="", task="", phase="", program=None, run_code=True):
        arguments += ("--run-code",) if run_code else ()
        files = {"terms.md": b"Terms.\n", "logo.png": plain_logo(), "data/x.txt": b"x\n"}
        files |= program or {"program/s.py": SCORING, "program/metadata.yaml": b"command: python3 s.py\n"}
        files["competition.yaml"] = COMPETITION.format(more=more, task=task, phase=phase).encode()
        files["sample.zip"] = zip_files({"en.txt": b"a\n"})
        Path("task.zip").write_bytes(zip_files(files))
        code = main(["bundle", "check", "task.zip", *arguments])
        told = capsys.readouterr()
        assert told.err.count("\n") == len(told.err.splitlines())
        return code, told.out, told.err

    return checked


OWN = f"docker_image: python:{sys.version_info.major}.{sys.version_info.minor}-slim"


def test_a_program_of_others_runs_only_on_demand(check):
    code, out, err = check("submission.zip", more=OWN, run_code=False)
    assert (code, out) == (2, "")
    assert err.startswith("recte: task.zip: the scoring program has code that is not recte's own (s.py): --run-code ")


def test_own_programs_are_known_to_the_byte(tmp_path):
    wheel = pack_installed("rich", compressed=False)
    ours = {**_program_files(), f"wheels/{wheel.file}": wheel.content}
    assert find_foreign_file(BundleFiles("own", ours)) is None
    command = ours | {"metadata.yaml": b"command: sh run_scoring.py\n"}
    assert find_foreign_file(BundleFiles("command", command)) == "metadata.yaml"
    assert find_foreign_file(BundleFiles("more", ours | {"json.py": b""})) == "json.py"
    with zipfile.ZipFile(io.BytesIO(wheel.content)) as opened:
        inside = {name: opened.read(name) for name in opened.namelist()}
    for change in ({"rich/__init__.py": inside["rich/__init__.py"] + b"\n"}, {"sitecustomize.py": b""}):
        changed = ours | {f"wheels/{wheel.file}": zip_files(inside | change)}
        assert find_foreign_file(BundleFiles("changed", changed)) == f"wheels/{wheel.file}"
    renamed = _program_files() | {"wheels/unknown-1.0-py3-none-any.whl": wheel.content}
    assert find_foreign_file(BundleFiles("renamed", renamed)) == "wheels/unknown-1.0-py3-none-any.whl"


def test_a_program_of_another_build(check):
    wheel = "wheels/recte-0.3.0-py3-none-any.whl"
    program = {f"program/{name}": content for name, content in _program_files().items()}
    program[f"program/{wheel}"] = zip_files({"recte/_version.py": b"changed"})
    code, out, err = check("submission.zip", more=OWN, program=program, run_code=False)
    assert (code, out) == (2, "")
    assert err == (
        f"recte: task.zip: the scoring program has another build of recte ({wheel}): make the bundle again by recte "
        "bundle codabench; or --run-code runs it here, with your rights\n"
    )


def test_no_zip_at_all(check):
    Path("en.txt").write_text("a\n")
    code, _, err = check("en.txt", more=OWN)
    assert code == 2
    expected = "expected a zip with the files that the pages of the task name"
    assert err == f"recte: en.txt: Failed: Bad or empty zip file ({expected})\n"


def test_hidden_scores(check):
    answer = check("submission.zip", more=OWN, phase=", hide_score_output: true")
    assert answer == (0, "Finished: 1 scores for Test, hidden\n", "")


def test_a_program_of_others(check):
    assert check("submission.zip", more=OWN) == (0, "Finished: 1 scores for Test\n", "")


def test_a_sample_of_the_bundle_or_none(check):
    sample = "solutions: [{index: 0, tasks: [0], path: sample.zip}]"
    assert check(more=f"{OWN}\n{sample}") == (0, "Finished: 1 scores for Test\n", "")
    code, out, _ = check(more=OWN)
    assert code == 0
    assert out == "task.zip: the platform reads it as it is meant; it has no sample submission to score\n"


def test_what_surprises_is_a_warning(check):
    ours = OWN + "\nqueue: 00000000-0000-4000-8000-000000000000\nenable_detailed_results: true"
    code, _, err = check("submission.zip", more=ours, phase=", hide_output: true")
    assert code == 0
    assert [line.split(":")[2].strip() for line in err.splitlines()] == [
        "phases[0].hide_output",
        "queue",
        "enable_detailed_results",
    ]


@pytest.mark.parametrize(
    ("more", "task", "arguments", "expected"),
    [
        ("", "", ("submission.zip",), "--python: expected the version of Python in the image, got nothing"),
        ("docker_image: me/image:1", "", ("submission.zip",), "--python: expected the version of Python in me/image:1"),
        (
            OWN,
            ", ingestion_program: program/",
            ("submission.zip",),
            "task 0: expected a program and data inside the bundle",
        ),
        (OWN, "", ("nowhere.zip",), "nowhere.zip: no such file"),
        (OWN, "", (".",), ".: expected the zip of a submission, got a folder: make a zip of its files"),
        (OWN, "", ("submission.zip", "--python", "3.99"), "expected Python 3.99"),
        ("foo: bar", "", (), "task.zip: competition.yaml: foo: no such key: the platform drops keys"),
        ("foo: [", "", (), "task.zip: competition.yaml: expected YAML: "),
    ],
)
def test_what_cannot_be_checked_is_one_line(more, task, arguments, expected, check):
    code, out, err = check(*arguments, more=more, task=task)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"recte: {expected}")


def test_a_bundle_that_cannot_be_tried_here(light_bundle, task):
    with pytest.raises(InputError, match=r"expected Python 3\.99 here, .* \(--no-try writes it untried\)"):
        try_samples(replace(task, python="3.99"), light_bundle)
    with pytest.raises(InputError, match=r"Development: the sample submission: Failed: the scoring process ended with"):
        try_samples(task, light_bundle)  # it has no wheels


def test_a_bundle_that_is_not_there(capsys):
    assert main(["bundle", "check", "nowhere.zip"]) == 2
    assert capsys.readouterr().err == "recte: nowhere.zip: cannot be read: No such file or directory\n"
    with pytest.raises(SystemExit, match="2"):
        main(["bundle"])
    assert capsys.readouterr().err.startswith("recte: the following arguments are required: init|codabench|check|")

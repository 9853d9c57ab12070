"""What an organiser must be able to trust: no figure and no gold where scores are hidden, and what makes a submission
fail.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from bundle_cases import submission, write_task
from recte.cli import main
from recte.errors import InputError
from recte.tasks.bundle.bundle_files import BundleFiles, zip_files
from recte.tasks.bundle.codabench import bundle_files
from recte.tasks.bundle.final_ranking import final_ranking
from recte.tasks.bundle.offline_check import read_bundle, visibility_warnings
from recte.tasks.bundle.platform_names import DownloadedName
from recte.tasks.bundle.scoring_task import ScoringTask
from recte.tasks.bundle.submission_scores import ACCEPTED, column_values
from recte.tasks.bundle.task_file import read_task
from recte.tasks.bundle.wheels import find_wheels


def changed_task(folder: Path, more: str = "", test: str = "", **replaced: str):
    """The task in two languages with further keys."""
    path = write_task(folder, more=more, test=test)
    text = path.read_text()
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return read_task(path)


def scoring_task(task, folder: Path, monkeypatch, phase: int = 1) -> ScoringTask:
    """The scoring task of a phase as its program reads it, in the folder of its reference data."""
    bundle_files(task, []).data(f"reference_data/{phase}/").write_to(folder)
    monkeypatch.chdir(folder)
    return ScoringTask.from_dict(json.loads(Path("task.json").read_text()))


def sent_files(folder: Path, good, **changes) -> dict[str, Path]:
    """Files of a submission on disk, by their names; None leaves one out."""
    files = {}
    for key, content in {**good, **changes}.items():
        if content is not None:
            name = key.replace("_", ".")
            files[name] = folder / name
            files[name].write_bytes(content)
    return files


def test_a_blind_phase_has_no_gold_and_shows_no_figure(tmp_path, good):
    """By the real scoring program: its log has no digit of a score, and its scores are all zero."""
    task = changed_task(tmp_path / "task", test="hide_scores = true")
    made = bundle_files(task, find_wheels(task.python))
    gold = (tmp_path / "task" / "sample" / "gold.m2").read_bytes()
    corrections = {line for line in gold.splitlines() if line.startswith(b"A ")}
    for name in made:
        if name.startswith(("reference_data/1/", "starting_kit/1/")):
            assert not any(line in made.read(name) for line in corrections), name
            assert "baselines" not in name
    bundle = read_bundle(BundleFiles.from_zipped("task.zip", zip_files({name: made.read(name) for name in made})))
    outcome = bundle.submit(submission(tmp_path / "sent.zip", **good), "Test")
    assert outcome.status == "Finished", outcome.stdout
    assert outcome.stdout == f"{ACCEPTED}\n"
    assert not re.search(r"\d", outcome.stdout + outcome.stderr)
    assert set(outcome.scores.values()) == {0}
    assert outcome.scores.keys() == bundle.columns.keys()
    assert outcome.kept == ("metadata", "scores.json")


def test_what_others_can_see_is_told(tmp_path):
    """Of a later phase, sentences; of the last one, gold and a leaderboard that is called hidden."""
    hidden = "hidden_leaderboard = true"
    cases = {
        "hide_scores = true\npublic_sources = false": [],
        "hide_scores = true": ["Test: its sentences"],
        "public_sources = false": ["Test: its gold", "hidden_leaderboard: Codabench shows it to anybody"],
    }
    for number, (test, expected) in enumerate(cases.items()):
        lines = visibility_warnings(changed_task(tmp_path / str(number), more=hidden, test=test))
        assert len(lines) == len(expected)
        assert all(line.startswith(start) for line, start in zip(lines, expected, strict=True))


def test_the_command_tells_what_others_can_see(tmp_path, capsys):
    path = write_task(tmp_path / "task")
    assert main(["bundle", "codabench", str(path), "--to", str(tmp_path / "task.zip"), "--no-try"]) == 0
    assert "recte: warning: Test: its gold is in the bundle" in capsys.readouterr().err


def test_a_blind_phase_says_what_looks_wrong(tmp_path, good, monkeypatch):
    task = changed_task(tmp_path / "task", test="hide_scores = true")
    scored = scoring_task(task, tmp_path / "ref", monkeypatch)
    files = sent_files(tmp_path, good, en_txt=b"\n" * 40)
    result = column_values(scored, files)
    assert result.lines == ["warning: en.txt: 40 of 40 lines are empty where the source is not, first line 1", ACCEPTED]


@pytest.mark.parametrize("test", ["", "hide_scores = true"], ids=["scored", "blind"])
def test_refused_kinds_make_a_submission_fail_with_their_line(test, tmp_path, good, monkeypatch):
    task = changed_task(tmp_path / "task", more='refuse = ["misaligned", "empty"]', test=test)
    scored = scoring_task(task, tmp_path / "ref", monkeypatch)
    lines = good["en_txt"].splitlines(keepends=True)
    cases = {
        b"".join([*lines[1:], b"x\n"]): "39 of 39 lines fit another source line better than their own, first line 1",
        b"\n" * 40: "40 of 40 lines are empty where the source is not, first line 1",
    }
    for content, message in cases.items():
        files = sent_files(tmp_path, good, en_txt=content)
        with pytest.raises(InputError, match=message) as refused:
            column_values(scored, files)
        assert refused.value.file == str(files["en.txt"])
        zips = {
            "bad": submission(tmp_path / "bad.zip", **{**good, "en_txt": content}),
            "good": submission(tmp_path / "good.zip", **good),
        }
        final = final_ranking(task, task.phases[1], zips, tmp_path / f"work{len(content)}")
        assert list(final.refused) == ["bad"]
        assert final.refused["bad"].startswith(f"en.txt: {message}")
    assert column_values(scored, sent_files(tmp_path, good)).lines  # a good one is scored


def test_a_kind_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"refuse: expected one of misaligned, .*, got 'shifted'"):
        changed_task(tmp_path, more='refuse = ["shifted"]')


OPTIONAL = {'name = "zh"\n': 'name = "zh"\noptional = true\n'}


def test_an_optional_test_set_counts_as_unchanged(tmp_path, good, monkeypatch):
    """The mean is that of a submission which sends the sources of the set that is left out."""
    task = changed_task(tmp_path / "task", **OPTIONAL)
    scored = scoring_task(task, tmp_path / "ref", monkeypatch)
    partly = column_values(scored, sent_files(tmp_path, good, zh_txt=None)).scores
    unchanged = Path("zh/unchanged/zh.txt").read_bytes()
    assert partly == column_values(scored, sent_files(tmp_path, good, zh_txt=unchanged)).scores
    zips = {
        "whole": submission(tmp_path / "whole.zip", **good),
        "part": submission(tmp_path / "part.zip", en_txt=good["en_txt"]),
        "none": submission(tmp_path / "none.zip", other_txt=b"x\n"),
    }
    final = final_ranking(task, task.phases[1], zips, tmp_path / "work")
    assert list(final.refused) == ["none"]
    mean, english, _, chinese = final.rankings
    assert "part" not in chinese.standings
    assert mean.standings["part"].value == partly["mean"] == english.standings["part"].value / 2
    assert not any(name.startswith("/") for ranking in final.rankings for name in ranking.standings)


def test_the_check_of_the_kit_takes_a_part(tmp_path, good):
    task = changed_task(tmp_path / "task", **OPTIONAL)
    bundle_files(task, []).data("starting_kit/1/").write_to(tmp_path / "kit")
    command = [sys.executable, str(tmp_path / "kit" / "submission_check.py")]
    part = submission(tmp_path / "part.zip", en_txt=good["en_txt"])
    done = subprocess.run([*command, str(part)], capture_output=True, text=True)
    assert done.stdout == (
        "note: zh.txt: not sent; its sources, unchanged, count for it\nthis submission can be scored\n"
    )
    none = submission(tmp_path / "none.zip", other_txt=b"x\n")
    done = subprocess.run([*command, str(none)], capture_output=True, text=True)
    assert done.stdout == "en.txt: expected this file in the submission, got other.txt\n"


def test_the_platforms_names_are_understood(tmp_path, good, task_folder, capsys):
    """Team, number and time come from the file's name; what was sent outside of the phase is left out."""
    folder = tmp_path / "downloaded"
    folder.mkdir()
    poor = {**good, "en_txt": (task_folder / "sample" / "systems" / "magpie.txt").read_bytes()}
    submission(folder / "16_Lattice_PhaseId2_2027-04-02:08-04_run1.zip", **good)
    submission(folder / "17_Lattice_PhaseId2_2027-04-03:08-04_run2.zip", **poor)
    submission(folder / "18_UAM_CSI_PhaseId2_2027-04-03_09-00_run.zip", **poor)
    submission(folder / "19_Late_PhaseId2_2027-04-08:00-00_x.zip", **good)
    submission(folder / "20_Early_PhaseId2_2027-03-31:23-58_x.zip", **good)
    submission(folder / "21_Last_Minute_PhaseId2_2027-04-07:23-59_x.zip", **good)
    zips = [str(path) for path in sorted(folder.iterdir())]

    def names(*flags: str) -> list[str]:
        assert (
            main(["bundle", "leaderboard", *zips, "--task", str(task_folder / "TASK.toml"), "-f", "json", *flags]) == 0
        )
        told = capsys.readouterr()
        assert "warning: Late 19: left out: sent 2027-04-08 00:00, after the end of Test" in told.err
        assert "warning: Early 20: left out: sent 2027-03-31 23:58, before the start of Test" in told.err
        first = json.loads(told.out)["rankings"][1]["systems"]
        assert len({row["system"] for row in first}) == len(first)
        return {row["system"]: row["score"] for row in first if row["system"] not in ("wren", "magpie")}

    of_all = names("--per-team", "all")
    assert set(of_all) == {"Lattice 16", "Lattice 17", "UAM_CSI 18", "Last_Minute 21"}
    assert names() == names("--per-team", "best")
    assert names()["Lattice"] == of_all["Lattice 16"]
    assert names("--per-team", "last")["Lattice"] == of_all["Lattice 17"]
    assert set(names("--per-team", "last")) == {"Lattice", "UAM_CSI", "Last_Minute"}


def test_what_is_no_name_of_the_platform():
    assert DownloadedName.of("3_x_PhaseId1_2027-02-30:08-04_y.zip") is None  # no such day
    assert DownloadedName.of("x/16_T_shift_PhaseId2_2026-11-18:08-04_shift.zip") == DownloadedName(
        "T_shift", 16, datetime(2026, 11, 18, 8, 4, tzinfo=UTC)
    )


def test_the_platforms_other_settings(tmp_path):
    more = """forum = false
public_submissions = false

[[fact_sheet]]
key = "closed_models"
type = "select"
title = "Closed models?"
selection = ["yes", "no"]
required = true

[[fact_sheet]]
key = "affiliation"
"""
    task = changed_task(tmp_path, more=more)
    told = yaml.safe_load(bundle_files(task, []).read("competition.yaml"))
    assert told["forum_enabled"] is False
    assert told["can_participants_make_submissions_public"] is False
    assert told["fact_sheet"]["closed_models"] == {
        "key": "closed_models",
        "type": "select",
        "title": "Closed models?",
        "selection": ["yes", "no"],
        "is_required": "true",
        "is_on_leaderboard": "false",
    }
    assert told["fact_sheet"]["affiliation"]["selection"] == ""
    for wrong, message in (
        ('[[fact_sheet]]\nkey = "a"\ntype = "select"', "selection: expected answers for select"),
        ('[[fact_sheet]]\nkey = "a"\ntype = "date"', "type: expected one of checkbox, text, select"),
        ('[[fact_sheet]]\nkey = "a"\n[[fact_sheet]]\nkey = "a"', "key: expected another than those before"),
    ):
        folder = tmp_path / message[:4] / str(len(wrong))
        with pytest.raises(InputError, match=message):
            changed_task(folder, more=wrong)


def test_detailed_results_in_the_development_phase(tmp_path, good, monkeypatch):
    task = changed_task(tmp_path / "task", **{"seconds = 300": "seconds = 300\ndetailed_results = true"})
    made = bundle_files(task, [])
    assert yaml.safe_load(made.read("competition.yaml"))["enable_detailed_results"] is True
    scored = scoring_task(task, tmp_path / "ref", monkeypatch, phase=0)
    page = column_values(scored, sent_files(tmp_path, good)).page
    assert "<h2>English: MaxMatch (M²)</h2>" in page
    assert "<script" not in page
    (tmp_path / "ref1").mkdir()
    assert column_values(scoring_task(task, tmp_path / "ref1", monkeypatch), sent_files(tmp_path, good)).page is None
    with pytest.raises(InputError, match="detailed_results: expected false where hide_scores is true"):
        changed_task(tmp_path / "other", test="hide_scores = true\ndetailed_results = true")


def test_the_older_platforms_bundles_are_not_read(tmp_path, capsys):
    path = tmp_path / "old.zip"
    path.write_bytes(zip_files({"competition.yaml": b"title: Old\nhtml: {overview: overview.html}\n"}))
    assert main(["bundle", "check", str(path)]) == 2
    assert "expected a bundle of version 2, got one of the older CodaLab (version 1)" in capsys.readouterr().err


def test_lenient_drafts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    edit = "A 1 9|||X|||goes|||REQUIRED|||-NONE-|||0\n"
    Path("bad.m2").write_text(f"S He go .\n{edit}\nS I am .\n\n")
    assert main(["bundle", "init", "bad.m2", "--to", "task"]) == 2
    assert "--lenient" in capsys.readouterr().err
    assert main(["bundle", "init", "bad.m2", "--to", "task", "--lenient"]) == 0
    draft = read_task("task/TASK.toml")
    assert draft.phases[0].data["bad"].gold.lenient
    assert (draft.phases[0].hide_scores, draft.phases[0].public_sources) == (True, False)
    assert draft.refuse == ("misaligned", "empty")


def test_segmenters_bring_their_packages(tmp_path):
    pytest.importorskip("syntok", reason="needs syntok: pip install 'recte[multigec]'")
    task = changed_task(tmp_path, **{'name = "en"\n': 'name = "en"\ntokens = "syntok"\n'})
    assert task.needed_packages == ("syntok",)
    assert {wheel.file.split("-")[0] for wheel in find_wheels(task.python, task.needed_packages)} >= {"syntok"}

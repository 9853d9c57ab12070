"""Bad submissions: one clear line, the platform's exit code, nothing of the references; good ones: recte's digits."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import recte
from bundle_cases import submission, write_task
from recte.cli import main
from recte.errors import InputError
from recte.tasks.bundle.bundle_files import BundleFiles, zip_files
from recte.tasks.bundle.codabench import bundle_files, list_expected_files
from recte.tasks.bundle.offline_check import read_bundle
from recte.tasks.bundle.program.submission_check import find_files, one_line, unpack
from recte.tasks.bundle.scoring_task import ScoringTask
from recte.tasks.bundle.submission_scores import column_values
from recte.tasks.bundle.task_file import read_task
from recte.tasks.bundle.wheels import Wheel, find_wheels, pack_installed
from recte.tasks.bundle.worker import network_can_be_off

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

LONG = 100 << 20
# What was sent, and what the participant reads.
BAD = {
    "missing file": ({"zh_txt": None}, "zh.txt: expected this file in the submission, got en.txt"),
    "another name": (
        {"en_txt": None, "english_txt": "x\n"},
        "en.txt: expected this file in the submission, got english.txt, zh.txt",
    ),
    "wrong line count": ({"en_txt": "one\ntwo\n"}, "en.txt: expected 40 lines, one for each sentence, got 2"),
    "no end of the last line": (
        {"en_txt": "one\ntwo"},
        "en.txt: expected 40 lines, one for each sentence, got 2 (the last one has no end)",
    ),
    "empty file": ({"en_txt": ""}, "en.txt: expected 40 lines, one for each sentence, got 0"),
    "latin-1": (
        {"en_txt": "caf\xe9 .\n".encode("latin-1") * 40},
        "en.txt:1: expected UTF-8, got byte 0xe9 at byte 4 of the line",
    ),
    "utf-16": ({"en_txt": ("a\n" * 40).encode("utf-16")}, "en.txt: expected UTF-8, got UTF-16"),
    "zero byte": ({"en_txt": "a\0b\n" * 40}, "en.txt:1: expected text, got a zero byte at byte 2"),
    "100 MB line": ({"en_txt": b"a" * LONG}, "en.txt: expected at most 1.0 MB, got 104.9 MB"),
    "long line": (
        {"en_txt": b"a" * 10_001 + b"\n"},
        "en.txt:1: expected lines of at most 10000 bytes, got a longer one",
    ),
    "zip bomb": (
        {"en_txt": b"\n" * (120 << 20)},
        "en.txt: expected at most 1.0 MB, got 125.8 MB",
    ),
    "name with a line end": (
        {"en_txt": None, "a\nb\x1b[31m\u20ac": "x"},
        "en.txt: expected this file in the submission, got a\\nb\\x1b[31m\\u20ac, zh.txt",
    ),
}


def sent(folder: Path, good, changed) -> Path:
    files = {name: content for name, content in {**good, **changed}.items() if content is not None}
    return submission(folder / "submission.zip", **files)


@pytest.mark.parametrize("case", BAD)
def test_one_line_exit_code_1_and_no_scores(case, light_bundle, good, tmp_path, task_folder):
    changed, expected = BAD[case]
    actual = light_bundle.submit(sent(tmp_path, good, changed), "Test")
    assert actual.status == "Failed"
    assert actual.tooltip == "Child task failed or non-zero return code"
    assert actual.stdout == actual.stderr == f"{expected}\n"
    assert actual.stdout.isascii()
    assert (actual.scores, actual.kept) == (None, ())
    gold = (task_folder / "sample" / "gold.m2").read_text()
    words = {line.split("|||")[2] for line in gold.splitlines() if line.startswith("A ")} - {"-NONE-", ""}
    assert not {word for word in words if len(word) > 3 and word in actual.stdout}


def test_names_that_lead_out_of_the_zip_change_nothing(light_bundle, good, tmp_path):
    """The platform makes them harmless; the file that was meant is missed, others are told."""
    path = tmp_path / "slip.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../../en.txt.evil", "x")
        archive.writestr("/tmp/recte-evil.txt", "x")
        archive.writestr("zh.txt", good["zh_txt"])
    actual = light_bundle.submit(path, "Test")
    assert actual.status == "Failed"
    expected = "en.txt: expected this file in the submission, got en.txt.evil, tmp/recte-evil.txt, zh.txt\n"
    assert actual.stdout == expected
    assert not Path("/tmp/recte-evil.txt").exists()


def test_on_the_command_line_it_is_one_line(light_files, good, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("task.zip").write_bytes(zip_files({name: light_files.read(name) for name in light_files}))
    sent(tmp_path, good, {"zh_txt": None})
    assert main(["bundle", "check", "task.zip", "submission.zip"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == ("recte: submission.zip: Failed: zh.txt: expected this file in the submission, got en.txt\n")
    Path("no.zip").write_text("not a zip")
    assert main(["bundle", "check", "task.zip", "no.zip"]) == 2
    assert capsys.readouterr().err == (
        "recte: no.zip: Failed: Bad or empty zip file (expected a zip with en.txt and zh.txt)\n"
    )
    assert main(["bundle", "check", "task.zip", "submission.zip", "--phase", "Final"]) == 2
    assert "phase: expected one of Development, Test, got 'Final'" in capsys.readouterr().err


def test_a_folder_around_the_files_and_what_systems_leave_with_them(tmp_path, good, task):
    path = tmp_path / "nested.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("run1/en.txt", good["en_txt"])
        archive.writestr("run1/zh.txt", good["zh_txt"])
        archive.writestr("run1/notes.md", "x")
        archive.writestr("__MACOSX/run1/._en.txt", "x")
        archive.writestr("run1/.DS_Store", "x")
    folder = tmp_path / "res"
    folder.mkdir()
    assert unpack(path, folder, 1 << 20) == []
    (folder / "metadata").write_text("exitCode: 0\n")
    files, notes = find_files(folder, list_expected_files(task, task.phases[1]), by_worker=True)
    assert set(files) == {"en.txt", "zh.txt"}
    assert notes == [
        "note: all files are in the folder run1/ of the zip; they were taken from there",
        "note: not needed, and not looked at: notes.md",
    ]


@pytest.mark.parametrize("name", ["metadata", "metadata.yaml"])
def test_a_submission_that_the_platform_takes_for_a_program_cannot_be_scored(name, light_files, tmp_path, good, task):
    """The worker's own file is not yet there when participants ask, nor in what organisers download."""
    kit = tmp_path / "kit"
    light_files.data("starting_kit/1/").write_to(kit)
    sent = tmp_path / "sent.zip"
    sent.write_bytes(zip_files({"en.txt": good["en_txt"], "zh.txt": good["zh_txt"], name: b"command: python3 x.py\n"}))
    command = [sys.executable, str(kit / "submission_check.py"), str(sent)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{name}: expected no file of this name, since the platform takes")
    (inside := tmp_path / "inside").mkdir()
    unpack(sent, inside, 1 << 20)
    find_files(inside, list_expected_files(task, task.phases[1]), by_worker=True)


def test_files_that_nobody_asked_for_are_not_unpacked(tmp_path, good, task):
    expected = list_expected_files(task, task.phases[1])
    sent = tmp_path / "sent.zip"
    files = {"run/en.txt": good["en_txt"], "run/zh.txt": good["zh_txt"], "run/model.bin": b"x" * (3 << 20)}
    sent.write_bytes(zip_files(files))
    (folder := tmp_path / "res").mkdir()
    assert unpack(sent, folder, 1 << 20, tuple(expected)) == []
    assert (folder / "run" / "model.bin").stat().st_size == 0
    actual, notes = find_files(folder, expected)
    assert actual["en.txt"].read_bytes() == good["en_txt"]
    assert notes[-1] == "note: not needed, and not looked at: model.bin"


def test_a_name_that_is_a_file_and_a_folder_shows_no_path_of_ours(tmp_path):
    from recte.tasks.bundle.program.submission_check import BadSubmissionError

    sent = tmp_path / "sent.zip"
    sent.write_bytes(zip_files({"en.txt/x": b"x", "en.txt": b"y"}))
    (folder := tmp_path / "res").mkdir()
    with pytest.raises(BadSubmissionError) as refused:
        unpack(sent, folder, 1 << 20)
    assert str(refused.value) == "sent.zip: expected a zip file that can be unpacked, got: Is a directory"


def test_links_are_not_followed(tmp_path, task, good):
    from recte.tasks.bundle.program.submission_check import BadSubmissionError

    (tmp_path / "zh.txt").write_bytes(good["zh_txt"])
    (tmp_path / "en.txt").symlink_to(task.phases[1].data["en"].gold.gold)
    with pytest.raises(BadSubmissionError, match=r"^en\.txt: expected this file"):
        find_files(tmp_path, list_expected_files(task, task.phases[1]))


def test_one_line_is_short_plain_and_one():
    assert one_line("a\nb\u2028\ud800\u00e9") == "a\\nb\\u2028\\ud800\\xe9"
    assert len(one_line("x" * 1000)) == 300


def with_fake_recte(task, code: str):
    """A bundle whose scoring process is the given code."""
    names = ("recte/__init__.py", "recte/tasks/__init__.py", "recte/tasks/bundle/__init__.py")
    package = zip_files({**dict.fromkeys(names, b""), "recte/tasks/bundle/submission_scores.py": code.encode()})
    files = bundle_files(task, [Wheel("recte-0-py3-none-any.whl", package, ())])
    return read_bundle(files)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("print('SECRET'); raise ValueError('SECRET')", "the scoring process ended with code 1 and no answer"),
        ("import os; os.kill(os.getpid(), 9)", "the scoring process ended with code -9 and no answer"),
        ("import sys; open(sys.argv[3], 'w').write('{')", "the scoring program failed; please tell the organisers"),
        (
            'import sys; open(sys.argv[3], \'w\').write(\'{"scores": {"mean": NaN}, "lines": ["SECRET"]}\')',
            "mean: expected a number, got none; please tell the organisers",
        ),
    ],
)
def test_whatever_the_scoring_process_says_stays_hidden(code, expected, task, good, tmp_path):
    actual = with_fake_recte(task, code).submit(sent(tmp_path, good, {}), "Test", run_code=True)
    assert actual.status == "Failed"
    assert actual.stdout.startswith(expected)
    assert actual.stdout.count("\n") == 1
    assert "SECRET" not in actual.stdout + actual.stderr


def test_too_long_is_said_before_the_platform_says_it(task, good, tmp_path):
    from dataclasses import replace

    short = replace(task, phases=tuple(replace(phase, seconds=16) for phase in task.phases))
    actual = with_fake_recte(short, "import time; time.sleep(60)").submit(
        sent(tmp_path, good, {}), "Test", run_code=True
    )
    assert actual.stdout == "scoring took longer than 1 seconds; are there very long lines?\n"


def answer(reference: Path, files: dict[str, Path], folder: Path) -> dict:
    """What the scoring process answers, run as the program runs it."""
    named = json.dumps({name: str(path) for name, path in files.items()})
    place = folder / "answer.json"
    command = [sys.executable, "-m", "recte.tasks.bundle.submission_scores", str(reference), named, str(place)]
    subprocess.run(command, capture_output=True, env={"OPENBLAS_NUM_THREADS": "1"})
    return json.loads(place.read_text()) if place.exists() else {}


def test_memory_has_a_limit(light_files, tmp_path, good):
    light_files.data("reference_data/1/").write_to(tmp_path / "ref")
    told = json.loads((tmp_path / "ref" / "task.json").read_text())
    (tmp_path / "ref" / "task.json").write_text(json.dumps({**told, "memory": 100_000_000}))
    (tmp_path / "en.txt").write_bytes(good["en_txt"])
    (tmp_path / "zh.txt").write_bytes(good["zh_txt"])
    actual = answer(tmp_path / "ref", {name: tmp_path / name for name in ("en.txt", "zh.txt")}, tmp_path)
    # A library may give up before Python does; then there is no answer, and the program says so.
    assert actual in ({}, {"error": "scoring needs more memory than there is; are there very long lines?"})


def test_a_fault_of_ours_shows_no_text(light_files, tmp_path, good):
    """A broken gold is the organisers' affair: the participant reads where the program failed, and no word of it."""
    light_files.data("reference_data/1/").write_to(tmp_path / "ref")
    (tmp_path / "ref" / "en" / "gold.m2").write_text("S He SECRET .\nA 9 12|||X|||SECRET|||REQUIRED|||-NONE-|||0\n\n")
    for name in ("en", "zh"):
        (tmp_path / f"{name}.txt").write_bytes(good[f"{name}_txt"])
    actual = answer(tmp_path / "ref", {name: tmp_path / name for name in ("en.txt", "zh.txt")}, tmp_path)
    assert actual["error"].startswith("the scoring program failed; please tell the organisers: InputError at ")
    assert "SECRET" not in actual["error"]


@pytest.mark.parametrize("ending", ["m2", "jsonl"])
def test_a_wrong_source_shows_no_source_of_the_task(light_files, tmp_path, good, ending):
    light_files.data("reference_data/1/").write_to(tmp_path / "ref")
    gold = recte.read_m2(tmp_path / "ref" / "en" / "gold.m2")
    lines = [f"S {sentence.text}\nA 0 0|||X|||Well|||REQUIRED|||-NONE-|||0\n" for sentence in gold]
    lines[3] = "S My own words .\nA 0 0|||X|||Well|||REQUIRED|||-NONE-|||0\n"
    texts = {"m2": "\n".join(lines)}
    rows = [{"source": s.text, "text": s.text, "edits": []} for s in gold]
    rows[3]["edits"] = [{"start": 90, "end": 91, "correction": "x", "type": "X"}]
    texts["jsonl"] = "\n".join(map(json.dumps, rows))
    (tmp_path / f"en.{ending}").write_text(texts[ending])
    (tmp_path / "zh.txt").write_bytes(good["zh_txt"])
    actual = answer(tmp_path / "ref", {"en.txt": tmp_path / f"en.{ending}", "zh.txt": tmp_path / "zh.txt"}, tmp_path)
    assert actual["error"].startswith("en.txt")
    words = {word for word in gold[3].tokens if len(word) > 4}
    assert words
    assert not words & set(re.findall(r"\w+", actual["error"])), actual["error"]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """What is installed, as wheels, not compressed, since that takes long."""
    folder = tmp_path_factory.mktemp("wheels")
    waiting = ["recte"]
    for name in waiting:
        wheel = pack_installed(name, compressed=False)
        (folder / wheel.file).write_bytes(wheel.content)
        waiting += [item for item in wheel.requires if item not in waiting]
    return folder


def test_from_wheels_without_network_with_the_digits_of_recte_score(
    task_folder, wheels, good, tmp_path, monkeypatch, capsys
):
    """The whole way: a bundle with all its wheels, a fresh environment, no network, and `recte score` to compare
    with.
    """
    monkeypatch.chdir(tmp_path)
    bundle = tmp_path / "task.zip"
    made = ["bundle", "codabench", str(task_folder / "TASK.toml"), "--to", "task.zip", "--wheels", str(wheels)]
    assert main([*made, "--no-try"]) == 0
    assert capsys.readouterr().out.startswith("task.zip: phases Development, Test; columns mean, mean_low, ")
    checked = read_bundle(BundleFiles.from_zip(bundle))
    carried = {name.split("/")[-1].split("-")[0] for name in checked.files if name.endswith(".whl")}
    assert {"recte", "numpy", "scipy", "rich"} <= carried
    actual = checked.submit(sent(tmp_path, good, {}), "Test")
    assert (actual.status, actual.stderr) == ("Finished", "")
    assert actual.refusal(checked.columns) is None
    assert actual.kept == ("metadata", "scores.json")
    assert set(actual.scores) == set(checked.columns)
    sample = task_folder / "sample"
    shown = {}
    for name, gold, system in (
        ("en", sample / "gold.m2", sample / "systems" / "heron.txt"),
        ("zh", sample / "chinese" / "gold.m2", sample / "chinese" / "systems" / "crane.txt"),
    ):
        assert main(["score", str(gold), str(system), "-m", "m2", "gleu", "-f", "json"]) == 0
        for score in json.loads(capsys.readouterr().out)["scores"]:
            if score["metric"] == "gleu" and name == "zh":
                continue
            key = f"{name}_{score['metric']}"
            shown[key] = score["score"]
            shown[f"{key}_low"], shown[f"{key}_high"] = score["interval"]["low"], score["interval"]["high"]
    assert {key: round(100 * value, 10) for key, value in shown.items()} == {key: actual.scores[key] for key in shown}
    assert actual.scores["mean"] == pytest.approx((actual.scores["en_m2"] + actual.scores["zh_m2"]) / 2)
    assert "English MaxMatch F0.5: 81.30\n" in actual.stdout
    if not network_can_be_off():
        pytest.skip("all but the network: needs unshare, to turn it off")


def test_columns_in_this_process(light_files, good, tmp_path, monkeypatch):
    """Ranks among baselines, further figures, the mean: from the reference data alone."""
    light_files.data("reference_data/1/").write_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    task = ScoringTask.from_dict(json.loads(Path("task.json").read_text()))
    for name in ("en", "zh"):
        Path(f"{name}.txt").write_bytes(good[f"{name}_txt"])
    values, lines, _ = column_values(task, {"en.txt": Path("en.txt"), "zh.txt": Path("zh.txt")})
    assert list(values) == [column.key for column in task.columns]
    assert (values["en_m2_rank_from"], values["en_m2_rank_to"]) == (1.0, 1.0)  # heron beats magpie and wren
    assert (values["zh_m2_rank_from"], values["zh_m2_rank_to"]) == (1.0, 2.0)  # the other baseline is close
    assert (values["mean_rank_from"], values["mean_rank_to"]) == (1.0, 1.0)
    assert (values["en_m2_precision"], values["en_m2_tp"]) == (pytest.approx(100 * 40 / 49), 40.0)
    assert values["mean_low"] < values["mean"] < values["mean_high"]
    assert lines[0].startswith("Mean: ")
    assert sum("|version:" in line for line in lines) == 3
    # The output of a baseline: both share the better rank, below the other baseline.
    Path("en.txt").write_bytes(Path(task.sets[0].baselines["magpie"]).read_bytes())
    again = column_values(task, {"en.txt": Path("en.txt"), "zh.txt": Path("zh.txt")}).scores
    assert (again["en_m2_rank_from"], again["en_m2_rank_to"]) == (2.0, 2.0)


SHIFTED = "39 of 39 lines fit another source line better than their own, first line 1; lines 1 to 39 fit"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda lines: [b"\n"] * 40, "40 of 40 lines are empty where the source is not, first line 1"),
        (lambda lines: [*lines[1:], b"x\n"], f"{SHIFTED} the source 1 line later"),
        (lambda lines: lines, None),
    ],
    ids=["empty", "shifted", "good"],
)
def test_what_looks_wrong_is_told_though_it_is_scored(change, expected, light_files, good, tmp_path, monkeypatch):
    """Only of the submission: the baselines and the gold of this task look wrong too, and that stays hidden."""
    light_files.data("reference_data/1/").write_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("en/baselines/wren.txt").write_text("\n" * 40)
    gold = Path("en/gold.m2").read_text().splitlines(keepends=True)
    Path("en/gold.m2").write_text("".join(2 * line if line.startswith("A ") else line for line in gold))
    task = ScoringTask.from_dict(json.loads(Path("task.json").read_text()))
    Path("en.txt").write_bytes(b"".join(change(good["en_txt"].splitlines(keepends=True))))
    Path("zh.txt").write_bytes(good["zh_txt"])
    lines = column_values(task, {"en.txt": Path("en.txt"), "zh.txt": Path("zh.txt")}).lines
    told = [line for line in lines if line.startswith("warning: ")]
    assert told == ([] if expected is None else [f"warning: en.txt: {expected}"])


def test_a_baseline_called_submission_is_not_scored_for_it(light_files, good, tmp_path, monkeypatch):
    light_files.data("reference_data/1/").write_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    told = json.loads(Path("task.json").read_text())
    told["sets"][0]["baselines"] = {"submission": told["sets"][0]["baselines"]["magpie"]}
    Path("en.txt").write_bytes(good["en_txt"])
    Path("zh.txt").write_bytes(good["zh_txt"])
    files = {"en.txt": Path("en.txt"), "zh.txt": Path("zh.txt")}
    values = column_values(ScoringTask.from_dict(told), files).scores
    assert f"{values['en_m2']:.2f}" == "81.30"


def test_the_kit_lets_participants_check(light_files, good, tmp_path):
    light_files.data("starting_kit/1/").write_to(tmp_path)
    path = sent(tmp_path, good, {})
    check = [sys.executable, "-I", str(tmp_path / "submission_check.py")]
    done = subprocess.run([*check, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "this submission can be scored\n")
    done = subprocess.run([*check, str(tmp_path / "sample_submission.zip")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "this submission can be scored\n")
    path = sent(tmp_path, good, {"en_txt": "x\n"})
    done = subprocess.run([*check, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "en.txt: expected 40 lines, one for each sentence, got 1\n")


def test_wheels_of_a_folder_go_first(wheels):
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    actual = {wheel.file for wheel in find_wheels(python, folder=wheels)}
    assert actual == {path.name for path in wheels.glob("*.whl")}


def test_organisers_read_offline_what_participants_must_not(task, good, tmp_path):
    code = "import sys, json; json.dump({'error': 'it failed', 'details': 'SECRET'}, open(sys.argv[3], 'w'))"
    actual = with_fake_recte(task, code).submit(sent(tmp_path, good, {}), "Test", run_code=True)
    assert actual.stdout == actual.stderr == "it failed\n"
    assert actual.refusal({}) == "Failed: it failed (SECRET)"


def test_a_submission_that_is_no_plain_text(tmp_path):
    """A sample says what it looks like; how many units it has is recte's to say."""
    path = write_task(tmp_path)
    text = path.read_text().replace('title = "Chinese"', 'title = "Chinese"\nsubmission = "zh.para"')
    path.write_text(text)
    with pytest.raises(
        InputError, match=r"phases\[1\]\.data\.zh\.sample: expected one, since zh\.para is no plain text"
    ):
        read_task(path)
    named = 'gold = "sample/chinese/gold.para"\nsample = "sample/chinese/crane.para"'
    text = text.replace('baselines = ["baselines/magpie.txt", "baselines/wren.txt"]', "")
    path.write_text(text.replace('gold = "sample/chinese/gold.m2"', named))
    task = read_task(path)
    assert list_expected_files(task, task.phases[0])[1].lines is None
    crane = (tmp_path / "sample" / "chinese" / "crane.para").read_bytes()
    assert bundle_files(task, []).read("starting_kit/0/sources/zh.para") == crane
    files = {"zh.para": tmp_path / "zh.para", "en.txt": tmp_path / "sample" / "systems" / "heron.txt"}
    bundle_files(task, []).data("reference_data/0/").write_to(tmp_path / "ref")
    files["zh.para"].write_bytes(crane)
    actual = answer(tmp_path / "ref", files, tmp_path)
    assert actual["scores"]["zh_m2"] > 0
    files["zh.para"].write_bytes(crane.splitlines()[0])
    assert answer(tmp_path / "ref", files, tmp_path)["error"] == (
        "zh.para:1: expected 14 lines, one for each sentence of zh/gold.para, got 1"
    )
    files["zh.para"].write_text("1\tno such\tline\n" * 14)
    actual = answer(tmp_path / "ref", files, tmp_path)
    assert actual["error"].startswith("zh.para: expected an output for sentence ")

"""TASK.toml: what it may say, and one line for what it may not; wheels; the first draft."""

from __future__ import annotations

import json
import sys
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bundle_cases import write_task
from recte.bundle.codabench import bundle_files, expected_files
from recte.bundle.leaderboard_columns import leaderboard_columns, unranked
from recte.bundle.offline_check import task_warnings
from recte.bundle.task_draft import task_draft
from recte.bundle.task_file import read_task
from recte.bundle.wheels import fits, installed_wheel, needed_wheels
from recte.cli import main
from recte.errors import InputError

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

# What stands in the task file, what comes in its place, and what the organiser reads.
WRONG = [
    ('title = "Correction in two languages"', "", "title: expected a text, got nothing"),
    ('title = "Correction in two languages"', "title = 3", "title: expected a text, got int 3"),
    (
        'title = "Correction in two languages"',
        f'title = "{"x" * 257}"',
        "title: expected at most 256 characters, got 257",
    ),
    ('terms = "pages/terms.md"', 'terms = "nowhere.md"', "terms: expected a file, found none at "),
    ('email = "', 'mail = "', "mail: no such key"),
    (
        'image = "python:',
        'image = "python" # ',
        "image: expected a fixed version, such as python:3.12-slim, got 'python'",
    ),
    ('image = "python:', 'image = "python:latest" # ', "image: expected a fixed version"),
    ('image = "python:', 'image = "debian:12" # ', "python: expected the version of Python in debian:12"),
    ('image = "python:', 'python = "3.9"\nimage = "debian:12" # ', "python: expected a version from 3.11 on"),
    (
        "start = 2027-03-01T12:00:00+02:00",
        "start = 2027-03-01T12:00:00",
        "phases[1].start: expected a time with its zone",
    ),
    ("start = 2027-03-01T12:00:00+02:00", "start = 2027-03-01", "phases[1].start: expected a time with its zone"),
    ("start = 2027-03-01T12:00:00+02:00", 'start = "soon"', "phases[1].start: expected a time with its zone"),
    (
        "start = 2027-03-01T12:00:00+02:00",
        "start = 2027-04-01T00:00:00Z",
        "phases[1].end: expected a time after its start",
    ),
    ("end = 2027-03-31T23:59:59Z", "", "phases[1].end: expected a time, since another phase follows"),
    ("end = 2027-03-31T23:59:59Z", "end = 2027-04-01T00:00:00Z", "phases[2].start: expected a time after the end of"),
    (
        "submissions_per_day = 10",
        "submissions_per_day = 0",
        "phases[1].submissions_per_day: expected a whole number from 1",
    ),
    ("submissions_per_day = 10", "submissions_per_day = true", "expected a whole number, got bool True"),
    ("seconds = 300", "seconds = 601", "phases[1].seconds: expected at most 600 on the platform's own queue, got 601"),
    ('name = "Test"', 'name = "Development"', "phases: expected different names, got 'Development' twice"),
    ('name = "m2"', 'name = "m3"', "metrics[1]: metric: expected one of m2, "),
    ('name = "m2"', 'name = "m2"\nbeta = -1', "metrics[1]: beta: expected "),
    ('name = "m2"', 'name = "m2"\nbetta = 1.0', "metrics[1]: betta: expected test_sets, figures, title, or an option"),
    ('test_sets = ["en"]', 'test_sets = ["de"]', "metrics[2].test_sets: expected some of en, zh, got 'de'"),
    ('name = "zh"', 'name = "en"', "test_sets[2].name: expected another than that of the sets before"),
    ('name = "zh"', 'name = "zh/x"', "test_sets[2].name: expected small letters, digits and _"),
    ('title = "Chinese"', 'submission = "../x"', "test_sets[2].submission: expected a plain file name"),
    ('title = "Chinese"', 'submission = "metadata"', "test_sets[2].submission: expected a plain file name"),
    ('title = "Chinese"', 'normalise = ["x"]', "test_sets[2].normalise: expected steps of "),
    ('gold = "dev-en.m2"', "", "phases[1].data.en.gold: expected a gold file, or source and references"),
    ('gold = "dev-en.m2"', 'source = "dev-en.m2"', "phases[1].data.en.references: expected references where"),
    ('gold = "dev-en.m2"', 'gold = "dev-en.m2"\nsources = 1', "phases[1].data.en.sources: no such key"),
    ("[phases.data.zh]", "[phases.data.de]", "phases[1].data.zh: expected a table, got nothing"),
    ('description = "', 'memory = "4 apples"\ndescription = "', 'memory: expected a size such as "20 MB"'),
    ('description = "', 'leaderboard = "worst"\ndescription = "', "leaderboard: expected one of best, last, chosen"),
    ('title = "Correction', "title = Correction", "expected TOML: "),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wrong")
    write_task(folder)
    return folder


@pytest.mark.parametrize(("old", "new", "expected"), WRONG, ids=[expected for *_, expected in WRONG])
def test_what_is_wrong_is_one_line(old, new, expected, folder):
    text = (folder / "TASK.toml").read_text()
    assert old in text
    wrong = folder / "wrong.toml"
    wrong.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError) as refused:
        read_task(wrong)
    assert str(refused.value).startswith(f"{wrong}: ")
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_task_file_and_no_text(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_task(tmp_path / "TASK.toml")
    (tmp_path / "TASK.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="expected UTF-8"):
        read_task(tmp_path / "TASK.toml")


def test_sources_with_references_and_tokens(tmp_path):
    path = write_task(tmp_path)
    (tmp_path / "src.txt").write_text("He go .\n" * 6)
    (tmp_path / "ref.txt").write_text("He goes .\n" * 6)
    text = path.read_text().replace('gold = "sample/gold.m2"', 'source = "src.txt"\nreferences = ["ref.txt"]')
    text = text.replace('title = "English"', 'tokens = "treebank"\nnormalise = ["whitespace"]')
    text = text.replace('baselines = ["sample/systems/magpie.txt", "sample/systems/wren.txt"]', "")
    path.write_text(text)
    task = read_task(path)
    made = bundle_files(task, [])
    told = json.loads(made.read("reference_data/1/task.json"))
    assert told["sets"][0]["gold"]["source"] == "en/src.txt"
    assert told["sets"][0]["gold"]["references"] == ["en/ref.txt"]
    assert told["sets"][0]["gold"]["tokens"] == "treebank"
    assert made.read("starting_kit/1/sources/en.txt") == b"He go .\n" * 6
    # Without baselines for one set, neither that set nor the mean has ranks.
    assert ranked(task) == {"zh_m2"}


def ranked(task) -> set[str]:
    """The figures that have rank columns."""
    return {key.removesuffix("_rank_from") for column in leaderboard_columns(task) if "_rank_f" in (key := column.key)}


def test_the_mean_has_ranks_where_a_baseline_is_on_every_set(task_folder, tmp_path, monkeypatch, capsys):
    text = (task_folder / "TASK.toml").read_text()
    path = task_folder / "unlike.toml"
    path.write_text(text.replace('"baselines/magpie.txt", "baselines/wren.txt"', '"sample/chinese/systems/crane.txt"'))
    task = read_task(path)
    assert ranked(task) == {"en_m2", "en_gleu", "zh_m2"}
    assert unranked(task) == [
        "mean: no rank columns, since no baseline has outputs of one name for every test set in the phase Development"
    ]
    path.write_text(text.replace('baselines = ["sample/systems/magpie.txt", "sample/systems/wren.txt"]', "", 1))
    task = read_task(path)
    assert ranked(task) == {"zh_m2"}
    assert unranked(task) == ["en: no rank columns, since there are no baselines in the phase Development"]
    assert unranked(replace(task, intervals=False)) == []
    path.unlink()


def test_gold_and_baselines_that_look_wrong_are_told(task_folder):
    assert task_warnings(read_task(task_folder / "TASK.toml")) == []
    empty = task_folder / "baselines" / "empty.txt"
    empty.write_text("\n" * 12)
    path = task_folder / "odd.toml"
    path.write_text((task_folder / "TASK.toml").read_text().replace('"baselines/wren', '"baselines/empty'))
    lines = task_warnings(read_task(path))
    assert lines == [
        f"{phase}: zh: empty: 12 of 12 lines are empty where the source is not, first line 1"
        for phase in ("Development", "Test")
    ]
    path.unlink()
    empty.unlink()


def test_files_of_options_go_into_the_reference_data(tmp_path):
    path = write_task(tmp_path)
    content = b"sentence\tstart\tend\tcorrection\tweight\n1\t1\t2\tgoes\t2\n"
    (tmp_path / "weights.tsv").write_bytes(content)
    path.write_text(path.read_text().replace('name = "m2"', 'name = "m2"\nedit_weights = "weights.tsv"', 1))
    made = bundle_files(read_task(path), [])
    told = json.loads(made.read("reference_data/0/task.json"))
    assert told["sets"][0]["metrics"][0]["options"]["edit_weights"] == "en/options/weights.tsv"
    assert made.read("reference_data/0/en/options/weights.tsv") == content


def test_limits_come_from_the_sources_or_from_the_task(task):
    english = expected_files(task, task.phases[0])[0]
    assert (english.file, english.lines, english.largest_file, english.longest_line) == (
        "en.txt",
        40,
        1_000_000,
        10_000,
    )
    own = expected_files(replace(task, largest_file=5, longest_line=6), task.phases[0])[0]
    assert (own.largest_file, own.longest_line) == (5, 6)


def test_columns_too_long_or_of_two_directions_are_refused(task):
    long = replace(task, test_sets=(replace(task.test_sets[0], title="x" * 30), task.test_sets[1]))
    with pytest.raises(InputError, match="a column's title: expected at most 36 characters"):
        leaderboard_columns(long)
    with pytest.raises(InputError, match="figures: expected some of tp, fp"):
        leaderboard_columns(replace(task, metrics=(replace(task.metrics[0], figures=("joy",)),)))


def test_one_test_set_has_short_columns(task):
    alone = replace(task, test_sets=task.test_sets[:1], intervals=False)
    assert [(c.key, c.title) for c in leaderboard_columns(alone)] == [
        ("m2", "MaxMatch F0.5"),
        ("m2_precision", "MaxMatch P"),
        ("m2_recall", "MaxMatch R"),
        ("m2_tp", "MaxMatch TP"),
        ("gleu", "GLEU"),
    ]


def test_a_draft_is_a_task(sample, tmp_path, capsys):
    made = [
        "bundle",
        "init",
        "gold.m2",
        "chinese/gold.m2",
        "--development",
        "gold.m2",
        "chinese/gold.m2",
        "--to",
        "new",
    ]
    assert main(made) == 0
    assert capsys.readouterr().out == "recte bundle codabench new/TASK.toml --to task.zip\n"
    task = read_task("new/TASK.toml")
    assert [one.name for one in task.test_sets] == ["test_a_draft_is", "chinese"]
    assert [phase.name for phase in task.phases] == ["Development", "Test"]
    assert task.python == f"{sys.version_info.major}.{sys.version_info.minor}"
    bundle_files(task, [])
    assert main(made) == 2
    assert "TASK.toml: is there already (--force writes over it)" in capsys.readouterr().err
    assert main([*made, "--force", "--names", "en", "zh"]) == 0
    assert [one.name for one in read_task("new/TASK.toml").test_sets] == ["en", "zh"]
    assert main([*made, "--force", "--names", "en"]) == 2
    assert main(["bundle", "init", "nowhere.m2", "--to", "other"]) == 2
    assert not Path("other").exists()


def test_a_draft_with_any_title_is_toml(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("7.m2").write_text("S a\n\n")
    start = datetime(2027, 3, 1, tzinfo=UTC)
    files = task_draft(["7.m2"], Path("x"), title='A "title" \\ \x7f \U0001f600', start=start)
    told = tomllib.loads(files[Path("x/TASK.toml")].decode())
    assert told["title"] == 'A "title" \\ \x7f \U0001f600'
    assert told["test_sets"][0]["name"] == "set_7"
    assert told["phases"][0]["start"] == start


@pytest.mark.parametrize(
    ("tag", "python", "expected"),
    [
        ("py3-none-any", "3.12", True),
        ("cp312-abi3-manylinux_2_28_x86_64", "3.13", True),
        ("cp312-abi3-manylinux_2_28_x86_64", "3.11", False),
        ("cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64", "3.11", True),
        ("cp311-cp311-linux_x86_64", "3.12", False),
        ("cp312-cp312-macosx_11_0_arm64", "3.12", False),
        ("cp312-cp312-win_amd64", "3.12", False),
        ("py2.py3-none-any", "3.11", True),
    ],
)
def test_which_wheels_fit(tag, python, expected):
    assert fits(tag, python) is expected


def test_a_wheel_that_is_missing_says_how_to_fetch_it(tmp_path):
    with pytest.raises(
        InputError, match=r"recte: expected a wheel for Python 3\.99 .* pip download .* --wheels wheels"
    ):
        needed_wheels("3.99")
    with pytest.raises(InputError, match="expected a folder with wheels"):
        needed_wheels("3.11", folder=tmp_path / "nowhere")
    (tmp_path / "recte-0.0.1-py3-none-any.whl").write_bytes(b"x")
    with pytest.raises(InputError, match=r"expected recte .*, got 0\.0\.1"):
        needed_wheels("3.11", folder=tmp_path)


def test_packages_of_the_task_go_along():
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    own = installed_wheel("mdurl")
    assert own.file.startswith("mdurl-")
    assert own.content == installed_wheel("mdurl").content
    with pytest.raises(InputError, match=r"^no-such-package: expected a wheel for"):
        needed_wheels(python, ["no_such.package"])

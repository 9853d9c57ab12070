"""TASK.toml: what it may say, and one line for what it may not; the columns that follow from it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from recte.errors import InputError
from recte.tasks.bundle.codabench import bundle_files, list_expected_files
from recte.tasks.bundle.leaderboard_columns import explain_missing_ranks, leaderboard_columns
from recte.tasks.bundle.offline_check import task_warnings
from recte.tasks.bundle.program.submission_check import ExpectedFile
from recte.tasks.bundle.task_file import read_task

pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

# What stands in the task file: what comes in its place, and what the organiser reads.
WRONG = {
    'title = "Correction in two languages"': [
        ("", "title: expected a text, got nothing"),
        ("title = 3", "title: expected a text, got int 3"),
        (f'title = "{"x" * 257}"', "title: expected at most 256 characters, got 257"),
    ],
    'terms = "pages/terms.md"': [
        ('terms = "logo.png"', "terms: expected a text in UTF-8, got something else in "),
        ('terms = "nowhere.md"', "terms: expected a file, found none at "),
    ],
    'email = "': [
        ('mail = "', "mail: no such key"),
    ],
    'image = "python:': [
        ('image = "python" # ', "image: expected a fixed version, such as python:3.12-slim, got 'python'"),
        ('image = "python:latest" # ', "image: expected a fixed version"),
        ('image = "debian:12" # ', "python: expected the version of Python in debian:12"),
        ('python = "3.9"\nimage = "debian:12" # ', "python: expected a version from 3.11 on"),
    ],
    "start = 2027-03-01T12:00:00+02:00": [
        ("start = 0001-01-01T00:00:00+23:00", "phases[1].start: expected a time in the years 1 to 9999 of UTC"),
        ("start = 2027-03-01T12:00:00", "phases[1].start: expected a time with its zone"),
        ("start = 2027-03-01", "phases[1].start: expected a time with its zone"),
        ('start = "soon"', "phases[1].start: expected a time with its zone"),
        ("start = 2027-04-01T00:00:00Z", "phases[1].end: expected a time after its start"),
    ],
    "end = 2027-03-31T23:59:59Z": [
        ("", "phases[1].end: expected a time, since another phase follows"),
        ("end = 2027-04-01T00:00:00Z", "phases[2].start: expected a time after the end of"),
    ],
    "submissions_per_day = 10": [
        ("submissions_per_day = 0", "phases[1].submissions_per_day: expected a whole number from 1"),
        ("submissions_per_day = true", "expected a whole number, got bool True"),
    ],
    "seconds = 300": [
        (f"seconds = {'9' * 5000}", "expected TOML: whole numbers of at most 64 bits"),
        (f"seconds = 0x{'f' * 5000}", "expected TOML: whole numbers of at most 64 bits"),
        (f"seconds = {'[' * 5000}", "expected TOML: tables and lists are nested too deeply"),
        ("seconds = 601", "phases[1].seconds: expected at most 600 on the platform's own queue, got 601"),
    ],
    'name = "Test"': [
        ('name = "Development"', "phases: expected different names, got 'Development' twice"),
    ],
    'name = "m2"': [
        ('name = "m3"', "metrics[1]: metric: expected one of m2, "),
        ('name = "m2"\nbeta = -1', "metrics[1]: beta: expected "),
        ('name = "m2"\nbetta = 1.0', "metrics[1]: betta: expected test_sets, figures, title, or an option"),
    ],
    'test_sets = ["en"]': [
        ('test_sets = ["de"]', "metrics[2].test_sets: expected some of en, zh, got 'de'"),
    ],
    'name = "zh"': [
        ('name = "en"', "test_sets[2].name: expected another than that of the sets before"),
        ('name = "zh/x"', "test_sets[2].name: expected small letters, digits and _"),
    ],
    'title = "Chinese"': [
        ('submission = "../x"', "test_sets[2].submission: expected a plain file name"),
        ('submission = "metadata"', "test_sets[2].submission: expected a plain file name"),
        ('submission = "__MACOSX"', "test_sets[2].submission: expected a plain file name"),
        ('submission = "Thumbs.db"', "test_sets[2].submission: expected a plain file name"),
        ("submission = 'sub\\en.txt'", "test_sets[2].submission: expected a plain file name"),
        ('submission = "EN.txt"', "test_sets[2].submission: expected another than that of the sets before"),
        ('tokens = "nonsense"', "test_sets[2].tokens: expected "),
        ('normalise = ["x"]', "test_sets[2].normalise: expected steps of "),
    ],
    'gold = "dev-en.m2"': [
        ("", "phases[1].data.en.gold: expected a gold file, or source and references"),
        ('source = "dev-en.m2"', "phases[1].data.en.references: expected references where"),
        ('gold = "dev-en.m2"\nsources = 1', "phases[1].data.en.sources: no such key"),
    ],
    "[phases.data.zh]": [
        ("[phases.data.de]", "phases[1].data.zh: expected a table, got nothing"),
    ],
    'file = "pages/overview.md"': [
        ('file = "logo.png"', "pages[1].file: expected a text in UTF-8, got something else in "),
    ],
    'description = "': [
        (
            'packages = ["../../etc"]\ndescription = "',
            "packages: expected names of packages, such as jieba, got '../../etc'",
        ),
        (f'memory = "{"9" * 5000} MB"\ndescription = "', 'memory: expected a size such as "20 MB"'),
        ('memory = "٢ MB"\ndescription = "', 'memory: expected a size such as "20 MB"'),
        ('memory = "4 apples"\ndescription = "', 'memory: expected a size such as "20 MB"'),
        ('leaderboard = "worst"\ndescription = "', "leaderboard: expected one of best, last, chosen"),
    ],
    'title = "Correction': [
        ("title = Correction", "expected TOML: "),
    ],
}
ENGLISH_BASELINES = 'baselines = ["sample/systems/magpie.txt", "sample/systems/wren.txt"]'
CHINESE_BASELINES = 'baselines = ["baselines/magpie.txt", "baselines/wren.txt"]'
CASES = [(old, *case) for old, cases in WRONG.items() for case in cases]


@pytest.fixture
def changed(task_folder):
    """Writes the task file with some text in place of other, and the task's files, and gives its path."""
    path = task_folder / "changed.toml"

    def write(*changes: tuple[str, str], count: int = -1) -> Path:
        text = (task_folder / "TASK.toml").read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, count)
        path.write_text(text)
        return path

    yield write
    path.unlink(missing_ok=True)


@pytest.mark.parametrize(("old", "new", "expected"), CASES, ids=[expected for *_, expected in CASES])
def test_what_is_wrong_is_one_line(old, new, expected, changed):
    wrong = changed((old, new), count=1)
    with pytest.raises(InputError) as refused:
        read_task(wrong)
    assert str(refused.value).startswith(f"{wrong}: ")
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_task_file_may_begin_with_a_mark(changed):
    path = changed()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_task(path).title == "Correction in two languages"


def test_no_task_file_and_no_text(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_task(tmp_path / "TASK.toml")
    (tmp_path / "TASK.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="expected UTF-8"):
        read_task(tmp_path / "TASK.toml")


def test_sources_with_references_and_tokens(changed, tmp_path):
    (tmp_path / "src.txt").write_text("He go .\n" * 6)
    (tmp_path / "ref.txt").write_text("He goes .\n" * 6)
    supplied = f'source = "{tmp_path}/src.txt"\nreferences = ["{tmp_path}/ref.txt"]'
    path = changed(
        ('gold = "sample/gold.m2"', supplied),
        ('title = "English"', 'tokens = "treebank"\nnormalise = ["whitespace"]'),
        (ENGLISH_BASELINES, ""),
    )
    task = read_task(path)
    made = bundle_files(task, [])
    told = json.loads(made.read("reference_data/1/task.json"))["sets"][0]["gold"]
    assert (told["source"], told["references"], told["tokens"]) == ("en/src.txt", ["en/ref.txt"], "treebank")
    assert made.read("starting_kit/1/sources/en.txt") == b"He go .\n" * 6
    # Without baselines for one set, neither that set nor the mean has ranks.
    assert ranked(task) == {"zh_m2"}


def ranked(task) -> set[str]:
    """The figures that have rank columns."""
    return {key.removesuffix("_rank_from") for column in leaderboard_columns(task) if "_rank_f" in (key := column.key)}


def test_the_mean_has_ranks_where_a_baseline_is_on_every_set(changed):
    task = read_task(changed((CHINESE_BASELINES, 'baselines = ["sample/chinese/systems/crane.txt"]')))
    assert ranked(task) == {"en_m2", "en_gleu", "zh_m2"}
    assert explain_missing_ranks(task) == [
        "mean: no rank columns, since no baseline has outputs of one name for every test set in the phase Development"
    ]
    task = read_task(changed((ENGLISH_BASELINES, ""), count=1))
    assert ranked(task) == {"zh_m2"}
    mean = (
        "mean: no rank columns, since no baseline has outputs of one name for every test set in the phase Development"
    )
    of_english = "en: no rank columns, since there are no baselines in the phase Development"
    assert explain_missing_ranks(task) == [of_english, mean]
    assert explain_missing_ranks(replace(task, intervals=False)) == []
    task = read_task(changed((ENGLISH_BASELINES, "")))
    assert explain_missing_ranks(task) == [of_english, mean]
    assert explain_missing_ranks(read_task(changed((ENGLISH_BASELINES, ""), (CHINESE_BASELINES, "")))) == []


def test_a_baseline_stands_once(changed):
    twice = 'baselines = ["sample/systems/wren.txt", "sample/systems/wren.txt"]'
    with pytest.raises(InputError, match="baselines: expected files of different names, got 'wren' twice"):
        read_task(changed((ENGLISH_BASELINES, twice)))


def test_gold_and_baselines_that_look_wrong_are_told(task, changed, tmp_path):
    assert task_warnings(task) == []
    (tmp_path / "empty.txt").write_text("\n" * 12)
    lines = task_warnings(read_task(changed((CHINESE_BASELINES, f'baselines = ["{tmp_path}/empty.txt"]'))))
    assert [line for line in lines if "rank columns" not in line] == [
        f"{phase}: zh: empty: 12 of 12 lines are empty where the source is not, first line 1"
        for phase in ("Development", "Test")
    ]


def test_files_of_options_go_into_the_reference_data(changed, tmp_path):
    content = b"sentence\tstart\tend\tcorrection\tweight\n1\t1\t2\tgoes\t2\n"
    (tmp_path / "weights.tsv").write_bytes(content)
    path = changed(('name = "m2"', f'name = "m2"\nedit_weights = "{tmp_path}/weights.tsv"'))
    made = bundle_files(read_task(path), [])
    told = json.loads(made.read("reference_data/0/task.json"))
    assert told["sets"][0]["metrics"][0]["options"]["edit_weights"] == "en/options/weights.tsv"
    assert made.read("reference_data/0/en/options/weights.tsv") == content


def test_limits_come_from_the_sources_or_from_the_task(task):
    english = list_expected_files(task, task.phases[0])[0]
    assert english == ExpectedFile("en.txt", lines=40, largest_file=1_000_000, longest_line=10_000)
    ours = list_expected_files(replace(task, largest_file=5, longest_line=6), task.phases[0])[0]
    assert ours == ExpectedFile("en.txt", lines=40, largest_file=5, longest_line=6)


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

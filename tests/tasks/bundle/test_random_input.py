"""Random changes: nothing crashes, and whatever the platform's schema refuses, we refuse."""

from __future__ import annotations

import copy
import json
import zipfile
from contextlib import suppress
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bundle_cases import write_task
from recte.errors import RecteError
from recte.tasks.bundle.bundle_files import BundleFiles
from recte.tasks.bundle.competition_check import competition_warnings, problems
from recte.tasks.bundle.program.submission_check import BadSubmissionError, ExpectedFile, find_files, unpack
from recte.tasks.bundle.task_file import read_task
from shared_data import golden

yaml = pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 700),
    st.floats(allow_nan=False),
    st.sampled_from(["", "x", "x" * 300, "2027-03-01", "2027-99-01 00:00:00", "scoring_program/", "a@b.c"]),
    st.builds(list),  # another one each time: a later change may add to it
    st.builds(dict),
    st.builds(lambda: [{}]),
    st.lists(st.integers(0, 3), max_size=3),
    st.just(date(2027, 3, 1)),
    st.just(datetime(2027, 3, 1, 12)),
)


def places(value, path=()):
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


@st.composite
def changed(draw, original):
    """A competition with some values changed, keys left out, or keys added."""
    actual = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([p for p in places(actual) if p]))
        inner = actual
        for key in path[:-1]:
            inner = inner[key]
        what = draw(st.sampled_from(["replace", "remove", "add"]))
        if what == "replace":
            inner[path[-1]] = draw(VALUES)
        elif what == "remove":
            del inner[path[-1]]
        elif isinstance(inner, dict):
            inner[draw(st.sampled_from(["computation", "queue", "key", "primary_index", "colour"]))] = draw(VALUES)
    return actual


@settings(max_examples=150)
@given(data=st.data())
def test_what_the_schema_refuses_is_refused(data, light_files):
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(
        json.loads(golden("shared-tasks/competition-v2.schema.json").read_text())
    )
    competition = data.draw(changed(yaml.safe_load(light_files.read("competition.yaml"))))
    actual = list(problems(competition, light_files))
    assert all("\n" not in str(item) for item in actual)
    if not actual:
        assert validator.is_valid(competition)
        competition_warnings(competition)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("random")
    write_task(folder)
    return folder


@settings(max_examples=100)
@given(data=st.data())
def test_a_task_file_is_read_or_refused(data, folder):
    lines = (folder / "TASK.toml").read_text().splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(st.sampled_from([*lines, "", "x", "start = 1", "gold = []", "[phases.data.en]"]))
        lines[place] = other
    path = folder / "changed.toml"
    path.write_text("\n".join(lines))
    with suppress(RecteError):
        read_task(path)


@settings(max_examples=100)
@given(data=st.data())
def test_a_zip_is_unpacked_or_refused(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("zip")
    path = folder / "submission.zip"
    names = st.sampled_from(["en.txt", "a/en.txt", "../en.txt", "/en.txt", "en.txt/", "..", "metadata", "a\x00b", ""])
    with zipfile.ZipFile(path, "w") as archive:
        for name in data.draw(st.lists(names, max_size=4, unique=True)):
            entry = zipfile.ZipInfo("x")
            entry.filename = name  # as it is: no name is made harmless before it is read
            entry.compress_type = data.draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
            archive.writestr(entry, data.draw(st.binary(max_size=30)))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    target = folder / "deep" / "er" / "res"
    target.mkdir(parents=True)
    with suppress(BadSubmissionError):
        unpack(path, target, 1000)
        find_files(target, [ExpectedFile("en.txt", 1, 20, 10)])
    assert sorted(p.name for p in folder.iterdir()) == ["deep", "submission.zip"]
    assert [p.name for p in (folder / "deep").rglob("*") if target not in p.parents] == ["er", "res"]


def test_an_empty_bundle_is_refused():
    for competition in (None, [], "x", 3, {}):
        assert list(problems(competition, BundleFiles("x.zip", {})))

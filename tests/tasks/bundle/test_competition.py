"""competition.yaml: ours passes the platform's schema, and every known case is met as the platform would, or better."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from bundle_cases import files_in, write_task
from recte.errors import InputError
from recte.tasks.bundle.bundle_files import BundleFiles, read_yaml
from recte.tasks.bundle.codabench import bundle_files
from recte.tasks.bundle.competition_check import check_competition, competition_warnings, problems
from recte.tasks.bundle.task_draft import plain_logo
from recte.tasks.bundle.task_file import read_task
from shared_data import ROOT, golden

yaml = pytest.importorskip("yaml", reason="bundles need PyYAML: pip install 'recte[bundle]'")

CASES = ROOT / "golden" / "shared-tasks" / "competition-v2"
# Whether a queue exists is known to the platform alone: told as a warning.
ONLY_THE_PLATFORM_KNOWS = {"invalid/queue-unknown.yaml"}


def platform() -> list[tuple[str, str]]:
    """Each case and what the platform says of it; none where the shared data are absent."""
    if not (CASES / "platform.tsv").exists():
        return []
    rows = [line.split("\t") for line in (CASES / "platform.tsv").read_text().splitlines()[1:]]
    return [(row[0], row[1]) for row in rows]


def files_with(competition: dict) -> BundleFiles:
    """What the cases expect in the same folder."""
    text = {f"pages/{name}.md": b"Text.\n" for name in ("terms", "overview", "evaluation")}
    folders = {
        f"{name}/x.txt": b"x\n"
        for name in ("reference_data/en", "reference_data/dev", "reference_data/test", "starting_kit", "public_data")
    }
    programs = {
        f"{name}/metadata.yaml": b"command: python3 x.py\n" for name in ("scoring_program", "ingestion_program")
    }
    other = {"pages/empty.md": b"", "logo.png": plain_logo(), "input_data/x.txt": b"x\n", "solution/x.txt": b"x\n"}
    return BundleFiles("case.zip", {**text, **folders, **programs, **other, "x": str(competition).encode()})


@pytest.mark.parametrize(("case", "status"), platform(), ids=lambda value: value)
def test_every_known_case(case, status):
    competition = read_yaml((CASES / case).read_bytes(), case)
    actual = list(problems(competition, files_with(competition)))
    if case.startswith("valid/"):
        assert (status, actual) == ("Finished", [])
        assert competition_warnings(competition)  # none of the three pins everything
        return
    if case in ONLY_THE_PLATFORM_KNOWS:
        assert not actual
        assert any(line.startswith("queue: ") for line in competition_warnings(competition))
        return
    # What the platform refuses, and what it takes but reads otherwise than meant.
    assert status == ("Failed" if case.startswith("invalid/") else "Finished")
    assert actual
    with pytest.raises(InputError, match=r"^case\.zip: competition\.yaml: ") as refused:
        check_competition(competition, files_with(competition))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("case", [case for case, _ in platform()])
def test_keys_are_refused_as_the_schema_refuses_them(case):
    """What the schema refuses, our table of keys refuses; it refuses more, since a schema knows less."""
    from recte.tasks.bundle.competition_check import key_problems

    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(golden("shared-tasks/competition-v2.schema.json").read_text())
    competition = read_yaml((CASES / case).read_bytes(), case)
    if not jsonschema.Draft202012Validator(schema).is_valid(competition):
        assert list(key_problems(competition)), case


def test_our_bundle_passes_the_schema(light_files):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(golden("shared-tasks/competition-v2.schema.json").read_text())
    competition = yaml.safe_load(light_files.read("competition.yaml"))
    jsonschema.validate(competition, schema, cls=jsonschema.Draft202012Validator)
    assert not list(problems(competition, light_files))
    assert competition_warnings(competition) == []


def test_traps_of_the_platform_are_avoided(light_files):
    competition = yaml.safe_load(light_files.read("competition.yaml"))
    first, second = competition["phases"]
    assert first["start"] == "2027-03-01 10:00:00"  # noon in Helsinki; a text, so that the platform keeps the hour
    assert (first["end"], second["start"]) == ("2027-03-31 23:59:59", "2027-04-01 00:00:00")
    assert [phase["tasks"] for phase in competition["phases"]] == [[0], [1]]
    assert (first["max_submissions_per_day"], first["max_submissions"]) == (10, 100)
    assert competition["docker_image"].startswith("python:3.")
    assert not any(phase["hide_output"] for phase in competition["phases"])
    assert not second["hide_score_output"]
    columns = competition["leaderboards"][0]["columns"]
    assert [column["index"] for column in columns] == list(range(len(columns)))
    assert not any("computation" in column for column in columns)
    assert {c["key"]: c["sorting"] for c in columns}["mean_rank_from"] == "asc"
    assert columns[0]["key"] == "mean"
    assert [c["key"] for c in columns if c["key"].startswith("en_m2")] == [
        *("en_m2", "en_m2_low", "en_m2_high", "en_m2_rank_from", "en_m2_rank_to"),
        *("en_m2_precision", "en_m2_recall", "en_m2_tp"),
    ]


def test_hidden_references_stand_in_the_reference_data_alone(light_files, task_folder):
    gold = (task_folder / "sample" / "gold.m2").read_bytes()
    outputs = (task_folder / "sample" / "systems" / "wren.txt").read_bytes()
    hidden = {line for line in gold.splitlines() if line.startswith(b"A ") and b"noop" not in line}
    hidden |= set(outputs.splitlines()) - set(light_files.read("starting_kit/1/sources/en.txt").splitlines())
    assert len(hidden) > 50
    for name in light_files:
        content = light_files.read(name)
        if name.startswith("reference_data/"):
            continue
        assert not any(line in content for line in hidden), name
        if name.endswith(".zip"):
            assert not any(line in inner for inner in files_in(content).values() for line in hidden), name
    assert light_files.read("reference_data/1/en/gold.m2") == gold


def test_the_same_task_is_the_same_bundle(task, light_files):
    again = bundle_files(task, [])
    assert {name: again.read(name) for name in again} == {name: light_files.read(name) for name in light_files}


def test_sources_can_stay_hidden(tmp_path):
    path = write_task(tmp_path, test="public_sources = false")
    made = bundle_files(read_task(path), [])
    assert [name for name in made if name.startswith("starting_kit/1/")] == [
        "starting_kit/1/README.md",
        "starting_kit/1/submission_check.py",
        "starting_kit/1/expected.json",
    ]
    assert len(yaml.safe_load(made.read("competition.yaml"))["solutions"]) == 1


def test_a_shell_in_the_command_is_refused(light_files):
    competition = yaml.safe_load(light_files.read("competition.yaml"))
    contents = {name: light_files.read(name) for name in light_files}
    contents["scoring_program/metadata.yaml"] = b"command: python3 a.py > b\n"
    with pytest.raises(InputError, match="no shell runs the command"):
        check_competition(competition, BundleFiles("b.zip", contents))
    del contents["scoring_program/metadata.yaml"]
    with pytest.raises(InputError, match=r"expected metadata\.yaml with a command"):
        check_competition(competition, BundleFiles("b.zip", contents))


def test_a_zip_of_the_folder_is_refused(tmp_path):
    from recte.tasks.bundle.bundle_files import zip_files
    from recte.tasks.bundle.offline_check import read_bundle

    path = tmp_path / "b.zip"
    path.write_bytes(zip_files({"task/competition.yaml": b"version: 2\n"}))
    with pytest.raises(InputError, match=r"expected competition\.yaml at the root of the zip"):
        read_bundle(BundleFiles.from_zip(path))
    Path(path).write_bytes(b"no zip")
    with pytest.raises(InputError, match="expected a zip file that can be unpacked"):
        BundleFiles.from_zip(path)


LEVELS = "abcdefghijkl"
BOMB = "a: &a [x]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise(LEVELS)) + "title: *l\n"


@pytest.mark.parametrize("text", [BOMB, "title: &a [*a]\n"], ids=["aliases of aliases", "a list in itself"])
def test_aliases_that_never_end_are_refused(text):
    with pytest.raises(
        InputError, match=r"^competition\.yaml: expected YAML of at most 100,000 values, aliases written out"
    ):
        read_yaml(text.encode(), "competition.yaml")
